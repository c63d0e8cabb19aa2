import { expect, test } from 'vitest';
import { createBudget } from '../../../src/budget/index.ts';
import type { Exchange } from '../../../src/contract/index.ts';
import { learnBudget } from '../../../src/runtime/links/learnBudget.ts';

const REMAINING = 'x-ratelimit-remaining';

const budgetNow = () =>
  createBudget({
    limit: 1_000,
    windowMs: 60_000,
    share: 1,
    reserveShare: 0,
    reserveFloor: 0,
    now: () => 0,
  });

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
  learnBudget(budget, refused('key_minute'), REMAINING);
  expect(budget.admit('exit', 1)).toMatchObject({ reason: 'retry_after', until: 7_000 });
});

test('MKT-5: the gate of market reads holds no order', () => {
  const budget = budgetNow();
  learnBudget(budget, refused('read_headroom_gate'), REMAINING);
  expect(budget.admit('entry', 20)).toEqual({ admitted: true });
});

test('LIM-1: what remains of the key teaches what others have spent', () => {
  const budget = budgetNow();
  const response = { status: 200, headers: { [REMAINING]: '400' }, body: {} };
  learnBudget(budget, { kind: 'answered', response }, REMAINING);
  expect(budget.status().foreign).toBe(600);
});
