import { describe, expect, test } from 'vitest';
import { parseDuration, type Duration } from '../../src/testing/parseDuration.ts';

const UNITS = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
} as const;
const units = Object.entries(UNITS) as Array<[keyof typeof UNITS, number]>;

describe('a span of time', () => {
  test.each(units)('in %s is so many milliseconds', (unit, ms) => {
    expect(parseDuration('advance', `1${unit}`)).toBe(ms);
    expect(parseDuration('advance', `12${unit}`)).toBe(12 * ms);
    expect(parseDuration('advance', `0${unit}`)).toBe(0);
  });

  test.each(units.slice(1))(
    'in tenths of %s is whole, whatever the product of doubles',
    (unit, ms) => {
      for (let tenths = 1; tenths < 5_000; tenths++) {
        const given = `${Math.floor(tenths / 10)}.${tenths % 10}${unit}` as Duration;
        expect([given, parseDuration('advance', given)]).toEqual([given, (tenths * ms) / 10]);
      }
    },
  );

  test.each(['0.5ms', '1.0001s', '0.0000001h', '-1s', '1 h', '1y', ''])('is not %j', (given) => {
    expect(() => parseDuration('advance', given as Duration)).toThrow('is no span of time');
  });

  test.each([0.5, 1e-9, -1, NaN, Infinity])('is not the number %d', (given) => {
    expect(() => parseDuration('advance', given)).toThrow('is no span of time');
  });
});
