import type { ReportData } from '../../src/operate/report/index.ts';
import { noFigures, sampleReport } from '../operate/sampleReport.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;

/** The same run, so many times as slow: what was a bar of a minute is one of an hour. */
function slower(data: ReportData, factor: number): ReportData {
  const from = data.startTime;
  const move = <T>(value: T, key = ''): T => {
    if (typeof value === 'number' && /time|Time|closes|equity|hourly|curve/.test(key))
      return (from + (value - from) * factor) as T;
    if (key === 'equity' || key === 'hourly')
      return (value as [number, number][]).map(([time, amount]) => [
        move(time, 'time'),
        amount,
      ]) as T;
    if (/^times?$/.test(key) && typeof value === 'object')
      return Array.from(value as ArrayLike<number>, (time) => move(time, 'time')) as T;
    if (Array.isArray(value)) return value.map((one) => move(one)) as T;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, held]) => [
        name,
        name === 'interval' ? '1h' : move(held, name),
      ]),
    ) as T;
  };
  return move(data);
}

/** Reports of many shapes, each from the same drawn run. */
export function reportVariants(): Readonly<Record<string, ReportData>> {
  const sample = sampleReport(2_000);
  const from = sample.startTime;
  const hourly = slower(sample, 60);
  const [first] = sample.strategies;
  const bare: ReportData = {
    ...sample,
    strategies: [{ ...first!, ...noFigures(), equity: [] }],
    symbols: {},
    fills: [],
    executions: [],
    intents: [],
    plots: [],
    levels: [],
    delays: [],
    totals: { ...noFigures(), start_equity: 0, end_equity: 0, rate_limited: 0 },
    assumptions: [],
    hash: '',
  };
  const {
    budget: _budget,
    delays: _delays,
    executions: _executions,
    plots: _plots,
    levels: _levels,
    ...least
  } = sample;
  return {
    sample,
    hourly,
    'hourly, in lots': { ...hourly, trade_grouping: 'lots' },
    bare,
    least: { ...least, fills: sample.fills.slice(0, 1), symbols: { BTC: sample.symbols['BTC']! } },
    lost: {
      ...sample,
      title: 'a <b>&"title"',
      strategies: sample.strategies.map((one) => ({
        ...one,
        pnl: -one.pnl - 80_000,
        equity: one.equity.map(([time, value]) => [time, value - 30_000]),
      })),
      totals: {
        ...sample.totals,
        end_equity: -500,
        pnl: -75_500,
        rate_limited: 12,
        average_drawdown: 0.2,
        average_drawdown_ms: 3 * DAY,
      },
      liquidations: [
        { time: from + 70 * MINUTE, wallet: 'second', symbol: 'BTC' },
        { time: from + 90 * MINUTE, wallet: 'main', symbol: 'ETH' },
      ],
      lives: [
        {
          time: from + 5 * MINUTE,
          strategy: 'trend',
          state: 'quarantined',
          reason: 'it threw: <i>no</i>',
        },
        {
          time: from + 9 * MINUTE,
          strategy: 'trend',
          state: 'restarted',
          reason: 'attempt 1 of 3',
        },
      ],
      intents: sample.intents.map((intent, at) =>
        at % 4 === 0
          ? {
              ...intent,
              outcome: ['denied', 'rejected', 'unknown', 'expired'][(at / 4) % 4]!,
              reason: `reason ${at % 3}: ${'why '.repeat(at % 40)}`,
            }
          : intent,
      ),
    },
    everything: {
      ...hourly,
      hourly: hourly.strategies[0]!.equity,
      benchmark: {
        name: 'an index',
        closes: Array.from(
          { length: 90 },
          (_none, at) => [from + at * DAY, 100 + Math.sin(at / 5) * 10] as const,
        ),
      },
      about: {
        version: '0.0.0',
        node: '24.0.0',
        seed: 7,
        strategies: [
          { name: 'trend', plugin: './trend.ts', params: { fast: 3, deep: { a: [1, 'x'] } } },
        ],
        feeds: [
          {
            symbol: 'BTC',
            interval: '1h',
            bars: 2_000,
            from,
            until: from + 2_000 * 60 * MINUTE,
            sha256: 'ab'.repeat(32),
          },
        ],
      },
      check: {
        runs: 15,
        findings: [
          { check: 'look_ahead', time: from, strategy: 'trend', words: ['It looks', 'ahead.'] },
        ],
        notes: ['It reads a file.'],
      },
      profile: {
        totalMs: 900,
        stations: [
          { name: 'streams', ms: 300 },
          { name: 'strategy trend', ms: 500 },
          { name: 'rest', ms: 0.4 },
        ],
        lines: [{ name: 'trend.ts:12', ms: 200 }],
        spans: [
          { bars: '1', count: 3 },
          { bars: '2-9', count: 40 },
        ],
        walk: ['step by step: a timer'],
      },
      shadows: [
        {
          strategy: 'trend',
          plugin: './next.ts',
          state: 'running',
          reason: null,
          same: 4,
          parted: 2,
          pnl: 10,
          live_pnl: -3,
          curve: Array.from({ length: 50 }, (_none, at) => [from + at * DAY, at, -at] as const),
          partings: [
            {
              time: from + DAY,
              cause: 'bar:BTC:1h:1',
              live: 'buy 1',
              shadow: 'nothing',
              differs: 'one is missing',
            },
          ],
        },
        {
          strategy: 'breakout',
          plugin: './other.ts',
          state: 'ended',
          reason: 'it threw',
          same: 0,
          parted: 0,
          pnl: 0,
          live_pnl: 0,
          curve: [],
          partings: [],
        },
      ],
      delays: [
        { cause: 'budget (entry)', count: 3 },
        { cause: 'clock', count: 1 },
      ],
      totals: {
        ...hourly.totals,
        uncovered: { total_seconds: 0, longest_seconds: 0 },
        max_drawdown_peak_time: from + DAY,
        max_drawdown_trough_time: from + 3 * DAY,
        longest_drawdown_ms: 9 * DAY,
      },
    },
  };
}
