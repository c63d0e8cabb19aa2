import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect } from 'vitest';
import { floatsOf } from '../../backtest/sweep/results/pointRow.ts';
import type { ReportData } from '../../src/operate/report/index.ts';
import { runMain } from '../cli/runMain.ts';
import { root } from '../sourceFiles.ts';
import { naiveRatios } from '../statistics/naiveRatios.ts';
import { inTurn } from '../inTurn.ts';

const it = inTurn(3);

const DAYS = 45;
const DAY = 86_400_000;
let directory: string;
let config: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trimtab-ratios-'));
  config = join(directory, 'bot.yaml');
  await writeFile(
    config,
    `name: rated
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: 1h, generate: { seed: 11, bars: ${DAYS * 24}, start_price: 61000 } }
  warmup: 50
  balance: 3000
strategies:
  - { name: breakout, use: ${join(root, 'strategies/breakout.ts')}, symbols: [BTC], params: { interval: 1h } }
`,
  );
});
afterAll(() => rm(directory, { recursive: true, force: true }));

type Figures = Record<'sharpe' | 'sortino' | 'calmar' | 'cagr' | 'volatility', number> & {
  sharpe_days: number;
  ratios_of: string;
};

async function backtest(...argv: string[]) {
  const json = join(directory, 'run.json');
  const { code } = await runMain('backtest', config, '--no-report', '--json', json, ...argv);
  expect(code).toBe(0);
  return JSON.parse(await readFile(json, 'utf8')) as ReportData & { figures: Figures };
}

const sweep = (out: string, param: string, ...argv: string[]) =>
  runMain('sweep', config, '--threads', '1', '--param', param, '--out', out, ...argv);

/** Computed from the recorded curve by independent definitions. */
function naiveOf({ hourly, startTime, endTime, totals }: ReportData) {
  const { start_equity: capital } = totals;
  const within = hourly!
    .filter(([time]) => time > startTime && time < endTime)
    .map(([time, equity]) => [time, equity - capital] as const);
  return naiveRatios([[startTime, 0], ...within, [endTime, totals.pnl]], capital);
}

const CLOSE = 1e-9;

it('ratios of report, sweep and comparison are of daily returns, annualised with √365', async () => {
  const data = await backtest();
  const expected = naiveOf(data);
  const { figures } = data;
  expect(figures.sharpe_days).toBe(expected.days);
  expect(expected.days).toBeGreaterThan(40);
  for (const name of ['sharpe', 'sortino', 'calmar', 'cagr', 'volatility'] as const) {
    expect(Math.abs(figures[name] - expected[name]), name).toBeLessThan(CLOSE);
  }
  expect(figures.ratios_of).toContain('daily UTC returns of equity, annualised with √365');

  const out = join(directory, 'points.sqlite');
  const swept = await sweep(out, 'channel=20,40');
  expect(swept.out).toContain(figures.ratios_of);
  const db = new DatabaseSync(out, { readOnly: true });
  const rows = db.prepare('SELECT * FROM points ORDER BY job').all();
  db.close();
  for (const row of rows) {
    const alone = naiveOf(await backtest('--param', `channel=${String(row['param_channel'])}`));
    for (const name of ['sharpe', 'sortino', 'calmar'] as const) {
      expect(Math.abs(Number(row[name]) - alone[name]), name).toBeLessThan(CLOSE);
    }
    expect(floatsOf(row['daily_returns'])).toHaveLength(alone.days);
  }

  const json = join(directory, 'run.json');
  const last = await backtest();
  const compared = await runMain('compare', json, json);
  expect(compared.out).toContain(figures.ratios_of);
  expect(compared.out).toMatch(
    new RegExp(`^Sharpe \\(annualised\\) +${naiveOf(last).sharpe.toFixed(2)} `, 'm'),
  );
}, 120_000);

it('a walk-forward rates its windows the same way, and reports where only the P&L could choose', async () => {
  const walk = async (name: string, train: string) => {
    const out = join(directory, name);
    const flags = ['--walk-forward', 'rolling', '--train', train, '--test', '10d'];
    const ran = await sweep(out, 'channel=20,40', ...flags);
    const db = new DatabaseSync(out, { readOnly: true });
    const rows = db.prepare('SELECT * FROM points ORDER BY job').all();
    db.close();
    return { ...ran, rows };
  };
  const long = await walk('long.sqlite', '20d');
  expect(long.out).not.toContain('The P&L chose');
  const tested = long.rows.filter(({ part }) => part === 'test');
  expect(tested).toHaveLength(2);
  for (const row of tested) {
    const returns = floatsOf(row['daily_returns']);
    let [time, value] = [0, 0];
    const curve = [[0, 0] as const];
    for (const each of returns) {
      value = (3_000 + value) * (1 + each) - 3_000;
      curve.push([(time += DAY), value] as const as never);
    }
    expect(Number(row['sharpe'])).toBeCloseTo(naiveRatios(curve, 3_000).sharpe, 9);
  }
  expect(long.out).toContain('daily UTC returns of equity');
  const short = await walk('short.sqlite', '5d');
  expect(short.out).toMatch(
    /^The P&L chose in \d windows: .* 7 whole UTC days that sharpe needs\.$/m,
  );
  expect(short.rows.filter(({ part }) => part === 'test').length).toBeGreaterThan(1);
}, 120_000);

it('a tape of a few days has no ratio, and its points are ranked by the P&L', async () => {
  const start = (await backtest()).startTime;
  const day = (count: number): string =>
    new Date(start + count * DAY).toISOString().slice(0, 10).replaceAll('-', '');
  const range = ['--timerange', `${day(2)}-${day(6)}`];
  const data = await backtest(...range);
  expect(data.figures).toMatchObject({ sharpe: null, sortino: null, calmar: null, cagr: null });
  expect(data.figures.sharpe_days).toBeLessThan(7);
  const out = join(directory, 'few.sqlite');
  const swept = await sweep(out, 'channel=10..50:10', ...range);
  expect(swept.out).toMatch(/^The tape has \d whole UTC days?, and sharpe needs 7: the P&L ranks/m);
  expect(swept.out).toContain('needs 32 whole days');
  const db = new DatabaseSync(out, { readOnly: true });
  const [best] = db.prepare('SELECT * FROM points ORDER BY pnl DESC').all();
  db.close();
  expect(swept.out).toMatch(new RegExp(`^ *1 +${String(best!['param_channel'])} `, 'm'));
}, 120_000);
