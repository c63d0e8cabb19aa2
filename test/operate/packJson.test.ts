import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packJson } from '../../src/operate/report/packJson.ts';
import { unpackJson } from '../../src/operate/report/page/unpackJson.ts';

const throughText = (value: unknown): unknown =>
  unpackJson(JSON.parse(JSON.stringify(packJson(value))));
const cents = fc.integer({ min: -1e9, max: 1e9 }).map((value) => value / 100);
const numbers = fc.array(fc.oneof(cents, fc.integer()), { maxLength: 60 });
const row = fc.record(
  { time: fc.integer(), price: cents, side: fc.constantFrom('buy', 'sell', null), bars: numbers },
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
