import { expect, test } from 'vitest';
import type { Bot } from '../../../src/runtime/index.ts';
import { createEquity } from '../../../src/runtime/record/createEquity.ts';
import { createLedger } from '../../../src/runtime/record/createLedger.ts';

/** Two strategies with unequal wallets, of 20,000 together, of which positions of before have lost 1,000 each. */
const START = new Map([
  ['w1', 15_000],
  ['w2', 5_000],
]);

function openTwo() {
  const ledgers = { one: createLedger(), two: createLedger() };
  const adopt = (name: keyof typeof ledgers): void => {
    ledgers[name].fund(10_000);
    const position = { symbol: name, side: 'long', size: 10, entry_price: 200, mark_price: 100 };
    ledgers[name].adopt(position as never);
  };
  const bot = {
    instant: 0,
    ledgerOf: (name: keyof typeof ledgers) => ledgers[name],
    book: (wallet: string) => ({ startEquity: () => START.get(wallet)! }),
  } as unknown as Bot;
  const equity = createEquity(bot, ['one', 'two'], ['w1', 'w2']);
  return { ledgers, adopt, equity };
}

test('what positions of before had lost is no drawdown, and is in the equity at the start', () => {
  const { ledgers, adopt, equity } = openTwo();
  adopt('one');
  equity.follow(1);
  // Its account is known later.
  adopt('two');
  equity.follow(2);
  expect(equity.drawdown()).toEqual({ amount: 0, share: 0 });
  const run = { from: 0, until: 9 };
  expect(equity.averageDrawdown(run)).toEqual({ share: null, durationMs: null });
  ledgers.two.mark('two', 60);
  equity.follow(3);
  expect(equity.drawdown()).toEqual({ amount: 400, share: 0.02 });
  expect(equity.drawdownTimes(run)).toEqual({ peakTime: 2, troughTime: 3, longestMs: 7 });
  expect(equity.averageDrawdown(run)).toEqual({ share: 0.02, durationMs: 7 });
  expect(equity.total().at(-1)).toEqual([3, -2_400]);
});

test('the same in columns', () => {
  const { adopt, equity } = openTwo();
  for (const name of ['one', 'two'] as const) adopt(name);
  const times = Float64Array.of(1, 2, 3);
  equity.followColumns({ times: times.slice(0, 2), count: 2, prices: new Map() });
  expect(equity.drawdown()).toEqual({ amount: 0, share: 0 });
  const prices = new Map([['two', Float64Array.of(100, 60, 80)]]);
  equity.followColumns({ times: times.map((time) => time + 2), count: 3, prices });
  expect(equity.drawdown()).toEqual({ amount: 1_400 - 1_000, share: 0.02 });
  expect(equity.total()).toContainEqual([4, -2_400]);
});
