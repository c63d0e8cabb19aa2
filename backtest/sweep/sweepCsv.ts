import { FIGURES } from './PointResult.ts';
import { shownFigures } from './objectiveOf.ts';
import { hasRun } from './results/SweepResults.ts';
import type { SweepOutcome } from './runSweep.ts';
import type { SweepPlan } from './SweepPlan.ts';

/** Text is passed on in pieces of about this length. */
const PIECE = 1 << 16;

/**
 * Every job with its figures, by the index of the job, piece by piece. A cell without a figure is empty; a ratio that
 * has no divisor because nothing was lost is `inf`.
 */
export function* sweepCsv(
  plan: Pick<SweepPlan, 'params'>,
  { jobs, tests, results }: Pick<SweepOutcome, 'jobs' | 'tests' | 'results'>,
): Generator<string> {
  const byIndex = new Map(tests.map((job) => [job.index, job]));
  const head = ['job', 'window', 'part', ...plan.params.map(({ name }) => name)];
  let text = toLine([...head, ...FIGURES, 'fault']);
  for (const outline of results.outlines()) {
    const { index } = outline;
    const job = index < jobs.length ? jobs.at(index) : byIndex.get(index);
    if (job === undefined) continue;
    const shown = shownFigures(outline, results);
    const figures = FIGURES.map((name) => shown?.[name] ?? null);
    const fault = hasRun(outline) ? null : outline.fault;
    text += toLine([index, job.window, job.part, ...job.values, ...figures, fault]);
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  yield text;
}

const toLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(toCell).join(',')}\n`;

function toCell(value: string | number | null): string {
  const text = value === null ? '' : value === Infinity ? 'inf' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
