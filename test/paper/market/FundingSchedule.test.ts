import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HOUR_MS } from '../../../src/contract/durations.ts';
import { FundingSchedule } from '../../../src/paper/market/FundingSchedule.ts';
import { uncoveredStretches } from '../../../src/paper/market/fundingCoverage.ts';
import { holdLaw } from '../../holdLaw.ts';

const START = Date.UTC(2024, 0, 1);
const DEFAULT_RATE = 0.000_012_5;

const drawn = fc.record({
  /** Hours that settle, with their rates, and how late each is stamped. */
  rows: fc.uniqueArray(
    fc.record({
      hour: fc.integer({ min: 1, max: 40 }),
      rate: fc.integer({ min: -50, max: 50 }).map((each) => each / 1e5),
      late: fc.constantFrom(0, 3, 999),
    }),
    { minLength: 1, maxLength: 12, selector: ({ hour }) => hour },
  ),
  /** Instants on, just before and just after full hours. */
  hour: fc.integer({ min: 0, max: 45 }),
  ms: fc.constantFrom(-1, 0, 1, HOUR_MS / 2),
});

test('of a file the last settled rate is shown with the next settlement, which is not known before', async () => {
  await holdLaw(400, drawn, ({ rows, hour, ms }) => {
    const sorted = rows.toSorted((a, b) => a.hour - b.hour);
    const schedule = new FundingSchedule({
      BTC: {
        time: Float64Array.from(sorted, (row) => START + row.hour * HOUR_MS + row.late),
        rate: Float64Array.from(sorted, ({ rate }) => rate),
      },
    });
    const now = START + hour * HOUR_MS + ms;
    const at = (row: { hour: number }) => START + row.hour * HOUR_MS;
    const settled = sorted.filter((row) => at(row) <= now).at(-1);
    const coming = sorted.find((row) => at(row) > now);
    const nextHour = (Math.floor(now / HOUR_MS) + 1) * HOUR_MS;
    expect(schedule.next('BTC', now)).toEqual({
      rate: settled?.rate ?? DEFAULT_RATE,
      nextTime: coming === undefined ? nextHour : at(coming),
    });
    const due = sorted.find((row) => at(row) === now);
    expect(schedule.rateAt('BTC', now)).toBe(due?.rate ?? null);
    // A symbol without a setting settles each hour.
    expect(schedule.next('ETH', now)).toEqual({ rate: DEFAULT_RATE, nextTime: nextHour });
    expect(schedule.rateAt('ETH', now)).toBe(ms === 0 ? DEFAULT_RATE : null);
  });
});

test('one rate is settled at the multiples of its interval', async () => {
  const settings = fc.record({
    every: fc.constantFrom(1, 4, 8, 24),
    hour: fc.integer({ min: 0, max: 60 }),
    ms: fc.constantFrom(-1, 0, 1),
  });
  await holdLaw(200, settings, ({ every, hour, ms }) => {
    const intervalMs = every * HOUR_MS;
    const schedule = new FundingSchedule({ BTC: { constantRate: -0.001, intervalMs } });
    const now = START + hour * HOUR_MS + ms;
    const isDue = now % intervalMs === 0;
    expect(schedule.rateAt('BTC', now)).toBe(isDue ? -0.001 : null);
    const { rate, nextTime } = schedule.next('BTC', now);
    expect(rate).toBe(-0.001);
    expect(nextTime % intervalMs).toBe(0);
    // The settlement of this instant is over.
    expect(nextTime).toBeGreaterThan(now);
    expect(nextTime - now).toBeLessThanOrEqual(intervalMs);
  });
});

test('what a run lacks at the ends of a file is counted by the file’s step, and no stretch lacks nothing', async () => {
  const drawnRuns = fc.record({
    step: fc.constantFrom(1, 4, 8),
    rows: fc.integer({ min: 10, max: 20 }),
    before: fc.integer({ min: -30, max: 30 }),
    after: fc.integer({ min: -30, max: 30 }),
    ms: fc.constantFrom(-1, 0, 1),
  });
  await holdLaw(300, drawnRuns, ({ step, rows, before, after, ms }) => {
    const hours = Array.from({ length: rows }, (_none, at) => at * step);
    const time = Float64Array.from(hours, (hour) => START + hour * HOUR_MS);
    const run = {
      from: time[0]! - before * HOUR_MS + ms,
      until: time.at(-1)! + after * HOUR_MS + ms,
    };
    if (run.from >= run.until) return;
    const found = uncoveredStretches({ time, rate: time.map(() => 0.000_1) }, run);
    const missing = Array.from({ length: 40 }, (_none, at) => (at + 1) * step * HOUR_MS).flatMap(
      (distance) => [time[0]! - distance, time.at(-1)! + distance],
    );
    const lacked = missing.filter((at) => at > run.from && at <= run.until);
    expect(found.reduce((sum, { settlements }) => sum + settlements, 0)).toBe(lacked.length);
    for (const { from, until, settlements } of found) {
      expect(settlements).toBeGreaterThan(0);
      expect(lacked.filter((at) => at > from && at <= until).length).toBe(settlements);
    }
  });
});
