import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packJson } from '../../src/operate/report/packJson.ts';
import { unpackJson } from '../../src/operate/report/page/unpackJson.ts';

const throughText = (value: unknown): unknown =>
  unpackJson(JSON.parse(JSON.stringify(packJson(value))));
const cents = fc.integer({ min: -1e9, max: 1e9 }).map((value) => value / 100);
const numbers = fc.array(fc.oneof(cents, fc.integer()), { maxLength: 60 });
const row = fc.record(
  {
    time: fc.integer(),
    price: cents,
    exit: fc.oneof(cents, fc.constant(null)),
    symbol: fc.constantFrom('BTC', 'ETH'),
    side: fc.constantFrom('buy', 'sell', null),
    id: fc.oneof(
      fc.nat().map((count) => `exe_${count}`),
      fc.constantFrom('exe_07', 'exe_'),
    ),
    order: fc.nat().map((count) => `ord_${count}`),
    bars: numbers,
  },
  { requiredKeys: ['time'] },
);
/** JSON has no negative zero and no undefined. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('what was packed is unpacked, whatever is missing', () => {
  const value = fc.record({ numbers, rows: fc.array(row, { maxLength: 40 }), name: fc.string() });
  fc.assert(
    fc.property(value, (given) => {
      expect(throughText(given)).toEqual(asJson(given));
    }),
    { numRuns: 300 },
  );
});

test('candles are unpacked as they were, whatever their prices are', () => {
  const price = fc.oneof(cents, fc.double({ noNaN: true, noDefaultInfinity: true }));
  const bars = fc.array(fc.tuple(cents, cents, cents, price), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(bars, (given) => {
      const column = (place: number): number[] =>
        given.map((bar) => Number(bar[place]!.toPrecision(12)) + 0);
      const time = given.map((_bar, at) => at * 60_000);
      const prices = { open: column(0), high: column(1), low: column(2), close: column(3) };
      const candles = { interval: '1m', time, ...prices };
      expect(throughText(candles)).toEqual(asJson(candles));
    }),
    { numRuns: 300 },
  );
});

test('a column is written by what it follows: an id, its symbol’s last price, its own entry', () => {
  const rows = Array.from({ length: 200 }, (_, at) => ({
    symbol: at % 2 === 0 ? 'BTC' : 'ETH',
    entry: (at % 2 === 0 ? 61_000 : 3_300) + ((at * 7) % 10) / 10,
    exit: (at % 2 === 0 ? 61_000 : 3_300) + ((at * 7) % 10) / 10 + 0.5,
    execution_id: `exe_${Math.floor(at / 5)}`,
  }));
  const text = JSON.stringify(packJson(rows));
  for (const way of ['~g', '~d', 'exe_']) expect(text.split(way)).toHaveLength(2);
  expect(throughText(rows)).toEqual(rows);
});

test('numbers that are no decimals of a common scale have their twelve digits', () => {
  const given = Array.from({ length: 20 }, (_, at) => Math.PI ** at);
  expect(throughText(given)).toEqual(given.map((value) => Number(value.toPrecision(12))));
  const mixed = [61_234.5, 0.000_012_34, ...Array.from({ length: 20 }, () => 1e15)];
  expect(throughText(mixed)).toEqual(mixed);
});

test('prices and rows of a run take less than half', () => {
  const rows = Array.from({ length: 500 }, (_, at) => ({
    time: 1_735_689_600_000 + at * 60_000,
    price: 61_000 + ((at * 37) % 100) / 10,
    strategy: 'trend',
  }));
  const length = (value: unknown): number => JSON.stringify(value).length;
  expect(length(packJson(rows))).toBeLessThan(length(rows) / 2);
});
