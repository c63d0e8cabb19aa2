import { FIGURES } from './PointResult.ts';
import { shownValue } from './ParamRange.ts';
import { shownFigures } from './objectiveOf.ts';
import { hasRun } from './results/SweepResults.ts';
import type { SweepOutcome } from './runSweep.ts';
import type { SweepPlan } from './SweepPlan.ts';

/** Text is passed on in pieces of about this length. */
const PIECE = 1 << 16;

/**
 * Every job with its figures, by the index of the job, piece by piece. A cell without a figure is empty; a ratio that
 * has no divisor because nothing was lost is `inf`. A parameter that is named as one of the other columns has `param_` before
 * its name.
 */
export function* sweepCsv(
  plan: Pick<SweepPlan, 'params'>,
  { jobs, tests, results }: Pick<SweepOutcome, 'jobs' | 'tests' | 'results'>,
): Generator<string> {
  const byIndex = new Map(tests.map((job) => [job.index, job]));
  let text = toLine([...HEAD, ...headsOf(plan.params), ...TAIL]);
  for (const outline of results.outlines()) {
    const { index } = outline;
    const job = index < jobs.length ? jobs.at(index) : byIndex.get(index);
    if (job === undefined) continue;
    const shown = shownFigures(outline, results);
    const figures = FIGURES.map((name) => shown?.[name] ?? null);
    const fault = hasRun(outline) ? null : outline.fault;
    text += toLine([index, job.window, job.part, ...job.values.map(shownValue), ...figures, fault]);
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  yield text;
}

const [HEAD, TAIL] = [
  ['job', 'window', 'part'],
  [...FIGURES, 'fault'],
];

function headsOf(params: SweepPlan['params']): string[] {
  const own = [...HEAD, ...TAIL];
  const taken = new Set([...own, ...params.map(({ name }) => name)]);
  return params.map(({ name }) => {
    if (!own.includes(name)) return name;
    let head = `param_${name}`;
    while (taken.has(head)) head = `param_${head}`;
    taken.add(head);
    return head;
  });
}

const toLine = (cells: readonly (string | number | null)[]): string =>
  `${cells.map(toCell).join(',')}\n`;

function toCell(value: string | number | null): string {
  const text = value === null ? '' : value === Infinity ? 'inf' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
