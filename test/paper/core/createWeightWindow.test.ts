import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWeightWindow } from '../../../src/paper/core/createWeightWindow.ts';

const MINUTE = 60_000;

describe('sliding window', () => {
  test('counts the charges of the last minute, like a plain sum', () => {
    const step = fc.record({ wait: fc.integer({ min: 0, max: 40_000 }), weight: fc.nat(30) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const window = createWeightWindow('sliding', MINUTE);
        const charges: Array<[number, number]> = [];
        let now = 1_000_000;
        for (const { wait, weight } of steps) {
          now += wait;
          window.charge(now, weight);
          charges.push([now, weight]);
          const recent = charges.filter(([time]) => now - time < MINUTE);
          expect(window.used(now)).toBe(recent.reduce((sum, [, charged]) => sum + charged, 0));
        }
      }),
    );
  });

  test('there is room after the stated wait, and none a millisecond earlier', () => {
    const times = fc.array(fc.integer({ min: 0, max: MINUTE - 1 }), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(times, fc.nat(25), (offsets, allowed) => {
        const window = createWeightWindow('sliding', MINUTE);
        for (const offset of offsets.toSorted((a, b) => a - b)) window.charge(offset, 3);
        const now = MINUTE - 1;
        const wait = window.waitUntil(now, allowed);
        if (wait > 0) expect(window.used(now + wait - 1)).toBeGreaterThan(allowed);
        expect(window.used(now + wait)).toBeLessThanOrEqual(allowed);
      }),
    );
  });

  test('stays bounded in a long run', () => {
    const window = createWeightWindow('sliding', 1_000);
    for (let now = 0; now < 100_000; now++) window.charge(now, 1);
    expect(window.used(99_999)).toBe(1_000);
    expect(window.resetsAt(99_999)).toBe(100_999);
  });

  test('a clock that steps back removes no charge', () => {
    const window = createWeightWindow('sliding', MINUTE);
    window.charge(100_000, 5);
    window.charge(50_000, 7);
    expect(window.used(100_000)).toBe(12);
    expect(window.used(160_000)).toBe(0);
  });
});

describe('fixed window', () => {
  test('restarts with the clock minute', () => {
    const window = createWeightWindow('fixed', MINUTE);
    window.charge(10 * MINUTE + 59_000, 9);
    expect(window.waitUntil(10 * MINUTE + 59_000, 0)).toBe(1_000);
    expect(window.resetsAt(10 * MINUTE + 59_000)).toBe(11 * MINUTE);
    expect(window.used(11 * MINUTE)).toBe(0);
  });

  test('a clock that steps back removes no charge, and the wait is true', () => {
    const window = createWeightWindow('fixed', MINUTE);
    window.charge(11 * MINUTE + 1_000, 9);
    const now = 10 * MINUTE + 59_000;
    expect(window.used(now)).toBe(9);
    const wait = window.waitUntil(now, 0);
    expect([wait, window.resetsAt(now)]).toEqual([61_000, now + wait]);
    expect(window.used(now + wait - 1)).toBe(9);
    expect(window.used(now + wait)).toBe(0);
    expect(window.resetsAt(now + wait)).toBe(13 * MINUTE);
  });
});
