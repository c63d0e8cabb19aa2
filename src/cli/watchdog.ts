import { Command } from 'commander';
import {
  processEnvironment,
  resolveKey,
  type BotConfig,
  type LoadedConfig,
  type ServiceLinkConfig,
} from '../config/index.ts';
import type { FailureCode } from '../contract/index.ts';
import { pauseUnless, reasonOf, type Env } from '../env/index.ts';
import { journalFailureCode, JournalFault } from '../journal/index.ts';
import { controlFilesOfBot, runWatchdog } from '../operate/control/index.ts';
import { loadDialect, openService } from '../operate/run/index.ts';
import { watchdogRefusal } from '../operate/watchdogRefusal.ts';
import { tradedWallets } from '../runtime/index.ts';
import type { Client } from '../wire/index.ts';
import { CommandFailure, configFailure, runFailed, UNENDED } from './failures/CommandFailure.ts';
import { createCliEnv } from './process/createCliEnv.ts';
import { isUnaddressed } from './failures/journalFailure.ts';
import {
  journalOfControlledBot,
  loadControlledBot,
  type ControlledBotFlags,
} from './control/loadControlledBot.ts';
import { readJournalOf } from './control/readJournalOf.ts';
import { stopOnSignals, type Stop } from './process/stopOnSignals.ts';

const EXAMPLES = `
It needs the section watchdog of the configuration: a key of its own, with the scopes read, trade and
algo. It needs neither the key nor the secret of the bot.

Example:
  trimtab watchdog live.yaml
`;

const NO_SECTION =
  'The configuration has no section watchdog.\n' +
  '  Add one, with a key of its own: watchdog: { key_id: …, secret: { env: WATCHDOG_SECRET } }';

/** `trimtab watchdog`: ends a bot's entries when its main loop has been silent for too long. */
export function createWatchdogCommand(): Command {
  return new Command('watchdog')
    .description('end the entries of a bot that hangs (kill level L2), from a separate process')
    .argument('<config>', "the bot's YAML")
    .addOption(journalOfControlledBot())
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, flags: ControlledBotFlags) =>
      watch(await loadControlledBot(path, flags), createCliEnv('info')),
    );
}

async function watch(loaded: LoadedConfig, env: Env): Promise<void> {
  const { config } = loaded;
  const { watchdog, link, directory } = config;
  if (watchdog === null) throw new CommandFailure('TRIMTAB_WATCHDOG_NO_SECTION', NO_SECTION);
  const files = controlFilesOfBot(config);
  if (link.kind === 'paper' || files === null) {
    throw new CommandFailure(
      'TRIMTAB_WATCHDOG_NO_SERVICE',
      'A watchdog watches a bot on a separate service, with a journal in a file or a database.',
    );
  }
  // A journal that can't be read is told before anything else; one that is missing is waited for.
  const isThere = await isReadable(config);
  const key = await resolveKey(watchdog, 'watchdog', {
    environment: processEnvironment,
    directory,
  });
  if ('findings' in key) throw configFailure(key.findings.map((found) => loaded.faultAt(found)));
  const spoken = await loadDialect(config);
  if (!spoken.ok) throw runFailed(spoken.failure);
  const dialect = spoken.value;
  const stop = stopOnSignals();
  if (!isThere) await untilReadable(config, { env, stop });
  if (stop.isStopped()) return;
  const { baseUrl, wsUrl } = link satisfies ServiceLinkConfig;
  const address = { baseUrl, wsUrl, keyId: key.keyId, secret: key.secret.reveal() };
  const service = openService(address, { dialect, env, market: 'wall' });
  const seconds = watchdog.silence_seconds;
  const wallets = tradedWallets(config.strategies);
  try {
    await requireKey(service.client, wallets, env);
    process.stderr.write(`watching ${config.name}: L2 once it is silent for ${seconds} s\n`);
    const left = await runWatchdog({
      env,
      files,
      client: service.client,
      dialect,
      wallets,
      // Opened on demand: a connection that idles for weeks may be lost when it is needed.
      held: (keys) => readJournalOf(config, (reader) => reader.held(keys)),
      stopped: stop.stopped,
      silenceMs: watchdog.silence_seconds * 1_000,
    });
    refuseLeft(config.name, left);
  } finally {
    await service.link.close();
  }
}

/** It is stopped while the bot is silent: the caller must not assume that the bot's entries have ended. */
function refuseLeft(name: string, left: readonly string[]): void {
  if (left.length === 0) return;
  throw new CommandFailure(
    'TRIMTAB_BOT_UNENDED',
    `${name} is silent, and the watchdog could not end or read:\n` +
      left.map((line) => `  ${line}\n`).join('') +
      '  Check the service.',
    UNENDED,
  );
}

const LOOK_MS = 1_000;

/** Beside the first start of a bot there is no journal yet, and nothing to end: it waits for that, or for a stop. */
async function untilReadable(
  config: BotConfig,
  { env, stop }: { env: Env; stop: Stop },
): Promise<void> {
  const where = `${config.name} has no journal in ${config.journal.path} yet`;
  process.stderr.write(`${where}: waiting for its first start\n`);
  do await pauseUnless(env.timers, LOOK_MS, stop.isStopped);
  while (!stop.isStopped() && !(await isReadable(config)));
}

/**
 * Whether the journal can be read, without which the watchdog can't identify the bot's orders.
 *
 * @returns false for a journal that is not there yet
 */
async function isReadable(config: BotConfig): Promise<boolean> {
  try {
    await readJournalOf(config, async () => {});
    return true;
  } catch (error) {
    if (error instanceof JournalFault && error.code === 'missing') return false;
    throw new CommandFailure(codeOfJournal(error), explainNoJournal(config, error), 1, {
      cause: error,
    });
  }
}

/** A service that is unavailable now may be back when the watchdog needs it. */
async function requireKey(client: Client, wallets: readonly string[], env: Env): Promise<void> {
  const refusal = await watchdogRefusal(client, wallets).catch((error: unknown) => {
    env.log.warn(`The watchdog's key can't be examined: ${reasonOf(error)}`);
  });
  if (refusal === undefined) return;
  const remedy =
    'Give the key of the section watchdog the wallet, and the scopes read, trade and algo.';
  throw new CommandFailure('TRIMTAB_WATCHDOG_KEY_REFUSED', `The watchdog ${refusal}\n  ${remedy}`);
}

function codeOfJournal(error: unknown): FailureCode {
  if (isUnaddressed(error)) return 'TRIMTAB_CONFIG_SECRET';
  return error instanceof JournalFault
    ? journalFailureCode(error.code)
    : 'TRIMTAB_JOURNAL_UNREADABLE';
}

function explainNoJournal({ journal }: BotConfig, error: unknown): string {
  if (!(error instanceof JournalFault)) {
    return `The journal ${journal.path} can't be read: ${reasonOf(error)}`;
  }
  return error.message;
}
