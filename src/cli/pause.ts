import { Command } from 'commander';
import { nearest } from '../contract/nearest.ts';
import type { BotConfig } from '../config/index.ts';
import { withFullStop } from '../env/index.ts';
import {
  askStrategy,
  controlFilesOfBot,
  NOT_PAUSED,
  pauseStopped,
} from '../operate/control/index.ts';
import { botStopping, CommandFailure } from './failures/CommandFailure.ts';
import { createCliEnv } from './process/createCliEnv.ts';
import { livenessOf } from './control/livenessOf.ts';
import {
  journalOfControlledBot,
  loadControlledBot,
  refuseEmbedded,
  type ControlledBotFlags,
} from './control/loadControlledBot.ts';
import { requireJournal } from './control/notRunning.ts';
import { notWritten } from './control/notWritten.ts';
import { REASON, signedReason } from './control/signedReason.ts';

type Action = 'pause' | 'resume';

const EXAMPLES = `
A paused strategy adds no exposure: its entries are denied. Its exits, cancels and stops go on, what rests on the
service stays, and so does its position. It stays paused across restarts. It works on the bot's host, whether the bot
runs or not.

Examples:
  trimtab pause live.yaml trend --reason "the feed of ETH looks wrong"
  trimtab resume live.yaml trend
`;

interface Flags extends ControlledBotFlags {
  reason?: string;
}

/** `trimtab pause`: keeps one strategy of a bot from adding exposure. */
export const createPauseCommand = (): Command =>
  createCommand('pause', 'keep one strategy of a bot from adding exposure');

/** `trimtab resume`: lets a paused strategy enter again. */
export const createResumeCommand = (): Command =>
  createCommand('resume', 'let a paused strategy enter again');

function createCommand(action: Action, description: string): Command {
  return new Command(action)
    .description(description)
    .argument('<config>', "the bot's YAML")
    .argument('<strategy>', 'its name in the configuration')
    .option(...REASON)
    .addOption(journalOfControlledBot())
    .addHelpText('after', EXAMPLES)
    .action((path: string, strategy: string, flags: Flags) =>
      command({ path, strategy, action }, flags),
    );
}

async function command(
  { path, strategy, action }: { path: string; strategy: string; action: Action },
  flags: Flags,
): Promise<void> {
  const { config } = await loadControlledBot(path, flags);
  const { name } = config;
  refuseEmbedded(config);
  requireStrategy(config, strategy);
  const files = controlFilesOfBot(config);
  if (files === null)
    throw new CommandFailure(
      'TRIMTAB_JOURNAL_IN_MEMORY',
      `${name} keeps its journal in memory; stop its process instead.`,
    );
  const env = createCliEnv('warn', true);
  const asked = { instance: strategy, do: action, reason: signedReason(flags.reason) };
  const answer = await askStrategy({
    env,
    files,
    asked,
    ...livenessOf(config, env),
  });
  const done = action === 'pause' ? 'is paused and adds no exposure' : 'may enter again';
  const unpaused = `${strategy} of ${name} was not paused; nothing has changed.\n`;
  switch (answer.kind) {
    case 'done':
      process.stdout.write(
        answer.text === NOT_PAUSED ? unpaused : `${strategy} of ${name} ${done}.\n`,
      );
      return;
    case 'not_running': {
      await requireJournal(config);
      const isChanged = await pauseStopped({ config, env, asked }).catch((error) =>
        notWritten(error, { name, what: action }),
      );
      const next = `from its next start ${strategy} ${done}.\n`;
      process.stdout.write(isChanged ? `${name} is not running; ${next}` : unpaused);
      return;
    }
    case 'stopping':
      throw botStopping(name);
    case 'silent':
      throw new CommandFailure(
        'TRIMTAB_BOT_SILENT',
        `${name} (process ${answer.pid}) did not answer: its main loop or its journal hangs.\n` +
          '  It may still do it: look with trimtab journal latches.',
      );
    default: {
      const stands = action === 'pause' && answer.kind === 'failed';
      const holds = stands ? ' It is paused until the process ends.' : '';
      throw new CommandFailure(
        'TRIMTAB_PAUSE_REFUSED',
        `${strategy} of ${name}: ${withFullStop(answer.reason)}${holds}\n  Look at the bot's log and its journal's disk or database.`,
      );
    }
  }
}

/** @throws CommandFailure if a bot has no strategy of this name */
export function requireStrategy({ name, strategies }: BotConfig, given: string): void {
  const names = strategies.map((one) => one.name);
  if (names.includes(given)) return;
  const meant = nearest(given, names);
  const hint =
    meant === null ? `Its strategies are ${names.join(', ')}.` : `Did you mean ${meant}?`;
  throw new CommandFailure('TRIMTAB_USAGE', `${name} has no strategy ${given}.\n  ${hint}`);
}
