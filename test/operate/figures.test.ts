import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  definitions,
  formatFigures,
  lots,
  reportFigures,
  type Figure,
} from '../../src/operate/report/figures/index.ts';
import { createRandom } from '../../src/env/index.ts';
import type { ReportData, ReportFill } from '../../src/operate/report/index.ts';
import { roundTrips } from '../../src/operate/report/roundTrips.ts';
import { runMain } from '../cli/runMain.ts';
import { root } from '../sourceFiles.ts';
import { naiveCapacity } from './naiveCapacity.ts';
import {
  naiveDrawdowns,
  naiveEquity,
  naiveFigures,
  naiveTradeFigures,
  naiveTrades,
} from './naiveFigures.ts';
import { naiveTags } from './naiveTags.ts';
import { sampleReport } from './sampleReport.ts';
import { rotated } from '../tiers.ts';

const CLOSE = 1e-9;
const DAY = 86_400_000;
const names = Object.values(definitions).flatMap((group) => group.map(({ name }) => name));

const byName = (figures: readonly Figure[]): Map<string, Figure> =>
  new Map(figures.map((figure) => [figure.name, figure]));

/** Each figure within 1e-9 of another computation: absolute for small ones, else relative. */
function expectEqual(
  found: ReadonlyMap<string, Figure>,
  expected: Record<string, number | null>,
): void {
  for (const [name, other] of Object.entries(expected)) {
    const { value, why } = found.get(name) ?? { value: undefined };
    expect(value, name).not.toBeUndefined();
    if (other === null || value === null || value === undefined) {
      expect(value, `${name}: ${why}`).toBe(other);
      continue;
    }
    const off = Math.abs(value - other) / Math.max(1, Math.abs(other));
    expect(off, `${name}: ${value} and ${other}`).toBeLessThan(CLOSE);
  }
}

let directory: string;
/** Of a seed, and of a real backtest. */
const runs: Record<string, ReportData> = {};
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trimtab-figures-'));
  runs['drawn from a seed'] = sampleReport(34 * 1_440 + 417);
  const config = join(directory, 'bot.yaml');
  await writeFile(
    config,
    `name: measured
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1h, generate: { seed: 5, bars: 3000, start_price: 61000 } }
  warmup: 50
  balance: 3000
strategies:
  - { name: breakout, use: ${join(root, 'strategies/breakout.ts')}, symbols: [BTC], params: { interval: 1h } }
`,
  );
  const json = join(directory, 'run.json');
  const { code } = await runMain('backtest', config, '--no-report', '--json', json);
  expect(code).toBe(0);
  runs['of a backtest'] = JSON.parse(readFileSync(json, 'utf8')) as ReportData;
}, 60_000);
afterAll(() => rm(directory, { recursive: true, force: true }));

describe.each(rotated(['drawn from a seed', 'of a backtest'], 1))('figures %s', (kind) => {
  test.each(['round_trips', 'lots'] as const)(
    'equal a second computation, each of them, with %s',
    (grouping) => {
      const data = { ...runs[kind]!, trade_grouping: grouping };
      const { figures, otherTrades } = reportFigures(data);
      const expected = naiveFigures(data);
      expect(Object.keys(expected).toSorted()).toEqual(names.toSorted());
      expectEqual(byName(figures), expected);
      expect(expected['capacity']).toBeGreaterThan(0);
      const other = naiveTradeFigures(naiveTrades(data, grouping !== 'lots'));
      expectEqual(byName(otherTrades), other);
    },
  );

  test('drawdowns are those between two peaks, the worst ten', () => {
    const data = runs[kind]!;
    const { drawdowns } = reportFigures(data);
    const expected = naiveDrawdowns(naiveEquity(data));
    expect(drawdowns).toHaveLength(Math.min(10, expected.length));
    for (const [at, { start, valley, end, durationMs, depth }] of drawdowns.entries()) {
      const other = expected[at]!;
      expect({ start, valley, end, durationMs }).toEqual({
        start: other.start,
        valley: other.valley,
        end: other.end,
        durationMs: other.days,
      });
      expect(Math.abs(depth - other.depth)).toBeLessThan(CLOSE);
    }
  });

  test('groups of trades add up to all of them', () => {
    const { sides, symbols, strategies, hours, weekdays, figures } = reportFigures(runs[kind]!);
    const found = byName(figures);
    const all = naiveTrades(runs[kind]!, false).filter(({ until }) => until !== null);
    for (const groups of [sides, symbols, strategies, hours, weekdays]) {
      expect(groups.reduce((sum, group) => sum + group.trades, 0)).toBe(all.length);
      const pnl = groups.reduce((sum, group) => sum + group.pnl, 0);
      expect(pnl).toBeCloseTo(found.get('expectancy')!.value! * all.length, 6);
    }
    expect(hours.map(({ key }) => key)).toHaveLength(24);
    for (const { key, trades, won, pnl } of weekdays) {
      const names = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
      const own = all.filter(({ from }) => names[new Date(from).getUTCDay()] === key);
      expect([trades, won]).toEqual([own.length, own.filter((trade) => trade.pnl > 0).length]);
      expect(pnl).toBeCloseTo(
        own.reduce((sum, trade) => sum + trade.pnl, 0),
        6,
      );
    }
  });

  test.each(['round_trips', 'lots'] as const)(
    'by entry tag, exit reason and both equal a second computation, with %s',
    (grouping) => {
      const data = { ...runs[kind]!, trade_grouping: grouping };
      const report = reportFigures(data);
      const tables = naiveTags(data, grouping === 'lots');
      for (const name of ['entry_tags', 'exit_reasons', 'mixed_tags'] as const) {
        const found = report[name];
        const expected = tables[name];
        expect(found.length).toBeGreaterThan(name === 'exit_reasons' ? 1 : 0);
        expect(found.map(({ key }) => key).toSorted()).toEqual([...expected.keys()].toSorted());
        expect(found.map(({ pnl }) => pnl)).toEqual(
          found.map(({ pnl }) => pnl).toSorted((a, b) => b - a),
        );
        for (const { key, ...group } of found) {
          for (const [figure, other] of Object.entries(expected.get(key)!)) {
            const value = group[figure as keyof typeof group]!;
            const off = Math.abs(value - other) / Math.max(1, Math.abs(other));
            expect(off, `${key}.${figure}: ${value} and ${other}`).toBeLessThan(CLOSE);
          }
        }
      }
    },
  );

  test('windows of thirty days, and the distribution of daily returns', () => {
    const data = runs[kind]!;
    const { rolling, distribution, figures } = reportFigures(data);
    const days = byName(figures);
    const count = distribution!.counts.reduce((sum, value) => sum + value, 0);
    expect(rolling.times).toHaveLength(count - 29);
    const last = {
      ...data,
      startTime: rolling.times.at(-1)! - 30 * DAY,
      endTime: rolling.times.at(-1)!,
    };
    const curve = naiveEquity(data);
    const worth = (time: number): number => curve.findLast(([when]) => when <= time)![1];
    const cut = naiveFigures({
      ...last,
      totals: {
        ...data.totals,
        start_equity: worth(last.startTime),
        pnl: worth(last.endTime) - worth(last.startTime),
      },
      equity: curve,
      hourly: curve,
      fills: data.fills.filter(({ time }) => time > last.startTime && time <= last.endTime),
    });
    expect(rolling.sharpe.at(-1)).toBeCloseTo(cut['sharpe']!, 8);
    expect(rolling.volatility.at(-1)).toBeCloseTo(cut['volatility']!, 8);
    const { from, width, counts } = distribution!;
    expect(from).toBeCloseTo(days.get('worst_day')!.value!, 12);
    expect(from + width * counts.length).toBeCloseTo(days.get('best_day')!.value!, 12);
  });
});

describe('a figure that can’t be computed', () => {
  const without = (data: ReportData): Figure[] =>
    reportFigures(data).figures.filter(({ value }) => value === null);

  test('is null and says why, never a number that is none', () => {
    const short = sampleReport(2 * 1_440);
    const idle: ReportData = {
      ...short,
      fills: [],
      symbols: {},
      strategies: short.strategies.map((one) => ({ ...one, equity: [], pnl: 0 })),
      totals: { ...short.totals, pnl: 0 },
    };
    const flat: ReportData = { ...idle, endTime: short.startTime + 20 * DAY };
    const ruined: ReportData = {
      ...sampleReport(20 * 1_440),
      totals: { ...short.totals, start_equity: 0 },
    };
    for (const data of [short, idle, flat, ruined, { ...idle, endTime: idle.startTime }]) {
      const { figures, otherTrades } = reportFigures(data);
      expect(figures.map(({ name }) => name)).toEqual(names);
      for (const { name, value, why } of [...figures, ...otherTrades]) {
        if (value === null) expect(why, name).toMatch(/\w/);
        else expect(Number.isFinite(value), name).toBe(true);
      }
    }
    const reasons = (data: ReportData) =>
      Object.fromEntries(without(data).map(({ name, why }) => [name, why]));
    expect(reasons(short)).toMatchObject({
      sharpe: 'needs 7 whole UTC days, and the run has 2',
      beta: 'needs 7 whole UTC days, and the run has 2',
    });
    expect(reasons(flat)).toMatchObject({
      sharpe: 'the returns do not vary',
      sortino: 'no day was lost',
      beta: 'the run has no bars to compare it with',
      win_rate: 'no trade was closed',
    });
    expect(reasons(ruined)).toMatchObject({
      sharpe: 'the equity was zero or less when a day began',
      total_return: 'the run began without equity',
    });
  });
});

describe('lots', () => {
  const fill = (time: number, side: 'buy' | 'sell', price: number, size = 1) => ({
    time,
    side,
    price,
    size,
    symbol: 'BTC',
    strategy: 'grid',
    fee: 0,
    liquidity: 'maker' as const,
  });

  test('equal a second computation over any fills, and together what their round trips earned', () => {
    const random = createRandom(17);
    const rest = sampleReport(60);
    for (let course = 0; course < 100; course++) {
      const fills = Array.from({ length: course % 25 }, (_none, at) =>
        fill(
          at,
          random.next() < 0.5 ? 'buy' : 'sell',
          100 + Math.floor(random.next() * 20),
          1 + Math.floor(random.next() * 4),
        ),
      );
      const found = lots(fills);
      const expected = naiveTrades({ ...rest, fills }, true);
      const rows = found.map((lot) => [lot.entry_time, lot.exit_time, lot.size, lot.pnl].join());
      const others = expected.map((lot) => [lot.from, lot.until, lot.size, lot.pnl].join());
      expect(rows.toSorted()).toEqual(others.toSorted());
      const trips = roundTrips(fills).roundTrips.filter(({ exit_time: exit }) => exit !== null);
      for (const trip of trips) {
        const inside = found.filter(
          (lot) =>
            lot.exit_time !== null &&
            lot.exit_time <= trip.exit_time! &&
            lot.side === trip.side &&
            lot.entry_time >= trip.entry_time,
        );
        expect(inside.reduce((sum, lot) => sum + lot.pnl, 0)).toBeCloseTo(trip.pnl, 9);
      }
    }
  });

  test('a grid that never is flat has a trade for each fill that closes', () => {
    const { endTime, ...rest } = sampleReport(1_440);
    const fills = [fill(0, 'buy', 100)];
    for (let step = 1; step <= 30; step++) {
      fills.push(fill(step * 2, 'buy', 100 - (step % 3)), fill(step * 2 + 1, 'sell', 101));
    }
    const data: ReportData = { ...rest, endTime, fills, trade_grouping: 'lots' };
    const found = byName(reportFigures(data).figures);
    const other = byName(reportFigures(data).otherTrades);
    expect(found.get('trades')!.value).toBe(30);
    expect(found.get('open_trades')!.value).toBe(1);
    expect(other.get('trades')!.value).toBe(0);
  });
});

describe('trades by what opened and closed them', () => {
  test('of a backtest name its intents and its legs', () => {
    const { entry_tags: entries, exit_reasons: exits } = reportFigures(runs['of a backtest']!);
    expect(entries.map(({ key }) => key)).toEqual(['place_order']);
    expect(exits.map(({ key }) => key)).toEqual(['take profit', 'stop loss']);
  });

  const DAYS = 40;
  const fill = (
    time: number,
    side: 'buy' | 'sell',
    price: number,
    origin: Partial<ReportFill> = {},
  ): ReportFill => ({
    time: time * 60_000,
    side,
    price,
    size: 1,
    fee: 0,
    symbol: 'BTC',
    strategy: 's',
    liquidity: 'taker',
    ...origin,
  });
  const signal = (tag: string) => ({ cause: 'signal', tag });
  const of = (fills: ReportFill[]): ReportData => {
    const data = sampleReport(60);
    const totals = { ...data.totals, start_equity: 1_000 };
    return { ...data, endTime: data.startTime + DAYS * DAY, totals, fills };
  };
  /** Two of pullback: +10 % in 10 minutes by a target, −5 % in 20 by a stop. One of breakout: even, in 30, by a signal. */
  const fills = [
    fill(0, 'buy', 100, signal('pullback')),
    fill(10, 'sell', 110, { cause: 'take profit' }),
    fill(20, 'buy', 200, signal('pullback')),
    fill(40, 'sell', 190, { cause: 'trailing stop' }),
    fill(50, 'sell', 100, signal('breakout')),
    fill(80, 'buy', 100, signal('exit')),
    fill(90, 'buy', 100, signal('pullback')),
  ];

  test('have the figures of freqtrade’s tables', () => {
    const { entry_tags: entries, exit_reasons: exits, mixed_tags: both } = reportFigures(of(fills));
    expect(entries).toMatchObject([
      { key: 'pullback', trades: 2, won: 1, drawn: 0, lost: 1, win_rate: 0.5, pnl: 0 },
      { key: 'breakout', trades: 1, won: 0, drawn: 1, lost: 0, win_rate: 0, pnl: 0 },
    ]);
    expect(entries[0]!.average_return).toBeCloseTo((0.1 - 0.05) / 2, 12);
    expect(entries[0]!.average_hold_ms).toBe(15 * 60_000);
    expect(exits).toMatchObject([
      { key: 'take profit', trades: 1, pnl: 10, pnl_share: 0.01, win_rate: 1 },
      { key: 'signal: exit', trades: 1, pnl: 0, pnl_share: 0, win_rate: 0 },
      { key: 'trailing stop', trades: 1, pnl: -10, pnl_share: -0.01, win_rate: 0 },
    ]);
    expect(both.map(({ key }) => key)).toEqual([
      'pullback → take profit',
      'breakout → signal: exit',
      'pullback → trailing stop',
    ]);
  });

  test('the terminal has the tables, each with its total', () => {
    const text = formatFigures([{ name: 'run', data: of(fills) }]);
    const cells = (line: string) => line.trim().split(/ {2,}/);
    const lines = text.split('\n').map(cells);
    expect(lines).toContainEqual([
      'pullback',
      '2',
      '2.50',
      '0.00',
      '0.00',
      '15 min 0 s',
      '1',
      '0',
      '1',
      '50.00',
    ]);
    expect(lines.filter(([name]) => name === 'total')).toEqual(
      Array.from({ length: 3 }, () => [
        'total',
        '3',
        '1.67',
        '0.00',
        '0.00',
        '20 min 0 s',
        '1',
        '1',
        '1',
        '33.33',
      ]),
    );
    expect(text).toContain('BY ENTRY TAG');
  });

  test('a flip closes one trade and opens the next, both by its own tag', () => {
    const flip = { ...fill(5, 'sell', 110, signal('turn')), size: 2 };
    const data = of([fill(0, 'buy', 100, signal('up')), flip, fill(9, 'buy', 100, signal('end'))]);
    expect(reportFigures(data).mixed_tags.map(({ key }) => key)).toEqual([
      'up → signal: turn',
      'turn → signal: end',
    ]);
  });

  test('a run that does not report what made its fills has no such tables', () => {
    const plain = fills.map(({ cause: _cause, tag: _tag, ...rest }) => rest);
    const data = of(plain);
    const { entry_tags: entries, exit_reasons: exits, mixed_tags: both } = reportFigures(data);
    expect([entries, exits, both]).toEqual([[], [], []]);
    expect(formatFigures([{ name: 'run', data }])).not.toContain('BY ENTRY TAG');
  });
});

describe('the capacity of a strategy', () => {
  const MINUTE = 60_000;
  const flat = (minutes: number, volume: number[] | number = 1_000): ReportData => {
    const data = sampleReport(60);
    const bars = Array.from({ length: minutes }, (_none, at) => at);
    const prices = bars.map(() => 100);
    const volumes = Array.isArray(volume) ? volume : bars.map(() => volume);
    return {
      ...data,
      startTime: 0,
      endTime: minutes * MINUTE,
      strategies: [],
      equity: [],
      hourly: [],
      symbols: {
        BTC: {
          interval: '1m',
          time: bars.map((bar) => bar * MINUTE),
          open: prices,
          high: prices,
          low: prices,
          close: prices,
          volume: volumes,
        },
      },
      totals: { ...data.totals, start_equity: 10_000, pnl: 0 },
      fills: [
        {
          time: 10 * MINUTE,
          side: 'buy',
          price: 100,
          size: 1,
          symbol: 'BTC',
          fee: 0,
          strategy: 's',
          liquidity: 'taker',
        },
      ],
    };
  };

  test('is a fifth of what a market of minutes trades after a fill, over the part in it', () => {
    // 100,000 a minute, then 200,000 for each two: 6 million are 30 minutes, so that the bars that end at minute 10 to 40
    // count. After two of the three days all that was sold is of this market; at the end nothing was sold since, and a
    // hundredth of the equity is held.
    const first = (31 * 100_000 * 0.2) / 1 / 1;
    const second = 0.33 * ((31 * 100_000 * 0.2) / 1 / (100 / 10_000)) + 0.66 * first;
    const { capacity, figures } = reportFigures(flat(3 * 1_440));
    expect(capacity.course.map(({ time }) => time)).toEqual([2 * DAY, 3 * DAY]);
    expect(capacity.course[0]!.value).toBeCloseTo(620_000, 6);
    expect(first).toBeCloseTo(620_000, 6);
    expect(capacity.value).toBeCloseTo(second, 4);
    expect(second).toBeCloseTo(20_869_200, 4);
    expect(byName(figures).get('capacity')).toMatchObject({ note: 'bounded by BTC' });
  });

  test('is empty without fills, and without volumes', () => {
    const nothing = { ...flat(1_440), fills: [] };
    const why = 'nothing was filled, or the bars have no volume';
    for (const data of [nothing, flat(1_440, 0)]) {
      const { capacity, figures } = reportFigures(data);
      expect(capacity).toEqual({ value: null, symbol: null, course: [] });
      expect(byName(figures).get('capacity')).toMatchObject({ value: null, why });
    }
  });

  test('a market is forgotten a month after its last fill, and begins anew', () => {
    const year = flat(100 * 1_440);
    const [fill] = year.fills;
    const at = (day: number, side: 'buy' | 'sell') => ({ ...fill!, time: day * DAY, side });
    const fills = [at(1, 'buy'), at(2, 'sell'), at(60, 'buy'), at(61, 'sell')];
    const data = { ...year, fills };
    const { capacity } = reportFigures(data);
    expect(capacity.value).toBeCloseTo(naiveCapacity(data)!, 6);
    const days = capacity.course.map(({ time }) => time / DAY);
    // Day 35 still remembers day 2, day 42 does not; nothing is estimated until day 60.
    expect(days.filter((day) => day < 60)).toEqual([7, 14, 21, 28, 35]);
    expect(days.find((day) => day > 35)).toBeGreaterThanOrEqual(60);
  });
});

test('the page that compares reports names only figures that exist, and no figure is left out', () => {
  const page = readFileSync(join(root, 'docs/how-to/read-a-report.md'), 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2);
  const others = ['calendar', 'drawdowns', 'sides', 'symbols', 'strategies', 'weekdays', 'hours'];
  others.push('entry_tags', 'exit_reasons', 'mixed_tags', 'tag', 'ref');
  const parts = ['--trades', 'about', 'check', 'hash'];
  expect(rows.length).toBeGreaterThan(30);
  const found = rows.flatMap((row) => {
    const own = row.split('|').at(-2)!;
    expect(own.trim(), row).not.toBe('');
    return [...own.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
  });
  for (const name of found) expect([...names, ...others, ...parts]).toContain(name);
  expect(names.filter((name) => !found.includes(name))).toEqual([]);
});
