import { expect, test } from 'vitest';
import type { Results } from '../../../backtest/index.ts';
import { watchSweep } from '../../../src/cli/sweep/watchSweep.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';

/** A sweep that is watched, and the totals that its results file was told. */
function watched() {
  const env = createVirtualEnv();
  const totals: number[] = [];
  const results = {
    note: ({ total }: { total: number }) => void totals.push(total),
    workers: () => [],
  } as unknown as Results;
  const stream = { write: () => true };
  const watch = watchSweep({ env, engine: {} as never, results, stream, threads: 1 });
  const progress = (done: number, total: number): void =>
    watch.onProgress({ done, total, resumed: 0, failed: 0 });
  return { env, totals, watch, progress };
}

test('each new total is noted at once: a walk-forward learns of its tests late', () => {
  const { totals, progress } = watched();
  for (const [done, total] of [
    [0, 6],
    [1, 6],
    [6, 6],
    [6, 9],
    [7, 9],
  ] as const)
    progress(done, total);
  expect(totals).toEqual([6, 9]);
});

test('while points are missing it is noted each second that it runs, and not after its end', () => {
  const { env, totals, watch, progress } = watched();
  const pass = (seconds: number): void => env.queue.advanceTo(env.queue.now() + seconds * 1_000);
  pass(3);
  expect(totals).toEqual([]);
  progress(0, 2);
  pass(3);
  expect(totals).toEqual([2, 2, 2, 2]);
  progress(2, 2);
  pass(3);
  expect(totals).toHaveLength(4);
  watch.end();
  expect(env.queue.nextTime()).toBeUndefined();
});
