import { Command } from 'commander';
import { createLiveEnv, pause } from '../env/index.ts';
import { formatTime } from '../operate/index.ts';
import { controlFilesOfBot, STATES, statusOf, type BotStatus } from '../operate/control/index.ts';
import { CommandFailure } from './CommandFailure.ts';
import { isAlive } from './isAlive.ts';
import {
  journalOfControlledBot,
  loadControlledBot,
  refuseEmbedded,
  type ControlledBotFlags,
} from './loadControlledBot.ts';
import { say } from './say.ts';
import { stopOnSignals } from './stopOnSignals.ts';

const EXAMPLES = `
Exits with 0 if the bot is well, 1 if it is degraded (its key is refused, it is at a kill level, its entries are
closed), 2 if it is down. Run it on the bot's host; it needs neither key nor secret.

Examples:
  trimtab status live.yaml
  trimtab status live.yaml --json
  trimtab status live.yaml --watch
`;

interface Flags extends ControlledBotFlags {
  json?: boolean;
  watch?: boolean;
}

/** `trimtab status`: whether a bot is well, for an operator, a supervisor and a monitor. */
export function createStatusCommand(): Command {
  return new Command('status')
    .description('whether a bot is well (0), degraded (1) or down (2), and why')
    .argument('<config>', "the bot's YAML")
    .option('--json', 'one JSON object: state, reasons, notes, level, pid, time')
    .option('--watch', 'stay, and show each change, until it is interrupted')
    .addOption(journalOfControlledBot())
    .addHelpText('after', EXAMPLES)
    .action(status);
}

async function status(path: string, flags: Flags): Promise<void> {
  const { config } = await loadControlledBot(path, flags);
  refuseEmbedded(config);
  const files = controlFilesOfBot(config);
  if (files === null) {
    const message = `${config.name} keeps its journal in memory, and records no status.`;
    throw new CommandFailure('TRIMTAB_JOURNAL_IN_MEMORY', message);
  }
  const { clock, timers } = createLiveEnv();
  const isWatched = flags.watch === true;
  let last = '';
  /** A watched status is shown when it changes. */
  const show = async (): Promise<void> => {
    const now = clock.wallNow();
    const { time, ...found } = statusOf(files, { now, isAlive });
    process.exitCode = STATES.indexOf(found.state);
    const text = describe(config.name, { ...found, time });
    if (isWatched && text === last) return;
    last = text;
    const at = isWatched ? `${formatTime(now)} UTC  ` : '';
    await say(flags.json === true ? `${JSON.stringify({ ...found, time })}\n` : `${at}${text}\n`);
  };
  await show();
  if (!isWatched) return;
  const stop = stopOnSignals();
  while (!stop.isStopped()) {
    await pause(timers, WATCH_MS);
    await show();
  }
}

const WATCH_MS = 1_000;

function describe(name: string, { state, reasons, notes, pid }: BotStatus): string {
  const process = pid === null || state === 'down' ? '' : ` (process ${pid})`;
  return [
    `${name} is ${state}${process}.`,
    ...[...reasons, ...notes].map((line) => `  ${line}`),
  ].join('\n');
}
