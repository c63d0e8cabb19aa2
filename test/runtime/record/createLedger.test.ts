import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FillRecord } from '../../../src/contract/index.ts';
import { createLedger } from '../../../src/runtime/record/createLedger.ts';

const fillOf =
  (symbol: string) =>
  (side: 'buy' | 'sell', size: number, price: number, fee = 0): FillRecord => ({
    fill_id: 'f',
    order_id: 'o',
    symbol,
    side,
    price,
    size,
    notional: price * size,
    fee,
    liquidity: 'taker',
    reduce_only: false,
    time: 0,
  });
const fill = fillOf('BTC');

test('a round trip earns the difference less fees', () => {
  const ledger = createLedger();
  ledger.fund(1_000);
  ledger.fill(fill('buy', 2, 100, 1));
  ledger.mark('BTC', 110);
  ledger.sampleDrawdown(0);
  expect(ledger.summary()).toMatchObject({ unrealizedPnl: 20, realizedPnl: 0, netPnl: 19 });
  ledger.fill(fill('sell', 2, 105, 1));
  expect(ledger.summary()).toMatchObject({
    fills: 2,
    realizedPnl: 10,
    unrealizedPnl: 0,
    fees: 2,
    netPnl: 8,
    maxDrawdown: 11,
  });
  expect(ledger.position('BTC')).toBe(0);
});

test('a flip closes at the price and opens the rest there', () => {
  const ledger = createLedger();
  ledger.fund(1_000);
  ledger.fill(fill('buy', 1, 100));
  ledger.fill(fill('sell', 3, 90));
  expect(ledger.position('BTC')).toBe(-2);
  expect(ledger.summary().realizedPnl).toBe(-10);
  ledger.mark('BTC', 80);
  expect(ledger.summary().unrealizedPnl).toBe(20);
});

test('a fill price does not value the rest: the market values a position', () => {
  const ledger = createLedger();
  ledger.fund(1_000);
  ledger.mark('BTC', 100);
  ledger.fill(fill('buy', 10, 101));
  expect(ledger.summary().netPnl).toBe(-10);
  ledger.fill(fill('buy', 10, 121));
  ledger.sampleDrawdown(0);
  expect(ledger.summary()).toMatchObject({ netPnl: -220, unrealizedPnl: -220, maxDrawdown: 220 });
});

test('funding that was paid lowers the result', () => {
  const ledger = createLedger();
  ledger.fund(1_000);
  ledger.funding('BTC', 3);
  ledger.funding('BTC', -1);
  expect(ledger.summary()).toMatchObject({ funding: 2, netPnl: -2 });
});

test('drawdown is measured from the peak, also as a share of the equity there', () => {
  const ledger = createLedger();
  ledger.fund(1_000);
  ledger.fill(fill('buy', 10, 100));
  for (const price of [110, 120, 90, 130, 125]) {
    ledger.mark('BTC', price);
    ledger.sampleDrawdown(0);
  }
  const { maxDrawdown, maxDrawdownShare } = ledger.summary();
  expect(maxDrawdown).toBe(300);
  expect(maxDrawdownShare).toBeCloseTo(300 / 1_200, 12);
});

test('there is neither peak nor trough between two prices of one instant', () => {
  const ledger = createLedger();
  ledger.fund(1_000);
  ledger.fill(fill('buy', 10, 100));
  ledger.fill(fillOf('ETH')('sell', 10, 100));
  for (const price of [110, 90, 100]) {
    ledger.mark('BTC', price);
    ledger.mark('ETH', price);
    ledger.sampleDrawdown(0);
  }
  expect(ledger.summary()).toMatchObject({ netPnl: 0, maxDrawdown: 0, maxDrawdownShare: 0 });
});

test('a fall since the last instant counts when read, and only then', () => {
  const ledger = createLedger();
  ledger.fund(1_000);
  ledger.fill(fill('buy', 10, 100));
  ledger.mark('BTC', 80);
  expect(ledger.summary()).toMatchObject({ maxDrawdown: 200, maxDrawdownShare: 0.2 });
  ledger.mark('BTC', 95);
  ledger.sampleDrawdown(0);
  expect(ledger.summary().maxDrawdown).toBe(50);
});

test('the result equals cash flow plus the value of the position, for any fills', () => {
  const trade = fc.record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    size: fc.integer({ min: 1, max: 50 }),
    price: fc.integer({ min: 50, max: 150 }),
  });
  fc.assert(
    fc.property(fc.array(trade, { minLength: 1, maxLength: 60 }), (trades) => {
      const ledger = createLedger();
      ledger.fund(1_000);
      let cash = 0;
      let size = 0;
      for (const { side, size: lots, price } of trades) {
        const signed = side === 'buy' ? lots : -lots;
        ledger.fill(fill(side, lots, price, 0.5));
        cash -= signed * price + 0.5;
        size += signed;
      }
      const last = trades.at(-1)!.price;
      ledger.mark('BTC', last);
      expect(ledger.summary().netPnl).toBeCloseTo(cash + size * last, 6);
      expect(ledger.position('BTC')).toBeCloseTo(size, 9);
    }),
  );
});

const adopted = fc.record({
  symbol: fc.constantFrom('BTC', 'ETH'),
  side: fc.constantFrom('long', 'short'),
  size: fc.integer({ min: 1, max: 5 }),
  entry_price: fc.integer({ min: 90, max: 110 }),
  mark_price: fc.integer({ min: 90, max: 110 }),
});

test('its prices are those of what is open, long or short, and not of what is flat', () => {
  const ledger = createLedger();
  const priced = (): string[] => {
    const symbols = new Set<string>();
    ledger.priced(symbols);
    return [...symbols].toSorted();
  };
  ledger.mark('SOL', 20);
  expect(priced()).toEqual([]);
  ledger.fill(fillOf('BTC')('buy', 2, 100));
  ledger.fill(fillOf('ETH')('sell', 3, 40));
  ledger.adopt({ symbol: 'XRP', side: 'short', size: 7, entry_price: 2, mark_price: 3 } as never);
  expect(priced()).toEqual(['BTC', 'ETH', 'XRP']);
  ledger.fill(fillOf('BTC')('sell', 5, 101));
  ledger.fill(fillOf('ETH')('buy', 3, 41));
  expect(priced()).toEqual(['BTC', 'XRP']);
});

test('what is adopted earns from its entry, long or short, and the first funds are the capital', () => {
  const drawn = fc.record({
    positions: fc.uniqueArray(adopted, { selector: ({ symbol }) => symbol, maxLength: 2 }),
    funds: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
    price: fc.integer({ min: 80, max: 120 }),
  });
  fc.assert(
    fc.property(drawn, ({ positions, funds, price }) => {
      const ledger = createLedger();
      for (const amount of funds) ledger.fund(amount);
      for (const position of positions) ledger.adopt(position as never);
      const worthAt = (priceOf: (one: (typeof positions)[number]) => number): number =>
        positions.reduce((sum, one) => {
          const sign = one.side === 'short' ? -1 : 1;
          return sum + sign * one.size * (priceOf(one) - one.entry_price);
        }, 0);
      expect(ledger.net()).toBeCloseTo(
        worthAt((one) => one.mark_price),
        9,
      );
      for (const { symbol, side, size } of positions) {
        expect(ledger.position(symbol)).toBe(side === 'short' ? -size : size);
        ledger.mark(symbol, price);
      }
      expect(ledger.net()).toBeCloseTo(
        worthAt(() => price),
        9,
      );
      expect(ledger.summary()).toMatchObject({ capital: funds[0], realizedPnl: 0, fills: 0 });
    }),
  );
});

const stamped = (one: FillRecord, time: number): FillRecord => ({ ...one, time });
const loser = { symbol: 'BTC', side: 'long', size: 10, entry_price: 200, mark_price: 100 } as never;

test('what a position of before had lost is no drawdown, and its share is of the equity', () => {
  const ledger = createLedger();
  // A bar may close before the account is known.
  ledger.sampleDrawdown(1);
  ledger.fund(10_000);
  ledger.adopt(loser);
  ledger.adopt({ ...(loser as object), symbol: 'ETH', side: 'short' } as never);
  ledger.sampleDrawdown(2);
  expect(ledger.adopted()).toEqual({ net: 0, open: 0 });
  ledger.adopt({ ...(loser as object), symbol: 'SOL' } as never);
  ledger.sampleDrawdown(3);
  expect(ledger.adopted()).toEqual({ net: -1_000, open: -1_000 });
  expect(ledger.summary()).toMatchObject({ netPnl: -1_000, maxDrawdown: 0, maxDrawdownShare: 0 });
  expect(ledger.summary().capital).toBe(10_000);
  ledger.mark('SOL', 90);
  ledger.sampleDrawdown(4);
  expect(ledger.summary()).toMatchObject({ maxDrawdown: 100, maxDrawdownShare: 0.01 });
});

test('what a position of before had lost becomes realised as it is closed', () => {
  const ledger = createLedger();
  ledger.fund(10_000);
  ledger.adopt(loser);
  const opens = [fill('sell', 4, 110), fill('buy', 4, 100), fill('sell', 5, 100)].map((one) => {
    ledger.fill(stamped(one, 5));
    return ledger.adopted().open;
  });
  expect(opens).toEqual([-600, -600, -300]);
  // A fill of before the others takes its part in their order.
  ledger.fill(stamped(fill('sell', 5, 100), 1));
  expect(ledger.adopted().open).toBeCloseTo(0, 9);
  ledger.fill(stamped(fill('sell', 9, 100), 6));
  expect(ledger.adopted()).toEqual({ net: -1_000, open: expect.closeTo(0, 9) });
});

test('a fill that is learned of late counts in its place: any order of arrival is the order of the market', () => {
  const change = fc.record({
    signed: fc.integer({ min: -4, max: 4 }).filter((size) => size !== 0),
    price: fc.integer({ min: 90, max: 110 }),
  });
  const drawn = fc
    .array(change, { minLength: 2, maxLength: 12 })
    .chain((made) =>
      fc.tuple(fc.constant(made), fc.shuffledSubarray(made, { minLength: made.length })),
    )
    .chain(([made, shuffled]) =>
      fc.tuple(fc.constant(made), fc.constant(shuffled), fc.nat({ max: 3 })),
    );
  fc.assert(
    fc.property(drawn, ([made, shuffled, held]) => {
      const fills = new Map(
        made.map((one, at) => {
          const side = one.signed > 0 ? 'buy' : 'sell';
          return [one, { ...fill(side, Math.abs(one.signed), one.price), time: at + 1 }] as const;
        }),
      );
      const ledgers = [made, shuffled].map((order) => {
        const ledger = createLedger();
        ledger.fund(1_000);
        const position = {
          symbol: 'BTC',
          side: 'long',
          size: held,
          entry_price: 95,
          mark_price: 100,
        };
        if (held > 0) ledger.adopt(position as never);
        for (const one of order) ledger.fill(fills.get(one)!);
        ledger.mark('BTC', 100);
        return ledger;
      });
      const [inOrder, late] = ledgers.map((ledger) => ledger.summary());
      expect(ledgers[1]!.position('BTC')).toBeCloseTo(ledgers[0]!.position('BTC'), 9);
      expect(late!.realizedPnl).toBeCloseTo(inOrder!.realizedPnl, 9);
      expect(late!.unrealizedPnl).toBeCloseTo(inOrder!.unrealizedPnl, 9);
    }),
  );
});

test('more fills than the ledger keeps in order: the newest few hundred still take a late one in', () => {
  const [inOrder, late] = [createLedger(), createLedger()];
  const fills = Array.from({ length: 2_000 }, (_, at) => ({
    ...fill(at % 3 === 0 ? 'sell' : 'buy', 1 + (at % 5), 100 + (at % 7)),
    time: at + 1,
  }));
  const missed = 1_900;
  for (const one of fills) inOrder.fill(one);
  for (const [at, one] of fills.entries()) if (at !== missed) late.fill(one);
  late.fill(fills[missed]!);
  expect(late.position('BTC')).toBeCloseTo(inOrder.position('BTC'), 6);
  expect(late.summary().realizedPnl).toBeCloseTo(inOrder.summary().realizedPnl, 6);
});

test('spot of before is learned of at any time, and counts from the first price that is known by then', () => {
  const trade = fc.record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    size: fc.integer({ min: 1, max: 5 }),
    price: fc.integer({ min: 50, max: 200 }),
  });
  const all = fc.record({
    size: fc.integer({ min: 30, max: 60 }),
    // Before any price, after a price, or between the fills.
    first: fc.option(fc.integer({ min: 50, max: 200 }), { nil: undefined }),
    trades: fc.array(trade, { maxLength: 6 }),
    at: fc.nat({ max: 6 }),
    last: fc.integer({ min: 50, max: 200 }),
  });
  fc.assert(
    fc.property(all, ({ size, first, trades, at, last }) => {
      const ledger = createLedger();
      const spot = fillOf('UBTC/USDC');
      if (first !== undefined) ledger.mark('UBTC/USDC', first);
      const known = Math.min(at, trades.length);
      for (const [index, { side, size: units, price }] of trades.entries()) {
        if (index === known) ledger.adoptSpot('UBTC/USDC', size);
        ledger.fill(spot(side, units, price));
      }
      if (known === trades.length) ledger.adoptSpot('UBTC/USDC', size);
      ledger.mark('UBTC/USDC', last);
      // It is worth its price at the entry; each trade adds or takes what it cost, and the rest is worth the last price.
      const entry = first ?? trades[0]?.price ?? last;
      const signed = trades.map((one) => (one.side === 'buy' ? one.size : -one.size));
      const held = size + signed.reduce((sum, one) => sum + one, 0);
      const spent = trades.reduce((sum, { price }, index) => sum + signed[index]! * price, 0);
      expect(ledger.position('UBTC/USDC')).toBe(held);
      expect(ledger.net()).toBeCloseTo(held * last - size * entry - spent, 6);
    }),
  );
});
