import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { processEnvironment } from '../../src/config/index.ts';
import { runCli } from '../e2e/runCli.ts';
import { renderReport } from '../../src/operate/report/index.ts';
import { toPageData } from '../../src/operate/report/toPageData.ts';
import {
  CHROMIUM_FLAGS,
  chromiumPath,
  chromiumReason,
  expectChromiumOnCi,
} from './findChromium.ts';
import { sampleReport } from './sampleReport.ts';

/** Where `npm run docs:pictures` wants the pictures that the documents show. */
const PICTURES = processEnvironment.TRIMTAB_PICTURES;
const MOST_BYTES = 200_000;

/** Longer than a card is wide. */
const LONG_REASON = `malformed: ${'request.size: expected a number, received a string; '.repeat(6)}end`;

expectChromiumOnCi();

/** Number in a cell. */
const numberOf = (text: string): number => Number(text.replaceAll(/[,+]/g, '').replace('−', '-'));

describe.skipIf(chromiumPath === undefined)(`the report in a browser${chromiumReason}`, () => {
  const sample = sampleReport();
  const malformed = {
    time: sample.startTime,
    strategy: 'trend',
    kind: 'place_order',
    symbol: 'ETH',
    outcome: 'denied',
    reason: LONG_REASON,
  };
  const liquidations = [{ time: sample.startTime, wallet: 'second', symbol: 'BTC' }];
  const report = { ...sample, liquidations, intents: [malformed, ...sample.intents] };
  let directory: string;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  const requests: string[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'trimtab-report-'));
    const file = join(directory, 'report.html');
    await writeFile(file, renderReport(report));
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_FLAGS });
    page = await browser.newPage({ viewport: { width: 1360, height: 900 } });
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector('html[data-ready="true"]');
  });

  afterAll(async () => {
    await browser?.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** Pixels that are not transparent: a blank chart has none. */
  const paintedPixels = (chart: string) =>
    page.evaluate<number>(`(() => {
      let painted = 0;
      for (const canvas of document.querySelectorAll('#${chart} canvas')) {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        for (let index = 3; index < data.length; index += 4) if (data[index] > 0) painted += 1;
      }
      return painted;
    })()`);

  /** The rendered pixels of an element, to compare before and after. */
  const look = async (selector: string) =>
    (await page.locator(selector).screenshot()).toString('base64');

  /** Whether it looks the same; a failure must not print two pictures as text. */
  const looksLike = async (selector: string, picture: string) => (await look(selector)) === picture;

  const nextFrame = () =>
    page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    );

  const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');

  test('opens from disk without errors and without other requests', () => {
    expect(complaints).toEqual([]);
    expect(requests.map((url) => new URL(url).protocol)).toEqual(['file:']);
  });

  test('draws curves and candles', async () => {
    await nextFrame();
    expect(await paintedPixels('equity-chart')).toBeGreaterThan(10_000);
    expect(await paintedPixels('candle-chart')).toBeGreaterThan(10_000);
  });

  test('shows where the time went, if it was measured', async () => {
    const title = { hasText: 'Where the time went' };
    expect(await page.locator('section', title).count()).toBe(0);
    const profile = {
      totalMs: 400,
      stations: [
        { name: 'simulated venue', ms: 300 },
        { name: 'plugin', ms: 100 },
      ],
      lines: [{ name: 'trend.ts:41 look in tap', ms: 20 }],
      spans: [
        { bars: '1', count: 30 },
        { bars: '8 to 15', count: 10 },
      ],
      walk: ['walked: 150 bars in 40 spans, 7 one by one', '  trend.ts:41:9: tap takes each'],
    };
    const file = join(directory, 'profiled.html');
    await writeFile(file, renderReport({ ...report, profile }));
    const profiled = await browser.newPage({ viewport: { width: 700, height: 900 } });
    profiled.on('pageerror', (error) => complaints.push(error.message));
    await profiled.goto(pathToFileURL(file).href);
    await profiled.waitForSelector('html[data-ready="true"]');
    const section = profiled.locator('section', title);
    expect(await section.innerText()).toContain('trend.ts:41:9: tap takes each');
    const chart = async (id: string) => {
      const drawn = section.locator(`#${id} svg`);
      const sizes = await drawn
        .locator('rect')
        .evaluateAll((bars) =>
          bars.map(
            (bar) => bar.getBoundingClientRect().toJSON() as { width: number; height: number },
          ),
        );
      return { label: await drawn.getAttribute('aria-label'), sizes };
    };
    const parts = await chart('profile-parts');
    expect(parts.label).toBe('simulated venue: 300 ms, 75.0 %; plugin: 100 ms, 25.0 %');
    expect(parts.sizes[0]!.width / parts.sizes[1]!.width).toBeCloseTo(3, 1);
    const lines = await chart('profile-lines');
    expect(lines.label).toBe('trend.ts:41 look in tap: 20 ms, 5.0 %');
    const spans = await chart('profile-spans');
    expect(spans.label).toBe('Stretches by their bars: 1: 30; 8 to 15: 10');
    expect(spans.sizes[0]!.height / spans.sizes[1]!.height).toBeCloseTo(3, 1);
    expect(complaints).toEqual([]);
    await profiled.close();
  });

  test('reports that a week is not enough for a rolling ratio', async () => {
    const text = await page
      .locator('section', { hasText: 'Sharpe ratio, volatility and beta over 30 days' })
      .innerText();
    expect(text).toContain('Needs 30 whole days; the run has 7.');
  });

  test('shows months, a rolling ratio and algorithm costs of a run of ten weeks', async () => {
    const long = sampleReport(70 * 1_440);
    const file = join(directory, 'long.html');
    await writeFile(file, renderReport(long));
    const first = page;
    page = await browser.newPage();
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector('html[data-ready="true"]');
    await nextFrame();
    expect(await paintedPixels('rolling-chart')).toBeGreaterThan(1_000);
    const cells = (caption: string) =>
      page.evaluate<string[][]>(`[...document.querySelectorAll('table')]
        .filter((table) => table.caption?.textContent === '${caption}')
        .flatMap((table) => [...table.tBodies[0].rows])
        .map((row) => [...row.cells].map((cell) => cell.textContent))`);
    const { months, shortfalls } = toPageData(long);
    const [year] = await cells('P&L by month');
    expect(year).toHaveLength(14);
    expect(year!.slice(1, 4).map(numberOf)).toEqual(
      months[0]!.months.slice(0, 3).map((value) => Number(value!.toFixed(2))),
    );
    expect(year!.slice(4, 13)).toEqual(Array(9).fill('–'));
    const [algo] = await cells('Algorithms');
    expect(algo![0]).toBe(shortfalls[0]!.algo);
    expect(numberOf(algo![5]!)).toBeCloseTo(shortfalls[0]!.shortfall_bps, 2);
    await page.close();
    page = first;
  });

  test('at 1280 px the strategies’ tables fit their card, and nothing widens the page', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    const widths = await page.evaluate<[string, number, number][]>(`(() => {
      const section = [...document.querySelectorAll('.card')]
        .find((card) => card.querySelector('h2').textContent === 'Strategies');
      return [...section.querySelectorAll('.scroll')].map((holder) =>
        [holder.querySelector('caption').textContent, holder.scrollWidth, holder.clientWidth]);
    })()`);
    expect(widths.map(([caption]) => caption)).toHaveLength(2);
    for (const [caption, wide, seen] of widths) expect(wide, caption).toBeLessThanOrEqual(seen);
    for (const width of [1280, 700]) {
      await page.setViewportSize({ width, height: 900 });
      // Charts follow the width in a later frame.
      const shown = () => page.evaluate('document.documentElement.scrollWidth');
      await expect.poll(shown, { timeout: 10_000 }).toBe(width);
    }
    await page.setViewportSize({ width: 1360, height: 900 });
  });

  test('the columns of a strategy’s result add up to its net P&L', async () => {
    const rows = await page.evaluate<string[][]>(`
      [...document.querySelectorAll('table')]
        .find((table) => table.caption?.textContent === 'What strategies earned')
        .querySelectorAll('tbody tr').values()
        .map((row) => [...row.cells].map((cell) => cell.textContent)).toArray()`);
    expect(rows.map(([name]) => name)).toEqual(['trend', 'reversion', 'breakout', 'total']);
    const value = (text?: string) => Number(text!.replace('−', '-').replaceAll(',', ''));
    for (const [, , gross, fees, funding, net] of rows) {
      expect(value(fees)).toBeLessThan(0);
      expect(value(gross) + value(fees) + value(funding)).toBeCloseTo(value(net), 1);
    }
  });

  test('the rate budget shows lanes, remaining headroom, and waits', async () => {
    const budget = page.locator('.card:has(h2:text-is("Rate budget"))');
    expect(await budget.locator('table').first().innerText()).toMatch(/entry\s+140\s+70\.0 %/);
    expect(await budget.locator('#headroom').innerText()).toContain('90 of 360');
    expect(await budget.locator('#headroom').innerText()).toContain('75.0 %');
    expect(await budget.locator('table').last().innerText()).toMatch(/budget \(entry\)\s+3/);
  });

  test('tiles distinguish open and closed trades, and flag seven days as too few for a Sharpe ratio', async () => {
    const tile = async (label: string) => {
      const text = await page.locator(`.tile:has(.label:text-is("${label}"))`).innerText();
      return text.replaceAll('\u00a0', ' ');
    };
    expect(await tile('Trades')).toMatch(/\d+ closed, \d+ open/);
    expect(await tile('Sharpe')).toMatch(
      /needs 30 days\s+−?[\d.]+ from 7 whole days · daily UTC returns of equity/,
    );
    expect(await tile('Uncovered')).toMatch(
      /1 h 30 min\s+any part of a position without a stop · longest 10 min/,
    );
    expect(await tile('Liquidated')).toMatch(/1\s+first BTC on second, 2025-01-01 00:00 UTC/);
  });

  test('funding is shown as an amount that was paid or received', async () => {
    const short = sampleReport(600);
    const { funding: _funding, ...totals } = short.totals;
    const file = join(directory, 'funding.html');
    const other = await browser.newPage();
    const shown = async (funding: number | undefined) => {
      const figures = funding === undefined ? totals : { ...totals, funding };
      await writeFile(file, renderReport({ ...short, totals: figures }));
      await other.goto(pathToFileURL(file).href);
      await other.waitForSelector('html[data-ready="true"]');
      const found = other.locator('.tile:has(.label:text-is("Funding"))');
      return found.locator('b, .note').allInnerTexts();
    };
    expect(await shown(12.345)).toEqual(['12.35', 'paid']);
    expect(await shown(-0.5)).toEqual(['0.50', 'received']);
    expect(await shown(0)).toEqual(['0.00', 'none']);
    expect(await shown(undefined)).toEqual(['–', 'not reported by this run']);
    await other.close();
  });

  test('switches symbols: other candles, other strategies, other legend', async () => {
    const before = await look('#candle-chart');
    await page.click('[data-symbol="ETH"]');
    await nextFrame();
    expect(await page.getAttribute('[data-symbol="ETH"]', 'aria-selected')).toBe('true');
    expect(await page.getAttribute('[data-symbol="BTC"]', 'aria-selected')).toBe('false');
    expect(await page.textContent('#candle-legend')).toMatch(/^ETH 1m/);
    expect(await page.locator('#candle-strategies button').allTextContents()).toEqual(['trend']);
    expect(await looksLike('#candle-chart', before)).toBe(false);
  });

  test('hides a strategy’s trades and shows them again', async () => {
    const shown = await look('#candle-chart');
    await page.click('#candle-strategies button');
    await nextFrame();
    expect(await looksLike('#candle-chart', shown)).toBe(false);
    await page.click('#candle-strategies button');
    await nextFrame();
    expect(await looksLike('#candle-chart', shown)).toBe(true);
  });

  test('lists trades, fills, executions and unaccepted intents, as text', async () => {
    for (const name of ['Fills', 'Executions', 'Not accepted']) {
      await page.click(`[data-table="${name}"]`);
      expect(await page.locator('.card table tbody tr').count()).toBeGreaterThan(5);
    }
    expect(await page.locator('.card b').count()).toBe(0);
    expect(await page.locator('td', { hasText: '<b>30,000</b> & more' }).count()).toBeGreaterThan(
      0,
    );
  });

  test('every trade is on one page of its table, in the order of the column that was asked for', async () => {
    const { trades } = toPageData(report);
    await page.click('[data-table="Trades"]');
    const card = page.locator('section', { has: page.locator('[data-table="Trades"]') });
    const on = card.getByRole('button', { name: 'On ›' });
    /** Cells of a column, of all pages from the one that is shown. */
    const cellsOf = async (column: number): Promise<string[]> => {
      const shown: string[] = [];
      for (;;) {
        shown.push(...(await card.locator(`tbody td:nth-child(${column})`).allTextContents()));
        if ((await on.count()) === 0 || (await on.isDisabled())) return shown;
        await on.click();
      }
    };
    const textOf = (ms: number | null): string =>
      ms === null ? '–' : new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
    const open = trades.filter(({ exit_time: exit }) => exit === null).length;
    expect([trades.length > 50, open > 0]).toEqual([true, true]);
    expect(await cellsOf(1)).toEqual(trades.map((trade) => textOf(trade.entry_time)));
    const exits = trades.flatMap(({ exit_time: exit }) => (exit === null ? [] : [exit]));
    const sorted = exits.toSorted((a, b) => a - b).map(textOf);
    const rest = Array.from({ length: open }, () => '–');
    // A click on a column begins with its first page; what has no value comes last both ways.
    const sort = card.getByRole('button', { name: 'exit (UTC)' });
    await sort.click();
    expect(await card.locator('.pager span').innerText()).toMatch(/^1–25 of /);
    expect(await cellsOf(2)).toEqual([...sorted, ...rest]);
    await sort.click();
    expect(await cellsOf(2)).toEqual([...sorted.toReversed(), ...rest]);
    await page.selectOption('select[aria-label="symbol"]', 'ETH');
    const own = trades.filter(({ symbol }) => symbol === 'ETH');
    expect(await cellsOf(4)).toEqual(own.map(() => 'ETH'));
    await page.selectOption('select[aria-label="symbol"]', '');
  });

  test('every column of the trades fits, and a long tag takes two lines', async () => {
    const [width, room, tall] = await page.evaluate<[number, number, number]>(`(() => {
      const tab = document.querySelector('[data-table="Trades"]');
      tab.click();
      const scroll = tab.closest('.card').querySelector('.scroll');
      const cell = scroll.querySelector('tbody td:last-child');
      const before = cell.getBoundingClientRect().height;
      cell.textContent = 'signal: ' + 'a-long-tag:of:a:rung'.repeat(6);
      const { scrollWidth, clientWidth } = scroll;
      return [scrollWidth, clientWidth, cell.getBoundingClientRect().height / before];
    })()`);
    expect(width).toBeLessThanOrEqual(room);
    expect(tall).toBeGreaterThan(1.5);
  });

  test('trades are grouped by what opened and closed them, with a total that stays last', async () => {
    const groups = page.locator('section', { hasText: 'Trades apart' });
    await groups.getByRole('tab', { name: 'Exit reasons' }).click();
    const first = (selector: string) =>
      groups.locator(`${selector} td:first-child`).allInnerTexts();
    const reasons = ['signal: exit', 'liquidation', 'take profit', 'trailing stop'];
    expect((await first('tbody tr')).toSorted()).toEqual(reasons.toSorted());
    await groups.getByRole('button', { name: 'trades' }).click();
    expect(await first('tfoot tr')).toEqual(['total']);
    await groups.getByRole('tab', { name: 'Both' }).click();
    expect(await first('tbody tr')).toContain('pullback → trailing stop');
  });

  test('no line of a tile ends between a number and its unit', async () => {
    const notes = (await page.locator('.tile .note').allTextContents()).join('\n');
    expect(notes).toMatch(/\d\u00a0%/);
    expect(notes).not.toMatch(/\d (?:%|d|h|min|bps)(?![a-z])/);
  });

  test('a row of the table leads to its place on the chart', async () => {
    await page.click('[data-table="Trades"]');
    const row = page.locator('tr.linked', { hasText: 'BTC' }).nth(4);
    await row.click();
    await nextFrame();
    expect(await page.textContent('#candle-legend')).toMatch(/^BTC 1m/);
  });

  test('stepping through trades centres each on the chart, and names it', async () => {
    const { symbols, trades } = toPageData(report);
    const { time, close } = symbols.BTC!;
    const shown = trades.filter(({ symbol }) => symbol === 'BTC');
    await page.click('[data-symbol="ETH"]');
    await page.click('[data-symbol="BTC"]');
    const barOf = (ms: number) => time.findLastIndex((open) => open <= ms);
    const steps = [0, 1, 2, 1, 0, shown.length - 1];
    const buttons = ['trade ›', 'trade ›', 'trade ›', '‹ trade', '‹ trade', '‹ trade'];
    for (const [index, step] of steps.entries()) {
      const trade = shown[step]!;
      await page.getByRole('button', { name: buttons[index]! }).click();
      expect(await page.textContent('#trade-legend')).toContain(
        `trade ${step + 1} of ${shown.length}  ${trade.strategy} ${trade.side}`,
      );
      const middle = (barOf(trade.entry_time) + barOf(trade.exit_time ?? report.endTime)) / 2;
      const near = close.slice(Math.floor(middle) - 2, Math.ceil(middle) + 3);
      const texts = near.map((price) =>
        price.toLocaleString('en-US', { minimumFractionDigits: 1 }),
      );
      // The chart draws when the browser finds the time; the pointer says which bar is in the middle.
      const isInTheMiddle = async (): Promise<boolean> => {
        await page.locator('#candle-chart').scrollIntoViewIfNeeded();
        const plot = (await page.locator('#candle-chart canvas').first().boundingBox())!;
        await page.mouse.move(plot.x + plot.width / 2 + 9 - index, plot.y + plot.height / 2 + 3);
        await page.mouse.move(plot.x + plot.width / 2, plot.y + plot.height / 2);
        await nextFrame();
        const legend = await page.textContent('#candle-legend');
        return texts.some((text) => legend!.endsWith(`C\u00a0${text}`));
      };
      await expect.poll(isInTheMiddle, { timeout: 10_000 }).toBe(true);
    }
    // Back from none is the last.
    await page.click('[data-symbol="ETH"]');
    expect(await page.textContent('#trade-legend')).toBe('');
    await page.click('[data-symbol="BTC"]');
    await page.getByRole('button', { name: '‹ trade' }).click();
    expect(await page.textContent('#trade-legend')).toContain(
      `trade ${shown.length} of ${shown.length}  `,
    );
  });

  test('counts the reasons of unaccepted intents, and shows long ones in full', async () => {
    const reasons = page.locator('.card', { hasText: 'Why intents were not accepted' });
    expect(await reasons.locator('tbody tr').count()).toBe(2);
    expect(await reasons.innerText()).toMatch(/malformed\s+denied\s+1\s+trend 1/);
    await page.click('[data-table="Not accepted"]');
    expect(await page.locator('td.wrap', { hasText: LONG_REASON }).count()).toBe(2);
    const hidden = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.scroll')].map((box) => box.scrollWidth - box.clientWidth)`,
    );
    expect(hidden).toEqual(hidden.map(() => 0));
  });

  // Taken only on request; otherwise there is nothing to test or skip.
  const schemes = PICTURES === undefined ? [] : (['light', 'dark'] as const);
  test.each(schemes)(
    'a picture of the demo’s in %s is small enough for a page',
    async (colorScheme) => {
      const file = join(directory, `${colorScheme}.html`);
      const run = await runCli(['backtest', 'configs/demo.yaml', '--report', file]);
      expect(run.code).toBe(0);
      const shown = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme });
      await shown.goto(pathToFileURL(file).href);
      await shown.waitForSelector('html[data-ready="true"]');
      const path = join(PICTURES!, `report-${colorScheme}.png`);
      await shown.screenshot({ path });
      await shown.close();
      expect((await stat(path)).size).toBeLessThan(MOST_BYTES);
    },
  );

  test('dark and light differ, and no error was logged', async () => {
    const before = await ground();
    await page.click('#theme');
    expect(await ground()).not.toBe(before);
    expect(complaints).toEqual([]);
    expect(requests).toHaveLength(1);
  });
});
