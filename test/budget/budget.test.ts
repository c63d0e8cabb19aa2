import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBudget, createWindow, LANES, type BudgetOptions } from '../../src/budget/index.ts';

const setUp = (over: Partial<BudgetOptions> = {}) => {
  let time = 0;
  const budget = createBudget({
    limit: 1_000,
    windowMs: 60_000,
    share: 0.9,
    reserveShare: 0.3,
    reserveFloor: 40,
    now: () => time,
    ...over,
  });
  return { budget, setTime: (next: number) => (time = next) };
};

describe('LIM-1: the sliding window', () => {
  test('spent weight counts for exactly one window', () => {
    const window = createWindow(60_000);
    window.spend(1_000, 10);
    expect(window.used(60_999)).toBe(10);
    expect(window.used(61_000)).toBe(0);
  });

  test('agrees with a sum over all spendings, at any time', () => {
    const step = fc.record({ after: fc.integer({ min: 0, max: 40_000 }), weight: fc.nat(20) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const window = createWindow(60_000);
        const log: Array<{ time: number; weight: number }> = [];
        let time = 0;
        for (const { after, weight } of steps) {
          time += after;
          window.spend(time, weight);
          log.push({ time, weight });
          const naive = log
            .filter((entry) => entry.time + 60_000 > time)
            .reduce((sum, entry) => sum + entry.weight, 0);
          expect(window.used(time)).toBe(naive);
        }
      }),
    );
  });

  test('reports when enough has expired', () => {
    const window = createWindow(60_000);
    window.spend(0, 10);
    window.spend(5_000, 10);
    expect(window.timeWhenUsedAtMost(10, 6_000)).toBe(60_000);
    expect(window.timeWhenUsedAtMost(0, 6_000)).toBe(65_000);
    expect(window.timeWhenUsedAtMost(20, 6_000)).toBe(6_000);
  });
});

test('exits still pass when entries have used their share', () => {
  const { budget } = setUp();
  let entries = 0;
  while (budget.admit('entry', 20).admitted) {
    budget.spend(20, 'entry');
    entries++;
  }
  expect(entries).toBe(30); // (900 − 30 % − 3 %) ÷ 20
  expect(budget.admit('read', 1).admitted).toBe(true);
  expect(budget.admit('exit', 20).admitted).toBe(true);
  expect(budget.admit('control', 2).admitted).toBe(true);
});

test('the exit reserve grows with what closing everything open would cost', () => {
  const { budget } = setUp({ exitWeight: () => 400 });
  let spent = 0;
  while (budget.admit('entry', 20).admitted) {
    budget.spend(20, 'entry');
    spent += 20;
  }
  expect(spent).toBe(420); // 900 − (40 + 400) − 3 %
});

test('endless entries leave room for reconciliation', () => {
  const { budget } = setUp();
  while (budget.admit('entry', 2).admitted) budget.spend(2, 'entry');
  let lookUps = 0;
  while (budget.admit('lookup', 2).admitted) {
    budget.spend(2, 'entry');
    lookUps++;
  }
  expect(lookUps).toBe(14); // (900 × 3 % + what was left) ÷ 2
  expect(budget.admit('exit', 20).admitted).toBe(true);
});

test('never exceeds the allowance within a window, for any requests', () => {
  const ask = fc.record({
    after: fc.nat(30_000),
    lane: fc.constantFrom(...LANES),
    weight: fc.constantFrom(1, 2, 5, 20),
  });
  fc.assert(
    fc.property(fc.array(ask, { maxLength: 300 }), (asks) => {
      const { budget, setTime } = setUp({ limit: 200 });
      let time = 0;
      const log: Array<{ time: number; weight: number }> = [];
      for (const { after, lane, weight } of asks) {
        setTime((time += after));
        if (!budget.admit(lane, weight).admitted) continue;
        budget.spend(weight, lane);
        log.push({ time, weight });
      }
      for (const { time: end } of log) {
        const used = log
          .filter((entry) => entry.time <= end && entry.time > end - 60_000)
          .reduce((sum, entry) => sum + entry.weight, 0);
        expect(used).toBeLessThanOrEqual(180);
      }
    }),
  );
});

test('LIM-2: nothing is admitted inside retry_after, not even a kill', () => {
  const { budget, setTime } = setUp();
  budget.holdFor(5_000);
  for (const lane of LANES) expect(budget.admit(lane, 1).admitted).toBe(false);
  setTime(4_999);
  expect(budget.admit('control', 1)).toMatchObject({ reason: 'retry_after', until: 5_000 });
  setTime(5_000);
  expect(budget.admit('control', 1).admitted).toBe(true);
});

test('weight spent by another user of the key is not spent again', () => {
  const { budget, setTime } = setUp();
  budget.spend(100, 'entry');
  budget.learnRemaining(400); // 600 used, of which 500 are not ours
  expect(budget.status()).toMatchObject({ used: 100, foreign: 500 });
  expect(budget.admit('entry', 40).admitted).toBe(false);
  setTime(60_000);
  expect(budget.admit('entry', 40).admitted).toBe(true);
});

test('weight of another user counts in the peak, and for exactly one window', () => {
  const { budget, setTime } = setUp();
  budget.spend(100, 'entry');
  expect(budget.use().peak).toBe(100);
  budget.learnRemaining(400);
  setTime(1);
  budget.spend(1, 'exit');
  expect(budget.use()).toMatchObject({ spent: { entry: 100, exit: 1 }, peak: 601 });
  setTime(59_999);
  expect(budget.status().foreign).toBe(500);
  expect(budget.admit('entry', 200).admitted).toBe(false);
  setTime(60_000);
  expect(budget.status().foreign).toBe(0);
  expect(budget.admit('entry', 200).admitted).toBe(true);
  budget.spend(300, 'exit');
  expect(budget.use().peak).toBe(601);
});

describe('LIM-2: what another user may have spent long ago', () => {
  const lanes = ['control', 'exit'] as const;

  test.each(lanes)(
    'keeps a request of %s back for a second at most after one that left',
    (lane) => {
      const { budget, setTime } = setUp();
      setTime(100_000);
      budget.spend(100, 'entry');
      budget.learnRemaining(0);
      // Nothing urgent has asked for a while: it may be over.
      expect(budget.admit(lane, 20)).toEqual({ admitted: true });
      budget.spend(20, lane);
      for (const other of lanes)
        expect(budget.admit(other, 20)).toMatchObject({ reason: 'budget', until: 101_000 });
      setTime(101_000);
      expect(budget.admit(lane, 20)).toEqual({ admitted: true });
      // An answer says what really remains.
      budget.learnRemaining(880);
      for (const other of lanes) expect(budget.admit(other, 20)).toEqual({ admitted: true });
    },
  );

  test('holds entries, look-ups and reads for its window, and exits in a wait that was asked for', () => {
    const { budget, setTime } = setUp();
    setTime(100_000);
    budget.learnRemaining(0);
    for (const lane of ['lookup', 'entry', 'read'] as const)
      expect(budget.admit(lane, 20)).toMatchObject({ admitted: false, until: 160_000 });
    budget.holdFor(3_000);
    setTime(102_999);
    expect(budget.admit('exit', 20)).toMatchObject({ reason: 'retry_after', until: 103_000 });
    setTime(103_000);
    expect(budget.admit('exit', 20)).toEqual({ admitted: true });
  });

  test('does not let the bot itself spend more than its allowance', () => {
    const { budget, setTime } = setUp();
    budget.spend(890, 'exit');
    budget.learnRemaining(0);
    setTime(30_000);
    expect(budget.admit('exit', 20)).toMatchObject({ admitted: false, until: 60_000 });
    expect(budget.admit('exit', 10)).toEqual({ admitted: true });
  });
});

test('what another key has spent already counts for exactly one window', () => {
  const { budget, setTime } = setUp();
  setTime(10);
  budget.startOver!(2_000, 1_400);
  setTime(60_009);
  expect(budget.status()).toMatchObject({ limit: 2_000, used: 0, foreign: 600 });
  budget.spend(5, 'exit');
  expect(budget.use().peak).toBe(605);
  setTime(60_010);
  expect(budget.status().foreign).toBe(0);
});

test('a refused admission names a time at which it is admitted', () => {
  const { budget, setTime } = setUp();
  setTime(1_000);
  while (budget.admit('entry', 20).admitted) budget.spend(20, 'entry');
  const refused = budget.admit('entry', 20);
  if (refused.admitted) throw new Error('expected a refusal');
  setTime(refused.until - 1);
  expect(budget.admit('entry', 20).admitted).toBe(false);
  setTime(refused.until);
  expect(budget.admit('entry', 20).admitted).toBe(true);
});

test('LIM-2: after a 429 one request goes out, and the others wait for its answer, not for long', () => {
  const { budget, setTime } = setUp();
  budget.holdFor(5_000);
  setTime(5_000);
  budget.spend(20, 'exit');
  expect(budget.admit('exit', 20)).toMatchObject({ admitted: false, until: 5_250 });
  // Refused again: one request was spent on it, however many wait.
  budget.holdFor(2_000);
  setTime(7_000);
  budget.spend(20, 'exit');
  expect(budget.admit('control', 2).admitted).toBe(false);
  budget.served();
  expect(budget.admit('control', 2).admitted).toBe(true);
  expect(budget.admit('exit', 20).admitted).toBe(true);
});

test('an unanswered request after a 429 delays exits only briefly', () => {
  const { budget, setTime } = setUp();
  budget.holdFor(5_000);
  let sent = 0;
  for (let time = 5_000; time <= 5_750; time += 10) {
    setTime(time);
    if (!budget.admit('exit', 1).admitted) continue;
    budget.spend(1, 'exit');
    sent++;
  }
  expect(sent).toBe(4);
  expect(budget.admit('exit', 1).admitted).toBe(true);
});

describe('LIM-2: a wait that is counted on the wall', () => {
  /** The budget's clock stands still, as a replay's may. */
  const onWall = () => {
    let wall = 5_000_000;
    const { budget } = setUp({ wallNow: () => wall });
    return {
      budget,
      pass: (ms: number) => void (wall += ms),
      isHeld: () => {
        const admission = budget.admit('exit', 1);
        return !admission.admitted && admission.reason === 'retry_after';
      },
    };
  };

  test('ends at its instant, and is looked at again soon', () => {
    const { budget, pass, isHeld } = onWall();
    budget.holdFor(1_000, 'wall');
    const { heldUntil, heldForMs } = budget.status();
    expect(heldUntil).toBeGreaterThan(0);
    expect(heldForMs).toBe(heldUntil);
    expect(budget.admit('exit', 1)).toMatchObject({ reason: 'retry_after', until: heldUntil });
    pass(999);
    expect(isHeld()).toBe(true);
    pass(1);
    expect(isHeld()).toBe(false);
    expect(budget.status()).toMatchObject({ heldUntil: 0, heldForMs: 0 });
  });

  test.each([
    [[1_000, 400], 1_000],
    [[400, 1_000], 1_000],
  ])('of several the last one counts: %o', (waits, end) => {
    const { budget, pass, isHeld } = onWall();
    for (const ms of waits) budget.holdFor(ms, 'wall');
    pass(end - 1);
    expect(isHeld()).toBe(true);
    pass(1);
    expect(isHeld()).toBe(false);
  });

  test('is that of its key', () => {
    const { budget, isHeld } = onWall();
    budget.holdFor(60_000, 'wall');
    expect(isHeld()).toBe(true);
    budget.startOver!(1_000, 1_000);
    expect(isHeld()).toBe(false);
    expect(budget.status().heldUntil).toBe(0);
  });
});
