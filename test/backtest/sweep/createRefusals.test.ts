import { expect, test } from 'vitest';
import { FinalRefusal } from '../../../backtest/sweep/FinalRefusal.ts';
import { createRefusals } from '../../../backtest/sweep/workers/createRefusals.ts';

/** Tries a sweep every two seconds, as a worker does; the seconds at which it was due. */
async function tried(
  fail: (attempt: number) => Error | null,
  { seconds, exitWhenDone = false }: { seconds: number; exitWhenDone?: boolean },
) {
  let now = 0;
  const said: string[] = [];
  const refusals = createRefusals({ monotonicNow: () => now }, (_sweep, why) => said.push(why));
  const at: number[] = [];
  for (; now < seconds * 1_000; now += 2_000) {
    if (refusals.isDue('one')) {
      const fault = fail(at.push(now / 1_000));
      const prepared = fault === null ? Promise.resolve('done') : Promise.reject(fault);
      if ((await refusals.watch('one', prepared)) !== null) break;
    }
    if (exitWhenDone && !refusals.isAnyOpen()) break;
  }
  return { at, said, ended: now / 1_000, refusals };
}

test('a sweep that a passing fault refused is tried again, at growing pauses, and said once', async () => {
  const { at, said } = await tried(() => new Error('the disk is full'), { seconds: 260 });
  expect(at).toEqual([0, 2, 6, 14, 30, 62, 122, 182, 242]);
  expect(said).toEqual(['the disk is full']);
});

test('another reason is said, too, and a success ends it', async () => {
  const faults = [new Error('no room'), new Error('no server'), new Error('no server'), null];
  const { at, said, refusals } = await tried((attempt) => faults[attempt - 1]!, { seconds: 260 });
  expect([at, said]).toEqual([
    [0, 2, 6, 14],
    ['no room', 'no server'],
  ]);
  expect([refusals.isDue('one'), refusals.isAnyOpen()]).toEqual([true, false]);
});

test('a final fault, or what one has caused, is not tried again until nobody waits for the sweep', async () => {
  const cause = new FinalRefusal('its SHA-256 is another');
  for (const fault of [cause, new Error('The code can’t be read', { cause })]) {
    const { at, refusals } = await tried(() => fault, { seconds: 5_000 });
    expect([at, refusals.isAnyOpen()]).toEqual([[0], false]);
    refusals.keep(new Set(['one', 'two']));
    expect(refusals.isDue('one')).toBe(false);
    refusals.keep(new Set(['two']));
    expect(refusals.isDue('one')).toBe(true);
  }
});

test('a worker that ends when all is done waits some minutes for a fault to pass', async () => {
  const { ended } = await tried(() => new Error('no server'), {
    seconds: 5_000,
    exitWhenDone: true,
  });
  expect(ended).toBe(182);
});
