import { relative, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { runLoadedBacktest } from '../../backtest/runLoadedBacktest.ts';
import { loadConfig, type BotConfig } from '../config/index.ts';
import type { WalkReport } from '../operate/directLink/index.ts';
import { createProgress, LOG_LEVELS, type LogLevel } from '../operate/index.ts';
import type { ReportData } from '../operate/report/index.ts';
import { configFailure, runFailed } from './failures/CommandFailure.ts';
import { createCliEnv } from './process/createCliEnv.ts';
import { createLateFailures } from './failures/createLateFailures.ts';
import { failOnOption, type FailOn } from './failures/failOnOutcome.ts';
import { besideJson, prepareJson } from './output/jsonOutput.ts';
import { noteShadows } from './runs/noteShadows.ts';
import { noteUntradedFeeds } from './runs/noteUntradedFeeds.ts';
import { forceOption, prepareOutput, requireDistinct } from './output/prepareOutput.ts';
import { readBenchmark, withReportSettings } from './options/readBenchmark.ts';
import { noteOtherRange, readTimeRange } from './options/readTimeRange.ts';
import { setsRecord } from './options/recordSetting.ts';
import { showPaperRun } from './output/showPaperRun.ts';
import { writeOutput } from './output/writeOutput.ts';
import { findOwnPackage } from './project/findOwnPackage.ts';
import { createStop } from './process/stopOnSignals.ts';
import { feedOption, paramOption, setOption } from './options/tapeOptions.ts';
import { groupingOf, tradesOption, type TradesFlag } from './options/tradesOption.ts';

interface BacktestFlags {
  timerange?: string;
  feed?: string[];
  param?: string[];
  set?: string[];
  seed?: string;
  report?: string | false;
  json?: string;
  benchmark?: string;
  trades?: TradesFlag;
  check?: boolean;
  exactWalk?: boolean;
  profile?: true | string;
  force?: boolean;
  failOn?: FailOn[];
  logLevel: LogLevel;
}

const EXAMPLES = `
Examples:
  trimtab backtest configs/demo.yaml
  trimtab backtest bot.yaml --timerange 20250601-20250614 --feed BTC@1m=btc.csv.gz
  trimtab backtest bot.yaml --param fast=8 --param trend.slow=34 --json figures.json

A time range is UTC: 20250601-20250614 trades from 1 June 00:00 until 14 June 00:00. Either end may be
left open, and hours may be named (20250601T06-20250601T18). Bars before it are warm-up; only bars that
close within it are traded, and a start within a bar of the longest feed is rounded up to the next bar.
`;

/** `trimtab backtest`: a bot's configuration in virtual time, in this process. */
export function createBacktestCommand(): Command {
  return new Command('backtest')
    .description('run a bot in virtual time, as it would run on paper')
    .argument('<config>', "the bot's YAML; nothing in it needs to change")
    .option('--timerange <from-until>', 'part of the tape to trade, such as 20250601-20250614')
    .addOption(feedOption())
    .addOption(paramOption())
    .addOption(setOption())
    .option('--seed <number>', 'seed for the randomness of strategies')
    .option('--report <file>', 'file for the HTML report')
    .option('--no-report', 'write no report')
    .option('--json <file>', 'file for the figures as JSON; - for stdout, and all text on stderr')
    .option('--benchmark <file>', 'closes to compare with: CSV of time,close, or candles')
    .addOption(tradesOption())
    .option('--check', 'run trimtab check as well, and report what it finds')
    .option('--profile [file]', 'show where the time went; with a file, also as a .cpuprofile')
    .option('--exact-walk', 'walk each step by its definition: slower, and the same result')
    .addOption(forceOption())
    .addOption(failOnOption())
    .addOption(
      new Option('--log-level <level>', 'lowest log level to show')
        .choices([...LOG_LEVELS])
        .default('warn'),
    )
    .addHelpText('after', EXAMPLES)
    .action((config: string, flags: BacktestFlags) => backtest(config, flags));
}

async function backtest(path: string, flags: BacktestFlags): Promise<void> {
  const range = readTimeRange(flags.timerange);
  const { feed, param, set, seed, report } = flags;
  const loaded = await loadConfig(path, {
    overrides: {
      onPaper: true,
      // The report has all that it would have written, so there is no point in a restart.
      journal: 'memory',
      ...(feed === undefined ? {} : { feeds: feed }),
      ...(param === undefined ? {} : { params: param }),
      ...(set === undefined ? {} : { set }),
      ...(seed === undefined ? {} : { seed }),
      ...(typeof report === 'string' ? { report } : {}),
    },
  });
  if (!loaded.ok) throw configFailure(loaded.faults);
  noteUntradedFeeds(feed, loaded.config);
  noteShadows(loaded.config);
  const file = report === false ? null : loaded.config.report;
  const record = recordOf(loaded.config, set);
  const { force = false } = flags;
  requireDistinct([
    ['report', file],
    ['--json', flags.json],
    ['--profile', typeof flags.profile === 'string' ? flags.profile : null],
    ['record', record],
  ]);
  if (file !== null) prepareOutput('report', file, { kind: 'page', force });
  if (typeof flags.profile === 'string')
    prepareOutput('--profile', resolve(flags.profile), { kind: 'profile', force });
  const target = prepareJson(flags.json, { kind: 'figures', force });
  const json = target === undefined ? {} : { json: target };
  const out = besideJson(target);
  if (record !== null) prepareOutput('record', record, { kind: 'recording', force: null });
  const grouping = groupingOf(flags.trades);
  const settings = {
    ...(flags.benchmark === undefined ? {} : { benchmark: await readBenchmark(flags.benchmark) }),
    ...grouping,
  };
  const env = createCliEnv(flags.logLevel, true);
  const stop = createStop();
  const progress = createProgress({
    stream: process.stderr,
    isTerminal: process.stderr.isTTY,
    now: () => env.clock.monotonicNow(),
  });
  const isStopped = (): boolean => stop.isStopped();
  let walked: WalkReport | undefined;
  // Each command loads what it needs, and most backtests neither measure nor check.
  const profiling =
    flags.profile === undefined ? undefined : await import('../operate/profile/index.ts');
  const profile = await profiling?.startProfile();
  const result = await runLoadedBacktest({
    loaded,
    range,
    env,
    charts: file !== null || flags.json !== undefined,
    exactWalk: flags.exactWalk ?? false,
    progress,
    onLoaded: () => stop.listen(loaded.config),
    isStopped,
    record,
    onWalked: (report) => (walked = report),
  });
  const measured = await profile?.stop();
  if (!result.ok) throw runFailed(result.failure);
  const { startTime, endTime } = result.value.data;
  const isWhole = result.value.interruptedAt === undefined;
  const other = isWhole && noteOtherRange(range, { from: startTime, until: endTime });
  if (other) process.stderr.write(other);
  const { failOn = [] } = flags;
  const late = createLateFailures();
  const check =
    flags.check === true && isWhole
      ? await late.of(async () => {
          const { checkLoaded } = await import('./runs/checkLoaded.ts');
          return checkLoaded(loaded, range, isStopped);
        })
      : {};
  const timed: Pick<ReportData, 'profile'> = {};
  if (profiling !== undefined && measured !== undefined && walked !== undefined) {
    const { describeProfile, summariseProfile } = profiling;
    timed.profile = describeProfile(summariseProfile(measured, findOwnPackage().home), walked);
  }
  const { data: ran } = result.value;
  const shown = await late.of(() => withReportSettings(ran, settings));
  const data = { ...(shown ?? withReportSettings(ran, grouping)), ...check, ...timed };
  const beforeVerdict = async (): Promise<void> => {
    if (profiling === undefined || timed.profile === undefined) return;
    out.write(`\n${profiling.formatProfile(timed.profile)}`);
    if (typeof flags.profile !== 'string') return;
    await writeOutput(flags.profile, JSON.stringify(measured));
    out.write(`profile: ${flags.profile}\n`);
  };
  const run = { ...result.value, data };
  await late.end(() => showPaperRun(run, { file, ...json, failOn, beforeVerdict }));
}

/**
 * The file's recording is that of a bot, live or on paper: a backtest writes one only if a flag requests
 * it.
 */
function recordOf({ record }: BotConfig, set: readonly string[] = []): string | null {
  if (record === null || setsRecord(set)) return record;
  const configured = relative(process.cwd(), record);
  process.stderr.write(
    `record: ${configured} is not written; to record this backtest: --set record=FILE\n`,
  );
  return null;
}
