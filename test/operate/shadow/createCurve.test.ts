import { describe, expect, test } from 'vitest';
import { createCurve } from '../../../src/operate/shadow/createCurve.ts';

const MINUTE = 60_000;

describe('the curve of both versions', () => {
  test('has a point where both have come to, whoever came first, once', () => {
    const curve = createCurve();
    curve.live(1, 10);
    curve.shadow(1, 20);
    curve.shadow(2, 21);
    curve.live(2, 11);
    curve.shadow(2, 99);
    curve.live(2, 99);
    expect(curve.points()).toEqual([
      [1, 10, 20],
      [2, 11, 21],
    ]);
  });

  test('goes on after weeks of instants that only one of them has', () => {
    // The bot trades another market by the minute, and the shadow's has a bar an hour.
    const curve = createCurve();
    const hours = 400;
    for (let hour = 1; hour <= hours; hour += 1) {
      for (let minute = 59; minute >= 0; minute -= 1)
        curve.live((hour * 60 - minute) * MINUTE, hour);
      curve.shadow(hour * 60 * MINUTE, -hour);
    }
    expect(curve.points()).toHaveLength(hours);
    expect(curve.points().at(-1)).toEqual([hours * 60 * MINUTE, hours, -hours]);
  });

  test('goes on after a market that was closed for weeks, and one that came only to the shadow', () => {
    const curve = createCurve();
    for (let minute = 1; minute <= 30_000; minute += 1) curve.live(minute, 1);
    curve.shadow(30_000, 2);
    for (let minute = 30_001; minute <= 60_000; minute += 1) curve.shadow(minute, 2);
    curve.live(60_000, 1);
    expect(curve.points()).toEqual([
      [30_000, 1, 2],
      [60_000, 1, 2],
    ]);
  });

  test('is thinned over all of a long run, and ends with the newest point', () => {
    const curve = createCurve();
    // The newest point lies between two steps.
    const count = 9_004;
    for (let minute = 1; minute <= count; minute += 1) {
      curve.live(minute, minute);
      curve.shadow(minute, -minute);
    }
    const times = curve.points().map(([time]) => time);
    expect(times.length).toBeGreaterThan(1_000);
    expect(times.length).toBeLessThanOrEqual(2_001);
    expect([times[0], times.at(-1)]).toEqual([1, count]);
    // Equal steps, the last one as far as the run has come.
    const steps = times.slice(1, -1).map((time, at) => time - times[at]!);
    expect(new Set(steps)).toEqual(new Set([8]));
  });
});
