import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  evaluateSweep,
  renderSweep,
  type PointResult,
  type PointRun,
  type SweepPlan,
} from '../../backtest/index.ts';
import { createRandom } from '../../src/env/index.ts';
import { renderComparison } from '../../src/operate/report/index.ts';
import {
  CHROMIUM_FLAGS,
  chromiumPath,
  chromiumReason,
  expectChromiumOnCi,
} from './findChromium.ts';
import { outcomeOf } from '../backtest/sweep/outcomeOf.ts';
import { sampleReport } from './sampleReport.ts';

expectChromiumOnCi();

const PLAN: SweepPlan = {
  config: '/bots/bot.yaml',
  configHash: '',
  sources: [],
  feeds: [],
  set: [],
  seed: null,
  params: [
    { name: '<fast>', values: ['5', '10', '15'] },
    { name: 'slow', values: ['20', '40'] },
  ],
  random: null,
  range: {},
  walk: null,
  objective: 'pnl',
  tape: [],
};

const DAY = 86_400_000;
const START = Date.UTC(2025, 0, 1);

/** A point that ran, with its P&L. */
function runOf(index: number, pnl: number): PointRun {
  const figures = {
    max_drawdown: 1,
    days: 30,
    max_drawdown_share: 0,
    sharpe: null,
    sortino: null,
    calmar: null,
  };
  const more = { profit_factor: null, win_rate: null, trades: 3, fills: 6, fees: 0, turnover: 0 };
  const rest = { time_in_market: 0, intents: 0, denied: 0, liquidations: 0, hash: '' };
  return {
    index,
    figures: { pnl, ...figures, ...more, ...rest },
    returns: [],
    edges: [0, 0],
    trades: [],
  };
}

/** Twelve points of three parameters with 48 days of chance. */
function threeParameters() {
  const params = [
    { name: 'fast', values: ['5', '10', '15'] },
    { name: 'slow', values: ['20', '40'] },
    { name: 'stop', values: ['1', '2'] },
  ];
  const random = createRandom(5);
  const [fast, slow, stop] = params.map(({ values }) => values) as [string[], string[], string[]];
  const all = fast.flatMap((a) => slow.flatMap((b) => stop.map((c) => [a, b, c])));
  const jobs = all.map((values, index) => ({
    index,
    values,
    range: {},
    window: null,
    part: 'all' as const,
  }));
  const results = jobs.map(({ index }) => {
    const returns = Array.from({ length: 48 }, () => random.next() - 0.5);
    const run = runOf(index, index);
    const figures = { ...run.figures, sharpe: random.next() };
    return { ...run, figures, returns };
  });
  const plan: SweepPlan = { ...PLAN, params, objective: 'sharpe' };
  return { plan, ended: outcomeOf(jobs, results) };
}

/** Six points with a P&L from −2 to 3; the fourth failed. */
function outcome() {
  const jobs = PLAN.params[0]!.values.flatMap((fast, at) =>
    PLAN.params[1]!.values.map((slow, index) => ({
      index: at * 2 + index,
      values: [fast, slow],
      range: {},
      window: null,
      part: 'all' as const,
    })),
  );
  const resultOf = (index: number): PointResult =>
    index === 3 ? { index, fault: 'no' } : runOf(index, index - 2);
  return outcomeOf(
    jobs,
    jobs.map(({ index }) => resultOf(index)),
  );
}

describe.skipIf(chromiumPath === undefined)(`pages without scripts${chromiumReason}`, () => {
  let directory: string;
  let browser: Browser;
  const complaints: string[] = [];
  const requests: string[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'trimtab-pages-'));
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_FLAGS });
  });
  afterAll(async () => {
    await browser?.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function open(html: string): Promise<Page> {
    const file = join(directory, `${performance.now()}.html`);
    await writeFile(file, html);
    const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    return page;
  }

  const about = { name: 'bot', config: 'bot.yaml', assumptions: [] };

  test('a sweep: one cell per point with its number, the best framed, failed ones empty', async () => {
    const page = await open(renderSweep(PLAN, evaluateSweep(PLAN, outcome(), 50), about));
    const cells = await page.evaluate<Array<[string, string, string, boolean]>>(`
      [...document.querySelectorAll('.heat tbody td')].map((cell) => [
        cell.title,
        cell.textContent,
        getComputedStyle(cell).backgroundColor,
        cell.classList.contains('best'),
      ])`);
    expect(cells).toHaveLength(6);
    const [worst] = cells;
    const best = cells.at(-1)!;
    expect(worst![0]).toBe('<fast> 5, slow 20: pnl -2.00, P&L -2.00, drawdown 0.00 %, 3 trades');
    expect(cells.map(([, text]) => text)).toEqual(['-2.00', '0.00', '2.00', '-1.00', '–', '3.00']);
    expect(cells.map(([, , , isFramed]) => isFramed)).toEqual([...Array(5).fill(false), true]);
    const colours = cells.map(([, , colour]) => colour);
    expect(new Set(colours).size).toBe(6);
    expect(cells[4]![0]).toBe('<fast> 10, slow 40: none');
    expect(best[0]).toContain('<fast> 15, slow 40: pnl 3.00');
    expect(await page.locator('.scale span').allInnerTexts()).toEqual(['-3.00', '0.00', '3.00']);
    const first = await page.locator('.card table:not(.heat) tbody tr').first().innerText();
    expect(first.split('\t').slice(0, 4)).toEqual(['1', '15', '40', '3.00']);
    await page.close();
  });

  test('a cell of a sweep leads by keyboard to the point and the command of its report', async () => {
    const page = await open(renderSweep(PLAN, evaluateSweep(PLAN, outcome(), 50), about));
    expect(await page.locator('.point:visible').count()).toBe(0);
    await page.locator('.heat td.best a').focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('.point:visible').count()).toBe(1);
    const text = await page.locator('.point:visible').innerText();
    expect(text).toContain('Point 6: <fast> 15, slow 40');
    expect(text).toContain('drawdown 1.00 (0.00 %)');
    expect(text).toContain(
      "npx trimtab backtest bot.yaml --param '<fast>=15' --param slow=40 --report point-6.html",
    );
    await page.close();
  });

  test('at 390 px a heatmap’s numbers keep their size, and nothing widens the page', async () => {
    const page = await open(renderSweep(PLAN, evaluateSweep(PLAN, outcome(), 50), about));
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const sizes = await page.evaluate<number[]>(`
      [...document.querySelectorAll('.heat td, .heat th, .scale span')]
        .map((one) => Number.parseFloat(getComputedStyle(one).fontSize))`);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(12);
    const widths = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.heat tbody td')].map((one) => one.clientWidth)`,
    );
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(46);
    await page.close();
  });

  test('a sweep of three parameters: a line a point over each of them, and the picture of its overfitting', async () => {
    const { plan, ended } = threeParameters();
    const evaluated = evaluateSweep(plan, ended, 50);
    const page = await open(renderSweep(plan, evaluated, about));
    expect(await page.locator('.heat').count()).toBe(3);
    const lines = page.locator('svg[aria-label^="Parallel"] polyline');
    expect(await lines.count()).toBe(12);
    const axes = await page.locator('svg[aria-label^="Parallel"] .name').allTextContents();
    expect(axes).toEqual(['fast', 'slow', 'stop', 'sharpe']);
    const best = await lines.last().getAttribute('points');
    expect(best!.split(' ')).toHaveLength(4);
    expect(await lines.last().getAttribute('stroke-width')).toBe('3');
    await page.evaluate(
      `document.querySelector('svg[aria-label^="Parallel"] a:last-of-type polyline').dispatchEvent(new MouseEvent('click', { bubbles: true }))`,
    );
    await expect.poll(() => page.locator('.point:visible').count(), { timeout: 10_000 }).toBe(1);
    const bars = await page.evaluate<Array<[string, number]>>(`
      [...document.querySelectorAll('svg[aria-label^="Distribution"] rect')]
        .map((bar) => [bar.getAttribute('fill'), Number.parseFloat(/: ([\\d.]+) %/.exec(bar.textContent)[1])])`);
    const red = bars
      .filter(([fill]) => fill === 'var(--loss)')
      .reduce((sum, [, share]) => sum + share, 0);
    expect(red / 100).toBeCloseTo(evaluated.overfitting!.probability, 1);
    expect(bars.reduce((sum, [, share]) => sum + share, 0)).toBeCloseTo(100, 0);
    await page.close();
  });

  test('a walk-forward: its tests stitched into one curve, with the drawdown in percent', async () => {
    const plan: SweepPlan = {
      ...PLAN,
      walk: { kind: 'rolling', trainMs: 10 * DAY, testMs: 2 * DAY },
    };
    const tests = [
      [0.1, -0.5],
      [1, 0.2],
    ];
    const jobs = tests.map((_, index) => ({
      index,
      values: ['5', '20'],
      range: { from: START + 2 * index * DAY, until: START + 2 * (index + 1) * DAY },
      window: index,
      part: 'test' as const,
    }));
    const results = tests.map((returns, index) => ({ ...runOf(index, 1), returns }));
    const ended = outcomeOf(jobs, results);
    const page = await open(renderSweep(plan, evaluateSweep(plan, ended, 50), about));
    // 1.1 × 0.5 × 2 × 1.2 = 1.32, and half of 1.1 was the deepest.
    expect(await page.locator('.card').first().innerText()).toContain(
      '32.00 % over 2 windows, largest drawdown 50.00 %',
    );
    const [curve] = await page.evaluate<string[]>(
      `[...document.querySelectorAll('svg polyline')].map((line) => line.getAttribute('points'))`,
    );
    expect(curve!.split(' ')).toHaveLength(5);
    const table = page.locator('table');
    expect(await table.locator('th').last().innerText()).toBe('drawdown in %');
    await table.locator('tbody a').last().click();
    expect(await page.locator('.point:visible').innerText()).toContain(
      '--timerange 20250103T0000-20250105T0000',
    );
    await page.close();
  });

  test('a comparison: one curve per run, figures side by side', async () => {
    const run = sampleReport();
    const other = { ...run, totals: { ...run.totals, pnl: 77 }, hash: 'f'.repeat(64) };
    const page = await open(
      renderComparison([
        { name: 'slow <b>', data: run },
        { name: 'fast', data: other },
      ]),
    );
    const curves = await page.evaluate<string[][]>(`
      [...document.querySelectorAll('svg polyline')].map((line) => [
        line.querySelector('title').textContent, line.getAttribute('stroke')])`);
    expect(curves.map(([name]) => name)).toEqual(['slow <b>', 'fast']);
    expect(new Set(curves.map(([, colour]) => colour)).size).toBe(2);
    const length = await page.evaluate<number>(
      `document.querySelector('svg polyline').getTotalLength()`,
    );
    expect(length).toBeGreaterThan(1_000);
    await page.setViewportSize({ width: 390, height: 800 });
    // Figures on a telephone: [top, bottom] of each text of the picture, which scrolls there.
    const texts = await page.evaluate<[number, number, number][]>(`
      [...document.querySelectorAll('svg text')].map((text) => {
        const { left, top, bottom } = text.getBoundingClientRect();
        return [left, top, bottom];
      })`);
    for (const [, top, bottom] of texts) expect(bottom - top).toBeGreaterThan(10);
    const [edge] = texts[0]!;
    const marks = texts.filter(([left]) => left === edge).toSorted((a, b) => a[1] - b[1]);
    for (const [at, [, , bottom]] of marks.entries())
      expect(bottom).toBeLessThanOrEqual((marks[at + 1]?.[1] ?? Infinity) + 2);
    const row = await page.locator('tr', { hasText: 'hash' }).innerText();
    expect(row.split('\t')).toEqual(['hash', run.hash.slice(0, 12), 'f'.repeat(12)]);
    const pnl = await page.locator('tr', { hasText: /^P&L/ }).innerText();
    expect(pnl).toContain('+77.00');
    expect(await page.locator('tr', { hasText: 'Sharpe' }).innerText()).toContain('needs 30 days');
    await page.close();
  });

  test('log no errors and request nothing else', () => {
    expect(complaints).toEqual([]);
    expect(requests.every((url) => url.startsWith('file:'))).toBe(true);
  });
});
