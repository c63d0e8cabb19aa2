import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { renderReport } from '../../src/operate/report/index.ts';
import {
  CHROMIUM_FLAGS,
  chromiumPath,
  chromiumReason,
  expectChromiumOnCi,
} from './findChromium.ts';
import { sampleReport } from './sampleReport.ts';

const YEAR_OF_MINUTES = 525_600;
const MOST_BYTES = 2_000_000;
/** Far from the seconds of a page that draws all at once; `npm run bench -- page` has the figure. */
const MOST_MS = 3_000;

expectChromiumOnCi();

describe.skipIf(chromiumPath === undefined)(
  `a year of minutes of two markets${chromiumReason}`,
  () => {
    test('is a page of less than 2 MB, shows something at once, and all of it then', async () => {
      const html = renderReport(sampleReport(YEAR_OF_MINUTES));
      expect(Buffer.byteLength(html)).toBeLessThan(MOST_BYTES);
      const directory = await mkdtemp(join(tmpdir(), 'trimtab-year-'));
      const file = join(directory, 'year.html');
      await writeFile(file, html);
      const browser = await chromium.launch({
        executablePath: chromiumPath!,
        args: CHROMIUM_FLAGS,
      });
      try {
        const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
        const complaints: string[] = [];
        page.on('console', (message) => complaints.push(message.text()));
        page.on('pageerror', (error) => complaints.push(error.message));
        await page.goto(pathToFileURL(file).href);
        await page.waitForSelector('html[data-ready="true"]');
        const paint = await page.evaluate<number>(
          "performance.getEntriesByName('first-contentful-paint')[0].startTime",
        );
        expect(paint).toBeLessThan(MOST_MS);
        expect(await page.textContent('#candle-legend')).toMatch(/^BTC 30m/);
        expect(await page.locator('#candle-plots button').count()).toBe(4);
        expect(await page.locator('[data-table="Fills"]').innerText()).toBe('Fills 28,615');
        expect(complaints).toEqual([]);
      } finally {
        await browser.close();
        await rm(directory, { recursive: true, force: true });
      }
    }, 300_000);
  },
);
