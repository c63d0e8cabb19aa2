import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderReport, type ReportData } from '../../src/operate/report/index.ts';
import {
  CHROMIUM_FLAGS,
  chromiumPath,
  chromiumReason,
  expectChromiumOnCi,
} from './findChromium.ts';
import { sampleReport } from './sampleReport.ts';

const REASON = 'max_order_notional <b>30,000</b> & more';

expectChromiumOnCi();

describe.skipIf(chromiumPath === undefined)(`the candles of a report${chromiumReason}`, () => {
  let directory: string;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  async function open(data: ReportData, width = 1_400): Promise<Page> {
    const file = join(directory, `${performance.now()}.html`);
    await writeFile(file, renderReport(data));
    const opened = await browser.newPage({ viewport: { width, height: 900 } });
    opened.on('console', (message) => complaints.push(message.text()));
    opened.on('pageerror', (error) => complaints.push(error.message));
    await opened.goto(pathToFileURL(file).href);
    await opened.waitForSelector('html[data-ready="true"]');
    return opened;
  }

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'trimtab-candles-'));
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_FLAGS });
    page = await open(sampleReport());
  });

  afterAll(async () => {
    await browser?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const nextFrame = () =>
    page.evaluate(
      'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
    );
  const look = async () => {
    await nextFrame();
    return (await page.locator('#candle-chart').screenshot()).toString('base64');
  };
  /** Panes, the separators between them, and the time axis. */
  const rowsOfChart = () => page.locator('#candle-chart tr').count();
  const chip = (name: string) => page.getByRole('button', { name });
  const tip = () => page.locator('#mark-tip').innerText();
  const marked = () => page.locator('tr.marked').innerText();

  test('indicators are lines on the candles and in panes below, each with its value, and can be switched off', async () => {
    const chips = await page.locator('#candle-plots button').allInnerTexts();
    expect(chips.map((text) => text.split(/\s+[-−]?\d/)[0]!.trim())).toEqual([
      'mean sma(20)',
      'bands',
      'force',
      'macd',
    ]);
    expect(chips[1]).toMatch(/bands\s+[\d,.]+\s+[\d,.]+$/);
    const [before, rows] = [await look(), await rowsOfChart()];
    await chip('force').click();
    expect(await rowsOfChart()).toBe(rows - 2);
    await chip('macd').click();
    expect(await rowsOfChart()).toBe(rows - 4);
    await chip('force').click();
    await chip('macd').click();
    expect(await rowsOfChart()).toBe(rows);
    await chip('bands').click();
    expect((await look()) === before).toBe(false);
    await chip('bands').click();
  });

  test.each(['entry to exit', 'levels', 'executions', 'not accepted'])(
    '%s can be taken from the chart and put back',
    async (layer) => {
      // A refused intent may be far from the first trade.
      if (layer === 'not accepted') await page.click('#whole-run');
      const shown = await look();
      const button = page.locator('.card:has(#candle-chart)').getByRole('button', { name: layer });
      await button.click();
      expect((await look()) === shown).toBe(false);
      await button.click();
      await page.mouse.move(0, 0);
      expect((await look()) === shown).toBe(true);
    },
  );

  /** Steps on by the keyboard until a mark's text has this. */
  async function stepTo(text: string | RegExp): Promise<void> {
    await page.locator('#candle-chart').focus();
    for (let step = 0; step < 200; step++) {
      await page.keyboard.press('ArrowRight');
      if (new RegExp(text).test(await tip())) return;
    }
    expect.fail(`no mark has ${text}; the last one: ${await tip()}`);
  }

  test('the keyboard steps to an intent that was not accepted, tells why, and leads to its row', async () => {
    await page.click('[data-symbol="ETH"]');
    await page.click('[data-symbol="BTC"]');
    await stepTo('denied');
    const text = await tip();
    expect(text).toContain('place_order denied');
    expect(text).toContain(REASON);
    await page.keyboard.press('Enter');
    expect(await page.getAttribute('[data-table="Not accepted"]', 'aria-selected')).toBe('true');
    expect(await marked()).toContain(REASON);
    expect(await marked()).toContain(text.split('\n')[0]);
    expect(await page.evaluate('document.activeElement.className')).toBe('linked marked');
  });

  test('the pointer on the mark tells the same, and a click leads to the same row', async () => {
    await stepTo('denied');
    const text = await tip();
    const left = await page
      .locator('#mark-tip')
      .evaluate((one) => Number.parseFloat(one.style.getPropertyValue('--x')));
    /** Below the chart's upper edge; unknown at first. */
    let below: number | undefined;
    const at = { x: 0, y: 0 };
    const isShownAt = async (chart: { x: number; y: number }, y: number): Promise<boolean> => {
      Object.assign(at, { x: chart.x + left, y: chart.y + y });
      await page.mouse.move(at.x, at.y);
      // The chart answers a pointer with its next frame.
      await page.evaluate(
        'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
      );
      if (!(await page.locator('#mark-tip').isVisible()) || (await tip()) !== text) return false;
      below = y;
      return true;
    };
    const isShown = async (): Promise<boolean> => {
      await page.evaluate(
        `document.getElementById('candle-chart').scrollIntoView({ behavior: 'instant' })`,
      );
      const chart = (await page.locator('#candle-chart').boundingBox())!;
      // The chart takes no notice of a pointer that does not move.
      await page.mouse.move(0, 0);
      // The first height at which it showed is the mark's edge, which a scrolled page may round away.
      for (const y of below === undefined ? [] : [below + 4, below + 2, below, below + 8])
        if (await isShownAt(chart, y)) return true;
      for (let y = 20; y < 440; y += 4) if (await isShownAt(chart, y)) return true;
      return false;
    };
    // The table before may still be scrolling into view.
    await expect.poll(isShown, { timeout: 40_000 }).toBe(true);
    await page.click('[data-table="Fills"]');
    await expect.poll(isShown, { timeout: 15_000 }).toBe(true);
    await page.mouse.click(at.x, at.y);
    expect(await marked()).toContain(text.split('\n')[0]);
  });

  test('a fill leads to its trade and an execution to its row, past filters and pages', async () => {
    await page.selectOption('select[aria-label="strategy"]', 'trend');
    await stepTo(/\(exit/);
    const [time] = (await tip()).split('\n');
    await page.keyboard.press('Enter');
    expect(await page.inputValue('select[aria-label="strategy"]')).toBe('');
    expect(await page.getAttribute('[data-table="Trades"]', 'aria-selected')).toBe('true');
    expect((await marked()).split('\t')[1]).toBe(time!.slice(0, 16));
    await stepTo('pacemaker');
    const execution = await tip();
    await page.keyboard.press('Enter');
    expect(await page.getAttribute('[data-table="Executions"]', 'aria-selected')).toBe('true');
    expect(execution.startsWith((await marked()).split('\t')[0]!)).toBe(true);
    expect(execution).toContain('100 % filled');
  });

  test('a row leads to the chart, by Enter as by a click', async () => {
    await page.click('[data-table="Trades"]');
    const row = page.locator('tr.linked', { hasText: 'ETH' }).first();
    await row.focus();
    await page.keyboard.press('Enter');
    expect(await page.textContent('#candle-legend')).toMatch(/^ETH 1m/);
    expect(await page.textContent('#trade-legend')).toMatch(/^trade \d+ of \d+/);
    await page.click('[data-symbol="BTC"]');
  });

  test('without a pointer the figures are those of the last bar in view, with its time', async () => {
    const report = sampleReport();
    const own = await open(report);
    const chips = () => own.locator('#candle-plots').innerText();
    const timeOf = async (): Promise<number> => {
      const [shown] = /\d{4}-\d\d-\d\d \d\d:\d\d/.exec((await own.textContent('#candle-legend'))!)!;
      return Date.parse(`${shown.replace(' ', 'T')}Z`);
    };
    const symbol = (await own.textContent('#candle-legend'))!.split(' ')[0]!;
    const end = report.symbols[symbol]!.time[report.symbols[symbol]!.time.length - 1]!;
    expect(await timeOf()).toBeLessThan(end);
    const before = await chips();
    await own.click('#whole-run');
    await expect.poll(timeOf).toBe(end);
    expect(await chips()).not.toBe(before);
    await own.close();
  });

  test('at 390 px nothing widens the page, and every control is on it', async () => {
    const narrow = await open(sampleReport(), 390);
    expect(await narrow.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const rights = await narrow.evaluate<number[]>(
      `[...document.querySelectorAll('.card:has(#candle-chart) .card-head button')].map((one) => one.getBoundingClientRect().right)`,
    );
    expect(Math.max(...rights)).toBeLessThanOrEqual(390);
    const [width, room] = await narrow.evaluate<[number, number]>(
      `(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('.card .under:has(#candle-legend)'))`,
    );
    expect(width).toBeLessThanOrEqual(room);
    await narrow.close();
  });

  test('no error was logged', () => {
    expect(complaints).toEqual([]);
  });
});
