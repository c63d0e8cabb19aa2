/** How far a price went while a trade was open, and what follows from the order of exits, a second time. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRange } from '../../src/operate/report/figures/createRange.ts';
import { reportFigures } from '../../src/operate/report/figures/index.ts';
import { isCurveThinned } from '../../src/operate/report/figures/isCurveThinned.ts';
import { measureTrades } from '../../src/operate/report/figures/measureTrades.ts';
import { returnSince } from '../../src/operate/report/figures/returnSince.ts';
import { compareRuns, figuresCsv } from '../../src/operate/report/index.ts';
import { formatFigures } from '../../src/operate/report/figures/index.ts';
import type { ReportData, ReportFill } from '../../src/operate/report/ReportData.ts';
import type { RoundTrip } from '../../src/operate/report/roundTrips.ts';
import { holdLaw, Tried } from '../holdLaw.ts';
import { sampleReport } from './sampleReport.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = 1_000 * HOUR;

test('the range of any stretch is that of its values, wherever its blocks begin', async () => {
  const place = fc.oneof(
    fc.nat(1_099),
    fc.constantFrom(0, 255, 256, 257, 511, 512, 767, 768, 1_024),
  );
  const drawn = fc.record({
    length: fc.integer({ min: 0, max: 1_100 }),
    spikes: fc.array(fc.tuple(place, fc.integer({ min: -9, max: 9 })), { maxLength: 12 }),
    ends: fc.array(fc.tuple(fc.nat(1_100), fc.nat(1_100)), { minLength: 20, maxLength: 20 }),
  });
  await holdLaw(100, drawn, ({ length, spikes, ends }) => {
    const lows = Array.from({ length }, () => 0);
    for (const [at, value] of spikes) if (at < length) lows[at] = value;
    const highs = lows.map((low) => low + 0.5);
    const { of } = createRange(lows, highs);
    // At each spike a stretch begins, or ends, or passes it by.
    const near = spikes.flatMap(([at]) => [
      [at, at + 1],
      [at, at + 600],
      [at + 1, at + 600],
      [at - 600, at],
      [at - 600, at + 1],
    ]);
    for (const [one, other] of [...ends, ...near] as Array<[number, number]>) {
      const [from, until] = [Math.min(one, other), Math.max(one, other)].map((each) =>
        Math.max(0, Math.min(length, each)),
      ) as [number, number];
      expect(of(from, until)).toEqual({
        low: Math.min(...lows.slice(from, until)),
        high: Math.max(...highs.slice(from, until)),
      });
    }
  });
});

test('an excursion is over the bars that a trade was open for whole, and its exit', async () => {
  const BARS = 12;
  const tried = new Tried();
  const minute = fc.integer({ min: 0, max: 5 * BARS });
  const drawn = fc.record({
    bars: fc.array(fc.tuple(fc.integer({ min: 80, max: 100 }), fc.nat(20)), {
      minLength: BARS,
      maxLength: BARS,
    }),
    entry: minute,
    exit: fc.option(minute, { freq: 4 }),
    side: fc.constantFrom('long' as const, 'short' as const),
    prices: fc.tuple(fc.integer({ min: 70, max: 130 }), fc.integer({ min: 70, max: 130 })),
  });
  await holdLaw(500, drawn, ({ bars, entry, exit, side, prices: [paid, got] }) => {
    const [from, until] =
      exit === null ? [entry, null] : [Math.min(entry, exit), Math.max(entry, exit)];
    const time = bars.map((_bar, at) => START + at * 5 * MINUTE);
    const [low, high] = [bars.map(([each]) => each), bars.map(([each, more]) => each + more)];
    const candles = { interval: '5m', time, low, high } as never;
    const endTime = START + 5 * BARS * MINUTE;
    const trade = {
      symbol: 'BTC',
      side,
      entry_time: START + from * MINUTE,
      exit_time: until === null ? null : START + until * MINUTE,
      entry_price: paid,
      exit_price: until === null ? null : got,
      size: 2,
      pnl: 3,
    } as RoundTrip;
    const [found] = measureTrades([trade], { symbols: { BTC: candles }, endTime });
    const whole = bars.filter((_bar, at) => at * 5 >= from && (at + 1) * 5 <= (until ?? 5 * BARS));
    const seen = [
      ...whole.flatMap(([each, more]) => [each, each + more]),
      until === null ? paid : got,
    ];
    const gains = seen.map((price) => (side === 'long' ? price / paid - 1 : 1 - price / paid));
    tried.take(side, whole.length === 0 ? 'within a bar' : 'over bars');
    expect(found!.mae).toBeCloseTo(Math.min(0, ...gains), 12);
    expect(found!.mfe).toBeCloseTo(Math.max(0, ...gains), 12);
    expect(found!.return).toBeCloseTo(3 / (2 * paid), 12);
  });
  expect(tried.rare(['long', 'short', 'within a bar', 'over bars'], 20)).toEqual([]);
});

describe('a report', () => {
  const sample = sampleReport(600);
  /** A position of each symbol at once: what was opened first is closed last. */
  const fill = (
    minute: number,
    symbol: string,
    side: 'buy' | 'sell',
    price: number,
  ): ReportFill => ({
    time: sample.startTime + minute * MINUTE,
    symbol,
    side,
    price,
    size: 1,
    fee: 0,
    strategy: 'trend',
    liquidity: 'taker',
  });
  const valuesOf = (data: ReportData) =>
    Object.fromEntries(reportFigures(data).figures.map(({ name, value }) => [name, value]));

  test('counts what was won in a row in the order of exits', () => {
    // By their entries: won, won, won, lost. By their exits: won, lost, won, won.
    const fills = [
      fill(1, 'A', 'buy', 10),
      fill(2, 'B', 'buy', 10),
      fill(3, 'C', 'buy', 10),
      fill(4, 'D', 'buy', 10),
      fill(5, 'C', 'sell', 11),
      fill(6, 'D', 'sell', 9),
      fill(7, 'B', 'sell', 11),
      fill(8, 'A', 'sell', 11),
    ];
    expect(valuesOf({ ...sample, fills })).toMatchObject({ won_in_a_row: 2, lost_in_a_row: 1 });
  });

  test('has the averages of all drawdowns that the run measured, not of those that its curve shows', () => {
    const totals = { ...sample.totals, average_drawdown: 0.0123, average_drawdown_ms: 4_567_000 };
    expect(valuesOf({ ...sample, totals })).toMatchObject({
      average_drawdown: 0.0123,
      average_drawdown_length: 4_567_000,
    });
  });

  test('of a long run knows the extremes of its curve, unless an older version thinned it', () => {
    const long = sampleReport(30_000);
    const { startTime } = long;
    const equity = Array.from(
      { length: 12_000 },
      (_none, at) => [startTime + at * 2 * MINUTE, 75_000 + (at % 50)] as const,
    );
    const old = { ...long, equity, totals: { ...long.totals, pnl: 7 } };
    const today = { ...old, totals: { ...old.totals, average_drawdown: 0.01 } };
    expect([isCurveThinned(old), isCurveThinned(today)]).toEqual([true, false]);
    const lowest = (data: ReportData) =>
      reportFigures(data).figures.find(({ name }) => name === 'lowest_equity')!;
    expect(lowest(today)).toMatchObject({ value: 75_000 });
    expect(lowest(old).why).toContain('retained only some of its instants');
  });

  test('that ends at midnight of the first ends with the month and the year before', () => {
    const day = (text: string): number => Date.parse(text);
    const equity = [
      [day('2023-12-31'), 50],
      [day('2024-01-01'), 100],
      [day('2024-12-01'), 200],
      [day('2025-01-01'), 250],
    ] as const;
    expect(returnSince(equity, 'm', 0)).toBeCloseTo(0.25, 12);
    expect(returnSince(equity, 'y', 0)).toBeCloseTo(1.5, 12);
    const later = [...equity, [day('2025-01-01') + HOUR, 300]] as const;
    expect(returnSince(later, 'm', 0)).toBeCloseTo(0.2, 12);
    expect(returnSince(later, 'y', 0)).toBeCloseTo(0.2, 12);
  });

  test.each([
    ['round_trips', 'trades_as_lots'],
    ['lots', 'trades_as_round_trips'],
  ] as const)('with %s has the figures %s beside them in its CSV', (grouping, other) => {
    const data: ReportData = { ...sampleReport(3_000), trade_grouping: grouping };
    const { figures, otherTrades } = reportFigures(data);
    const text = figuresCsv([{ name: 'run', data }]);
    const countOf = (all: typeof figures) => all.find(({ name }) => name === 'trades')!.value;
    expect(text).toContain(`\nrun,trades,trades,${countOf(figures)},count,\n`);
    expect(text).toContain(`\nrun,${other},trades,${countOf(otherTrades)},count,\n`);
  });

  test('beside others has its P&L over the capital that it began with', () => {
    const totals = { ...sample.totals, start_equity: 2_000, pnl: 500, end_equity: 2_500 };
    const runs = [totals, { ...totals, start_equity: 0 }].map((each, at) => ({
      name: `run ${at}`,
      data: { ...sample, totals: each },
    }));
    const { rows } = compareRuns(runs);
    expect(rows.find(([label]) => label === 'of the capital')).toEqual([
      'of the capital',
      '25.00 %',
      '–',
    ]);
  });

  test('beside another one has no reasons, which may not be those of both', () => {
    const [one, other] = [sample, { ...sample, fills: [] }];
    const alone = formatFigures([{ name: 'one', data: other }]);
    expect(alone).toContain('no trade was closed');
    const both = formatFigures([
      { name: 'one', data: other },
      { name: 'two', data: one },
    ]);
    expect(both).not.toContain('no trade was closed');
    expect(both).toMatch(/^ {2}Won +– +\d/m);
  });
});
