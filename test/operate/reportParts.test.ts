/** Parts of a report whose edges a whole run seldom reaches. */
import { expect, test } from 'vitest';
import { returnSince } from '../../src/operate/report/figures/returnSince.ts';
import { toDots } from '../../src/operate/report/toPageFigures.ts';

/** The page's code is checked with the browser's types, apart from the tests. */
const TABLES = '../../src/operate/report/page/tables.ts';

test.each([
  ['2025-03-31', 1, '2025-02-28'],
  ['2024-05-31', 3, '2024-02-29'],
  ['2025-08-31', 6, '2025-02-28'],
  ['2025-05-30', 1, '2025-04-30'],
])('%s less %d months is %s', (end, months, start) => {
  const day = Date.parse(start);
  const equity = [
    [day - 86_400_000, 50],
    [day, 100],
    [day + 86_400_000, 125],
    [Date.parse(end), 150],
  ] as const;
  expect(returnSince(equity, 'm', months)).toBeCloseTo(0.5, 12);
});

test('of many trades a chart has the largest and the smallest of each measure', () => {
  const count = 5_000;
  const measures = ['pnl', 'mae', 'mfe', 'duration'] as const;
  // Each measure has its own order: a stride that shares no factor with the count.
  const orders = [7, 11, 13, 17].map((stride) => (at: number) => (at * stride) % count);
  const trades = Array.from({ length: count }, (_none, at) => {
    const [pnl, mae, mfe, duration] = orders.map((of) => of(at));
    return { pnl, mae: mae! - count, mfe, entry_time: 0, exit_time: duration };
  });
  const dots = toDots(trades as never);
  expect(dots.length).toBeLessThanOrEqual(3_000);
  for (const [index, measure] of measures.entries()) {
    const shown = new Set(dots.map((at) => orders[index]!(at)));
    const extremes = Array.from({ length: 150 }, (_none, at) => [at, count - 1 - at]).flat();
    expect(
      extremes.filter((value) => !shown.has(value)),
      measure,
    ).toEqual([]);
  }
});

test('slippage that cost money is above zero, for a purchase and a sale', async () => {
  const { executionColumns } = (await import(TABLES)) as {
    executionColumns(
      data: object,
      priceOf: () => object,
    ): { label: string; text(row: object): string }[];
  };
  const columns = executionColumns({ strategies: [] }, () => ({ minMove: 0.01, precision: 2 }));
  const slippage = columns.find(({ label }) => label === 'slippage bps')!;
  const row = { arrival_price: 100, average_price: 101 };
  expect(slippage.text({ ...row, side: 'buy' })).toMatch(/^100/);
  expect(slippage.text({ ...row, side: 'sell' })).toMatch(/^[-−]100/);
});
