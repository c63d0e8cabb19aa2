import { createRandom } from '../../src/env/index.ts';
import { describe, expect, test } from 'vitest';
import { addCurves, pinEnds, sampleCurve, timeGrid } from '../../src/operate/report/curves.ts';
import { compareRuns } from '../../src/operate/report/compareRuns.ts';
import { countReasons } from '../../src/operate/report/countReasons.ts';
import { embedJson } from '../../src/operate/report/embedJson.ts';
import { renderReport } from '../../src/operate/report/index.ts';
import { reportFigures } from '../../src/operate/report/figures/index.ts';
import { yearRows } from '../../src/operate/report/performance.ts';
import type { ReportFill } from '../../src/operate/report/ReportData.ts';
import { roundTrips } from '../../src/operate/report/roundTrips.ts';
import { statistics } from '../../src/operate/report/statistics.ts';
import { paperAssumptions } from '../../src/operate/run/paperAssumptions.ts';
import { thinCandles } from '../../src/operate/report/thinCandles.ts';
import { toPageData } from '../../src/operate/report/toPageData.ts';
import { toDrawdown, type TimedValue } from '../../src/statistics/index.ts';
import { noFigures, sampleReport } from './sampleReport.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function fill(time: number, side: 'buy' | 'sell', size: number, price: number): ReportFill {
  return { time, side, size, price, fee: 1, symbol: 'BTC', strategy: 's', liquidity: 'taker' };
}

/** What the page shows numbers with; the module itself runs in a browser. */
interface PageFormat {
  money(value: number): string;
  gain(value: number): string;
  ratio(value: number): string;
  percent(share: number, digits?: number): string;
  duration(ms: number): string;
  wholeDays(value: number): string;
  size(value: number): string;
  indicator(value: number): string;
  decimalsOf(values: readonly number[]): number;
  priceFormatter(decimals: number): (value: number) => string;
}
const FORMAT = '../../src/operate/report/page/format.ts';

describe('displayed numbers', () => {
  test('have no sign if they round to zero', async () => {
    const { money, gain, ratio, percent } = (await import(FORMAT)) as PageFormat;
    expect([money(-0.004), gain(-0.004), gain(0.004), ratio(-0.004), percent(-0.000_04)]).toEqual([
      '0.00',
      '0.00',
      '0.00',
      '0.00',
      '0.0 %',
    ]);
    expect([money(-1.5), gain(-0.01), gain(0.01), ratio(-10), percent(-0.1)]).toEqual([
      '−1.50',
      '−0.01',
      '+0.01',
      '−10.00',
      '−10.0 %',
    ]);
  });

  test('a size has all its digits, without what a sum of doubles adds', async () => {
    const { size, indicator } = (await import(FORMAT)) as PageFormat;
    expect([12.34567, 9_999_996, 0.1 + 0.2, 1e-8, -0.5, 1e-13].map(size)).toEqual([
      '12.34567',
      '9,999,996',
      '0.3',
      '0.00000001',
      '−0.5',
      '0',
    ]);
    expect(indicator(123.456_789)).toBe('123.457');
  });

  test('prices have the decimals that they have in the data, however small they are', async () => {
    const { decimalsOf, priceFormatter } = (await import(FORMAT)) as PageFormat;
    const shown = (prices: readonly number[]): string[] =>
      prices.map(priceFormatter(decimalsOf(prices)));
    expect(shown([60_000, 60_000.5])).toEqual(['60,000.0', '60,000.5']);
    expect(shown([0.123_456, 0.1])).toEqual(['0.123456', '0.100000']);
    expect(shown([4.12e-7, 5e-7])).toEqual(['0.000000412', '0.000000500']);
    expect(decimalsOf([1.234e-15])).toBe(12);
    expect(decimalsOf([])).toBe(0);
  });

  test('a span below a minute is shown in seconds', async () => {
    const { duration } = (await import(FORMAT)) as PageFormat;
    expect([0, 20_000, 59_700, 90_000, 3_600_000].map(duration)).toEqual([
      '0 s',
      '20 s',
      '1 min',
      '2 min',
      '1 h 0 min',
    ]);
  });

  test('only completed days count', async () => {
    const { wholeDays } = (await import(FORMAT)) as PageFormat;
    expect([29.6, 30, 0].map(wholeDays)).toEqual(['29', '30', '0']);
  });

  test('a comparison has no share of a wallet without cash', () => {
    const run = sampleReport(100);
    const totals = { ...run.totals, pnl: -0.004, start_equity: 0 };
    const { rows } = compareRuns([
      { name: 'none', data: { ...run, totals } },
      { name: 'some', data: { ...run, totals: { ...totals, start_equity: 1_000 } } },
    ]);
    expect(rows.find(([label]) => label === 'of the capital')).toEqual([
      'of the capital',
      '–',
      '0.00 %',
    ]);
  });

  test('a comparison has a run’s own totals, and whatever did not end accepted as not accepted', () => {
    const run = sampleReport(100);
    const intents = {
      emitted: 1_234,
      accepted: 34,
      denied: 5,
      rejected: 6,
      unknown: 7,
      expired: 8,
    };
    const totals = { ...run.totals, intents, fills: 2_345, fees: 3.5, rate_limited: 4_567 };
    const liquidations = [{ time: run.startTime, wallet: 'main', symbol: 'BTC' }];
    const { head, rows } = compareRuns([
      { name: 'one', data: { ...run, totals, liquidations } },
      { name: 'two', data: { ...run, totals: { ...totals, intents: noFigures().intents } } },
    ]);
    expect(head).toEqual(['', 'one', 'two']);
    const shown = Object.fromEntries(rows.map(([label, ...cells]) => [label, cells]));
    expect(shown).toMatchObject({
      intents: ['1,234', '0'],
      'not accepted': ['1,200', '0'],
      fills: ['2,345', '2,345'],
      fees: ['3.50', '3.50'],
      'answers with 429': ['4,567', '4,567'],
      liquidations: ['1', '–'],
      uncovered: ['1 h 30 min', '1 h 30 min'],
    });
  });

  test('a comparison has ratios of as many days as they need, and no fewer', () => {
    const DAY = 86_400_000;
    const runOf = (days: number) => {
      const run = sampleReport(100);
      const start = Date.UTC(2025, 0, 1);
      const curve = Array.from(
        { length: days + 1 },
        (_none, day) => [start + day * DAY, day + (day % 3)] as const,
      );
      const strategies = run.strategies
        .slice(0, 1)
        .map((one) => ({ ...one, curve, hourly: curve }));
      const equity = curve.map(([time, value]) => [time, 1_000 + value] as const);
      const [startTime, endTime] = [start, start + days * DAY];
      const data = { ...run, startTime, endTime, strategies, equity, hourly: equity };
      return { name: `${days}`, data };
    };
    const { rows } = compareRuns([runOf(29), runOf(30)]);
    expect(rows.find(([label]) => label === 'Sharpe (annualised)')).toEqual([
      'Sharpe (annualised)',
      'needs 30 days',
      expect.stringMatching(/^\d/),
    ]);
  });

  test('venue shares are shown as configured, and spot alone pays no funding', () => {
    const latency = { order_ms: 0, cancel_ms: 0, data_ms: 0 };
    const settings = {
      half_spread_bps: 1,
      impact_bps: 10,
      fill_on_touch: false,
      fees: {},
      latency,
    };
    const reported = (symbol: string): string =>
      paperAssumptions(
        {
          paper: { ...settings, volume_share: 0.004 },
          data: { feeds: [{ symbol }], funding: {} },
        } as unknown as Parameters<typeof paperAssumptions>[0],
        { from: 0, until: HOUR },
      ).join(' ');
    expect(reported('BTC')).toContain('no fill uses more than 0.4 % of');
    expect(reported('BTC')).toContain(
      'Fees: venue 1.5 bps maker and 4.5 bps taker, service 0.8 bps on',
    );
    for (const words of [
      'common to all wallets',
      'nearest valid prices',
      "last closed bar's, a stop's",
    ]) {
      expect(reported('BTC')).toContain(words);
    }
    expect(reported('BTC')).toContain('Funding is hourly');
    expect(reported('HYPE/USDC')).toContain('Spot pays no funding.');
    expect(reported('HYPE/USDC')).toContain('Money is in USDC');
  });
});

describe('round trips', () => {
  test('entry and exit slices are one trade at average prices, less fees', () => {
    const { roundTrips: trips, roles } = roundTrips([
      fill(1, 'buy', 1, 100),
      fill(2, 'buy', 1, 110),
      fill(3, 'sell', 1.5, 120),
      fill(4, 'sell', 0.5, 90),
    ]);
    expect(roles).toEqual(['entry', 'entry', 'exit', 'exit']);
    expect(trips).toMatchObject([
      { side: 'long', entry_time: 1, exit_time: 4, size: 2, entry_price: 105, fees: 4, fills: 4 },
    ]);
    expect(trips[0]?.pnl).toBeCloseTo(1.5 * 120 + 0.5 * 90 - 210 - 4);
  });

  test('an open trade has the P&L of its closed part, whatever was bought again at another price', () => {
    const [open] = roundTrips([
      fill(1, 'buy', 1, 100),
      fill(2, 'sell', 0.5, 110),
      fill(3, 'buy', 0.5, 200),
    ]).roundTrips;
    expect(open).toMatchObject({ exit_time: null, size: 1, exit_price: 110 });
    expect(open!.pnl).toBeCloseTo(5 - 3);
  });

  test('a short earns when the price falls', () => {
    const { roundTrips: trips } = roundTrips([fill(1, 'sell', 2, 100), fill(2, 'buy', 2, 90)]);
    expect(trips).toMatchObject([{ side: 'short', pnl: 18 }]);
  });

  test('a flip closes one trade and opens the other, and shares its fee', () => {
    const { roundTrips: trips, roles } = roundTrips([
      fill(1, 'buy', 1, 100),
      fill(2, 'sell', 3, 110),
    ]);
    expect(roles).toEqual(['entry', 'flip']);
    expect(trips).toMatchObject([
      { side: 'long', exit_time: 2 },
      { side: 'short', exit_time: null, exit_price: null, size: 2 },
    ]);
    expect(trips[0]?.fees).toBeCloseTo(1 + 1 / 3);
    expect(trips[1]?.fees).toBeCloseTo(2 / 3);
  });

  test('sizes that differ by a rounding error are flat', () => {
    const { roundTrips: trips } = roundTrips([
      fill(1, 'buy', 0.1, 100),
      fill(2, 'buy', 0.2, 100),
      fill(3, 'sell', 0.3, 100),
    ]);
    expect(trips).toHaveLength(1);
    expect(trips[0]?.exit_time).toBe(3);
  });

  test('strategies and symbols are kept apart', () => {
    const other = { ...fill(2, 'sell', 1, 100), strategy: 't' };
    expect(roundTrips([fill(1, 'buy', 1, 100), other]).roundTrips).toHaveLength(2);
  });
});

describe('statistics', () => {
  const figuresOf = (fills: ReportFill[], hourly: TimedValue[] = []) => {
    const { roundTrips: trips } = roundTrips(fills);
    const span = { from: 0, until: 4 * HOUR };
    return statistics({ fills, trips, curve: hourly, hourly, capital: 1_000, ...span });
  };

  test('win rate, profit factor, maker share and fee rate follow from trades and fills', () => {
    const fills = [
      fill(0, 'buy', 1, 100),
      { ...fill(HOUR, 'sell', 1, 112), liquidity: 'maker' as const },
      fill(2 * HOUR, 'buy', 1, 100),
      fill(3 * HOUR, 'sell', 1, 97),
    ];
    const figures = figuresOf(fills);
    expect(figures).toMatchObject({ trades: 2, win_rate: 0.5, profit_factor: 2, turnover: 409 });
    expect(figures.average_trade).toBe(2.5);
    expect(figures.average_hold_ms).toBe(HOUR);
    expect(figures.time_in_market).toBe(0.5);
    expect(figures.maker_share).toBeCloseTo(112 / 409);
    expect(figures.fee_bps).toBeCloseTo((4 / 409) * 10_000);
  });

  test('an open position is counted apart from closed trades', () => {
    const fills = [fill(0, 'buy', 1, 100), fill(1, 'sell', 1, 112), fill(2, 'buy', 1, 100)];
    const { trades, open_trades } = figuresOf(fills);
    expect({ trades, open_trades }).toEqual({ trades: 1, open_trades: 1 });
  });

  test('a ratio without a base is null, never NaN', () => {
    expect(figuresOf([])).toEqual({
      trades: 0,
      open_trades: 0,
      win_rate: null,
      profit_factor: null,
      average_trade: null,
      average_hold_ms: null,
      turnover: 0,
      maker_share: null,
      fee_bps: null,
      sharpe: null,
      sortino: null,
      calmar: null,
      cagr: null,
      volatility: null,
      sharpe_days: 0,
      longest_drawdown_ms: 0,
      time_in_market: 0,
    });
  });

  test('ratios are of the returns of whole UTC days, and of seven at least', () => {
    const DAY = 24 * HOUR;
    // Of 1,000: up by 3 %, down by 1 % of what is there then, hour by hour in equal steps.
    const curveOf = (days: number): TimedValue[] => {
      const curve: TimedValue[] = [[0, 0]];
      for (let day = 0; day < days; day++) {
        const from = curve.at(-1)![1];
        const change = (1_000 + from) * (day % 2 === 0 ? 0.03 : -0.01);
        for (let hour = 1; hour <= 24; hour++) {
          curve.push([day * DAY + hour * HOUR, from + (change * hour) / 24]);
        }
      }
      return curve;
    };
    const figures = figuresOf([], curveOf(8));
    const deviation = Math.sqrt((8 * 0.02 ** 2) / 7);
    expect(figures.sharpe).toBeCloseTo((0.01 / deviation) * Math.sqrt(365), 9);
    expect(figures.sortino).toBeCloseTo((0.01 / Math.sqrt(0.01 ** 2 / 2)) * Math.sqrt(365), 9);
    expect(figures.volatility).toBeCloseTo(deviation * Math.sqrt(365), 9);
    const growth = (1.03 * 0.99) ** (4 * (365 / 8)) - 1;
    expect(figures.cagr! / growth).toBeCloseTo(1, 9);
    expect(figures.calmar! / (growth / 0.01)).toBeCloseTo(1, 9);
    expect(figures.sharpe_days).toBe(8);
    const none = { sharpe: null, sortino: null, calmar: null, cagr: null, volatility: null };
    expect(figuresOf([], curveOf(6))).toMatchObject({ ...none, sharpe_days: 6 });
  });
});

describe('performance', () => {
  const DAY = 24 * HOUR;

  test('a month reported twice is the sum of both', () => {
    const at = (month: number, value: number): TimedValue => [Date.UTC(2025, month, 10), value];
    const [row] = yearRows([at(0, 0), at(1, 5), at(0, 7), at(1, 4)], 100);
    expect(row!.months.slice(0, 3)).toEqual([2, 2, null]);
    expect(row!.total).toBe(4);
  });

  test('a month’s share is of the equity at its beginning, and there is none without equity', () => {
    const at = (month: number, value: number): TimedValue => [Date.UTC(2025, month, 10), value];
    const curve = [at(0, 0), at(1, 50), at(2, 20)];
    const [row] = yearRows(curve, 100);
    expect(row!.shares.slice(0, 4)).toEqual([0, 0.5, -0.2, null]);
    expect(row!.share).toBeCloseTo(0.2, 12);
    expect(yearRows(curve, 0)[0]!.share).toBeNull();
  });

  test('a year’s share is of the equity at its beginning', () => {
    const at = (year: number, value: number): TimedValue => [Date.UTC(year, 5, 10), value];
    const rows = yearRows([at(2024, 0), at(2024, 50), at(2025, 20), at(2026, 80)], 100);
    expect(rows.map(({ share }) => share)).toEqual([0.5, -0.2, 0.5]);
  });

  test('a window of days begins and ends at midnights, without the part of a day at the start', () => {
    const equity: TimedValue[] = Array.from({ length: 33 * 24 }, (_none, hour) => [
      (hour + 6) * HOUR,
      1_000 + (hour % 7),
    ]);
    const sample = sampleReport(60);
    const [startTime, endTime] = [equity[0]![0], equity.at(-1)![0]];
    const totals = { ...sample.totals, start_equity: 1_000, pnl: 0 };
    const { rolling } = reportFigures({ ...sample, startTime, endTime, equity, totals });
    // From 06:00 of the first day to 05:00 of the 34th: the 32 between are whole.
    expect(rolling.times).toEqual([31 * DAY, 32 * DAY, 33 * DAY]);
  });
});

describe('curves', () => {
  const curve: TimedValue[] = [
    [0, 100],
    [1, 120],
    [2, 90],
    [3, 130],
  ];

  test('P&L is zero at the start and ends at what the run earned, wherever its points lie', () => {
    const late: TimedValue[] = [
      [5, 12],
      [8, 20],
    ];
    const pinned = pinEnds(late, { startTime: 2, endTime: 10, pnl: 31 });
    expect(pinned).toEqual([
      [2, 0],
      [5, 12],
      [8, 20],
      [10, 31],
    ]);
    expect(pinEnds([], { startTime: 2, endTime: 10, pnl: 0 })).toEqual([
      [2, 0],
      [10, 0],
    ]);
    // What the last bar was worth stays, unless the run ended with it.
    const atEnd = (value: number): TimedValue[] =>
      pinEnds([[10, value]], { startTime: 2, endTime: 10, pnl: 31 });
    expect([atEnd(25), atEnd(31)]).toEqual([
      [
        [2, 0],
        [10, 25],
        [10, 31],
      ],
      [
        [2, 0],
        [10, 31],
      ],
    ]);
  });

  test('a curve is zero until its first value, and no value is filled backwards', () => {
    const report = sampleReport(600);
    const from = report.startTime + 100 * MINUTE;
    const late: TimedValue[] = [[from, 7]];
    const [first] = report.strategies;
    const page = toPageData({
      ...report,
      strategies: [{ ...first!, equity: late, pnl: 12 }],
      equity: [[from, report.totals.start_equity + 7]],
    });
    for (const { pnl } of page.curves) {
      expect(pnl.slice(0, 100).every((value) => value === 0)).toBe(true);
      expect(pnl.slice(100, 600).every((value) => value === 7)).toBe(true);
    }
    expect(page.curves[1]?.pnl.at(-1)).toBe(12);
    expect(page.curves[0]?.pnl.at(-1)).toBeCloseTo(report.totals.pnl, 3);
  });

  test('drawdown is the fall from the peak so far, and the initial zero counts', () => {
    const falls = (points: TimedValue[]) => toDrawdown(points).map(([, value]) => value);
    expect(falls(curve)).toEqual([0, 0, -30, 0]);
    expect(falls([[0, -5], ...curve])).toEqual([-5, 0, 0, -30, 0]);
  });

  test('a sum counts each curve with its last value', () => {
    const late: TimedValue[] = [
      [2, 5],
      [4, 6],
    ];
    expect(addCurves([curve, late])).toEqual([
      [0, 100],
      [1, 120],
      [2, 95],
      [3, 135],
      [4, 136],
    ]);
  });

  test('samples are equidistant and preserve the lowest trough', () => {
    const grid = timeGrid(0, 10 * MINUTE, 5);
    expect(grid).toEqual({ start: 0, stepMs: 2 * MINUTE, steps: 5 });
    const points: TimedValue[] = [
      [0, 0],
      [3 * MINUTE, -7],
      [4 * MINUTE, -1],
    ];
    const values = (pick: 'last' | 'lowest') => sampleCurve(points, grid, pick);
    expect(values('last')).toEqual([0, 0, -1, -1, -1, -1]);
    expect(values('lowest')).toEqual([0, 0, -7, -1, -1, -1]);
  });

  test('a thinned curve retains every peak and trough, and its last value', () => {
    const random = createRandom(3);
    const points: TimedValue[] = Array.from({ length: 5_000 }, (_none, at) => [
      at * 13_000,
      random.next(),
    ]);
    const grid = timeGrid(0, points.at(-1)![0], 100);
    const thinned = sampleCurve(points, grid, 'extremes');
    expect(thinned).toHaveLength(grid.steps + 1);
    expect(thinned.at(-1)).toBe(points.at(-1)![1]);
    for (let step = 0; step + 1 < grid.steps; step += 2) {
      const from = step === 0 ? -1 : grid.start + (step - 1) * grid.stepMs;
      const until = grid.start + (step + 1) * grid.stepMs;
      const inside = points
        .filter(([time]) => time > from && time <= until)
        .map(([, value]) => value);
      const pair = [thinned[step]!, thinned[step + 1]!].toSorted((a, b) => a - b);
      expect(pair).toEqual([Math.min(...inside), Math.max(...inside)]);
    }
    // Of all of it the highest and the lowest remain, wherever they are.
    for (const at of [1, 2_500, points.length - 30, points.length - 2]) {
      const spiked = points.with(at, [points[at]![0], 9]).with(at - 1, [points[at - 1]![0], -9]);
      for (const steps of [2, 3, 4, 5, 99, 100]) {
        const drawn = sampleCurve(spiked, timeGrid(0, points.at(-1)![0], steps), 'extremes');
        expect([Math.min(...drawn), Math.max(...drawn)]).toEqual([-9, 9]);
        expect(drawn.at(-1)).toBe(points.at(-1)![1]);
      }
    }
    // Two points of one step, and none in the next.
    const apart: TimedValue[] = [
      [0, 0],
      [1 * MINUTE, 5],
      [1.5 * MINUTE, 1],
      [3 * MINUTE, 1],
      [9 * MINUTE, 2],
    ];
    expect(Math.max(...sampleCurve(apart, timeGrid(0, 9 * MINUTE, 5), 'extremes'))).toBe(5);
    // With a point a step there is nothing to choose.
    const few = sampleCurve(points.slice(0, 3), timeGrid(0, 26_000, 2), 'extremes');
    expect(few).toEqual(sampleCurve(points.slice(0, 3), timeGrid(0, 26_000, 2), 'last'));
  });
});

test('candles too many for a chart are drawn in a longer interval, extremes kept', () => {
  const time = Array.from({ length: 30 }, (_, index) => index * MINUTE);
  const close = time.map((_, index) => index + 0.5);
  const candles = {
    interval: '1m' as const,
    time,
    open: time.map((_, index) => index),
    high: time.map((_, index) => index + 2),
    low: time.map((_, index) => index - 2),
    close,
  };
  expect(thinCandles(candles, 30).interval).toBe('1m');
  expect(thinCandles(candles, 6)).toEqual({
    interval: '5m',
    time: [0, 5, 10, 15, 20, 25].map((minute) => minute * MINUTE),
    open: [0, 5, 10, 15, 20, 25],
    high: [6, 11, 16, 21, 26, 31],
    low: [-2, 3, 8, 13, 18, 23],
    close: [4.5, 9.5, 14.5, 19.5, 24.5, 29.5],
  });
});

describe('reasons', () => {
  const refusal = (time: number, strategy: string, reason?: string, outcome = 'denied') => {
    const intent = { time, strategy, outcome, kind: 'place_order', symbol: 'BTC' };
    return reason === undefined ? intent : { ...intent, reason };
  };

  test('are counted by guard or code, most frequent first, with the last one in full', () => {
    const reasons = countReasons([
      refusal(1, 'a', 'malformed: size: expected a number'),
      refusal(2, 'a', 'max_order_notional: 31,000 is above 30,000'),
      refusal(3, 'b', 'max_order_notional: 32,000 is above 30,000'),
      refusal(4, 'b', 'max_order_notional: 33,000 is above 30,000'),
    ]);
    expect(reasons).toEqual([
      {
        outcome: 'denied',
        reason: 'max_order_notional',
        count: 3,
        strategies: [
          { name: 'b', count: 2 },
          { name: 'a', count: 1 },
        ],
        last_time: 4,
        example: 'max_order_notional: 33,000 is above 30,000',
      },
      {
        outcome: 'denied',
        reason: 'malformed',
        count: 1,
        strategies: [{ name: 'a', count: 1 }],
        last_time: 1,
        example: 'malformed: size: expected a number',
      },
    ]);
  });

  test('of other outcomes are separate, and an outcome without a reason counts too', () => {
    const reasons = countReasons([
      refusal(1, 'a', 'margin: too little'),
      refusal(2, 'a', 'margin: too little', 'rejected'),
      refusal(3, 'a', undefined, 'unknown'),
    ]);
    expect(reasons.map(({ outcome, reason, count }) => [outcome, reason, count])).toEqual([
      ['denied', 'margin', 1],
      ['rejected', 'margin', 1],
      ['unknown', undefined, 1],
    ]);
  });
});

describe('the page', () => {
  test('data can neither end its tag nor break a line, and round-trips', () => {
    const value = {
      a: '</script><!--<script>',
      b: 'x\u2028y\u2029z',
      c: 0.1 + 0.2,
      d: 1_735_689_600_123,
    };
    const text = embedJson(value);
    expect(text).not.toMatch(/[<\u2028\u2029]/);
    expect(JSON.parse(text)).toEqual({ ...value, c: 0.3 });
  });

  // The page is long: these look at it by yes and no, so that a failure doesn't print all of it.
  const html = renderReport(sampleReport(600));

  test('references no external resource', () => {
    const [style] = /<style>[^]*?<\/style>/.exec(html) ?? [''];
    expect(/<(?:script|img|iframe)[^>]+src=/.test(html)).toBe(false);
    expect(/<link[^>]+href="(?!data:)/.test(html)).toBe(false);
    expect(style).not.toMatch(/@import|url\(/);
    expect(html.includes("default-src 'none'")).toBe(true);
  });

  test('keeps the charts’ licence notice and link', () => {
    expect(html.includes('TradingView Lightweight Charts™ v5')).toBe(true);
    expect(html.includes('https://www.tradingview.com/')).toBe(true);
  });

  test('a hostile title is escaped', () => {
    const title = '</title><script>alert(1)</script>';
    expect(renderReport({ ...sampleReport(600), title }).includes('<script>alert')).toBe(false);
  });

  test('accepted intents are not among the unaccepted ones', () => {
    const page = toPageData(sampleReport(3_000));
    expect(page.refused.length).toBeGreaterThan(0);
    expect(page.refused.every(({ outcome }) => outcome === 'denied')).toBe(true);
    expect(page.trades.length).toBeGreaterThan(10);
  });

  test('a fill’s fee is a share of its notional: a rebate is negative, and nothing filled has none', () => {
    const report = sampleReport(3_000);
    const fees = [1, 0.123_456_789, -2.5, 0];
    const fills = report.fills.map((one, at) => ({ ...one, fee: fees[at % fees.length]! }));
    const page = toPageData({
      ...report,
      fills: [...fills, { ...fills[0]!, time: report.endTime, size: 0 }],
    });
    expect(page.fills.length).toBe(fills.length + 1);
    expect(page.fills.at(-1)!.fee_rate).toBe(0);
    for (const [at, { fee, price, size }] of fills.entries()) {
      const found = page.fills[at]!;
      expect(Math.abs(found.fee_rate * price * size - fee)).toBeLessThanOrEqual(
        1e-7 * Math.abs(fee),
      );
      expect(found).not.toHaveProperty('fee');
    }
  });

  test('a malformed intent is among the unaccepted ones, with its full reason', () => {
    const report = sampleReport(600);
    const malformed = {
      time: report.startTime,
      strategy: 'trend',
      kind: 'place_order',
      symbol: '',
      outcome: 'denied',
      reason: `malformed: ${'request.size: expected a number; '.repeat(10)}`,
    };
    expect(toPageData({ ...report, intents: [malformed] }).refused).toEqual([malformed]);
  });

  test('gross less fees and funding is the P&L, per strategy and in total', () => {
    const page = toPageData(sampleReport(3_000));
    for (const { gross, fees, funding, pnl } of [...page.strategies, page.totals]) {
      expect(funding).not.toBe(0);
      expect(gross! - fees - funding!).toBeCloseTo(pnl, 9);
    }
    const grosses = page.strategies.map(({ gross }) => gross!);
    expect(grosses.reduce((sum, gross) => sum + gross, 0)).toBeCloseTo(page.totals.gross!, 9);
  });

  test('a run that does not report its funding has no gross', () => {
    const report = sampleReport(600);
    const { funding: _funding, ...totals } = report.totals;
    expect(toPageData({ ...report, totals }).totals.gross).toBe(null);
  });

  test('a run without symbols, strategies or fills has a page too', () => {
    const empty = { ...sampleReport(600), strategies: [], symbols: {}, fills: [], intents: [] };
    expect(renderReport(empty).includes('id="report-data"')).toBe(true);
  });
});
