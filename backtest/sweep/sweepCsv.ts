import { FIGURES, isRun, type PointResult } from './PointResult.ts';
import type { SweepJob, SweepPlan } from './SweepPlan.ts';

/** Every job with its figures, by the index of the job. A cell without a figure is empty. */
export function sweepCsv(
  plan: SweepPlan,
  jobs: readonly SweepJob[],
  results: ReadonlyMap<number, PointResult>,
): string {
  const head = ['job', 'window', 'part', ...plan.params.map(({ name }) => name)];
  const rows = jobs.flatMap((job) => {
    const result = results.get(job.index);
    if (result === undefined) return [];
    const figures = FIGURES.map((name) => (isRun(result) ? result.figures[name] : null));
    const fault = isRun(result) ? null : result.fault;
    return [[job.index, job.window, job.part, ...job.values, ...figures, fault]];
  });
  const lines = [[...head, ...FIGURES, 'fault'], ...rows];
  return `${lines.map((cells) => cells.map(toCell).join(',')).join('\n')}\n`;
}

function toCell(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
