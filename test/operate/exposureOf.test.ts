import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exposureOf } from '../../src/operate/report/figures/exposureOf.ts';
import type { ReportData, ReportFill } from '../../src/operate/report/ReportData.ts';
import { holdLaw, Tried } from '../holdLaw.ts';

const MINUTE = 60_000;
const MINUTES = 12;
const START = 1_000 * MINUTE;
const price = fc.integer({ min: 1, max: 9 });
const minute = fc.nat({ max: MINUTES });
const drawn = fc.record({
  fills: fc.array(
    fc.record({
      minute,
      strategy: fc.constantFrom('one', 'two'),
      symbol: fc.constantFrom('BTC', 'ETH', 'SOL'),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      size: fc.integer({ min: 1, max: 3 }),
      price,
    }),
    { maxLength: 8 },
  ),
  /** Of SOL there are none. */
  closes: fc.record({
    BTC: fc.uniqueArray(fc.tuple(minute, price), { selector: ([at]) => at }),
    ETH: fc.uniqueArray(fc.tuple(minute, price), { selector: ([at]) => at }),
  }),
  equity: fc.uniqueArray(fc.tuple(minute, fc.constantFrom(-5, 0, 10, 40)), {
    selector: ([at]) => at,
    minLength: 1,
  }),
});

test('what is held is worth the last closes: gross without signs, net with them, each strategy’s own', async () => {
  const tried = new Tried();
  await holdLaw(300, drawn, ({ fills, closes, equity }) => {
    const inOrder = fills.toSorted((a, b) => a.minute - b.minute);
    const shown = inOrder.map(({ minute: at, ...fill }) => ({
      ...fill,
      time: START + at * MINUTE,
    }));
    const sorted = (rows: Array<[number, number]>) => rows.toSorted(([a], [b]) => a - b);
    const symbols = Object.fromEntries(
      Object.entries(closes).map(([symbol, rows]) => [
        symbol,
        {
          interval: '1m',
          // A bar's close is a minute after its time.
          time: sorted(rows).map(([at]) => START + (at - 1) * MINUTE),
          close: sorted(rows).map(([, close]) => close),
        },
      ]),
    );
    const data = { startTime: START, endTime: START + MINUTES * MINUTE, symbols };
    const curve = sorted(equity).map(([at, value]) => [START + at * MINUTE, value] as const);
    const found = exposureOf(data as unknown as ReportData, shown as ReportFill[], curve);
    for (let at = 0; at <= MINUTES; at++) {
      const lastOf = (rows: ReadonlyArray<readonly [number, number]>): number | undefined =>
        rows.findLast(([when]) => when <= at)?.[1];
      let [gross, net] = [0, 0];
      for (const strategy of ['one', 'two']) {
        for (const symbol of ['BTC', 'ETH', 'SOL'] as const) {
          const own = inOrder.filter(
            (one) => one.strategy === strategy && one.symbol === symbol && one.minute <= at,
          );
          const size = own.reduce((sum, one) => sum + (one.side === 'buy' ? 1 : -1) * one.size, 0);
          const close = symbol === 'SOL' ? undefined : lastOf(sorted(closes[symbol]));
          const worth = size * (close ?? own.at(-1)?.price ?? 0);
          gross += Math.abs(worth);
          net += worth;
        }
      }
      if (net < 0) tried.take('short');
      if (gross !== Math.abs(net)) tried.take('both sides');
      const value = lastOf(sorted(equity)) ?? sorted(equity)[0]![1];
      expect([found.gross[at], found.net[at]! + 0]).toEqual([gross, net + 0]);
      expect(found.leverage[at]).toBe(value > 0 ? gross / value : null);
    }
    expect(found.gross.length).toBe(MINUTES + 1);
  });
  expect(tried.rare(['short', 'both sides'], 10)).toEqual([]);
});
