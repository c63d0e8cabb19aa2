import { createLiveEnv, type Env } from '../../src/env/index.ts';

/**
 * The real machine with clocks and timers that run `speed` times as fast: a retry for 10 s takes half a
 * second at 20. Whatever compares clocks over a wire, the two sides of a signature for one, gets the same one.
 */
export function createQuickEnv(speed = 20, ports: Parameters<typeof createLiveEnv>[0] = {}): Env {
  const live = createLiveEnv(ports);
  const [wall, monotonic] = [live.clock.wallNow(), live.clock.monotonicNow()];
  const passed = (): number => (live.clock.monotonicNow() - monotonic) * speed;
  return {
    ...live,
    clock: {
      wallNow: () => Math.floor(wall + passed()),
      monotonicNow: () => monotonic + passed(),
    },
    timers: { after: (delayMs, run) => live.timers.after(delayMs / speed, run) },
  };
}
