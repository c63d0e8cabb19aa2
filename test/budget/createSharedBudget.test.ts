import { describe, expect, test } from 'vitest';
import {
  createSharedBudget,
  type SharedBudget,
  type SharedBudgetOptions,
} from '../../src/budget/index.ts';
import { createVirtualEnv } from '../../src/env/index.ts';
import { createTestLedger } from './createTestLedger.ts';
import { SETTINGS } from './settings.ts';

async function openBudgets(count: number, over: Partial<SharedBudgetOptions> = {}) {
  const env = createVirtualEnv({ startTime: 1_000_000 });
  const ledger = createTestLedger(env);
  const budgets: SharedBudget[] = [];
  for (let n = 0; n < count; n++) {
    budgets.push(
      await createSharedBudget({
        ...SETTINGS,
        ledger: ledger.at(`process ${n}`),
        timers: env.timers,
        now: () => env.queue.now(),
        ...over,
      }),
    );
  }
  /** Market time, settling promises at each step. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 5) {
      env.queue.advanceTo(env.queue.now() + Math.min(5, left));
      for (let tick = 0; tick < 5; tick++) await Promise.resolve();
    }
  };
  return { env, ledger, budgets, pass };
}

describe('a budget shared by processes', () => {
  test('admits from its allotment, and asks the ledger for more at once', async () => {
    const { budgets, pass } = await openBudgets(1);
    const [budget] = budgets as [SharedBudget];
    expect(budget.admit('entry', 20).admitted).toBe(true);
    budget.spend(20, 'entry');
    const refused = budget.admit('entry', 20);
    expect(refused).toMatchObject({ admitted: false, reason: 'budget' });
    if (refused.admitted) return;
    expect(refused.need).toContain('20 for entry');
    await pass(20);
    expect(budget.admit('entry', 20).admitted).toBe(true);
  });

  test('a wait that the service asks for is not cut short by what the ledger says of an earlier one', async () => {
    const { budgets, ledger, pass } = await openBudgets(2);
    const [one, two] = budgets as [SharedBudget, SharedBudget];
    two.holdFor(100);
    await pass(20);
    ledger.delay(200);
    // Answered as of before its own wait, which the next turn alone reports.
    one.admit('entry', 600);
    await pass(50);
    one.holdFor(10_000);
    for (let ms = 0; ms < 9_900; ms += 20) {
      expect([ms, one.admit('exit', 1)]).toMatchObject([ms, { reason: 'retry_after' }]);
      await pass(20);
    }
  });

  test('exits still go out of every process when entries have used all that they may', async () => {
    const { budgets, pass } = await openBudgets(3);
    let entries = 0;
    for (let round = 0; round < 200; round++) {
      for (const budget of budgets) {
        if (!budget.admit('entry', 20).admitted) continue;
        budget.spend(20, 'entry');
        entries += 20;
      }
      await pass(20);
    }
    expect(entries).toBeGreaterThan(630 - 3 * 20);
    expect(entries).toBeLessThanOrEqual(630); // 900 less the reserve of 270
    for (const budget of budgets) {
      expect(budget.admit('entry', 20).admitted).toBe(false);
      expect(budget.admit('exit', 20).admitted).toBe(true);
      expect(budget.admit('control', 2).admitted).toBe(true);
    }
  });

  test('a sole user gets nearly all; idle weight is returned', async () => {
    const { budgets, pass } = await openBudgets(3);
    const [busy] = budgets as [SharedBudget];
    let spent = 0;
    for (let round = 0; round < 700; round++) {
      if (busy.admit('exit', 20).admitted) {
        busy.spend(20, 'entry');
        spent += 20;
      }
      await pass(15);
    }
    expect(spent).toBeGreaterThanOrEqual(0.9 * 900);
    expect(spent).toBeLessThanOrEqual(900);
  });

  test('LIM-2: a 429 of one process holds the others', async () => {
    const { budgets, pass, env } = await openBudgets(2);
    const [one, two] = budgets as [SharedBudget, SharedBudget];
    one.holdFor(5_000);
    expect(one.admit('control', 1)).toMatchObject({ reason: 'retry_after' });
    expect(one.status().heldForMs).toBe(5_000);
    await pass(1_500);
    expect(two.admit('control', 1)).toMatchObject({ reason: 'retry_after' });
    const { heldUntil, heldForMs } = one.status();
    expect(heldForMs).toBe(heldUntil - env.queue.now());
    await pass(3_600);
    expect([one.status().heldForMs, two.status().heldForMs]).toEqual([0, 0]);
    expect(two.admit('control', 1).admitted).toBe(true);
  });

  test('LIM-2: an exit tries each second where others seem to have spent the key, an entry waits', async () => {
    const { budgets, pass } = await openBudgets(2);
    const [one] = budgets as [SharedBudget];
    one.learnRemaining(0);
    await pass(100);
    while (one.admit('exit', 20).admitted) one.spend(20, 'exit');
    await pass(2_000);
    let left = 0;
    for (let step = 0; step < 100; step++) {
      expect(one.admit('entry', 20).admitted).toBe(false);
      expect(one.admit('lookup', 20).admitted).toBe(false);
      if (one.admit('exit', 20).admitted) {
        one.spend(20, 'exit');
        left++;
      }
      await pass(100);
    }
    expect(left).toBe(10);
  });

  test('LIM-1: exits that try are bounded by the allowance of all', async () => {
    const { budgets, pass } = await openBudgets(2);
    let spent = 0;
    for (let step = 0; step < 290; step++) {
      for (const budget of budgets) {
        budget.learnRemaining(0);
        if (!budget.admit('exit', 20).admitted) continue;
        budget.spend(20, 'exit');
        spent += 20;
      }
      await pass(200);
    }
    expect(spent).toBeGreaterThan(800);
    expect(spent).toBeLessThanOrEqual(900);
  });

  test('LIM-2: after a 429 one request probes, and the others wait for its answer', async () => {
    const { budgets, pass } = await openBudgets(1);
    const [budget] = budgets as [SharedBudget];
    budget.holdFor(1_000);
    await pass(1_005);
    expect(budget.admit('exit', 2)).toEqual({ admitted: true });
    budget.spend(2, 'exit');
    const need = expect.stringContaining('after a 429') as string;
    expect(budget.admit('exit', 2)).toMatchObject({ admitted: false, need });
    budget.served();
    expect(budget.admit('exit', 2)).toEqual({ admitted: true });
  });

  test('LIM-2: a 429 during a turn still holds the others', async () => {
    const { budgets, ledger, pass } = await openBudgets(2);
    const [one, two] = budgets as [SharedBudget, SharedBudget];
    ledger.delay(50);
    one.spend(20, 'entry');
    // The turn that reports the spending was sent and is unanswered.
    await pass(30);
    one.holdFor(5_000);
    await pass(1_500);
    expect(two.admit('control', 1)).toMatchObject({ reason: 'retry_after' });
    await pass(3_700);
    expect(two.admit('control', 1).admitted).toBe(true);
  });

  test('without the ledger each process keeps to its share, and together they never overspend', async () => {
    const { budgets, ledger, pass, env } = await openBudgets(3);
    await pass(3_000);
    const log: Array<{ time: number; weight: number; by: number }> = [];
    const spendAll = () => {
      for (const [by, budget] of budgets.entries()) {
        for (let n = 0; n < 3 && budget.admit('exit', 20).admitted; n++) {
          budget.spend(20, 'entry');
          log.push({ time: env.queue.now(), weight: 20, by });
        }
      }
    };
    for (let round = 0; round < 10; round++) {
      const [first] = budgets as [SharedBudget];
      if (first.admit('exit', 20).admitted) {
        first.spend(20, 'entry');
        log.push({ time: env.queue.now(), weight: 20, by: 0 });
      }
      await pass(20);
    }
    ledger.cut();
    await pass(2_000);
    for (const budget of budgets) expect(budget.isAlone).toBe(true);
    for (let round = 0; round < 800; round++) {
      spendAll();
      await pass(250);
      const inWindow = log.filter(({ time }) => time > env.queue.now() - 60_000);
      const total = inWindow.reduce((sum, { weight }) => sum + weight, 0);
      expect(total).toBeLessThanOrEqual(1_000);
    }
    for (const by of [0, 1, 2]) {
      const own = log.filter((entry) => entry.by === by && entry.time > env.queue.now() - 60_000);
      expect(own.length * 20).toBeGreaterThan(0.9 * 225 - 20);
    }
    // Away for long: what is not urgent waits for the ledger, because others may count it free.
    expect(budgets[0]!.admit('entry', 1)).toMatchObject({ admitted: false });
    ledger.mend();
    await pass(61_000);
    for (const budget of budgets) expect(budget.isAlone).toBe(false);
    expect(budgets[0]!.admit('entry', 20).admitted).toBe(true);
  });

  test('a process that loses the ledger as it joins takes no share, which others may not leave it', async () => {
    const admitted = async (joinedMs: number): Promise<boolean> => {
      const { budgets, ledger, pass } = await openBudgets(1);
      await pass(joinedMs);
      ledger.cut();
      await pass(75_000);
      expect(budgets[0]!.isAlone).toBe(true);
      return budgets[0]!.admit('entry', 20).admitted;
    };
    expect(await admitted(3_000)).toBe(true);
    expect(await admitted(0)).toBe(false);
    // It has had one answer since, and the others may not know of it yet.
    expect(await admitted(1_500)).toBe(false);
  });

  test('a process that is cut off spends what it held, and its whole headroom beside that on exits', async () => {
    const { budgets, ledger, pass } = await openBudgets(1);
    const [budget] = budgets as [SharedBudget];
    await pass(3_000);
    ledger.cut();
    await pass(1_500);
    let spent = 0;
    while (budget.admit('exit', 5).admitted) {
      budget.spend(5, 'exit');
      spent += 5;
    }
    // 25 for exits and 20 for anything, then what the allowance leaves of the limit: a hair less than 100.
    expect(spent).toBe(25 + 20 + 95);
  });

  test('weight that a leaving process returns is available to the others at once', async () => {
    const { budgets, pass } = await openBudgets(2);
    const [one, two] = budgets as [SharedBudget, SharedBudget];
    expect(two.members).toBe(2);
    await one.close();
    await pass(1_100);
    expect(two.members).toBe(1);
  });
});
