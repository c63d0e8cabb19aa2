import { expect, test } from 'vitest';
import { createBudget } from '../../src/budget/index.ts';

const options = { windowMs: 60_000, share: 1, reserveShare: 0, reserveFloor: 0 };

test("another key's budget starts from what the service has counted of it", () => {
  const budget = createBudget({ ...options, limit: 100, now: () => 1_000 });
  budget.spend(100, 'entry');
  budget.holdFor(30_000);
  expect(budget.admit('exit', 1).admitted).toBe(false);
  budget.startOver!(50, 45);
  expect(budget.status()).toMatchObject({ limit: 50, used: 0, foreign: 5, heldUntil: 0 });
  expect(budget.admit('lookup', 45).admitted).toBe(true);
  expect(budget.admit('lookup', 46).admitted).toBe(false);
  expect(budget.use().spent.entry).toBe(100);
});
