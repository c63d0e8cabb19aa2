import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decimalsOf,
  hasDecimals,
  isValidPrice,
  isValidSize,
  roundTo,
  tickAt,
  toPlainDecimal,
  toValidPrice,
  toValidSize,
} from '../../src/contract/index.ts';

const perp = { price_decimals: 1, price_significant_figures: 5, size_decimals: 5 };
const cheap = { price_decimals: 6, price_significant_figures: 5, size_decimals: 0 };
const price = fc.double({ min: 1e-4, max: 1e7, noNaN: true });
const grid = fc.record({
  price_decimals: fc.integer({ min: 0, max: 8 }),
  price_significant_figures: fc.constant(5),
  size_decimals: fc.integer({ min: 0, max: 8 }),
});

describe('RULE-3: the venue’s price and size grid', () => {
  test.each([
    [61250, true],
    [61250.5, false], // six significant figures
    [6125.5, true],
    [6125.55, false], // two decimals
    [123456, true], // integers are always legal
    [0, false],
    [-1, false],
    [Number.NaN, false],
    [Number.POSITIVE_INFINITY, false],
    [1e308, false],
  ])('a perp price of %d is valid: %s', (value, valid) => {
    expect(isValidPrice(value, perp)).toBe(valid);
  });

  test.each([
    [0.012345, true],
    [0.0123456, false],
    [1e-6, true],
    [1e-7, false],
  ])('a cheap coin’s price of %d is valid: %s', (value, valid) => {
    expect(isValidPrice(value, cheap)).toBe(valid);
  });

  test.each([
    [0.29, 2, true],
    [0.00001, 5, true],
    [0.000001, 5, false],
    [1e-7, 7, true],
    [0, 5, false],
    [-1, 5, false],
    [Number.POSITIVE_INFINITY, 0, false],
    [1e308, 5, false],
    [9e15, 0, true],
    [9e15, 5, false], // its last decimals would be lost
  ])('a size of %d at %d decimals is valid: %s', (size, size_decimals, valid) => {
    expect(isValidSize(size, { ...perp, size_decimals })).toBe(valid);
  });

  test('a rounded price is valid, and no valid price is nearer', () => {
    fc.assert(
      fc.property(price, grid, (raw, rules) => {
        const rounded = toValidPrice(raw, rules);
        if (rounded === 0) return;
        expect(isValidPrice(rounded, rules)).toBe(true);
        expect(Math.abs(rounded - raw)).toBeLessThanOrEqual(tickAt(raw, rules) * 0.5000001);
      }),
    );
  });

  test('a valid price is left as it is', () => {
    fc.assert(
      fc.property(price, grid, (raw, rules) => {
        const rounded = toValidPrice(raw, rules);
        if (rounded !== 0) expect(toValidPrice(rounded, rules)).toBe(rounded);
      }),
    );
  });

  test('down and up bracket the price', () => {
    fc.assert(
      fc.property(price, grid, (raw, rules) => {
        expect(toValidPrice(raw, rules, 'down')).toBeLessThanOrEqual(raw);
        expect(toValidPrice(raw, rules, 'up')).toBeGreaterThanOrEqual(raw);
      }),
    );
  });

  test('a valid size is never above what was asked', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-8, max: 1e6, noNaN: true }), grid, (size, rules) => {
        const valid = toValidSize(size, rules);
        expect(valid).toBeLessThanOrEqual(size);
        expect(size - valid).toBeLessThan(10 ** -rules.size_decimals);
        if (valid > 0) expect(isValidSize(valid, rules)).toBe(true);
      }),
    );
  });
});

describe('decimal arithmetic on the shortest decimal', () => {
  test.each([
    [0.29, 2, 0.29],
    [1.005, 2, 1.01],
    [2.5, 0, 3],
    [-2.5, 0, -3],
    [0.04, 1, 0],
    [0.05, 1, 0.1],
    [0.0000004, 6, 0],
    [123456, 0, 123456],
  ])('%d at %d decimals is %d', (value, decimals, expected) => {
    expect(roundTo(value, decimals)).toBeCloseTo(expected, 12);
  });

  test.each([
    [1, 0],
    [0.5, 1],
    [1e-7, 7],
    [1.5e21, 0],
    [123.456, 3],
    [0, 0],
  ])('%d has %d decimals', (value, decimals) => expect(decimalsOf(value)).toBe(decimals));

  test('plain text never has an exponent and reads back as the number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = toPlainDecimal(value);
        expect(text).not.toMatch(/e/i);
        expect(Number(text)).toBe(value === 0 ? 0 : value);
      }),
    );
    expect(toPlainDecimal(1e-7)).toBe('0.0000001');
    expect(toPlainDecimal(1.5e21)).toBe('1500000000000000000000');
  });
});

test.each([Number.NaN, Infinity, -Infinity])('%s stays what it is, and is not valid', (value) => {
  for (const mode of ['nearest', 'down', 'up'] as const) {
    expect(toValidPrice(value, perp, mode)).toBe(value);
    expect(roundTo(value, 2, mode)).toBe(value);
  }
  expect(toValidSize(value, perp)).toBe(value);
  expect(isValidPrice(value, perp) || isValidSize(value, perp)).toBe(false);
});

test('agrees with the shortest decimal on whether the decimals suffice', () => {
  const decimals = fc.integer({ min: 0, max: 25 });
  const onGrid = fc
    .tuple(fc.maxSafeNat(), fc.integer({ min: 0, max: 24 }))
    .map(([steps, places]) => Number(`${steps}e-${places}`));
  const near = onGrid.map((value) => value * (1 + Number.EPSILON));
  const value = fc.oneof(fc.double({ noNaN: true }), price, onGrid, near);
  fc.assert(
    fc.property(value, decimals, (number, places) => {
      expect(hasDecimals(number, places)).toBe(decimalsOf(number) <= places);
    }),
    { numRuns: 2_000 },
  );
});

describe('rounding, against the digits of the shortest decimal', () => {
  /** Half away from zero, by text alone. */
  function byDigits(value: number, decimals: number, mode: 'nearest' | 'down' | 'up'): number {
    const [mantissa, power] = Math.abs(value).toExponential().split('e');
    const digits = mantissa!.replace('.', '');
    // 0.digits × 10^exponent: what is left of the cut is whole steps.
    const cut = Number(power) + 1 + decimals;
    const whole = BigInt(cut > 0 ? digits.padEnd(cut, '0').slice(0, cut) : '0');
    const rest = cut >= 0 ? digits.slice(cut) : `${'0'.repeat(-cut)}${digits}`;
    if (!/[1-9]/.test(rest)) return value;
    const away = mode === 'nearest' ? Number(rest[0]) >= 5 : mode === 'up' ? value > 0 : value < 0;
    const magnitude = Number(`${whole + (away ? 1n : 0n)}e${-decimals}`);
    return value < 0 ? -magnitude : magnitude;
  }

  const mode = fc.constantFrom('nearest' as const, 'down' as const, 'up' as const);
  const decimals = fc.integer({ min: 0, max: 9 });
  /** Whole and half steps, and their neighbours among the doubles. */
  const near = fc
    .tuple(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), fc.integer({ min: 0, max: 10 }))
    .chain(([steps, places]) =>
      fc.constantFrom(0, 1, -1, 3, -3).map((ulps) => {
        const value = Number(`${steps}e${-places}`);
        return value + ulps * Math.abs(value) * Number.EPSILON;
      }),
    );

  test.each([
    ['near whole and half steps', near],
    ['prices', price],
    ['any double', fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e18, max: 1e18 })],
  ])('%s', (_name, values) => {
    fc.assert(
      fc.property(values, decimals, mode, (value, places, rounding) => {
        expect(roundTo(value, places, rounding)).toBe(byDigits(value, places, rounding));
      }),
      { numRuns: 5_000 },
    );
  });
});
