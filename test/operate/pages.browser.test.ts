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
  type SweepPlan,
} from '../../backtest/index.ts';
import { renderComparison } from '../../src/operate/report/index.ts';
import {
  CHROMIUM_FLAGS,
  chromiumPath,
  chromiumReason,
  expectChromiumOnCi,
} from './findChromium.ts';
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
  const resultOf = (index: number): PointResult =>
    index === 3
      ? { index, fault: 'no' }
      : {
          index,
          figures: { pnl: index - 2, ...figures, ...more, ...rest },
          returns: [],
          trades: [],
        };
  const results = new Map(jobs.map(({ index }) => [index, resultOf(index)]));
  return { jobs, results, resumed: 0, isComplete: true, unsteady: [] };
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

  test('a sweep: one cell per point, coloured by its objective, the best framed, failed ones grey', async () => {
    const page = await open(
      renderSweep(PLAN, evaluateSweep(PLAN, outcome(), 50), { name: 'bot', assumptions: [] }),
    );
    const cells = await page.evaluate<Array<[string, string, string, boolean]>>(`
      [...document.querySelectorAll('svg rect')].map((rect) => [
        rect.querySelector('title').textContent,
        getComputedStyle(rect).fill,
        rect.getAttribute('fill-opacity'),
        rect.hasAttribute('stroke'),
      ])`);
    expect(cells).toHaveLength(6);
    const [worst] = cells;
    const best = cells.at(-1);
    expect(worst![0]).toBe('<fast> 5, slow 20: pnl -2.00, P&L -2.00, 3 trades');
    expect(best![0]).toBe('<fast> 15, slow 40: pnl 3.00, P&L 3.00, 3 trades');
    expect(cells.map(([, , , isFramed]) => isFramed)).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(best![2]).toBe('1.000');
    const coloursOf = (sign: string): string[] => [
      ...new Set(
        cells.filter(([title]) => title.includes(`pnl ${sign}`)).map(([, colour]) => colour),
      ),
    ];
    expect(coloursOf('-')).toEqual([worst![1]]);
    expect(coloursOf('3')).toEqual(coloursOf('2'));
    expect(worst![1]).not.toBe(best![1]);
    expect(cells.find(([title]) => title.endsWith(': none'))![0]).toBe('<fast> 10, slow 40: none');
    const first = await page.locator('tbody tr').first().innerText();
    expect(first.split('\t').slice(0, 4)).toEqual(['1', '15', '40', '3.00']);
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
    const row = await page.locator('tr', { hasText: 'hash' }).innerText();
    expect(row.split('\t')).toEqual(['hash', run.hash.slice(0, 12), 'f'.repeat(12)]);
    const pnl = await page.locator('tr', { hasText: /^P&L/ }).innerText();
    expect(pnl).toContain('+77.00');
    expect(await page.locator('tr', { hasText: 'Sharpe' }).innerText()).toContain('needs 30 days');
    await page.close();
  });

  test('log no errors and request nothing else', () => {
    expect(complaints).toEqual([]);
    expect(requests).toHaveLength(2);
  });
});
