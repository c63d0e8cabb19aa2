import { createCliEnv } from './createCliEnv.ts';

/** Where a line of progress goes, and the clock that it reckons with. */
export function terminal() {
  const { clock } = createCliEnv('error');
  return { stream: process.stderr, now: () => clock.monotonicNow() };
}
