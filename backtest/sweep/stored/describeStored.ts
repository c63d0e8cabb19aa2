import { withCode } from '../../../src/contract/index.ts';
import type { ComputedPoint } from '../createPointThreads.ts';
import type { SweepJob } from '../SweepPlan.ts';

/** A point that three workers could not compute, with what pg-boss stored of the last attempt. */
export function givenUp({ index }: SweepJob, stored: unknown): ComputedPoint {
  const fault = `3 attempts failed: ${lastReason(stored)}`;
  return { result: { index, fault }, ms: 0, cpuMs: 0 };
}

function lastReason(stored: unknown): string {
  const { message, value } = (stored ?? {}) as { message?: unknown; value?: { message?: unknown } };
  const text = String(message ?? value?.message ?? '');
  return /heartbeat|timed? ?out/i.test(text) || text === ''
    ? '3 workers ended while they computed it: its plugin may end the process, or take its memory'
    : text;
}

/** Results of one point that differ. */
export function contradiction(jobs: readonly SweepJob[], point: number): Error {
  const values = jobs.find(({ index }) => index === point)?.values.join(', ');
  const error = new Error(
    `Two workers computed point ${point + 1} (${values}) differently.\n` +
      "  Its plugin decides by chance or the machine's clock: run trimtab check.",
  );
  return withCode('TRIMTAB_SWEEP_UNSTEADY', error);
}
