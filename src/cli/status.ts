import { Command } from 'commander';
import { createLiveEnv, pause, type Timers } from '../env/index.ts';
import { formatTime } from '../operate/index.ts';
import { controlFilesOfBot, STATES, statusOf, type BotStatus } from '../operate/control/index.ts';
import { CommandFailure } from './failures/CommandFailure.ts';
import { isAlive } from './control/isAlive.ts';
import {
  journalOfControlledBot,
  loadControlledBot,
  refuseEmbedded,
  type ControlledBotFlags,
} from './control/loadControlledBot.ts';
import { sayNext, whileRead } from './output/say.ts';
import { stopOnSignals } from './process/stopOnSignals.ts';

const EXAMPLES = `
Exits with 0 if the bot is well, 1 if it is degraded (its key is refused, it is at a kill level, its entries are
closed, all of them, those of a wallet such as by the day's loss limit, or those of a symbol, a strategy is paused,
quarantined or emitted a malformed intent within a day, a sent intent has no answer), 2 if it is down, 3 if that can't
be checked: a file that is missing or wrong, or a wrong command line. A limit that has closed entries does its work, and
is named until they are open again. Run it on the bot's host; it needs neither key nor secret.

Of a sweep, by its results files: 0 while it runs and when it is complete, 1 if points failed or take much longer
than the others, 2 if it was stopped before its end. It shows rate and rest, and what each worker does.

Examples:
  trimtab status live.yaml
  trimtab status live.yaml --json
  trimtab status live.yaml --watch
  trimtab status sweeps/demo.sqlite
  trimtab status part-*.sqlite --watch
`;

interface Flags extends ControlledBotFlags {
  json?: boolean;
  watch?: boolean;
}

/** `trimtab status`: whether a bot is well, for an operator, a supervisor and a monitor. */
export function createStatusCommand(): Command {
  return new Command('status')
    .description('whether a bot is well (0), degraded (1) or down (2), and why; how far a sweep is')
    .argument('<files...>', "the bot's YAML, or the results files of a sweep")
    .option('--json', 'one JSON object: state, reasons, notes, level, pid, time')
    .option('--watch', 'stay, and show each change, until it is interrupted')
    .addOption(journalOfControlledBot())
    .addHelpText('after', EXAMPLES)
    .action(status);
}

/** A sweep's results are an SQLite file, a bot's description is YAML. */
const isResultsFile = (path: string): boolean => path.endsWith('.sqlite');

async function status(paths: readonly string[], flags: Flags): Promise<void> {
  const [path = ''] = paths;
  const { clock, timers } = createLiveEnv();
  if (isResultsFile(path)) {
    const isJson = flags.json === true;
    // The sweep's modules are loaded where they are needed: a bot's status has to come at once.
    const { sweepStatus } = await import('./sweep/sweepStatus.ts');
    return watched(flags, timers, () => sweepStatus(paths, { now: clock.wallNow(), isJson }));
  }
  if (paths.length > 1) {
    const message = `${paths[1]} is one too many: the status of one bot is shown.`;
    throw new CommandFailure('TRIMTAB_USAGE', message);
  }
  const { config } = await loadControlledBot(path, flags);
  refuseEmbedded(config);
  const files = controlFilesOfBot(config);
  if (files === null) {
    const message = `${config.name} keeps its journal in memory, and records no status.`;
    throw new CommandFailure('TRIMTAB_JOURNAL_IN_MEMORY', message);
  }
  await watched(flags, timers, () => {
    const now = clock.wallNow();
    const { time, ...found } = statusOf(files, { now, isAlive });
    const words = describe(config.name, { ...found, time });
    const at = flags.watch === true ? `${formatTime(now)} UTC  ` : '';
    const text =
      flags.json === true ? `${JSON.stringify({ ...found, time })}\n` : `${at}${words}\n`;
    return { text, words, exitCode: STATES.indexOf(found.state) };
  });
}

interface Shown {
  text: string;
  /** What decides whether it has changed; default: the text. */
  words?: string;
  exitCode: number;
}

/** Shows a status once; a watched one again when it changes. */
async function watched(
  { watch: isWatched = false }: Flags,
  timers: Timers,
  look: () => Shown,
): Promise<void> {
  let last = '';
  const show = async (): Promise<void> => {
    const { text, words = text, exitCode } = look();
    process.exitCode = exitCode;
    if (isWatched && words === last) return;
    last = words;
    await sayNext(text);
  };
  // A reader that has closed the pipe is noticed by the next change that is written.
  await whileRead(async () => {
    await show();
    if (!isWatched) return;
    const stop = stopOnSignals();
    while (!stop.isStopped()) {
      await pause(timers, WATCH_MS);
      await show();
    }
  });
}

const WATCH_MS = 1_000;

function describe(name: string, { state, reasons, notes, pid }: BotStatus): string {
  const process = pid === null || state === 'down' ? '' : ` (process ${pid})`;
  return [
    `${name} is ${state}${process}.`,
    ...[...reasons, ...notes].map((line) => `  ${line}`),
  ].join('\n');
}
