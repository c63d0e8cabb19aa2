import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BookTape } from '../../../src/paper/feed/Tape.ts';
import { BookCursor } from '../../../src/paper/market/BookCursor.ts';
import { holdLaw } from '../../holdLaw.ts';

type Side = 'bid' | 'ask';
const SIDES = ['bid', 'ask'] as const;
/** Sizes of a book by side and price. */
type Book = Record<Side, ReadonlyMap<number, number>>;

const DEPTH = 3;

/** Whole books, each a second after the one before. */
function rowsOf(books: readonly Book[]): BookTape {
  const cells = books.flatMap(({ bid, ask }) => {
    const bids = [...bid].toSorted(([a], [b]) => b - a);
    const asks = [...ask].toSorted(([a], [b]) => a - b);
    return Array.from({ length: DEPTH }, (_none, level) => [
      ...(bids[level] ?? [NaN, NaN]),
      ...(asks[level] ?? [NaN, NaN]),
    ]).flat();
  });
  const time = Float64Array.from(books, (_book, at) => at * 1_000);
  return { kind: 'rows', time, depth: DEPTH, cells: Float64Array.from(cells) };
}

/** The same, as the changes from each book to the next. */
function changesOf(books: readonly Book[]): BookTape {
  const first: number[] = [];
  const changes: Array<readonly [side: Side, price: number, size: number]> = [];
  for (const [at, book] of books.entries()) {
    first.push(changes.length);
    for (const side of SIDES) {
      const before = books[at - 1]?.[side] ?? new Map<number, number>();
      for (const price of before.keys()) if (!book[side].has(price)) changes.push([side, price, 0]);
      for (const [price, size] of book[side])
        if (before.get(price) !== size) changes.push([side, price, size]);
    }
  }
  return {
    kind: 'changes',
    time: Float64Array.from(books, (_book, at) => at * 1_000),
    first: Float64Array.from(first),
    updateId: Float64Array.from(books, (_book, at) => at),
    isBid: Uint8Array.from(changes, ([side]) => (side === 'bid' ? 1 : 0)),
    price: Float64Array.from(changes, ([, price]) => price),
    size: Float64Array.from(changes, ([, , size]) => size),
  };
}

const sizes = fc.array(fc.constantFrom(0, 2, 5), { minLength: DEPTH, maxLength: DEPTH });
/** Around a middle that moves, so that one price is a bid now and an ask later. */
const drawnBook = fc
  .record({ middle: fc.constantFrom(99, 100, 101, 102), bids: sizes, asks: sizes })
  .map(({ middle, bids, asks }): Book => {
    const levels = (from: readonly number[], away: 1 | -1) =>
      new Map(from.flatMap((size, at) => (size > 0 ? [[middle + away * (at + 1), size]] : [])));
    return { bid: levels(bids, -1), ask: levels(asks, 1) };
  });
const drawn = fc.record({
  kind: fc.constantFrom('rows', 'changes'),
  course: fc.array(
    fc.record({
      book: drawnBook,
      /** Of each book that is looked at: takers, and what they take at most. */
      takes: fc.option(
        fc.array(
          fc.record({ taker: fc.constantFrom('buy', 'sell'), amount: fc.constantFrom(1, 3, 9) }),
          { maxLength: 3 },
        ),
        { nil: null },
      ),
      isSaved: fc.boolean(),
    }),
    { minLength: 2, maxLength: 14 },
  ),
});

test('a level has what fills left of it for as long as the recording shows it so, on its side', async () => {
  await holdLaw(300, drawn, ({ kind, course }) => {
    const books = course.map(({ book }) => book);
    const tape = kind === 'rows' ? rowsOf(books) : changesOf(books);
    let cursor = new BookCursor(tape);
    const taken: Record<Side, Map<number, number>> = { bid: new Map(), ask: new Map() };
    for (const [at, { book, takes, isSaved }] of course.entries()) {
      for (const side of SIDES)
        for (const price of taken[side].keys())
          if (book[side].get(price) !== books[at - 1]?.[side].get(price)) taken[side].delete(price);
      if (takes === null) continue;
      cursor.seek(at * 1_000);
      for (const { taker, amount } of takes) {
        const side = taker === 'buy' ? 'ask' : 'bid';
        const [best] = cursor.offers(taker as 'buy' | 'sell');
        if (best === undefined) continue;
        const size = Math.min(best.size, amount);
        cursor.take(taker as 'buy' | 'sell', best.price, size);
        taken[side].set(best.price, (taken[side].get(best.price) ?? 0) + size);
      }
      for (const side of SIDES) {
        const expected = [...book[side]]
          .toSorted(([a], [b]) => (side === 'bid' ? b - a : a - b))
          .map(([price, size]) => ({ price, size: size - (taken[side].get(price) ?? 0) }))
          .filter(({ size }) => size > 0);
        const offers = cursor.offers(side === 'bid' ? 'sell' : 'buy');
        expect([...offers].map(({ price, size }) => ({ price, size }))).toEqual(expected);
      }
      // What is saved does not grow with levels that are gone.
      const saved = cursor.takenLevels();
      expect(saved).toHaveLength(taken.bid.size + taken.ask.size);
      if (!isSaved) continue;
      cursor = new BookCursor(tape);
      cursor.seek(at * 1_000);
      cursor.restoreTaken(structuredClone(saved));
    }
  });
});

test('a level that a recorder wrote with nothing in it is not there, at the best price or behind it', () => {
  const cells = [99, 0, 101, 0, 98, 4, 102, 5, 97, 0, 103, 0, 96, 6, 104, 7];
  const depth = 4;
  const tape = {
    kind: 'rows',
    time: Float64Array.of(0),
    depth,
    cells: Float64Array.from(cells),
  } as const;
  const cursor = new BookCursor(tape);
  cursor.seek(0);
  expect([cursor.best('bid'), cursor.best('ask')]).toEqual([98, 102]);
  const bids = [
    { price: 98, size: 4 },
    { price: 96, size: 6 },
  ];
  const asks = [
    { price: 102, size: 5 },
    { price: 104, size: 7 },
  ];
  expect([cursor.shown('bid', 2), cursor.shown('ask', 2)]).toEqual([bids, asks]);
  expect([[...cursor.offers('sell')], [...cursor.offers('buy')]]).toEqual([bids, asks]);
});

test.each(['rows', 'changes'] as const)(
  'the time of a book of %s is that of its last message',
  (kind) => {
    const book: Book = { bid: new Map([[99, 5]]), ask: new Map([[101, 5]]) };
    const gone = [101, 99];
    const tape = kind === 'rows' ? rowsOf([book, book]) : changesOf([book, book]);
    const asked: number[][] = [];
    const cursor = new BookCursor(tape, (from, until) => {
      asked.push([from, until]);
      return { low: gone[1]!, high: gone[0]! };
    });
    cursor.seek(600);
    cursor.seek(1_000);
    cursor.seek(1_400);
    // Trades count since the book that they may have changed: those before it are in it.
    expect(asked).toEqual([
      [1, 600],
      [1_001, 1_400],
    ]);
    expect(cursor.nextTime).toBe(Infinity);
  },
);

test('levels that were saved without their side keep what was taken where the book shows them', () => {
  const book: Book = { bid: new Map([[99, 5]]), ask: new Map([[101, 5]]) };
  const cursor = new BookCursor(changesOf([book]));
  cursor.seek(0);
  cursor.restoreTaken([
    { price: 99, size: 5, taken: 2 },
    { price: 101, size: 5, taken: 1 },
    { price: 101.5, size: 5, taken: 1 },
  ]);
  expect([...cursor.offers('sell'), ...cursor.offers('buy')]).toEqual([
    { price: 99, size: 3 },
    { price: 101, size: 4 },
  ]);
  expect(cursor.takenLevels()).toHaveLength(2);
});
