import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../contract/durations.ts';
import {
  formatWorkers,
  noteFirstEnd,
  parseShard,
  runInFreshThreads,
  runSweep,
  shareMarketData,
  tradableSpan,
  type Results,
  type RunMissing,
  type Shard,
} from '../../backtest/index.ts';
import { OBJECTIVES } from '../config/index.ts';
import { describeFunding } from '../operate/run/index.ts';
import { collect } from './options/collect.ts';
import { CommandFailure } from './failures/CommandFailure.ts';
import { createCliEnv } from './process/createCliEnv.ts';
import { estimateWithin } from './sweep/estimateWithin.ts';
import { mergeSweep, type MergeFlags } from './sweep/mergeSweep.ts';
import { openSweepEngine, type EngineFlags } from './sweep/openSweepEngine.ts';
import { forceOption } from './output/prepareOutput.ts';
import { planSweep, type PlannedSweep, type SweepFlags as PlanFlags } from './sweep/planSweep.ts';
import { noteOtherRange } from './options/readTimeRange.ts';
import { readWhole } from './options/readWhole.ts';
import { checkContentFlags, packContent } from './sweep/shareContent.ts';
import { showSweep } from './sweep/showSweep.ts';
import { stopOnSignals } from './process/stopOnSignals.ts';
import {
  filesBeside,
  openSweepResults,
  prepareResults,
  prepareSweepFiles,
  toResultsFailure,
} from './sweep/sweepOutputs.ts';
import { watchSweep } from './sweep/watchSweep.ts';
import { sweepShard } from './sweep/sweepShard.ts';
import { feedOption, setOption } from './options/tapeOptions.ts';

interface SweepFlags extends PlanFlags, MergeFlags, EngineFlags {
  shard?: Shard;
  merge?: string[];
  /** Milliseconds. */
  within?: number;
}

const EXAMPLES = `
Examples:
  trimtab sweep bot.yaml --param fast=5..50:5 --param slow=20..200:10
  trimtab sweep bot.yaml --param trend.mode=a,b --random 200 --objective calmar
  trimtab sweep bot.yaml --param fast=5..50:5 --reports 10
  trimtab sweep bot.yaml --walk-forward rolling --train 20d --test 5d
  trimtab sweep bot.yaml --shard 3/16 --out part-3.sqlite     on each of sixteen machines, then:
  trimtab sweep --merge part-*.sqlite
  trimtab sweep bot.yaml --param fast=5..50:5 --within 1h     how many of them a deadline needs
  trimtab sweep bot.yaml --engine postgres://host/db     and on each machine that helps:
  trimtab worker --engine postgres://host/db --trust KEY
  trimtab sweep bot.yaml --engine postgres://host/db --serve 10.0.0.5:7070
  trimtab sweep bot.yaml --engine postgres://host/db --content file:///mnt/shared/sweeps

A start of --timerange within a bar of the longest feed is rounded up to the next bar; --train and --test
are whole numbers of such bars.

A range includes both ends (a step that misses the end is refused; the default is 1), and may be in the
file instead (sweep.params). Results go to sweeps/NAME.sqlite, .csv and .html; the same command resumes
where an earlier one stopped, unless the configuration, a plugin or the tape has changed since.

A shard computes its share of the points and nothing else; shards take equally long, also where the points
of one end of a range do. A merge refuses parts of another version, data or seed, and names missing points.

With --serve or --content, workers need nothing but the key: they fetch configuration, plugins, packages and
feeds, and take them only with the SHA-256 of the signed plan.
`;

/** `trimtab sweep`: many backtests of one configuration, each with other parameters. */
export function createSweepCommand(): Command {
  return new Command('sweep')
    .description('backtest a bot with many parameters')
    .argument('[config]', "the bot's YAML; a merge finds it by itself where the parts were made")
    .option('--param <name=values>', 'values to try: 5..50:5 or a,b,c; repeatable', collect, [])
    .option('--random <count>', 'draw this many points of the grid instead of all', readCount)
    .addOption(
      new Option('--objective <name>', 'objective that ranks the points').choices([...OBJECTIVES]),
    )
    .option('--timerange <from-until>', 'part of the tape to trade, as in backtest')
    .addOption(
      new Option('--walk-forward <kind>', 'train on one window, test on the next').choices([
        'rolling',
        'anchored',
      ]),
    )
    .option('--train <span>', 'length of the first training: 20d, 12h', readSpan)
    .option('--test <span>', 'length of each test: 5d, 6h', readSpan)
    .addOption(feedOption().default([]))
    .addOption(setOption().default([]))
    .option('--seed <number>', 'seed for strategies and drawn points')
    .option('--threads <count>', 'threads of this machine', readCount, availableParallelism())
    .option('--engine <url>', 'spread over workers through this PostgreSQL: postgres://…')
    .option(
      '--key <file>',
      'private key that signs the sweep for workers, made if missing',
      join('sweeps', 'sweep.key'),
    )
    .option(
      '--serve [address]',
      "serve code and data to workers, on this machine's loopback unless HOST:PORT is given",
    )
    .option(
      '--content <address>',
      'file:, http: or https: folder with code and data, or a .json of addresses by SHA-256',
    )
    .option('--pack <folder>', 'write code and data for --content into a folder, and end')
    .option('--shard <number/count>', 'compute this share of the points alone: 3/16', readShard)
    .option('--merge <files...>', 'join the results files of shards')
    .option(
      '--within <span>',
      'measure some points and say what a deadline needs: 1h, 30min',
      readWithin,
    )
    .option('--out <file>', 'results file; CSV and report are written beside it')
    .option('--parquet', 'write the table as Parquet too, with daily returns, beside the results')
    .option('--top <count>', 'best points to show', readCount, 10)
    .option(
      '--reports <count>',
      'best points, or windows, whose report is written, linked from the page',
      readWhole,
      0,
    )
    .addOption(forceOption())
    .addHelpText('after', EXAMPLES)
    .action((config: string | undefined, flags: SweepFlags, command: Command) =>
      sweep(config, flags, command),
    );
}

async function sweep(path: string | undefined, flags: SweepFlags, command: Command): Promise<void> {
  if (flags.merge !== undefined) {
    refuseWith('--merge', command, MERGED);
    const onWalk = (): void => refuseWith('a walk-forward', command, UNRANKED);
    return mergeSweep(flags.merge, path, { ...flags, onWalk });
  }
  if (path === undefined) {
    const message = "Name the bot's YAML: trimtab sweep bot.yaml.";
    throw new CommandFailure('TRIMTAB_USAGE', message);
  }
  if (flags.shard !== undefined) refuseWith('--shard', command, SHARDED);
  if (flags.within !== undefined) {
    refuseWith('--within', command, ESTIMATED);
    return estimateWithin(path, { ...flags, within: flags.within });
  }
  checkContentFlags(flags);
  if (flags.engine === undefined && command.getOptionValueSource('key') === 'cli') {
    const message = '--key is for workers, and there are none without --engine postgres://….';
    throw new CommandFailure('TRIMTAB_USAGE', message);
  }
  const planned = await planSweep(path, flags);
  if (planned.plan.walk !== null) refuseWith('a walk-forward', command, UNRANKED);
  if (flags.pack !== undefined)
    return packContent(planned.plan, planned.tape.loaded.config, flags.pack);
  try {
    await compute(planned, flags);
  } catch (error) {
    throw toResultsFailure(error);
  }
}

/** A walk-forward shows its windows, all of them. */
const UNRANKED = ['top'];
/** What a merge or a shard has no use for: it would be ignored. */
const FOR_WORKERS = ['engine', 'key', 'serve', 'content', 'pack'];
const SHARDED = [...FOR_WORKERS, 'reports', 'top', 'parquet', 'force'];
const ESTIMATED = [...FOR_WORKERS, 'shard', 'reports', 'top', 'parquet', 'out', 'force'];
const MERGED = [
  'param',
  'random',
  'objective',
  'timerange',
  'walkForward',
  'train',
  'test',
  'feed',
  'set',
  'seed',
  ...FOR_WORKERS,
  'shard',
  'within',
];

function refuseWith(flag: string, command: Command, names: readonly string[]): void {
  const given = names.find((name) => command.getOptionValueSource(name) === 'cli');
  if (given === undefined) return;
  const { long } = command.options.find((option) => option.attributeName() === given)!;
  const message = `${long} has no effect with ${flag}.\n  Leave one of them out.`;
  throw new CommandFailure('TRIMTAB_USAGE', message);
}

async function compute({ plan, text, tape }: PlannedSweep, flags: SweepFlags): Promise<void> {
  const { shard = null, threads, force = false } = flags;
  const { config } = tape.loaded;
  const part = shard === null ? '' : `-${shard.number}-of-${shard.count}`;
  const name = `${config.name}${part}.sqlite`;
  const files = filesBeside(flags.out ?? join('sweeps', name), flags);
  if (shard === null) prepareSweepFiles(files, force);
  else prepareResults(files.results);
  const env = createCliEnv('warn');
  const stop = stopOnSignals();
  const span = tradableSpan(plan, tape.data, tape.paper.warmup);
  // Each point would report the same, so it is reported once, before the work.
  const funding = describeFunding(tape.data, span);
  const assumptions = funding.map(({ text }) => text);
  const now = (): number => env.clock.wallNow();
  const results = openSweepResults(files.results, plan, { shard, assumptions, now });
  try {
    const other = noteOtherRange(plan.range, span);
    if (other !== undefined) process.stderr.write(other);
    const cut = noteFirstEnd(plan, tape.data, tape.paper.warmup);
    if (cut !== null) process.stderr.write(`${cut}\n`);
    for (const { text, isWhole } of funding) if (!isWhole) env.log.warn(text);
    const data = shareMarketData(tape.data);
    // Of a large tape there is no room for a second copy.
    tape.data = data;
    const bench = { plan, text, data };
    const isStopped = (): boolean => stop.isStopped();
    const engine = await openSweepEngine(bench, { flags, config, env, isStopped });
    const here = flags.engine === undefined ? threads : null;
    const watch = watchSweep({ env, engine, results, stream: process.stderr, threads: here });
    const running: RunMissing = { ...watch, engine, results, isStopped };
    const swept = { plan, data, warmup: tape.paper.warmup };
    try {
      if (shard !== null) {
        await sweepShard({ ...running, ...swept, shard }, files.results);
        return sayWorkers(results);
      }
      const outcome = await runSweep({
        ...running,
        ...swept,
        runFresh: (jobs) => runInFreshThreads(bench, jobs, { threads, isStopped }),
      });
      watch.end();
      sayWorkers(results);
      await showSweep(plan, outcome, { ...flags, files, assumptions, bench });
    } finally {
      watch.end();
      await engine.close();
    }
  } finally {
    results.close();
  }
}

/** Beside the results, which are the same however they were computed. */
function sayWorkers(results: Results): void {
  const workers = results.workers();
  if (workers.length > 0) process.stderr.write(`\n${formatWorkers(workers)}\n`);
}

export function readCount(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number of at least 1.');
}

function readWithin(text: string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(min|h|d)$/.exec(text) ?? [];
  if (count !== undefined && Number(count) > 0) return Number(count) * WITHIN_MS[unit!]!;
  throw new InvalidArgumentError('It takes minutes, hours or days: 30min, 1h, 2d.');
}

const WITHIN_MS: Readonly<Record<string, number>> = { min: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

function readShard(text: string): Shard {
  const read = parseShard(text);
  if (read.ok) return read.shard;
  throw new InvalidArgumentError(`${read.reason}.`);
}

const UNITS_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: DAY_MS };

function readSpan(text: string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)([hd])$/.exec(text) ?? [];
  if (count !== undefined && Number(count) > 0) return Number(count) * UNITS_MS[unit!]!;
  throw new InvalidArgumentError('It takes days or hours: 20d, 12h.');
}
