import { requireFields } from '../contract/failures/requireFields.ts';
import type { Env } from './Env.ts';
import { inParts } from './inParts.ts';
import { silentLog, type Log } from './Log.ts';
import { noMetrics, type Metrics } from './Metrics.ts';

/**
 * The machine's own, even while a run watches those that plugins start: it starts several with each request, and to
 * find who did took an eighth of a replay.
 */
const { setTimeout: start, clearTimeout: stop } = globalThis;

/**
 * The real machine: its clocks, timers and randomness.
 *
 * ```ts
 * const env = createLiveEnv();
 * env.clock.wallNow() > 0; // => true
 * ```
 */
export function createLiveEnv(ports: { log?: Log; metrics?: Metrics } = {}): Env {
  requireFields('createLiveEnv', ports);
  return {
    clock: { wallNow: () => Date.now(), monotonicNow: () => performance.now() },
    timers: {
      after: inParts((delayMs, run) => {
        const handle = start(run, delayMs);
        return () => stop(handle);
      }),
    },
    random: { next: () => Math.random() },
    log: ports.log ?? silentLog,
    metrics: ports.metrics ?? noMetrics,
  };
}
