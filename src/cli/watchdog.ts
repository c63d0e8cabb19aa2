import { Command } from 'commander';
import {
  loadConfig,
  processEnvironment,
  resolveKey,
  type LoadedConfig,
  type ServiceLinkConfig,
} from '../config/index.ts';
import type { Env } from '../env/index.ts';
import { createKeyReader } from '../journal/createKeyReader.ts';
import { controlFilesOf, guardBot } from '../operate/control/index.ts';
import { loadDialect, openService } from '../operate/run/index.ts';
import { CommandFailure, configFailure } from './CommandFailure.ts';
import { createCliEnv } from './createCliEnv.ts';
import { stopOnSignals } from './stopOnSignals.ts';

const EXAMPLES = `
It needs the section watchdog of the configuration: a key of its own.

Example:
  trimtab watchdog live.yaml
`;

/** `trimtab watchdog`: ends a bot's entries when its main loop has been silent for too long. */
export function createWatchdogCommand(): Command {
  return new Command('watchdog')
    .description('end the entries of a bot that hangs (kill level L2), from a process of its own')
    .argument('<config>', "the bot's YAML")
    .addHelpText('after', EXAMPLES)
    .action(async (path: string) => {
      const loaded = await loadConfig(path, { allowLive: true });
      if (!loaded.ok) throw configFailure(loaded.faults);
      await watch(loaded, createCliEnv('info'));
    });
}

async function watch(loaded: LoadedConfig, env: Env): Promise<void> {
  const { config } = loaded;
  const { watchdog, link, journal, directory } = config;
  if (watchdog === null) throw new CommandFailure('The configuration has no section watchdog.');
  if (link.kind === 'paper' || journal.path === 'memory') {
    throw new CommandFailure(
      'A watchdog watches a bot on a service of its own, with a journal file.',
    );
  }
  const key = await resolveKey(watchdog, 'watchdog', {
    environment: processEnvironment,
    directory,
  });
  if ('findings' in key) throw configFailure(key.findings.map((found) => loaded.faultAt(found)));
  const spoken = await loadDialect(config);
  if (!spoken.ok) throw new CommandFailure(spoken.failure.message);
  const dialect = spoken.value;
  const { baseUrl, wsUrl } = link satisfies ServiceLinkConfig;
  const address = { baseUrl, wsUrl, keyId: key.keyId, secret: key.secret.reveal() };
  const service = openService(address, { dialect, env, market: 'wall' });
  const reader = createKeyReader(journal.path);
  try {
    await guardBot({
      env,
      files: controlFilesOf(journal.path),
      client: service.client,
      dialect,
      wallets: [...new Set(config.strategies.map(({ wallet }) => wallet))],
      isOwn: (id) => reader.holds(id),
      stopped: stopOnSignals().stopped,
      silenceMs: watchdog.silence_seconds * 1_000,
    });
  } finally {
    reader.close();
    await service.link.close();
  }
}
