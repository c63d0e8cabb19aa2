import { expect, test } from 'vitest';
import { createProgressReporter } from '../../../src/operate/run/createProgressReporter.ts';
import { equityOf, startEquityOf } from '../../../src/operate/run/equityOf.ts';

const EQUITY: Readonly<Record<string, number>> = { main: 100, second: 20, third: 3 };
const RUNNING: Readonly<Record<string, number>> = { main: 1, second: 4, third: 16 };
const bot = {
  book: (wallet: string) => ({
    account: () => ({ equity: EQUITY[wallet] }),
    runningExecutions: () => RUNNING[wallet],
  }),
  budget: () => ({ used: 5, limit: 9 }),
} as never;
const paper = {
  balance: 1_000,
  connections: [
    { label: 'second', balance: 200 },
    { label: 'third', balance: 30 },
  ],
} as never;

test.each([
  [['main'], 100, 1_000, 1],
  [['third'], 3, 30, 16],
  [['second', 'main'], 120, 1_200, 5],
  [['third', 'second', 'third'], 23, 230, 20],
])('of the wallets %j, each counts once and with what is its own', (wallets, now, start, runs) => {
  const plan = { strategies: wallets.map((wallet) => ({ wallet })) } as never;
  expect([equityOf(bot, plan), startEquityOf(paper, plan)]).toEqual([now, start]);
  const updates: unknown[] = [];
  const progress = { update: (update: unknown) => updates.push(update), finish: () => {} } as never;
  const report = createProgressReporter(progress, { bot, plan, startTime: 100, stepMs: 10 });
  report({ time: 130, end_time: 200 } as never);
  expect(updates).toEqual([
    {
      barsDone: 3,
      barsTotal: 10,
      marketTime: 130,
      equity: now,
      runningExecutions: runs,
      budgetUsed: 5,
      budgetLimit: 9,
    },
  ]);
});
