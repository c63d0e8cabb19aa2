import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBudget } from '../../../src/budget/index.ts';
import type { Exchange } from '../../../src/contract/index.ts';
import { learnBudget } from '../../../src/runtime/links/learnBudget.ts';

const REMAINING = 'x-ratelimit-remaining';
const OPTIONS = { remainingHeader: REMAINING, wallNow: () => 0 };

const BUDGET = { limit: 1_000, windowMs: 60_000, share: 1, reserveShare: 0, reserveFloor: 0 };
const budgetNow = () => createBudget({ ...BUDGET, now: () => 0 });

const refused = (bucket: string): Exchange => ({
  kind: 'answered',
  response: {
    status: 429,
    headers: {},
    body: {
      error: {
        code: 'rate_limited',
        message: 'x',
        details: { bucket_exceeded: bucket, retry_after_seconds: 7 },
      },
      request_id: 'req_1',
    },
  },
});

test('LIM-2: a 429 of the key holds everything for as long as it asks', () => {
  const budget = budgetNow();
  learnBudget(budget, OPTIONS).leaves()(refused('key_minute'));
  expect(budget.admit('exit', 1)).toMatchObject({ reason: 'retry_after', until: 7_000 });
});

test('MKT-5: the gate of market reads holds no order', () => {
  const budget = budgetNow();
  learnBudget(budget, OPTIONS).leaves()(refused('read_headroom_gate'));
  expect(budget.admit('entry', 20)).toEqual({ admitted: true });
});

test('LIM-1: what remains of the key teaches what others have spent', () => {
  const budget = budgetNow();
  const response = { status: 200, headers: { [REMAINING]: '400' }, body: {} };
  learnBudget(budget, OPTIONS).leaves()({ kind: 'answered', response });
  expect(budget.status().foreign).toBe(600);
});

const remains = (weight: number, headers: object = {}): Exchange => ({
  kind: 'answered',
  response: { status: 200, headers: { [REMAINING]: String(weight), ...headers }, body: {} },
});

test('LIM-1: in whatever order answers come, the one to the latest request teaches what remains', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 1 }), (order) => {
      const budget = budgetNow();
      const learning = learnBudget(budget, OPTIONS);
      const asked = Array.from({ length: 6 }, () => learning.leaves());
      for (const at of order) asked[at]!(remains(1_000 - 10 * at));
      expect(budget.status().foreign).toBe(10 * Math.max(...order));
    }),
  );
});

test('LIM-1, LIM-2: an answer of a cache teaches nothing of the budget', () => {
  const budget = budgetNow();
  const learning = learnBudget(budget, OPTIONS);
  learning.leaves()(remains(400));
  learning.leaves()(remains(1_000, { age: '9' }));
  expect(budget.status().foreign).toBe(600);
  // Nor that the service accepts requests again.
  let time = 0;
  const other = createBudget({ ...BUDGET, now: () => time });
  const later = learnBudget(other, OPTIONS);
  later.leaves()(refused('key_minute'));
  time = 7_000;
  other.spend(1, 'exit');
  later.leaves()(remains(900, { age: '9' }));
  expect(other.admit('exit', 1)).toMatchObject({ admitted: false, reason: 'budget' });
  later.leaves()(remains(900));
  expect(other.admit('exit', 1)).toEqual({ admitted: true });
});

test('AUTH-6, LIM-2: an answer to what the former key signed teaches nothing of the budget of the next', () => {
  const budget = budgetNow();
  const learning = learnBudget(budget, OPTIONS);
  const unanswered = [learning.leaves(), learning.leaves(), learning.leaves()];
  const page: Exchange = {
    kind: 'no_answer',
    reason: 'unreadable_body',
    unread: { status: 429, headers: {}, isEmpty: false },
  };
  learning.leaves()(page);
  budget.startOver!(1_000, 1_000);
  learning.startOver();
  unanswered[0]!(refused('key_minute'));
  const response = { status: 200, headers: { [REMAINING]: '0' }, body: {} };
  unanswered[1]!({ kind: 'answered', response });
  expect(budget.status()).toMatchObject({ foreign: 0, heldForMs: 0 });
  expect(budget.admit('exit', 20)).toEqual({ admitted: true });
  // The first wait of the next key is as short as any first one, and the former key's answer does not end it.
  learning.leaves()(page);
  expect(budget.status().heldForMs).toBe(1_000);
});

describe('LIM-2: a 429 without a figure', () => {
  const page: Exchange = {
    kind: 'no_answer',
    reason: 'unreadable_body',
    unread: { status: 429, headers: {}, isEmpty: false },
  };
  const served: Exchange = { kind: 'answered', response: { status: 200, headers: {}, body: {} } };

  const setUp = () => {
    let time = 0;
    const budget = createBudget({
      limit: 1_000,
      windowMs: 60_000,
      share: 1,
      reserveShare: 0,
      reserveFloor: 0,
      now: () => time,
    });
    const { leaves: learn } = learnBudget(budget, OPTIONS);
    /** Milliseconds for which the answer holds everything. */
    const waitAfter = (exchange: Exchange): number => {
      time = Math.max(time, budget.status().heldUntil);
      learn()(exchange);
      return budget.status().heldUntil - time;
    };
    return { learn, budget, waitAfter };
  };

  test('holds for longer each time, within a bound, until something is answered', () => {
    const { waitAfter } = setUp();
    const waits = [page, page, page, page, page].map(waitAfter);
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 8_000]);
    expect(waitAfter({ kind: 'no_answer', reason: 'timeout' })).toBe(0);
    expect(waitAfter(page)).toBe(8_000);
    expect(waitAfter(served)).toBe(0);
    expect(waitAfter(page)).toBe(1_000);
  });

  test('is not over by an answer to a request that had left before it', () => {
    const { learn, budget, waitAfter } = setUp();
    const early = [learn(), learn(), learn()];
    expect(waitAfter(page)).toBe(1_000);
    early[0]!(served);
    // The wait doubles, since nothing that left since was answered.
    expect(waitAfter(page)).toBe(2_000);
    expect(waitAfter({ kind: 'no_answer', reason: 'timeout' })).toBe(0);
    early[1]!(served);
    // And only one request shows whether the service accepts any.
    const probe = learn();
    budget.spend(1, 'exit');
    early[2]!(served);
    expect(budget.admit('exit', 1)).toMatchObject({ admitted: false, reason: 'budget' });
    probe(served);
    expect(budget.admit('exit', 1)).toEqual({ admitted: true });
    expect(waitAfter(page)).toBe(1_000);
  });

  test('counts once for all requests that were under way', () => {
    const { learn, budget, waitAfter } = setUp();
    for (let count = 0; count < 12; count++) learn()(page);
    expect(budget.status().heldUntil).toBe(1_000);
    expect(waitAfter(page)).toBe(2_000);
  });
});

test('LIM-2: a gateway’s wait is of wall time where the budget is counted in replay time', () => {
  let replay = 0;
  let wall = 0;
  const budget = createBudget({
    limit: 1_000,
    windowMs: 60_000,
    share: 1,
    reserveShare: 0,
    reserveFloor: 0,
    now: () => replay,
    wallNow: () => wall,
  });
  const { leaves: learn } = learnBudget(budget, OPTIONS);
  const response = { status: 429, headers: { 'retry-after': '60' }, body: {} };
  learn()({ kind: 'answered', response });
  replay = 3_600_000;
  wall = 59_999;
  const until = replay + 250;
  expect(budget.admit('exit', 1)).toMatchObject({ reason: 'retry_after', until });
  expect(budget.status().heldUntil).toBe(until);
  wall = 60_000;
  expect(budget.admit('exit', 1)).toEqual({ admitted: true });
  // The service itself counts its budget, and what it asks for, in replay time.
  learn()(refused('key_minute'));
  wall += 3_600_000;
  expect(budget.admit('exit', 1)).toMatchObject({ until: replay + 7_000 });
  replay += 7_000;
  expect(budget.admit('exit', 1)).toEqual({ admitted: true });
});
