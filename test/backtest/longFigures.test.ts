import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportFigures } from '../../src/operate/report/figures/index.ts';
import type { ReportData } from '../../src/operate/report/index.ts';
import { runMain } from '../cli/runMain.ts';
import { naiveDrawdowns } from '../operate/naiveFigures.ts';
import { root } from '../sourceFiles.ts';

const BARS = 24_000;
const MINUTE = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'trimtab-long-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Longer than a recorded curve. */
const runs: Record<string, ReportData> = {};
beforeAll(async () => {
  const fund = join(folder, 'fund.csv');
  writeFileSync(fund, `timestamp,funding_rate\n${Date.UTC(2025, 0, 2)},0\n`);
  const strategy = (name: string, symbol: string): string =>
    `  - { name: ${name}, use: ${join(root, 'strategies/breakout.ts')}, symbols: [${symbol}], params: { interval: 1m } }\n`;
  for (const [name, strategies] of [
    ['one', strategy('one', 'BTC')],
    ['several', `${strategy('one', 'BTC')}${strategy('other', 'ETH')}`],
  ] as const) {
    const config = join(folder, `${name}.yaml`);
    writeFileSync(
      config,
      `name: ${name}
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1m, generate: { seed: 5, bars: ${BARS}, start_price: 61000 } }
    - { symbol: ETH, interval: 1m, generate: { seed: 6, bars: ${BARS}, start_price: 3300 } }
  warmup: 60
  balance: 3000
  speed: max
  funding: { BTC: ${fund}, ETH: ${fund} }
strategies:
${strategies}`,
    );
    const json = join(folder, `${name}.json`);
    const { code, err } = await runMain('backtest', config, '--no-report', '--json', json);
    expect(code, err).toBe(0);
    runs[name] = JSON.parse(readFileSync(json, 'utf8')) as ReportData;
  }
}, 120_000);

/** Equity at each close, of fills and prices alone. */
function ledger(data: ReportData): [number, number][] {
  const fills = data.fills.toSorted((a, b) => a.time - b.time);
  const bars = Object.entries(data.symbols);
  const held = new Map<string, number>();
  let cash = data.totals.start_equity;
  let next = 0;
  const curve: [number, number][] = [[data.startTime, cash]];
  const [, first] = bars[0]!;
  for (let at = 0; at < first.time.length; at++) {
    const close = first.time[at]! + MINUTE;
    if (close <= data.startTime) continue;
    for (; next < fills.length && fills[next]!.time <= close; next++) {
      const { symbol, side, size, price, fee } = fills[next]!;
      const signed = side === 'buy' ? size : -size;
      held.set(symbol, (held.get(symbol) ?? 0) + signed);
      cash -= signed * price + fee;
    }
    let equity = cash;
    for (const [symbol, { close: closes }] of bars) {
      const size = held.get(symbol) ?? 0;
      equity += (Math.abs(size) < 1e-9 ? 0 : size) * closes[at]!;
    }
    curve.push([close, equity]);
  }
  return curve;
}

/** Sums of other order differ in their last bits: what is flat must stay flat. */
const rounded = (curve: [number, number][]): [number, number][] =>
  curve.map(([time, value]) => [time, Math.round(value * 1e6) / 1e6]);

test.each(['one', 'several'])(
  'a long run’s extremes and worst drawdowns are those of a second ledger at every close: %s',
  (name) => {
    const data = runs[name]!;
    const { figures, drawdowns } = reportFigures(data);
    const of = (figure: string): number => figures.find((one) => one.name === figure)!.value!;
    const curve = rounded(ledger(data));
    expect(curve.length).toBeGreaterThan(23_000);
    expect(data.equity!.length).toBeLessThan(20_050);
    expect(data.fills.length).toBeGreaterThan(100);
    const values = curve.map(([, value]) => value);
    expect(of('highest_equity')).toBeCloseTo(Math.max(...values), 5);
    expect(of('lowest_equity')).toBeCloseTo(Math.min(...values), 5);
    const expected = naiveDrawdowns(curve);
    expect(drawdowns.map(({ start, valley, end }) => ({ start, valley, end }))).toEqual(
      expected.slice(0, 10).map(({ start, valley, end }) => ({ start, valley, end })),
    );
    expect(drawdowns[0]!.depth).toBeCloseTo(of('max_drawdown'), 12);
    expect(drawdowns[0]!.depth).toBeCloseTo(expected[0]!.depth, 8);
    expect(of('longest_drawdown')).toBe(Math.max(...expected.map(({ days }) => days)));
    const mean = expected.reduce((sum, { depth }) => sum + depth, 0) / expected.length;
    expect(of('average_drawdown')).toBeCloseTo(mean, 5);
    for (const strategy of data.strategies) {
      const own = strategy.equity.map(([, value]) => value);
      let [peak, fall] = [0, 0];
      for (const value of own) fall = Math.max(fall, (peak = Math.max(peak, value)) - value);
      expect(fall).toBeCloseTo(strategy.max_drawdown, 8);
    }
  },
);

test('a run of an older version, thinned without regard to its extremes, has no such figures, and says why', () => {
  const data = structuredClone(runs['one']!);
  delete data.totals.average_drawdown;
  delete data.totals.average_drawdown_ms;
  const { figures, drawdowns } = reportFigures(data);
  expect(drawdowns).toEqual([]);
  for (const name of [
    'lowest_equity',
    'highest_equity',
    'average_drawdown',
    'average_drawdown_length',
  ]) {
    expect(figures.find((one) => one.name === name)).toMatchObject({
      value: null,
      why: 'the version that recorded the run retained only some of its instants; make the backtest again',
    });
  }
  // What covers every instant remains.
  const { max_drawdown_money: fall } = Object.fromEntries(
    figures.map(({ name, value }) => [name, value]),
  );
  expect(fall).toBe(data.totals.max_drawdown);
});
