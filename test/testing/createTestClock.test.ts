/** Which timers of a test's outage run late. */
import { expect, test } from 'vitest';
import { TaskQueue } from '../../src/env/index.ts';
import { LATE_MS } from '../../src/streams/index.ts';
import { createTestClock } from '../../src/testing/createTestClock.ts';
import type { TestMarket } from '../../src/testing/TestMarket.ts';

test('a timer is late if the outage in which it fell due went on for more than ten seconds', () => {
  const queue = new TaskQueue(1_000_000);
  const clock = createTestClock(queue as unknown as TestMarket);
  const late: Array<[string, boolean | undefined]> = [];
  const at = (name: string, time: number): void =>
    void clock.at(time, (isLate) => late.push([name, isLate]));
  const end = 1_000_000 + 60_000;
  at('long before', 1_000_000 + 1);
  at('just too long before', end - LATE_MS - 1);
  at('at the bound', end - LATE_MS);
  at('at the end', end);
  at('after it', end + 5_000);
  clock.advanceTo(end, { liveness: 'catch_up' });
  expect(late).toEqual([
    ['long before', true],
    ['just too long before', true],
    ['at the bound', false],
    ['at the end', false],
  ]);
  late.length = 0;
  clock.advanceTo(end + 60_000, {});
  expect(late).toEqual([['after it', false]]);
  // What is asked for at a time of the past is due at once, and misses only what comes then.
  late.length = 0;
  at('of the past', 0);
  clock.advanceTo(queue.now() + LATE_MS, { liveness: 'catch_up' });
  expect(late).toEqual([['of the past', false]]);
});
