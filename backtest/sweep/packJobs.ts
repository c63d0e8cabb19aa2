import type { ParamRange } from './ParamRange.ts';
import type { SweepJob } from './SweepPlan.ts';

/** Jobs as numbers in memory that threads share: each thread would copy objects, which for a million are hundreds of MB. */
export interface PackedJobs {
  length: number;
  /** By position: index, place of its frame, then the place of each parameter's value. */
  cells: Int32Array;
  /** What many jobs have in common. */
  frames: readonly JobFrame[];
}

type JobFrame = Pick<SweepJob, 'range' | 'window' | 'part'>;

export function packJobs(params: readonly ParamRange[], jobs: readonly SweepJob[]): PackedJobs {
  const width = 2 + params.length;
  const bytes = jobs.length * width * Int32Array.BYTES_PER_ELEMENT;
  const cells = new Int32Array(new SharedArrayBuffer(bytes));
  const steps = params.map(({ values }) => new Map(values.map((value, step) => [value, step])));
  const frames: JobFrame[] = [];
  const frameAt = new Map<string, number>();
  const frameOf = ({ range, window, part }: SweepJob): number => {
    const key = `${window} ${part}`;
    const place = frameAt.get(key) ?? frames.push({ range, window, part }) - 1;
    frameAt.set(key, place);
    return place;
  };
  jobs.forEach((job, position) => {
    const own = [job.index, frameOf(job), ...steps.map((step, at) => step.get(job.values[at]!)!)];
    cells.set(own, position * width);
  });
  return { length: jobs.length, cells, frames };
}

/** The job at a position; undefined beyond the last. */
export function unpackJob(
  params: readonly ParamRange[],
  { length, cells, frames }: PackedJobs,
  position: number,
): SweepJob | undefined {
  if (position < 0 || position >= length) return undefined;
  const start = position * (2 + params.length);
  const values = params.map((param, at) => param.values[cells[start + 2 + at]!]!);
  return { index: cells[start]!, values, ...frames[cells[start + 1]!]! };
}
