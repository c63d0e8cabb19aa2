import { join, parse, relative, resolve } from 'node:path';
import {
  createThreadEngine,
  describeMissing,
  firstJobs,
  formatWorkers,
  mergeParts,
  missingIn,
  openPart,
  PartRefusal,
  planDifference,
  planId,
  requireOneSweep,
  runInFreshThreads,
  runSweep,
  shareMarketData,
  tradableSpan,
  windowsOf,
  type Part,
  type Results,
  type SweepBench,
  type SweepOutcome,
  type SweepPlan,
} from '../../../backtest/index.ts';
import { reasonOf } from '../../env/index.ts';
import type { LoadedTape } from '../../operate/run/index.ts';
import { createCountProgress } from '../../operate/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';
import { createCliEnv } from '../process/createCliEnv.ts';
import { planChosen } from './planSweep.ts';
import { showSweep } from './showSweep.ts';
import { stopOnSignals } from '../process/stopOnSignals.ts';
import {
  filesBeside,
  openSweepResults,
  prepareSweepFiles,
  toResultsFailure,
} from './sweepOutputs.ts';

export interface MergeFlags {
  threads: number;
  out?: string;
  force?: boolean;
  top: number;
  reports: number;
  parquet?: boolean;
}

interface MergeOptions extends MergeFlags {
  /** Refuses what a walk-forward has no use for, which the parts say that they are. */
  onWalk(): void;
}

/** The bot and its tape where a merge is made. */
interface Present {
  text: string;
  tape: LoadedTape;
}

/** Or why they are not at hand. */
type Bench = Present | { reason: string };

/**
 * `trimtab sweep --merge`: joins the files of shards into the results of the whole sweep, and shows them as
 * one run would. The bot and its tape are needed for what follows from all points alone: the tests of a
 * walk-forward, a second run of the best points, and reports.
 *
 * @param config path of the configuration on this machine; default: where the parts had it
 */
export async function mergeSweep(
  files: readonly string[],
  config: string | undefined,
  flags: MergeOptions,
): Promise<void> {
  const parts: Part[] = [];
  try {
    for (const file of new Set(
      files.map((path) => relative(process.cwd(), resolve(path)) || path),
    )) {
      parts.push(openPart(file));
    }
    requireOneSweep(parts);
    if (parts[0]!.plan.walk !== null) flags.onWalk();
    await merge(parts, config, flags);
  } catch (error) {
    if (!(error instanceof PartRefusal)) throw toResultsFailure(error);
    throw new CommandFailure('TRIMTAB_SWEEP_PART_REFUSED', error.message);
  } finally {
    for (const part of parts) part.close();
  }
}

async function merge(
  parts: readonly Part[],
  config: string | undefined,
  flags: MergeFlags,
): Promise<void> {
  const plan = { ...parts[0]!.plan, config: resolve(config ?? parts[0]!.plan.config) };
  const bench = await benchOf(plan);
  if ('reason' in bench) requireNoBench(plan, { ...flags, reason: bench.reason, config });
  const { jobs, windows } = jobsOf(plan, bench);
  const missing = missingIn(parts, jobs.length);
  if (missing.length > 0) {
    const message = describeMissing(missing, { parts, jobs: jobs.length });
    throw new CommandFailure('TRIMTAB_SWEEP_POINTS_MISSING', message);
  }
  const name = 'tape' in bench ? bench.tape.loaded.config.name : parse(plan.config).name;
  const files = filesBeside(flags.out ?? join('sweeps', `${name}.sqlite`), flags);
  prepareSweepFiles(files, flags.force ?? false);
  const env = createCliEnv('warn');
  const { assumptions } = parts[0]!;
  const now = (): number => env.clock.wallNow();
  const results = openSweepResults(files.results, plan, { assumptions, now });
  try {
    const total = jobs.length + windows;
    const show = createCountProgress({
      stream: process.stderr,
      now: () => env.clock.monotonicNow(),
      unit: 'points merged',
    });
    results.note({ total, running: [] });
    mergeParts(parts, results, { jobs: total, onProgress: (done) => show({ done, total }) });
    const made =
      'tape' in bench
        ? await complete(plan, bench, { results, flags })
        : { outcome: outcomeOf(jobs, results, bench.reason), bench: null };
    const workers = results.workers();
    if (workers.length > 0) process.stderr.write(`\n${formatWorkers(workers)}\n`);
    await showSweep(plan, made.outcome, { ...flags, files, assumptions, bench: made.bench });
  } finally {
    results.close();
  }
}

/** What follows from all points: the tests of a walk-forward, and a second run of the best. */
async function complete(
  plan: SweepPlan,
  { text, tape }: Present,
  { results, flags: { threads } }: { results: Results; flags: MergeFlags },
): Promise<{ outcome: SweepOutcome; bench: SweepBench }> {
  const data = shareMarketData(tape.data);
  const bench = { plan, text, data };
  const stop = stopOnSignals();
  const isStopped = (): boolean => stop.isStopped();
  let noted: number | undefined;
  const outcome = await runSweep({
    plan,
    data,
    warmup: tape.paper.warmup,
    engine: createThreadEngine(bench, { threads }),
    results,
    onProgress({ total }) {
      if (total !== noted) results.note({ total, running: [] });
      noted = total;
    },
    runFresh: (jobs) => runInFreshThreads(bench, jobs, { threads, isStopped }),
    isStopped,
  });
  return { outcome, bench };
}

function outcomeOf(jobs: SweepOutcome['jobs'], results: Results, reason: string): SweepOutcome {
  process.stderr.write(`The best points were not run a second time: ${reason}\n`);
  return { jobs, tests: [], results, resumed: results.size, isComplete: true, unsteady: [] };
}

function jobsOf(plan: SweepPlan, bench: Bench) {
  const span =
    'tape' in bench
      ? tradableSpan(plan, bench.tape.data, bench.tape.paper.warmup)
      : { from: 0, until: 0 };
  const windows = plan.walk === null ? 0 : windowsOf(plan.walk, span).length;
  return { jobs: firstJobs(plan, span), windows };
}

/** The plan's bot and tape on this machine, if they are the same. */
async function benchOf(plan: SweepPlan): Promise<Bench> {
  try {
    const { plan: here, text, tape } = await planChosen(plan.config, plan);
    if (planId(here) === planId(plan)) return { text, tape };
    return { reason: `the parts hold results of ${planDifference(plan, here)}.` };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

/** @throws CommandFailure if something of the merge can't be done without the bot and its tape */
function requireNoBench(
  { walk }: SweepPlan,
  { config, reports, reason }: { config: string | undefined; reports: number; reason: string },
): void {
  const what =
    config !== undefined
      ? `${config} is not the bot of the parts`
      : walk !== null
        ? 'The tests of a walk-forward need the bot and its tape'
        : reports > 0
          ? '--reports needs the bot and its tape'
          : null;
  if (what === null) return;
  const remedy = "Merge where they are, or name the bot's YAML: trimtab sweep bot.yaml --merge ….";
  throw new CommandFailure('TRIMTAB_SWEEP_PART_REFUSED', `${what}: ${reason}\n  ${remedy}`);
}
