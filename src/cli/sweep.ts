import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join, parse, relative, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  createThreadEngine,
  describeUnsteady,
  formatSweep,
  isRun,
  evaluateSweep,
  openResults,
  POINTS_OF_PAGE,
  renderSweep,
  reportPoint,
  ResultsRefusal,
  runInFreshThreads,
  runSweep,
  shareMarketData,
  sweepCsv,
  tradableSpan,
  type Results,
  type SweepEngine,
  type SweepJob,
  type SweepOutcome,
  type SweepPlan,
} from '../../backtest/index.ts';
import { OBJECTIVES } from '../config/index.ts';
import type { Env } from '../env/index.ts';
import { isPostgresUrl } from '../journal/index.ts';
import { createCountProgress } from '../operate/index.ts';
import { describeFunding } from '../operate/run/index.ts';
import type { MarketData } from '../paper/index.ts';
import { collect } from './collect.ts';
import { CommandFailure } from './CommandFailure.ts';
import { createCliEnv } from './createCliEnv.ts';
import { forceOption, prepareOutput } from './prepareOutput.ts';
import { planSweep, type SweepFlags as PlanFlags } from './planSweep.ts';
import { noteOtherRange } from './readTimeRange.ts';
import { INTERRUPTED, stopOnSignals } from './stopOnSignals.ts';
import { feedOption, setOption } from './tapeOptions.ts';

interface SweepFlags extends PlanFlags {
  threads: number;
  engine?: string;
  out?: string;
  force?: boolean;
  top: number;
  reports: number;
}

const EXAMPLES = `
Examples:
  trimtab sweep bot.yaml --param fast=5..50:5 --param slow=20..200:10
  trimtab sweep bot.yaml --param trend.mode=a,b --random 200 --objective calmar
  trimtab sweep bot.yaml --param fast=5..50:5 --reports 10
  trimtab sweep bot.yaml --walk-forward rolling --train 20d --test 5d
  trimtab sweep bot.yaml --engine postgres://host/db     and on each machine that helps:
  trimtab worker --engine postgres://host/db

A start of --timerange within a bar of the longest feed is rounded up to the next bar; --train and --test
are whole numbers of such bars.

A range includes both ends (a step that misses the end is refused; the default is 1), and may be in the
file instead (sweep.params). Results go to sweeps/NAME.sqlite, .csv and .html; the same command resumes
where an earlier one stopped, unless the configuration, a plugin or the tape has changed since.
`;

/** `trimtab sweep`: many backtests of one configuration, each with other parameters. */
export function createSweepCommand(): Command {
  return new Command('sweep')
    .description('backtest a bot with many parameters')
    .argument('<config>', "the bot's YAML")
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
    .option('--out <file>', 'results file; CSV and report are written beside it')
    .option('--top <count>', 'best points to show', readCount, 10)
    .option(
      '--reports <count>',
      'best points whose report is written, linked from the page',
      readCount,
      0,
    )
    .addOption(forceOption())
    .addHelpText('after', EXAMPLES)
    .action((config: string, flags: SweepFlags) => sweep(config, flags));
}

async function sweep(path: string, flags: SweepFlags): Promise<void> {
  const { plan, tape } = await planSweep(path, flags);
  const out = resolve(flags.out ?? join('sweeps', `${tape.loaded.config.name}.sqlite`));
  const files = filesBeside(out);
  const { force = false } = flags;
  // Earlier results are continued or refused, never overwritten.
  prepareOutput('--out', files.results, { kind: 'sweep_results', force: null });
  prepareOutput('--out', files.csv, { kind: 'sweep_table', force });
  prepareOutput('--out', files.report, { kind: 'page', force });
  const env = createCliEnv('warn');
  const stop = stopOnSignals();
  const results = open(out, plan);
  const span = tradableSpan(plan, tape.data, tape.paper.warmup);
  const other = noteOtherRange(plan.range, span);
  if (other !== undefined) process.stderr.write(other);
  // Each point would report the same, so it is reported once, before the work.
  const funding = describeFunding(tape.data, span);
  for (const { text, isWhole } of funding) if (!isWhole) env.log.warn(text);
  try {
    const { threads } = flags;
    const data = shareMarketData(tape.data);
    const isStopped = (): boolean => stop.isStopped();
    const engine = await openEngine(plan, { flags, data, env, isStopped });
    let outcome: SweepOutcome;
    try {
      outcome = await runSweep({
        plan,
        data,
        warmup: tape.paper.warmup,
        engine,
        results,
        onProgress: createCountProgress({
          stream: process.stderr,
          now: () => env.clock.monotonicNow(),
          unit: 'points',
        }),
        runFresh: (jobs) => runInFreshThreads(plan, jobs, { data, threads, isStopped }),
        isStopped,
      });
    } finally {
      await engine.close();
    }
    const assumptions = funding.map(({ text }) => text);
    await show(plan, outcome, { files, assumptions, flags, data });
  } finally {
    results.close();
  }
}

/** The results, and the files beside them. */
function filesBeside(out: string): { results: string; csv: string; report: string } {
  const beside = (ending: string): string => join(dirname(out), `${parse(out).name}.${ending}`);
  return { results: out, csv: beside('csv'), report: beside('html') };
}

async function show(
  plan: SweepPlan,
  outcome: SweepOutcome,
  shown: {
    files: ReturnType<typeof filesBeside>;
    assumptions: readonly string[];
    flags: Pick<SweepFlags, 'top' | 'reports'>;
    data: MarketData;
  },
): Promise<void> {
  const { files, assumptions, flags, data } = shown;
  const { top } = flags;
  const { name } = parse(plan.config);
  const config = relative(process.cwd(), plan.config);
  await writeFile(files.csv, sweepCsv(plan, outcome.jobs, outcome.results));
  const evaluated = evaluateSweep(plan, outcome, Math.max(top, POINTS_OF_PAGE));
  const jobs = evaluated.best.slice(0, flags.reports).map(({ job }) => job);
  const reports = await writeReports(plan, jobs, { data, page: files.report });
  const about = { name, config, assumptions, reports };
  await writeFile(files.report, renderSweep(plan, evaluated, about));
  process.stdout.write(`\n${formatSweep(plan, evaluated, top)}\n`);
  for (const [what, file] of Object.entries(files)) {
    process.stdout.write(`${what}: ${relative(process.cwd(), file)}\n`);
  }
  const unsteady = describeUnsteady(plan, outcome.unsteady);
  if (unsteady !== null) throw new CommandFailure('TRIMTAB_SWEEP_UNSTEADY', unsteady);
  if (outcome.isComplete && [...outcome.results.values()].some(isRun)) return;
  if (outcome.isComplete)
    throw new CommandFailure('TRIMTAB_SWEEP_NO_POINT_RAN', 'No point ran; see above for why.');
  const remedy = 'The same command resumes from there.';
  throw new CommandFailure(
    'TRIMTAB_INTERRUPTED',
    `Stopped before every point had run.\n  ${remedy}`,
    INTERRUPTED,
  );
}

/** The reports of some points, in a folder beside the page; their addresses from there, by index of the point. */
async function writeReports(
  plan: SweepPlan,
  jobs: readonly SweepJob[],
  { data, page }: { data: MarketData; page: string },
): Promise<Map<number, string>> {
  const reports = new Map<number, string>();
  if (jobs.length === 0) return reports;
  const folder = `${parse(page).name}-points`;
  await mkdir(join(dirname(page), folder), { recursive: true });
  for (const job of jobs) {
    const made = await reportPoint(plan, job, data);
    const file = `point-${job.index + 1}.html`;
    if (!made.ok) {
      process.stderr.write(`${file}: there is no report: ${made.fault}\n`);
      continue;
    }
    await writeFile(join(dirname(page), folder, file), made.html);
    reports.set(job.index, `${folder}/${file}`);
  }
  process.stdout.write(`\nreports: ${relative(process.cwd(), join(dirname(page), folder))}\n`);
  return reports;
}

function open(path: string, plan: SweepPlan): Results {
  try {
    return openResults(path, plan);
  } catch (error) {
    if (error instanceof ResultsRefusal)
      throw new CommandFailure('TRIMTAB_SWEEP_RESULTS_REFUSED', error.message);
    throw error;
  }
}

async function openEngine(
  plan: SweepPlan,
  options: { flags: SweepFlags; data: MarketData; env: Env; isStopped(): boolean },
): Promise<SweepEngine> {
  const { flags, data, env, isStopped } = options;
  const { engine: url, threads } = flags;
  if (url === undefined) return createThreadEngine(plan, { data, threads });
  const address = requirePostgres(url);
  const { createPostgresEngine } = await import('../../backtest/sweep/postgres/index.ts');
  return createPostgresEngine(plan, { url: address, env, isStopped });
}

/** @throws CommandFailure for any other address */
export function requirePostgres(url: string): string {
  if (isPostgresUrl(url)) return url;
  throw new CommandFailure(
    'TRIMTAB_USAGE',
    '--engine takes the address of a PostgreSQL: postgres://user@host/db.',
  );
}

export function readCount(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number of at least 1.');
}

const UNITS_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };

function readSpan(text: string): number {
  const [, count, unit] = /^(\d+(?:\.\d+)?)([hd])$/.exec(text) ?? [];
  if (count !== undefined && Number(count) > 0) return Number(count) * UNITS_MS[unit!]!;
  throw new InvalidArgumentError('It takes days or hours: 20d, 12h.');
}
