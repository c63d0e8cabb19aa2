import { Command, Option } from 'commander';
import { config as rxjs } from 'rxjs';
import { loadConfig, type LoadedConfig } from '../config/index.ts';
import { reasonOf, type Env } from '../env/index.ts';
import {
  createProgress,
  formatEnds,
  formatTable,
  LOG_LEVELS,
  type LogLevel,
} from '../operate/index.ts';
import { runPaper, runService } from '../operate/run/index.ts';
import { collect } from './collect.ts';
import { CommandFailure, configFailure } from './CommandFailure.ts';
import { createCliEnv } from './createCliEnv.ts';
import { noteUntradedFeeds } from './noteUntradedFeeds.ts';
import { prepareOutput } from './prepareOutput.ts';
import { showPaperRun } from './showPaperRun.ts';
import { stopOnSignals } from './stopOnSignals.ts';

interface RunFlags {
  feed?: string[];
  set?: string[];
  report?: string | false;
  journal?: string;
  live?: boolean;
  logLevel: LogLevel;
}

const EXAMPLES = `
Examples:
  trimtab run configs/demo.yaml
  trimtab run configs/demo.yaml --feed BTC@1m=btc.csv.gz --feed ETH@1m=eth.csv.gz
  trimtab run bot.yaml --set strategies[0].params.fast=12
  trimtab run live.yaml --live
`;

/** `trimtab run`: a bot on the embedded paper service, or with \`--live\` on a real one. */
export function createRunCommand(): Command {
  return new Command('run')
    .description('run a bot: on paper to the end of its tape, or live')
    .argument('<config>', "the bot's YAML")
    .option(
      '--feed <symbol@interval=path>',
      "a symbol's candles: CSV, .gz, Parquet or a cache; repeatable",
      collect,
    )
    .option('--set <key=value>', 'changes a value of the configuration; repeatable', collect)
    .option('--report <file>', 'where the HTML report goes')
    .option('--no-report', 'write no report')
    .option('--journal <file>', 'where the journal goes, or memory')
    .option('--live', 'allow a configuration whose link is live: real money')
    .addOption(
      new Option('--log-level <level>', 'least important line to show')
        .choices([...LOG_LEVELS])
        .default('warn'),
    )
    .addHelpText('after', EXAMPLES)
    .action((config: string, flags: RunFlags) => run(config, flags));
}

async function run(path: string, flags: RunFlags): Promise<void> {
  const { feed, set, report, journal, live } = flags;
  const loaded = await loadConfig(path, {
    allowLive: live === true,
    overrides: {
      ...(feed === undefined ? {} : { feeds: feed }),
      ...(set === undefined ? {} : { set }),
      ...(typeof report === 'string' ? { report } : {}),
      ...(journal === undefined ? {} : { journal }),
    },
  });
  if (!loaded.ok) throw configFailure(loaded.faults);
  noteUntradedFeeds(feed, loaded.config);
  const env = createCliEnv(flags.logLevel);
  // A throw in a plugin's own subscriber reaches nobody else, and must not end the others.
  rxjs.onUnhandledError = (error) => env.log.error(`A subscriber threw: ${reasonOf(error)}`);
  const stop = stopOnSignals();
  const crash = watchCrashes(env, stop.ask);
  if (loaded.config.link.kind === 'paper') {
    const isStopped = (): boolean => stop.isStopped();
    await runOnPaper(loaded, env, { isStopped, report: report !== false, crash });
  } else {
    if (typeof report === 'string') throw new CommandFailure(NO_REPORT);
    await runOnService(loaded, env, { stopped: stop.stopped, crash });
  }
}

const NO_REPORT = 'A report is made of a paper run; a bot on a service keeps its journal instead.';

interface Ending {
  /** What was thrown outside of every stream, or undefined. */
  crash(): unknown;
}

async function runOnPaper(
  loaded: LoadedConfig,
  env: Env,
  options: Ending & { isStopped(): boolean; report: boolean },
): Promise<void> {
  const file = options.report ? loaded.config.report : null;
  if (file !== null) prepareOutput('report', file);
  const progress = createProgress({
    stream: process.stderr,
    isTerminal: process.stderr.isTTY,
    now: () => env.clock.monotonicNow(),
  });
  const result = await runPaper({ loaded, env, progress, isStopped: () => options.isStopped() });
  if (!result.ok) throw new CommandFailure(result.failure.message);
  const { value: run } = result;
  await showPaperRun(run, { file, beforeVerdict: () => refuseCrash(options) });
}

async function runOnService(
  loaded: LoadedConfig,
  env: Env,
  options: Ending & { stopped: Promise<void> },
): Promise<void> {
  const { config } = loaded;
  if (config.report !== null) process.stderr.write(`${config.name}: report: ${NO_REPORT}\n`);
  const ended = await runService({
    loaded,
    env,
    pid: process.pid,
    stopped: options.stopped,
    onStopping(wasUp) {
      const how = wasUp
        ? `stop_policy ${config.stopPolicy}`
        : 'before its stream was up: what it has on the service stays as it is';
      process.stderr.write(`${config.name}: stopping, ${how}\n`);
    },
    onRunning({ kind, baseUrl, wallets }) {
      const what = kind === 'live' ? 'LIVE' : 'on paper';
      const names = config.strategies.map(({ name }) => name).join(', ');
      process.stderr.write(
        `${config.name}: ${what} at ${baseUrl}, wallets ${wallets.join(', ')}, strategies ${names}\n`,
      );
    },
  });
  if (!ended.ok) throw new CommandFailure(ended.failure.message);
  const { figures, ...ends } = ended.value;
  process.stdout.write(`\n${formatTable(figures)}${formatEnds(ends)}`);
  refuseCrash(options);
}

function refuseCrash({ crash }: Ending): void {
  const thrown = crash();
  if (thrown === undefined) return;
  const where = 'Something threw outside of every stream, and the bot was ended';
  throw new CommandFailure(`${where}: ${reasonOf(thrown)}`, 1, { cause: thrown });
}

/**
 * A rejected promise or a timer of a plugin's own can't be tied to an instance, so it ends the bot:
 * in order, with its stop policy, and with a message instead of a trace.
 */
function watchCrashes(env: Env, stop: () => void): Ending['crash'] {
  let first: unknown;
  const take = (thrown: unknown): void => {
    first ??= thrown ?? new Error('undefined was thrown');
    env.log.error(`Thrown outside of every stream: ${reasonOf(thrown)}`);
    stop();
  };
  process.on('uncaughtException', take);
  process.on('unhandledRejection', take);
  return () => first;
}
