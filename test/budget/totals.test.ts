import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LedgerTurn } from '../../src/budget/BudgetLedger.ts';
import { createReplaceableBudget } from '../../src/budget/createReplaceableBudget.ts';
import type { SharedBudget } from '../../src/budget/createSharedBudget.ts';
import { createTally } from '../../src/budget/createTally.ts';
import { LANES } from '../../src/budget/lanes.ts';
import { emptyLedger, takeTurn } from '../../src/budget/takeTurn.ts';
import { holdLaw } from '../holdLaw.ts';

const spending = fc.record({
  lane: fc.constantFrom(...LANES),
  weight: fc.integer({ min: 1, max: 50 }),
  used: fc.nat(900),
});

test('the tally is the sum of each lane, and its peak the fullest window', async () => {
  await holdLaw(200, fc.array(spending, { maxLength: 12 }), (all) => {
    const tally = createTally();
    for (const { lane, weight, used } of all) tally.add(lane, weight, used);
    const { spent, peak, allowance } = tally.use(800);
    for (const lane of LANES) {
      const own = all.filter((one) => one.lane === lane);
      expect(spent[lane]).toBe(own.reduce((sum, { weight }) => sum + weight, 0));
    }
    expect([peak, allowance]).toEqual([Math.max(0, ...all.map(({ used }) => used)), 800]);
  });
});

test('after a change of keys the spending of all of them counts, and each key’s budget is closed', async () => {
  const closed: number[] = [];
  const budgetOf = (at: number) => {
    const tally = createTally();
    return {
      spend: (weight: number, lane: 'exit') => tally.add(lane, weight, 100 - at),
      use: () => tally.use(1_000 + at),
      close: async () => void closed.push(at),
    } as unknown as SharedBudget;
  };
  const budget = createReplaceableBudget(budgetOf(0));
  budget.spend(1, 'exit');
  for (const at of [1, 2]) {
    await budget.replace(budgetOf(at));
    expect(closed).toEqual(at === 1 ? [0] : [0, 1]);
    budget.spend(10 ** at, 'exit');
  }
  expect(budget.use()).toMatchObject({ spent: { exit: 111 }, peak: 100, allowance: 1_002 });
  await budget.close();
  expect(closed).toEqual([0, 1, 2]);
});

test('the end of a budget waits for the last booking of each key, however late the first one’s comes', async () => {
  const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const budgetOf = (at: 0 | 1) =>
    ({ use: () => createTally().use(0), close: () => ends[at].promise }) as SharedBudget;
  const budget = createReplaceableBudget(budgetOf(0));
  void budget.replace(budgetOf(1));
  let isClosed = false;
  const closed = budget.close().then(() => (isClosed = true));
  ends[1].resolve();
  await new Promise(setImmediate);
  expect(isClosed).toBe(false);
  ends[0].resolve();
  await closed;
});

test('what a key’s answers teach reaches its budget, whichever key is in use', async () => {
  const seen: unknown[][] = [];
  const budgetOf = (key: string) =>
    ({
      learnLimit: (...of: unknown[]) => void seen.push([key, 'limit', ...of]),
      learnRemaining: (...of: unknown[]) => void seen.push([key, 'remaining', ...of]),
      holdFor: (...of: unknown[]) => void seen.push([key, 'hold', ...of]),
      served: () => void seen.push([key, 'served']),
      use: () => createTally().use(0),
      close: async () => {},
    }) as unknown as SharedBudget;
  const budget = createReplaceableBudget(budgetOf('first'));
  const teach = (): void => {
    budget.learnLimit(900);
    budget.learnRemaining(400);
    budget.holdFor(5_000, 'wall');
    budget.served();
  };
  teach();
  await budget.replace(budgetOf('second'));
  teach();
  expect(seen).toEqual(
    ['first', 'second'].flatMap((key) => [
      [key, 'limit', 900],
      [key, 'remaining', 400],
      [key, 'hold', 5_000, 'wall'],
      [key, 'served'],
    ]),
  );
});

const NOTHING = { urgent: 0, ordinary: 0 };
const turnOf = (over: Partial<LedgerTurn>): LedgerTurn => ({
  windowMs: 10_000,
  share: 0.9,
  reserveShare: 0.3,
  reserveFloor: 40,
  limit: 1_000,
  exitWeight: 0,
  spent: [],
  held: NOTHING,
  wanted: NOTHING,
  needed: NOTHING,
  ...over,
});

test('a hold ends with the latest of all that were reported, in whatever order', async () => {
  const holds = fc.array(fc.record({ after: fc.nat(900), holdMs: fc.nat(5_000) }), {
    maxLength: 8,
  });
  await holdLaw(200, holds, (all) => {
    const state = emptyLedger();
    let [now, until] = [1_000_000, 0];
    for (const { after, holdMs } of all) {
      now += after;
      until = Math.max(until, now + holdMs);
      expect(takeTurn(state, 'a', turnOf({ holdMs }), now).holdMs).toBe(until - now);
    }
  });
});

test('what a waiting process needs is left to the one that has spent less, and only to that one', async () => {
  const weights = fc.record({
    mine: fc.nat(200),
    theirs: fc.nat(200),
    needed: fc.integer({ min: 1, max: 300 }),
  });
  await holdLaw(300, weights, ({ mine, theirs, needed }) => {
    const state = emptyLedger();
    const spent = (weight: number) => (weight === 0 ? [] : [{ weight, ageMs: 0 }]);
    // Another program has all of it while both begin to wait.
    takeTurn(state, 'a', turnOf({ spent: spent(mine), reported: mine + 900 }), 50_000);
    takeTurn(
      state,
      'b',
      turnOf({ spent: spent(theirs), needed: { urgent: 0, ordinary: needed } }),
      50_000,
    );
    state.foreign = { weight: 0, until: 0 };
    const left = 630 - mine - theirs;
    const wanted = { urgent: 0, ordinary: 600 };
    const { held } = takeTurn(state, 'a', turnOf({ wanted }), 50_000);
    const isAhead = theirs < mine;
    expect(held.ordinary).toBe(Math.max(0, Math.min(600, left - (isAhead ? needed : 0))));
  });
});
