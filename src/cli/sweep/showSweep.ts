import { createWriteStream } from 'node:fs';
import { dirname, join, parse, relative } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  describeUnsteady,
  evaluateSweep,
  formatSweep,
  POINTS_OF_PAGE,
  renderSweep,
  reportPoint,
  sweepCsv,
  type SweepBench,
  type SweepJob,
  type SweepOutcome,
  type SweepPlan,
} from '../../../backtest/index.ts';
import { makeFolders } from '../../env/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';
import { writeOutput, writeOutputBy } from '../output/writeOutput.ts';
import { INTERRUPTED, stopListening } from '../process/stopOnSignals.ts';
import type { SweepFiles } from './sweepOutputs.ts';

export interface ShownSweep {
  files: SweepFiles;
  assumptions: readonly string[];
  /** Best points in the terminal's table. */
  top: number;
  /** Best points, or first tests of a walk-forward, whose report is written. */
  reports: number;
  /** For the reports; null if it is not on this machine. */
  bench: SweepBench | null;
}

/**
 * Writes the files of a sweep beside its results, and shows its best points.
 *
 * @throws CommandFailure for a sweep that is incomplete, or whose results can't be trusted
 */
export async function showSweep(
  plan: SweepPlan,
  outcome: SweepOutcome,
  { files, assumptions, top, reports: count, bench }: ShownSweep,
): Promise<void> {
  // A million points are evaluated in one go, some of it without a turn of the event loop: nothing is lost by a
  // signal that ends the process there.
  stopListening();
  const { name } = parse(plan.config);
  const config = relative(process.cwd(), plan.config);
  await writeOutputBy(files.csv, (target) =>
    pipeline(Readable.from(sweepCsv(plan, outcome)), createWriteStream(target)),
  );
  if (files.parquet !== undefined) await writeParquetTo(files.parquet, plan, outcome);
  const evaluated = evaluateSweep(plan, outcome, Math.max(top, POINTS_OF_PAGE));
  const shown = plan.walk === null ? evaluated.best.map(({ job }) => job) : outcome.tests;
  const jobs = shown.slice(0, count);
  const reports = await writeReports(bench, jobs, files.report);
  const about = { name, config, assumptions, reports };
  await writeOutput(files.report, renderSweep(plan, evaluated, about));
  process.stdout.write(`\n${formatSweep(plan, evaluated, top)}\n`);
  for (const [what, file] of Object.entries(files)) {
    process.stdout.write(`${what}: ${relative(process.cwd(), file)}\n`);
  }
  const unsteady = describeUnsteady(plan, outcome.unsteady);
  if (unsteady !== null) throw new CommandFailure('TRIMTAB_SWEEP_UNSTEADY', unsteady);
  requireComplete(outcome.isComplete, evaluated.columns.ran.includes(1));
}

/** Its library is loaded for who wants it. */
async function writeParquetTo(file: string, plan: SweepPlan, outcome: SweepOutcome): Promise<void> {
  const { writeParquet } = await import('../../../backtest/sweep/results/writeParquet.ts');
  await writeOutputBy(file, (target) => writeParquet(target, plan, outcome));
}

/** @throws CommandFailure for one that was stopped, or none of whose points ran */
export function requireComplete(isComplete: boolean, isAnyRun: boolean): void {
  if (!isComplete) {
    const remedy = 'The same command resumes from there.';
    const message = `Stopped before every point had run.\n  ${remedy}`;
    throw new CommandFailure('TRIMTAB_INTERRUPTED', message, INTERRUPTED);
  }
  if (isAnyRun) return;
  throw new CommandFailure('TRIMTAB_SWEEP_NO_POINT_RAN', 'No point ran; see above for why.');
}

/** The reports of some points, in a folder beside the page; their addresses from there, by index of the point. */
async function writeReports(
  bench: SweepBench | null,
  jobs: readonly SweepJob[],
  page: string,
): Promise<Map<number, string>> {
  const reports = new Map<number, string>();
  if (jobs.length === 0 || bench === null) return reports;
  const folder = `${parse(page).name}-points`;
  makeFolders(join(dirname(page), folder));
  for (const job of jobs) {
    const made = await reportPoint(bench, job);
    const file = `point-${job.index + 1}.html`;
    if (!made.ok) {
      process.stderr.write(`${file}: there is no report: ${made.fault}\n`);
      continue;
    }
    await writeOutput(join(dirname(page), folder, file), made.html);
    reports.set(job.index, `${folder}/${file}`);
  }
  process.stdout.write(`\nreports: ${relative(process.cwd(), join(dirname(page), folder))}\n`);
  return reports;
}
