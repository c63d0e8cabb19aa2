import type { Cancel } from './Clock.ts';

/** Runs a task again and again, as long as something else keeps the process alive. */
export function runAtInterval(everyMs: number, run: () => void): Cancel {
  const timer = setInterval(run, everyMs).unref();
  return () => clearInterval(timer);
}
