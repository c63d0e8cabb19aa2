import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../src/contract/durations.ts';
import { createSpans } from '../../src/runtime/createSpans.ts';
import { createInstants } from '../../src/runtime/record/index.ts';
import { createWalletBook } from '../../src/runtime/wallet/createWalletBook.ts';
import { holdLaw, Tried } from '../holdLaw.ts';
import { account, position } from '../streams/records.ts';

const MINUTE = 60_000;
const SYMBOLS = ['BTC', 'ETH'] as const;
/** Over midnight. */
const BEGIN = DAY_MS - 10 * MINUTE;
const COUNT = 30;

/** A wallet that holds one position of each symbol, and the prices that it knows. */
function openWallet(sizes: readonly number[], first: readonly number[], limit?: number) {
  const marks: Record<string, number> = {};
  let now = BEGIN;
  const book = createWalletBook({
    priceOf: (symbol) => marks[symbol],
    isListed: () => true,
    isAwaited: () => false,
    now: () => now,
    limit,
  });
  for (const [at, symbol] of SYMBOLS.entries()) marks[symbol] = first[at]!;
  book.model({
    wallet: 'main',
    version: 1,
    time: now,
    complete: true,
    account,
    positions: new Map(
      SYMBOLS.map((symbol, at) => [
        symbol,
        {
          ...position(Math.abs(sizes[at]!), symbol),
          side: sizes[at]! < 0 ? 'short' : 'long',
          entry_price: first[at]!,
          mark_price: first[at]!,
        },
      ]),
    ),
    balances: new Map(),
    openOrders: new Map(),
  });
  book.sample(now);
  return { book, marks, reach: (time: number) => void (now = time) };
}

const price = fc.integer({ min: 900, max: 1_100 }).map((tenths) => tenths / 10);
const size = fc.constantFrom(-0.7, -0.3, 0.1, 0.3, 1.1);
const drawn = fc.record({
  /** Of each wallet, by symbol. */
  sizes: fc.tuple(fc.tuple(size, size), fc.tuple(size, size)),
  closes: fc.tuple(
    ...SYMBOLS.map(() => fc.array(price, { minLength: COUNT + 1, maxLength: COUNT + 1 })),
  ),
  /** Only the first symbol's price moves. */
  isAlone: fc.boolean(),
  /** Of the deepest loss: a limit that is reached at one instant, to the last digit, or not at all. */
  share: fc.constantFrom(1, 1, 0.5, 1.01),
});

test('a limit that one instant reaches is reached, however many bars are settled at once', async () => {
  const tried = new Tried();
  await holdLaw(300, drawn, ({ sizes, closes: all, isAlone, share }) => {
    const first = all.map(([one]) => one!);
    const closes = all.map((one, at) => (isAlone && at > 0 ? one.map(() => one[0]!) : one));
    const timeOf = (at: number): number => BEGIN + at * MINUTE;
    /** Instant by instant. */
    const play = (own: readonly number[], limit?: number) => {
      const wallet = openWallet(own, first, limit);
      let deepest = 0;
      for (let at = 1; at <= COUNT; at++) {
        for (const [each, symbol] of SYMBOLS.entries()) wallet.marks[symbol] = closes[each]![at]!;
        wallet.reach(timeOf(at));
        wallet.book.sample(timeOf(at));
        deepest = Math.max(deepest, wallet.book.dayLoss());
      }
      return { deepest, reached: wallet.book.dayLimitReached() };
    };
    const limits = sizes.map((own) => play(own).deepest * share);
    if (limits.includes(0)) return;
    const expected = sizes.map((own, at) => play(own, limits[at]).reached);

    const wallets = sizes.map((own, at) => openWallet(own, first, limits[at]));
    const books = wallets.map(({ book }) => book);
    const spans = createSpans({ instants: createInstants(), books: () => books });
    // Ledgers say what is held.
    spans.ledgers.push({
      priced: (symbols: Set<string>) => SYMBOLS.forEach((symbol) => symbols.add(symbol)),
    } as never);
    const takers = SYMBOLS.map((symbol, rank) => {
      const take = ({ close }: { close: number }): void => {
        for (const { marks } of wallets) marks[symbol] = close;
      };
      return spans.deferred.lane({ symbol, intervalMs: MINUTE, rank, take, takeLast: take });
    });
    for (const { reach } of wallets) reach(timeOf(COUNT));
    for (const [each, taker] of takers.entries()) {
      const close = Float64Array.from(closes[each]!.slice(1));
      const time = Float64Array.from(close, (_one, at) => timeOf(at));
      taker.pass({ time, open: close, high: close, low: close, close, volume: close }, 0, COUNT);
    }
    spans.settle();
    const reached = books.map((book) => book.dayLimitReached());
    expect(reached).toEqual(expected);
    for (const one of reached) tried.take(one === undefined ? 'not reached' : 'reached');
  });
  expect(tried.rare(['reached', 'not reached'], 20)).toEqual([]);
});
