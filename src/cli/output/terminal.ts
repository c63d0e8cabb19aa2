import { createCliEnv } from '../process/createCliEnv.ts';

/** The output of a progress line, and its clock. */
export function terminal() {
  const { clock } = createCliEnv('error', true);
  return { stream: process.stderr, now: () => clock.monotonicNow() };
}
