import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderComparison, renderReport } from '../../src/operate/report/index.ts';
import { rotated } from '../tiers.ts';
import {
  CHROMIUM_FLAGS,
  chromiumPath,
  chromiumReason,
  expectChromiumOnCi,
} from './findChromium.ts';
import { sampleReport } from './sampleReport.ts';

expectChromiumOnCi();

interface Violation {
  id: string;
  help: string;
  nodes: { target: string[]; failureSummary: string }[];
}

describe.skipIf(chromiumPath === undefined)(`pages for everyone${chromiumReason}`, () => {
  let directory: string;
  let browser: Browser;
  let axe: string;
  let file: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'trimtab-accessible-'));
    const sample = sampleReport(40 * 1_440);
    const about = {
      version: '0.1.0',
      node: '24.0.0',
      seed: 1,
      strategies: [{ name: 'trend', plugin: 'trend.ts', params: { fast: 8 } }],
      feeds: [
        { symbol: 'BTC', interval: '1m', bars: 9, from: 0, until: 9, sha256: 'e'.repeat(64) },
      ],
    } as const;
    const finding = { check: 'look-ahead', time: 0, strategy: 'trend', words: ['It looks ahead.'] };
    const check = { runs: 14, findings: [finding], notes: ['A note.'] };
    const liquidations = [{ time: sample.startTime, wallet: 'second', symbol: 'BTC' }];
    const profile = {
      totalMs: 9,
      stations: [{ name: 'streams', ms: 9 }],
      lines: [{ name: 'trend.ts:41 in tap', ms: 1 }],
      spans: [{ bars: '1', count: 2 }],
      walk: ['walked: 2 bars in 2 spans, 7 one by one'],
    };
    file = join(directory, 'report.html');
    await writeFile(file, renderReport({ ...sample, about, check, liquidations, profile }));
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_FLAGS });
  });
  afterAll(async () => {
    await browser?.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function open(path: string, width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    await page.goto(pathToFileURL(path).href);
    return page;
  }

  /** What axe finds, each with the element and what to do. */
  async function violations(page: Page, part = 'html'): Promise<string[]> {
    await page.evaluate(axe);
    const found = await page.evaluate<Violation[]>(
      `axe.run('${part}', { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    );
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    );
  }

  const looks = [1400, 390].flatMap((width) =>
    (['light', 'dark'] as const).map((scheme) => [width, scheme] as const),
  );
  test.each(rotated(looks, 1))(
    'axe finds nothing in the report at %i px, %s',
    async (width, scheme) => {
      const page = await open(file, width, scheme);
      await page.waitForSelector('html[data-ready="true"]');
      expect(await violations(page)).toEqual([]);
      // Each view behind a tab as well.
      const tabs = await page.locator('[role="tab"]').all();
      expect(tabs.length).toBeGreaterThan(15);
      for (const group of ['figures', 'groups', 'months']) {
        const panel = `${group}-panel`;
        for (const tab of await page.locator(`[aria-controls="${panel}"]`).all()) {
          await tab.click();
          expect(await violations(page, `#${panel}`), await tab.innerText()).toEqual([]);
        }
      }
      await page.close();
    },
    60_000,
  );

  test('axe finds nothing in a comparison of runs', async () => {
    const runs = ['one', 'two'].map((name) => ({ name, data: sampleReport(2_000) }));
    const path = join(directory, 'compared.html');
    await writeFile(path, renderComparison(runs));
    const page = await open(path, 1400, 'light');
    expect(await violations(page)).toEqual([]);
    await page.close();
  }, 300_000);

  test('tabs and linked rows are walked with the keyboard alone', async () => {
    const page = await open(file, 1400, 'light');
    await page.waitForSelector('html[data-ready="true"]');
    const selected = () =>
      page.evaluate<string>(
        `document.querySelector('[aria-controls="figures-panel"][aria-selected="true"]').dataset.tab`,
      );
    await page.focus('[aria-controls="figures-panel"]');
    await page.keyboard.press('ArrowRight');
    expect(await selected()).toBe('risk');
    expect(await page.locator('#figures-panel').innerText()).toContain('Omega');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await selected()).toBe('activity');
    // The tab key stops at the selected one alone.
    const stops = page.locator('[aria-controls="figures-panel"][tabindex="0"]');
    expect(await stops.count()).toBe(1);
    expect(await stops.getAttribute('aria-selected')).toBe('true');
    const row = page.locator('.card:has(h2:text-is("Record")) tr.linked').first();
    await row.focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('#trade-legend').innerText()).toMatch(/^trade 1 of/);
    await page.close();
  }, 300_000);

  test('the curve has three scales, a benchmark, and bands that can be switched off', async () => {
    const page = await open(file, 1400, 'light');
    await page.waitForSelector('html[data-ready="true"]');
    const legend = () => page.locator('#equity-legend').innerText();
    expect(await legend()).toMatch(/ETH, held/);
    const shots: string[] = [];
    const look = async (): Promise<void> => {
      await page.mouse.move(0, 0);
      shots.push((await page.locator('#equity-chart').screenshot()).toString('base64'));
    };
    await look();
    await page.click('[data-tab="percent"][aria-controls="equity-chart"]');
    expect(await legend()).toMatch(/total [^\n]* %|total\s+[−\d.]+ %/);
    await look();
    await page.click('text="worst drawdowns"');
    await look();
    expect(new Set(shots).size).toBe(3);
    await page.close();
  }, 300_000);
});
