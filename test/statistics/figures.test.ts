import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../src/contract/durations.ts';
import { createVirtualEnv } from '../../src/env/index.ts';
import {
  annualGrowth,
  calmarRatio,
  createDrawdown,
  dailyReturns,
  momentsOf,
  monthlyChanges,
  sharpeRatio,
  shortfallByAlgo,
  sortinoRatio,
  timeInMarket,
  valuesAtPeriods,
  volatility,
  worstDrawdown,
  type TimedValue,
} from '../../src/statistics/index.ts';
import { naiveRatios } from './naiveRatios.ts';

describe('by hand', () => {
  // 1, 3, −2, 2: mean 1, squares of deviations 0 + 4 + 9 + 1 = 14.
  const changes = [1, 3, -2, 2];

  test('moments', () => {
    const { mean, deviation, skewness, kurtosis } = momentsOf(changes);
    expect(mean).toBe(1);
    expect(deviation).toBeCloseTo(Math.sqrt(14 / 3), 14);
    expect(skewness).toBeCloseTo((8 - 27 + 1) / 4 / (14 / 4) ** 1.5, 14);
    expect(kurtosis).toBeCloseTo((16 + 81 + 1) / 4 / (14 / 4) ** 2, 14);
  });

  test('one value has no deviation, and equal values have zero', () => {
    expect([[], [3], [3, 3]].map((values) => momentsOf(values).deviation)).toEqual([NaN, NaN, 0]);
  });

  test('Sharpe, Sortino and volatility, annualised by the root of 365', () => {
    expect(sharpeRatio(changes)).toBeCloseTo((1 / Math.sqrt(14 / 3)) * Math.sqrt(365), 12);
    // One period of four is below zero, by 2: the root of 4 / 4.
    expect(sortinoRatio(changes)).toBeCloseTo(Math.sqrt(365), 12);
    expect(volatility(changes)).toBeCloseTo(Math.sqrt(14 / 3) * Math.sqrt(365), 12);
  });

  test('growth is compound, and Calmar divides it by the largest drawdown, including the first day', () => {
    const year = [-0.2, 0.5, ...Array<number>(363).fill(0)];
    expect(annualGrowth(year)).toBeCloseTo(0.2, 12);
    expect(calmarRatio(year)).toBeCloseTo(1, 12);
    // Half a year: 1.2 twice.
    expect(annualGrowth([0.2, ...Array<number>(72).fill(0)])).toBeCloseTo(1.2 ** 5 - 1, 12);
  });

  test('without variation, losses or a day’s return there is no ratio', () => {
    expect(sharpeRatio([])).toBeNull();
    expect(sharpeRatio([1])).toBeNull();
    expect(sharpeRatio([0.1, 0.1, 0.1])).toBeNull();
    expect(sharpeRatio([0.1 + 0.2, 0.3, 0.3])).toBeNull();
    expect(sortinoRatio([1, 2])).toBeNull();
    expect(calmarRatio([0.1, 0.2])).toBeNull();
    expect(calmarRatio([])).toBeNull();
    expect(volatility([0.1])).toBeNull();
    for (const figure of [sharpeRatio, sortinoRatio, volatility, annualGrowth, calmarRatio]) {
      expect(figure([0.1, -1, NaN, 0.2])).toBeNull();
    }
    expect(annualGrowth([-1.5, 0.2])).toBeNull();
  });

  test('a ratio equals a second implementation, over curves with gaps, partial ends and near ruin', () => {
    const env = createVirtualEnv({ seed: 9 });
    for (let course = 0; course < 60; course++) {
      let time = Math.floor(env.random.next() * DAY_MS);
      let pnl = 0;
      const curve: TimedValue[] = [[time, 0]];
      for (let points = 300 + (course % 7) * 40; points > 0; points--) {
        // Now and then at midnight exactly, now and then silent for days.
        const leap = env.random.next();
        if (leap < 0.1) time = (Math.floor(time / DAY_MS) + 1) * DAY_MS;
        else time += Math.floor(env.random.next() * (leap > 0.95 ? 3 : 0.3) * DAY_MS) + 1;
        pnl = Math.max(-900, pnl + (env.random.next() - 0.48) * 60);
        curve.push([time, pnl]);
      }
      const returns = dailyReturns(curve, 1_000);
      const expected = naiveRatios(curve, 1_000);
      expect(returns).toHaveLength(expected.days);
      const found = {
        sharpe: sharpeRatio(returns),
        sortino: sortinoRatio(returns),
        volatility: volatility(returns),
        cagr: annualGrowth(returns),
        calmar: calmarRatio(returns),
      };
      for (const [name, value] of Object.entries(found)) {
        const other = expected[name as keyof typeof found];
        expect(Math.abs(value! - other) / Math.max(1, Math.abs(other)), name).toBeLessThan(1e-9);
      }
    }
  });

  test('values at the ends of whole UTC periods; a period without data ends as it began', () => {
    const curve: TimedValue[] = [
      [HOUR_MS / 2, 10],
      [HOUR_MS * 0.9, 14],
      [HOUR_MS * 1.5, 13],
      [HOUR_MS * 4.1, 20],
    ];
    // The half hour before the first boundary is no whole period, nor is what comes after the last.
    expect(valuesAtPeriods(curve, HOUR_MS)).toEqual([14, 13, 13, 13]);
    expect(valuesAtPeriods([], HOUR_MS)).toEqual([]);
    expect(valuesAtPeriods([[HOUR_MS / 2, 10]], HOUR_MS)).toEqual([]);
  });

  test('a point at the end of a period belongs to it', () => {
    const curve: TimedValue[] = [
      [0, 10],
      [HOUR_MS, 14],
      [HOUR_MS + 1, 9],
      [2 * HOUR_MS, 13],
    ];
    expect(valuesAtPeriods(curve, HOUR_MS)).toEqual([10, 14, 13]);
    expect(valuesAtPeriods(curve.slice(1), HOUR_MS)).toEqual([14, 13]);
  });

  test('a day that began with zero or negative equity has no return', () => {
    const curve: TimedValue[] = [-100, -1_000, -1_200, 0].map((pnl, day) => [day * DAY_MS, pnl]);
    expect(dailyReturns(curve, 1_000)).toEqual([-1, NaN, NaN]);
  });

  test('months of UTC', () => {
    const at = (month: number, day: number) => Date.UTC(2025, month - 1, day);
    const curve: TimedValue[] = [
      [at(1, 30), 5],
      [at(1, 31) + DAY_MS - 1, 7],
      [at(2, 1), 4],
      [at(2, 1) + 1, 5],
      [at(4, 2), 10],
    ];
    // What closes at midnight of the first closes January.
    expect(monthlyChanges(curve)).toEqual([
      { year: 2025, month: 1, change: -1 },
      { year: 2025, month: 2, change: 1 },
      // A market that was closed: the run lasted through it, and earned nothing.
      { year: 2025, month: 3, change: 0 },
      { year: 2025, month: 4, change: 5 },
    ]);
    const year: TimedValue[] = [
      [at(1, 1), 0],
      [at(1, 2), 3],
    ];
    expect(monthlyChanges(year)).toEqual([{ year: 2025, month: 1, change: 3 }]);
    const atOnce: TimedValue[] = [
      [at(1, 1), 0],
      [at(1, 1), 3],
    ];
    expect(monthlyChanges(atOnce)).toEqual([{ year: 2025, month: 1, change: 3 }]);
  });

  test('the worst drawdown, and the longest', () => {
    const curve: TimedValue[] = [
      [0, 0],
      [1, 5],
      [2, 1],
      [3, 6],
      [4, 5],
      [9, 5.5],
    ];
    expect(worstDrawdown(curve)).toEqual({ depth: 4, peakTime: 1, troughTime: 2, longestMs: 6 });
    expect(worstDrawdown([])).toEqual({ depth: 0, peakTime: null, troughTime: null, longestMs: 0 });
  });

  test('underwater time by points equals that of the whole curve', () => {
    const env = createVirtualEnv({ seed: 5 });
    for (let course = 0; course < 200; course++) {
      const drawdown = createDrawdown((value) => 10 + value);
      const curve: TimedValue[] = [[1_000, 0]];
      for (let time = 1_000, value = 0, count = course % 40; count > 0; count--) {
        time += 1 + Math.floor(env.random.next() * 5);
        value += Math.round(env.random.next() * 8 - 4);
        drawdown.sample(time, value);
        curve.push([time, value]);
      }
      // Its end is its last point again, or a later one that was not added.
      const [lastTime, last] = curve.at(-1)!;
      const end =
        course % 2 === 0 ? { until: lastTime, value: last } : { until: lastTime + 7, value: -1 };
      const pinned: TimedValue[] = [...curve, [end.until, end.value]];
      // Each point against the last best of all before it.
      const below = pinned.map(([, value], at) => {
        const best = Math.max(...pinned.slice(0, at + 1).map(([, earlier]) => earlier));
        const peak = pinned.findLast(([, earlier], before) => before <= at && earlier === best)!;
        const back = pinned.slice(at).find(([, later]) => later >= best) ?? [end.until];
        return value < best ? back[0] - peak[0] : 0;
      });
      const longest = Math.max(...below);
      // The largest fall between any two points; of equal ones the first, and from its last best.
      const falls = pinned.flatMap(([troughTime, low], at) =>
        pinned.slice(0, at).map(([peakTime, high]) => ({ peakTime, troughTime, fall: high - low })),
      );
      const largest = Math.max(0, ...falls.map(({ fall }) => fall));
      const first = falls.find(({ fall }) => fall === largest && fall > 0);
      const same = falls.findLast(
        ({ fall, troughTime }) => fall === largest && troughTime === first?.troughTime,
      );
      const { peakTime = null, troughTime = null } = same ?? {};
      const times = { longestMs: longest, peakTime, troughTime };
      expect(drawdown.times({ from: 1_000, ...end })).toEqual(times);
      expect(drawdown.deepest(end.value).amount).toBe(largest);
      expect(worstDrawdown(pinned)).toEqual({ ...times, depth: largest });
    }
  });

  test('time in the market counts overlaps once, and what is open to the end', () => {
    const span = { from: 0, until: 10 };
    const held = [
      { entry_time: 4, exit_time: 6 },
      { entry_time: 1, exit_time: 3 },
      { entry_time: 2, exit_time: 5 },
      { entry_time: 9, exit_time: null },
    ];
    expect(timeInMarket(held, span)).toBe(0.6);
    expect(timeInMarket([], span)).toBe(0);
  });

  test('implementation shortfall: both sides, weighted by notional', () => {
    const order = { algo: 'pacemaker', side: 'buy', filled_size: 2, fees: 0.1 } as const;
    const [found, ...others] = shortfallByAlgo([
      { ...order, average_price: 101, arrival_price: 100 },
      { ...order, side: 'sell', filled_size: 1, average_price: 101, arrival_price: 100, fees: 0 },
      { ...order, average_price: 500 },
      { ...order, filled_size: 0, average_price: 1, arrival_price: 1 },
    ]);
    expect(others).toEqual([]);
    // 2 × 1 paid too much, 1 × 1 received more: 1 on 300.
    expect(found).toMatchObject({ algo: 'pacemaker', orders: 2, notional: 300 });
    expect(found!.slippage_bps).toBeCloseTo((1 / 300) * 10_000, 10);
    expect(found!.shortfall_bps).toBeCloseTo((1.1 / 300) * 10_000, 10);
    expect(found!.fee_bps).toBeCloseTo((0.1 / 300) * 10_000, 10);
  });
});
