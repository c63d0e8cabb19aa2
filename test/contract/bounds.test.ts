import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BPS, PERCENT, compareMove, isWithin, offsetPrice } from '../../src/contract/bounds.ts';

/** A decimal as a whole number of 10^-8, and the double that a user would write for it. */
const UNIT = 8;
const decimal = (most: number, places: number) =>
  fc.record({
    units: fc.integer({ min: 1, max: most }),
    places: fc.integer({ min: 0, max: places }),
  });
const toDouble = ({ units, places }: { units: number; places: number }): number =>
  Number(`${units}e-${places}`);
const toUnits = ({ units, places }: { units: number; places: number }): bigint =>
  BigInt(units) * 10n ** BigInt(UNIT - places);
const signOf = (value: bigint): number => (value === 0n ? 0 : value > 0n ? 1 : -1);

const price = decimal(10_000_000, 8);
const bps = decimal(1_000_000, 4);

describe('bounds in basis points are exact in decimal', () => {
  test.each([
    [34, 35.7, 500],
    [34, 32.3, 500],
    [94, 98.7, 500],
    [140, 140.07, 5],
    [140, 139.93, 5],
    [60, 60.06, 10],
    [1e-7, 1.5e-7, 5_000],
    [12_345_600, 12_345_723.456, 0.1],
  ])('%d to %d is %d bps', (from, to, bound) => {
    expect(compareMove(from, to, bound)).toBe(0);
    expect(offsetPrice(from, to > from ? bound : -bound, BPS)).toBe(to);
  });

  test('a distance compares as its decimals do', () => {
    fc.assert(
      fc.property(price, price, bps, (from, to, bound) => {
        const [first, second] = [toUnits(from), toUnits(to)];
        const moved = second > first ? second - first : first - second;
        // Bounds are in units of 10^-8 too.
        const difference = moved * 10_000n * 10n ** BigInt(UNIT) - toUnits(bound) * first;
        expect(compareMove(toDouble(from), toDouble(to), toDouble(bound))).toBe(signOf(difference));
      }),
      { numRuns: 2_000 },
    );
  });

  test('a price at its bound is at it on either side, and one unit further is not', () => {
    const whole = fc.record({
      // In cents, so that the bound in hundredths of a basis point has at most eight decimals.
      from: fc.integer({ min: 1, max: 10_000_000 }),
      bound: fc.integer({ min: 1, max: 1_000_000 }),
      side: fc.constantFrom(1, -1),
    });
    fc.assert(
      fc.property(whole, ({ from, bound, side }) => {
        const at = BigInt(from) * BigInt(1_000_000 + side * bound);
        // Ties of binary and decimal digits are only told apart by those that a double has.
        fc.pre(at > 0n && String(at).replace(/0+$/, '').length <= 15);
        const to = Number(`${at}e-8`);
        expect(offsetPrice(from / 100, (side * bound) / 100, BPS)).toBe(to);
        expect(compareMove(from / 100, to, bound / 100)).toBe(0);
        const beyond = Number(`${at + BigInt(side)}e-8`);
        fc.pre(beyond > 0 && String(at).length <= 15);
        expect(compareMove(from / 100, beyond, bound / 100)).toBe(1);
        expect(compareMove(from / 100, Number(`${at - BigInt(side)}e-8`), bound / 100)).toBe(-1);
      }),
      { numRuns: 2_000 },
    );
  });

  test('an offset is the double nearest to the decimal, of few and of many digits', () => {
    const prices = fc.oneof(price, decimal(10 ** 15, 8));
    const per = fc.constantFrom(PERCENT, BPS);
    fc.assert(
      fc.property(prices, decimal(9_900, 4), fc.constantFrom(1, -1), per, (from, by, side, of) => {
        const factor = BigInt(of) * 10n ** BigInt(UNIT) + BigInt(side) * toUnits(by);
        const places = 2 * UNIT + (of === BPS ? 4 : 2);
        const expected = Number(`${toUnits(from) * factor}e-${places}`);
        expect(offsetPrice(toDouble(from), side * toDouble(by), of)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  test('what is no number is neither inside nor beyond', () => {
    expect(compareMove(Number.NaN, 1, 5)).toBeNaN();
    expect(compareMove(1, Number.NaN, 5)).toBeNaN();
    expect(offsetPrice(Number.NaN, 5, BPS)).toBeNaN();
    expect(offsetPrice(Number.POSITIVE_INFINITY, 5, BPS)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('computed amounts', () => {
  test('a product is within the limit that it equals in decimal, and not above it by more', () => {
    const drawn = fc.tuple(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 1e7 }));
    fc.assert(
      fc.property(drawn, ([size, cents]) => {
        const value = (size / 1_000) * (cents / 100);
        const limit = Number(`${BigInt(size) * BigInt(cents)}e-5`);
        expect(isWithin(value, limit)).toBe(true);
        expect(isWithin(limit, value)).toBe(true);
        expect(isWithin(value * (1 + 1e-9), limit)).toBe(false);
      }),
    );
  });

  test.each([
    [Number.NaN, 1, false],
    [1, Number.NaN, false],
    [Number.POSITIVE_INFINITY, 1, false],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, true],
    [0, 0, true],
    [1e-300, 0, false],
    [-1, 0, true],
  ])('%d is within %d: %s', (value, limit, within) => {
    expect(isWithin(value, limit)).toBe(within);
  });
});
