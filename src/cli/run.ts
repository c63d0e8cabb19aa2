import { Command, Option } from 'commander';
import { loadConfig, type LoadedConfig } from '../config/index.ts';
import { reasonOf, type Env } from '../env/index.ts';
import {
  createProgress,
  formatEnds,
  formatTable,
  LOG_LEVELS,
  type LogLevel,
} from '../operate/index.ts';
import type { OwnerDecision } from '../runtime/index.ts';
import {
  BotCrashed,
  runPaper,
  runService,
  type RunPaperOptions,
  hasEndedItsStrategy,
} from '../operate/run/index.ts';
import { CommandFailure, configFailure, runFailed } from './failures/CommandFailure.ts';
import { codeOf } from './failures/explainFailure.ts';
import { addLogFileOptions, createLoggedEnv, type LogFileFlags } from './options/logFile.ts';
import { failOnAny, failOnOption, type FailOn } from './failures/failOnOutcome.ts';
import { describeFound } from './runs/describeFound.ts';
import { noteUntradedFeeds } from './runs/noteUntradedFeeds.ts';
import { refuseRemains } from './runs/refuseRemains.ts';
import {
  collectAdoption,
  collectSymbol,
  decisionsOf,
  type OwnerFlags,
} from './control/ownerDecisions.ts';
import { forceOption, prepareOutput, requireDistinct } from './output/prepareOutput.ts';
import { showPaperRun } from './output/showPaperRun.ts';
import { createStop, type LaterStop } from './process/stopOnSignals.ts';
import { feedOption, setOption } from './options/tapeOptions.ts';

interface RunFlags extends OwnerFlags, LogFileFlags {
  feed?: string[];
  set?: string[];
  report?: string | false;
  journal?: string;
  keepJournal?: boolean;
  force?: boolean;
  live?: boolean;
  failOn?: FailOn[];
  logLevel: LogLevel;
}

const EXAMPLES = `
Examples:
  trimtab run configs/demo.yaml
  trimtab run configs/demo.yaml --feed BTC@1m=btc.csv.gz --feed ETH@1m=eth.csv.gz
  trimtab run bot.yaml --set strategies[0].params.fast=12
  trimtab run live.yaml --live
  trimtab run live.yaml --live --log-level info --log live.log --log-max-mb 50 --log-keep 10
`;

/** `trimtab run`: a bot on the embedded paper service, or with \`--live\` on a real one. */
export function createRunCommand(): Command {
  const command = new Command('run')
    .description('run a bot: on paper to the end of its tape, or live')
    .argument('<config>', "the bot's YAML")
    .addOption(feedOption())
    .addOption(setOption())
    .option('--report <file>', 'file for the HTML report')
    .option('--no-report', 'write no report')
    .option('--journal <file>', 'path of the journal, or memory')
    .option(
      '--keep-journal',
      'on paper: go on with the journal of the run before, its states migrated',
    )
    .option(
      '--adopt <symbol=strategy>',
      'assign an unowned position to this strategy; repeatable',
      collectAdoption,
    )
    .option(
      '--ignore <symbol>',
      'leave a position to yourself; WALLET:SYMBOL where several wallets hold it; repeatable',
      collectSymbol('ignore'),
    )
    .option(
      '--flatten <symbol>',
      'close an unowned position at the market; WALLET:SYMBOL as above; repeatable',
      collectSymbol('flatten'),
    )
    .option('--live', 'allow a configuration whose link is live: real money')
    .addOption(forceOption())
    .addOption(failOnOption())
    .addOption(
      new Option('--log-level <level>', 'lowest log level to show')
        .choices([...LOG_LEVELS])
        .default('warn'),
    );
  return addLogFileOptions(command)
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
  const decisions = decisionsOf(flags, loaded.config);
  noteUntradedFeeds(feed, loaded.config);
  const { record, link, journal: own } = loaded.config;
  // A bot on a service writes no report.
  const page = report === false || link.kind !== 'paper' ? null : loaded.config.report;
  requireDistinct([
    ['report', page],
    ['record', record],
    ['--log', flags.log],
    ['journal.path', own.url === undefined && own.path !== 'memory' ? own.path : null],
  ]);
  if (record !== null) prepareOutput('record', record, { kind: 'recording', force: null });
  const env = createLoggedEnv(flags.logLevel, flags);
  const loopLog = flags.logLevel === 'silent' ? undefined : flags.log;
  const stop = createStop(flags.log === undefined ? [] : ['SIGHUP'], loopLog);
  const crash = watchCrashes(env, stop.ask);
  try {
    await runLoaded(loaded, env, { flags, stop, crash, decisions });
  } catch (error) {
    // Whoever reads the file alone learns why the bot ended.
    if (flags.log !== undefined)
      env.log.error(`The run failed: ${reasonOf(error)}`, { code: codeOf(error) });
    throw error;
  }
}

interface Running {
  flags: RunFlags;
  stop: LaterStop;
  crash: Crash;
  decisions: readonly OwnerDecision[];
}

async function runLoaded(
  loaded: LoadedConfig,
  env: Env,
  { flags, stop, crash, decisions }: Running,
): Promise<void> {
  const { report, failOn = [] } = flags;
  const { link } = loaded.config;
  if (link.kind === 'paper') {
    const isStopped = (): boolean => stop.isStopped();
    const onLoaded = (): void => stop.listen(loaded.config);
    const { force = false, keepJournal: keepsJournal = false } = flags;
    if (keepsJournal && loaded.config.journal.path === 'memory')
      throw new CommandFailure('TRIMTAB_USAGE', IN_MEMORY);
    await runOnPaper(loaded, env, {
      keepsJournal,
      onLoaded,
      isStopped,
      crash,
      failOn,
      force,
      report: report !== false,
    });
  } else {
    if (typeof report === 'string')
      throw new CommandFailure('TRIMTAB_REPORT_NEEDS_PAPER', NO_REPORT);
    if (flags.keepJournal === true) throw new CommandFailure('TRIMTAB_USAGE', ON_A_SERVICE);
    stop.listen(loaded.config);
    await runOnService(loaded, env, { stopped: stop.stopped, crash, failOn, decisions });
  }
}

const NO_REPORT = 'A report is made of a paper run; a bot on a service keeps its journal instead.';

const ON_A_SERVICE =
  '--keep-journal: a bot on a service always goes on with its journal.\n  Leave the flag out.';
const IN_MEMORY =
  '--keep-journal: a journal in memory ends with its run.\n  Name a file: journal.path, or --journal FILE.';

/** An exception from outside of every stream. */
interface Crash {
  /** Undefined if there was none. */
  first(): BotCrashed | undefined;
  crashed: Promise<BotCrashed>;
}

interface Ending {
  crash: Crash;
  /** The failure that gives an exit code other than 0. */
  failOn: readonly FailOn[];
}

async function runOnPaper(
  loaded: LoadedConfig,
  env: Env,
  options: Ending &
    Required<Pick<RunPaperOptions, 'onLoaded' | 'isStopped' | 'keepsJournal'>> & {
      report: boolean;
      force: boolean;
    },
): Promise<void> {
  const file = options.report ? loaded.config.report : null;
  if (file !== null) prepareOutput('report', file, { kind: 'page', force: options.force });
  const progress = createProgress({
    stream: process.stderr,
    isTerminal: process.stderr.isTTY,
    now: () => env.clock.monotonicNow(),
  });
  const { onLoaded, isStopped, keepsJournal } = options;
  const charts = file !== null;
  const result = await runPaper({
    loaded,
    env,
    progress,
    onLoaded,
    isStopped,
    charts,
    keepsJournal,
    onServed: served(loaded.config.name),
  });
  if (!result.ok) throw runFailed(result.failure);
  const { value: run } = result;
  await showPaperRun(run, {
    file,
    failOn: options.failOn,
    beforeVerdict: () => refuseCrash(options),
  });
}

async function runOnService(
  loaded: LoadedConfig,
  env: Env,
  options: Ending & { stopped: Promise<void>; decisions: readonly OwnerDecision[] },
): Promise<void> {
  const { config } = loaded;
  if (config.report !== null) process.stderr.write(`${config.name}: report: ${NO_REPORT}\n`);
  const ended = await runService({
    loaded,
    env,
    pid: process.pid,
    stopped: options.stopped,
    crashed: options.crash.crashed,
    decisions: options.decisions,
    onServed: served(config.name),
    onTakenOver: (found) => void process.stderr.write(describeFound(config.name, found)),
    onStopping(wasUp) {
      const how = `stop_policy ${config.stopPolicy}`;
      const when = wasUp ? '' : ', before its stream was up';
      process.stderr.write(`${config.name}: stopping${when}, ${how}\n`);
    },
    onRunning({ kind, baseUrl, wallets }) {
      const what = kind === 'live' ? 'LIVE' : 'on paper';
      const names = config.strategies.map(({ name }) => name).join(', ');
      process.stderr.write(
        `${config.name}: ${what} at ${baseUrl}, wallets ${wallets.join(', ')}, strategies ${names}\n`,
      );
    },
  });
  if (!ended.ok) throw runFailed(ended.failure, options.crash.first()?.cause);
  const { figures, ...ends } = ended.value;
  process.stdout.write(`\n${formatTable(figures)}${formatEnds(ends)}`);
  refuseCrash(options);
  refuseRemains(config.name, ends);
  failOnAny({ totals: figures.totals, refusals: ends.refusals }, options.failOn);
}

const served =
  (name: string) =>
  (address: string): void =>
    void process.stderr.write(`${name}: operator's page at ${address}\n`);

function refuseCrash({ crash }: Ending): void {
  const crashed = crash.first();
  if (crashed === undefined) return;
  const { code, message, cause } = crashed;
  throw new CommandFailure(code, message, 1, { cause });
}

/**
 * An error whose stack names no plugin's file can't be attributed to an instance, so it ends the bot: in order, with
 * its stop policy, and with a message instead of a stack trace.
 */
function watchCrashes(env: Env, stop: () => void): Crash {
  let first: BotCrashed | undefined;
  const { promise: crashed, resolve } = Promise.withResolvers<BotCrashed>();
  const take = (thrown: unknown): void => {
    if (hasEndedItsStrategy(thrown)) return;
    first ??= new BotCrashed(thrown);
    env.log.error(`Thrown outside of every stream: ${reasonOf(thrown)}`);
    resolve(first);
    stop();
  };
  process.on('uncaughtException', take);
  process.on('unhandledRejection', take);
  return { first: () => first, crashed };
}
