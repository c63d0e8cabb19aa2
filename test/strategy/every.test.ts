/** Boundaries of market time, each once, on a clock that may jump over some of them. */
import { expect, test } from 'vitest';
import { createLiveMarketClock, createVirtualEnv } from '../../src/env/index.ts';
import { every } from '../../src/strategy/every.ts';

const MINUTE = 60_000;

test('a machine that slept over several boundaries ticks once, and then at the next one', () => {
  const env = createVirtualEnv({ startTime: 0 });
  let sleptMs = 0;
  const clock = { ...env.clock, wallNow: () => env.clock.wallNow() + sleptMs };
  const market = createLiveMarketClock({ clock, timers: env.timers });
  const ticks: number[] = [];
  const next = (time: number): number => (Math.floor(time / MINUTE) + 1) * MINUTE;
  const ticking = every(market, next).subscribe(({ time }) => ticks.push(time / MINUTE));
  env.queue.advanceTo(MINUTE + 1);
  expect(ticks).toEqual([1]);
  sleptMs = 10 * MINUTE;
  // The look of its timer is at most five seconds away.
  env.queue.advanceTo(MINUTE + 5_000);
  expect(ticks).toEqual([1, 2]);
  env.queue.advanceTo(3 * MINUTE);
  expect(ticks).toEqual([1, 2, 12, 13]);
  ticking.unsubscribe();
  env.queue.advanceTo(9 * MINUTE);
  expect(ticks).toHaveLength(4);
});
