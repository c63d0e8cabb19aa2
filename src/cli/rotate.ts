import { Command } from 'commander';
import { withFullStop } from '../env/index.ts';
import type { ServiceLinkConfig } from '../config/index.ts';
import { askToRotate, controlFilesOfBot } from '../operate/control/index.ts';
import { botStopping, CommandFailure } from './failures/CommandFailure.ts';
import { createCliEnv } from './process/createCliEnv.ts';
import { livenessOf } from './control/livenessOf.ts';
import {
  journalOfControlledBot,
  loadControlledBot,
  refuseEmbedded,
  type ControlledBotFlags,
} from './control/loadControlledBot.ts';
import { personHere } from './control/personHere.ts';
import { REASON } from './control/signedReason.ts';

const EXAMPLES = `
The running bot reads link.key_id and link.secret again, as the configuration names them now, and sends signed reads
with the new key. If the service accepts them, and the key has the wallets and scopes that the bot needs, requests
wait for the last answers to the old key, for two seconds at most; then everything is signed with the new one. If
not, the bot stays on the old key, and the exit code is 1. It works on the bot's host.

A bot whose key is in a file rotates by itself when the file changes; this command waits for the outcome, or says since
when the new key signs, and records the reason. A key that was in use all along is refused, with exit code 1.

Examples:
  trimtab rotate live.yaml
  trimtab rotate live.yaml --reason "quarterly rotation"
`;

interface Flags extends ControlledBotFlags {
  reason: string;
}

/** `trimtab rotate`: a running bot signs with another API key. */
export function createRotateCommand(): Command {
  return new Command('rotate')
    .description('have a running bot read its API key again and sign with the new one')
    .argument('<config>', "the bot's YAML")
    .option(...REASON, (given) => (given.trim() === '' ? 'by hand' : given), 'by hand')
    .addOption(journalOfControlledBot())
    .addHelpText('after', EXAMPLES)
    .action(rotate);
}

async function rotate(path: string, flags: Flags): Promise<void> {
  const { config } = await loadControlledBot(path, flags);
  const { name } = config;
  refuseEmbedded(config);
  const files = controlFilesOfBot(config);
  if (files === null)
    throw new CommandFailure(
      'TRIMTAB_JOURNAL_IN_MEMORY',
      `${name} keeps its journal in memory and takes no commands; restart it with the new key.`,
    );
  const { named } = config.link as ServiceLinkConfig;
  const asked = { reason: flags.reason, by: personHere(), named };
  const env = createCliEnv('warn', true);
  const answer = await askToRotate({
    env,
    files,
    asked,
    ...livenessOf(config, env),
  });
  switch (answer.kind) {
    case 'done':
      process.stdout.write(`${name} ${answer.text}.\n`);
      return;
    case 'not_running':
      throw new CommandFailure(
        'TRIMTAB_BOT_NOT_RUNNING',
        `${name} is not running here; its next start reads the key.\n  Run this on the host where the bot runs.`,
      );
    case 'stopping':
      throw botStopping(name);
    case 'silent':
      throw new CommandFailure(
        'TRIMTAB_BOT_SILENT',
        `${name} (process ${answer.pid}) did not answer: its main loop hangs.\n` +
          '  Do not revoke the old key. It may still rotate: look at its log, or with trimtab journal latches.',
      );
    case 'refused':
      throw new CommandFailure(
        'TRIMTAB_ROTATE_REFUSED',
        `${name} stays on its key: ${withFullStop(answer.reason)}\n  Do not revoke the key in use; mend the new one and rotate again.`,
      );
    case 'failed':
      throw new CommandFailure(
        'TRIMTAB_ROTATE_REFUSED',
        `${name} could not finish the rotation: ${withFullStop(answer.reason)}\n  Look at its log, which names the key in use, and at its journal's disk or database.`,
      );
  }
}
