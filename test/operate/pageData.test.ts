import { describe, expect, test } from 'vitest';
import type { MeasuredTrade } from '../../src/operate/report/figures/index.ts';
import type { ReportData } from '../../src/operate/report/ReportData.ts';
import { toPageData } from '../../src/operate/report/toPageData.ts';
import { toDots } from '../../src/operate/report/toPageFigures.ts';
import { sampleReport } from './sampleReport.ts';

const HOUR = 3_600_000;

describe('a strategy on the page', () => {
  const sample = sampleReport(3_000);
  const report: ReportData = {
    ...sample,
    totals: { ...sample.totals, longest_drawdown_ms: 40 * HOUR },
    strategies: sample.strategies.map((one, at) => ({
      ...one,
      longest_drawdown_ms: (at + 1) * HOUR,
    })),
  };
  const page = toPageData(report);

  test.each(report.strategies.map(({ name }, at) => [name, at] as const))(
    'has the figures of %s alone, as if it were all of the run',
    (name, at) => {
      const own = report.strategies[at]!;
      const isOwn = ({ strategy }: { strategy: string }): boolean => strategy === name;
      const { equity: _equity, hourly: _hourly, ...figures } = own;
      const alone = toPageData({
        ...report,
        strategies: [own],
        fills: report.fills.filter(isOwn),
        intents: report.intents.filter(isOwn),
        executions: report.executions!.filter(isOwn),
        totals: { ...report.totals, ...figures },
      });
      expect(page.strategies[at]!.trades).toBeGreaterThan(5);
      expect(alone.totals).toMatchObject(page.strategies[at]!);
      expect(page.curves[at + 1]).toEqual(alone.curves[1]);
      expect(page.strategies[at]!.longest_drawdown_ms).toBe((at + 1) * HOUR);
    },
  );
});

test('of very many refused intents the first are listed, and all are counted', () => {
  const report = sampleReport(300);
  const { startTime } = report;
  const intents = Array.from({ length: 10_050 }, (_none, at) => ({
    time: startTime + 10_050 - at,
    strategy: 'trend',
    kind: 'launch',
    symbol: 'ETH',
    outcome: 'denied' as const,
    reason: 'max_order_notional: 31,020 is above 30,000',
  }));
  const page = toPageData({ ...report, intents });
  expect([page.refused.length, page.refusedCount]).toEqual([10_000, 10_050]);
  expect(page.refused[0]!.time).toBe(startTime + 1);
  expect(page.reasons).toMatchObject([{ count: 10_050, last_time: startTime + 10_050 }]);
});

test('a fall that is over before the next instant of the grid is in the drawdown', () => {
  const report = sampleReport(20_000);
  const { startTime, endTime } = report;
  const start = report.totals.start_equity;
  // One step of the grid is several minutes long.
  const at = startTime + 7_001 * 60_000;
  const page = toPageData({
    ...report,
    strategies: report.strategies.map((one) => ({
      ...one,
      pnl: 0,
      equity: [
        [at, -50],
        [at + 1, 0],
      ],
    })),
    totals: { ...report.totals, pnl: 0 },
    equity: [
      [startTime, start],
      [at, start - 90],
      [at + 1, start],
      [endTime, start],
    ],
  });
  expect(page.grid.stepMs).toBeGreaterThan(4 * 60_000);
  const lowest = page.curves.map(({ drawdown }) => Math.min(...drawdown));
  expect(lowest).toEqual([-90, -50, -50, -50]);
});

describe('the trades that are drawn as dots', () => {
  const tradeOf = (at: number, more: Partial<MeasuredTrade> = {}): MeasuredTrade =>
    ({
      entry_time: at * 1_000,
      exit_time: at * 1_000 + 500,
      pnl: 1 + (at % 7) / 10,
      mae: -0.01,
      mfe: 0.01,
      ...more,
    }) as MeasuredTrade;

  test('are all that were closed, up to three thousand', () => {
    const trades = Array.from({ length: 3_400 }, (_none, at) =>
      tradeOf(at, at % 17 === 0 ? { exit_time: null } : {}),
    );
    const closed = trades.flatMap(({ exit_time: exit }, at) => (exit === null ? [] : [at]));
    expect(closed.length).toBeGreaterThan(3_000);
    expect(toDots(trades.slice(0, 3_000))).toEqual(closed.filter((at) => at < 3_000));
    expect(toDots(trades).filter((at) => !closed.includes(at))).toEqual([]);
  });

  test('of more are spread over all, with those that stick out', () => {
    const count = 20_000;
    const odd = new Map<number, Partial<MeasuredTrade>>([
      [7_777, { pnl: -500 }],
      [8_888, { pnl: 500 }],
      [9_191, { exit_time: 9_191_000 + 5e6 }],
      [1_313, { mae: -0.6 }],
      [15_151, { mfe: 0.7 }],
    ]);
    const dots = toDots(Array.from({ length: count }, (_none, at) => tradeOf(at, odd.get(at))));
    expect(dots.length).toBeLessThanOrEqual(3_000);
    for (const at of odd.keys()) expect(dots, String(at)).toContain(at);
    expect(dots).toEqual(dots.toSorted((one, other) => one - other));
    const gaps = dots.slice(1).map((at, place) => at - dots[place]!);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(Math.ceil(count / 1_800));
  });
});
