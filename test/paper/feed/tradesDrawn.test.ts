import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseTrades } from '../../../src/paper/feed/parseTrades.ts';
import { holdLaw } from '../../holdLaw.ts';

const START = 1_700_000_000_000_000;
/** Beyond the exact range of a double two of these are one number. */
const HUGE = 9_007_199_254_740_993n;

test('trades are those of the file in the order of their times, each id once, in base units and on the venue’s clock', async () => {
  const trade = fc.record({
    /** Microseconds since the one before: often of one millisecond. */
    wait: fc.constantFrom(0, 1, 400, 999, 1_000, 5_000),
    price: fc.integer({ min: 1, max: 9 }),
    size: fc.constantFrom(0, 0.5, 1, 2),
    id: fc.integer({ min: 0, max: 30 }),
    lagMs: fc.integer({ min: -20, max: 90 }),
  });
  const cases = fc.record({
    trades: fc.array(trade, { minLength: 1, maxLength: 25, size: 'max' }),
    order: fc.constantFrom('oldest first', 'newest first', 'jittering'),
    ids: fc.constantFrom('none', 'numbers', 'huge', 'texts'),
    contractSize: fc.constantFrom(undefined, 0.5),
    hasReceived: fc.boolean(),
    market: fc.constantFrom('none', 'BTCUSDT', 'two'),
  });
  await holdLaw(400, cases, ({ trades, order, ids, contractSize, hasReceived, market }) => {
    let time = START;
    let rows = trades.map((one) => ({ ...one, time: (time += one.wait) }));
    if (order === 'newest first') rows.reverse();
    // Each pair of neighbours is swapped.
    if (order === 'jittering') rows = rows.map((_one, at) => rows[at ^ 1] ?? rows[at]!);
    const idOf = (id: number): string =>
      ({ none: '', numbers: String(id), huge: String(HUGE + BigInt(id)), texts: `t-${id}` })[ids];
    const header = [
      'timestamp',
      'price',
      'amount',
      'id',
      ...(hasReceived ? ['recv_ns'] : []),
      ...(market === 'none' ? [] : ['symbol']),
    ];
    const lines = rows.map(({ time: at, price, size, id, lagMs }, index) => {
      const own = [at, price, size, idOf(id)];
      if (hasReceived) own.push(`${at + lagMs * 1_000}000`);
      if (market !== 'none') own.push(market === 'two' && index > 0 ? 'ETHUSDT' : 'BTCUSDT');
      return own.join(',');
    });
    const text = [header.join(','), ...lines].join('\n');
    const found = parseTrades(Buffer.from(text), 'x.csv', { contractSize });
    if (market === 'two' && rows.length > 1) {
      expect(found).toMatchObject({ ok: false, problem: { line: 3, message: /follows BTCUSDT/ } });
      return;
    }
    if (!found.ok) throw new Error(found.problem.message);
    const isFirst = ({ id }: { id: number }, at: number): boolean =>
      ids === 'none' || rows.findIndex((one) => one.id === id) === at;
    const unique = rows.filter(isFirst);
    const milli = (one: { time: number }): number => Math.floor(one.time / 1_000);
    const isAscending = unique.every((one, at) => at === 0 || milli(one) >= milli(unique[at - 1]!));
    const isDescending = unique.every(
      (one, at) => at === 0 || milli(one) <= milli(unique[at - 1]!),
    );
    // A file that begins with its newest trade is turned whole; another one is sorted.
    const inOrder =
      isDescending && !isAscending
        ? unique.toReversed()
        : unique.toSorted((a, b) => milli(a) - milli(b));
    const { tape, clockOffsetMs, symbol } = found.value;
    expect([...tape.time]).toEqual(inOrder.map(milli));
    expect([...tape.price]).toEqual(inOrder.map(({ price }) => price));
    expect([...tape.size]).toEqual(inOrder.map(({ size }) => size * (contractSize ?? 1)));
    expect(symbol).toBe(market === 'none' ? null : 'BTCUSDT');
    const offsets = unique.map(({ lagMs }) => -lagMs).toSorted((a, b) => a - b);
    if (!hasReceived) expect(clockOffsetMs).toBeNull();
    else expect(Math.abs(clockOffsetMs! - offsets[offsets.length >> 1]!)).toBeLessThan(0.01);
  });
});
