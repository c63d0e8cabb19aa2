import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBudget, createWindow, LANES, type Lane } from '../../src/budget/index.ts';

const OPTIONS = {
  limit: 1_000,
  windowMs: 60_000,
  share: 0.9,
  reserveShare: 0.3,
  reserveFloor: 40,
} as const;

/** The budget once more, from a log of all that happened: slow, and without a window. */
function createNaiveBudget(now: () => number, exitWeight: () => number) {
  const spent: Array<{ time: number; weight: number }> = [];
  let limit: number = OPTIONS.limit;
  let heldUntil = 0;
  let foreign = { weight: 0, until: 0 };
  let doubtUntil = -Infinity;
  let answerBy = -Infinity;
  let urgentAt = -Infinity;
  const isUrgent = (lane: Lane): boolean => lane === 'control' || lane === 'exit';
  const used = (time: number): number =>
    spent.reduce((sum, one) => (one.time + OPTIONS.windowMs > time ? sum + one.weight : sum), 0);
  const others = (): number => (now() < foreign.until ? foreign.weight : 0);

  function reserve(lane: Lane): number {
    if (isUrgent(lane)) return 0;
    const allowance = limit * OPTIONS.share;
    const asked = Math.max(0.3 * allowance, OPTIONS.reserveFloor + exitWeight());
    const exits = Math.min(asked, allowance / 2);
    return lane === 'lookup' ? exits : exits + Math.max(4, 0.03 * allowance);
  }

  /** @returns undefined if it is admitted, else when it may try again */
  function waitUntil(lane: Lane, weight: number): number | undefined {
    const time = now();
    if (time < heldUntil) return heldUntil;
    const doubt = Math.min(answerBy, doubtUntil);
    if (time < doubt) return doubt;
    const free = limit * OPTIONS.share - reserve(lane) - weight;
    const room = free - others();
    if (used(time) <= room) return undefined;
    // Only others' spending keeps it back.
    const triedAt = isUrgent(lane) && used(time) <= free ? urgentAt + 1_000 : Infinity;
    if (time >= triedAt) return undefined;
    return Math.min(triedAt, withoutTrial(time, free, room));
  }

  function withoutTrial(time: number, free: number, room: number): number {
    if (free < 0) return time + 10_000;
    if (room < 0) return Math.max(foreign.until, time + 1);
    const ends = spent.map((one) => one.time + OPTIONS.windowMs).filter((end) => end > time);
    return ends.toSorted((a, b) => a - b).find((end) => used(end) <= room)!;
  }

  return {
    waitUntil,
    used,
    spend(weight: number, lane: Lane) {
      if (isUrgent(lane)) urgentAt = now();
      spent.push({ time: now(), weight });
      if (now() < doubtUntil) answerBy = now() + 250;
    },
    learnLimit: (next: number) => void (limit = next),
    learnRemaining(remaining: number) {
      const weight = Math.max(0, limit - remaining - used(now()));
      foreign = { weight, until: now() + OPTIONS.windowMs };
    },
    holdFor(delayMs: number) {
      heldUntil = Math.max(heldUntil, now() + delayMs);
      doubtUntil = Math.max(doubtUntil, heldUntil + 750);
      answerBy = -Infinity;
    },
    served: () => void (doubtUntil = -Infinity),
    heldForMs: () => Math.max(0, heldUntil - now()),
  };
}

const event = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      lane: fc.constantFrom(...LANES),
      weight: fc.integer({ min: 1, max: 120 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 45_000 })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('limit' as const),
      limit: fc.constantFrom(60, 400, 1_000, 2_000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('remaining' as const),
      remaining: fc.integer({ min: 0, max: 1_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('refused' as const),
      ms: fc.constantFrom(0, 500, 5_000, 20_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('served' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('exits' as const),
      weight: fc.constantFrom(0, 100, 700),
    }),
  },
);

test('LIM-1, LIM-2: a budget admits and waits as its log says, whatever happens', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 120 }), (events) => {
      let time = 1_000;
      let exitWeight = 0;
      const now = () => time;
      const budget = createBudget({ ...OPTIONS, now, exitWeight: () => exitWeight });
      const naive = createNaiveBudget(now, () => exitWeight);
      for (const one of events) {
        if (one.kind === 'wait') time += one.ms;
        else if (one.kind === 'exits') exitWeight = one.weight;
        else if (one.kind === 'limit')
          [budget, naive].forEach((each) => each.learnLimit(one.limit));
        else if (one.kind === 'remaining')
          [budget, naive].forEach((each) => each.learnRemaining(one.remaining));
        else if (one.kind === 'refused') [budget, naive].forEach((each) => each.holdFor(one.ms));
        else if (one.kind === 'served') [budget, naive].forEach((each) => each.served());
        else {
          const { lane, weight } = one;
          const admission = budget.admit(lane, weight);
          const until = naive.waitUntil(lane, weight);
          expect(admission.admitted ? undefined : admission.until).toBe(until);
          expect(budget.status()).toMatchObject({
            used: naive.used(time),
            heldForMs: naive.heldForMs(),
          });
          if (!admission.admitted) continue;
          budget.spend(weight, lane);
          naive.spend(weight, lane);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('a window of thousands of spendings forgets those that left it, and no other', () => {
  const window = createWindow(1_000);
  for (let time = 0; time < 6_000; time++) {
    window.spend(time, 1);
    expect(window.used(time)).toBe(Math.min(time + 1, 1_000));
  }
  expect(window.used(6_500)).toBe(499);
  expect(window.timeWhenUsedAtMost(100, 6_500)).toBe(6_899);
});
