import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { renderReport } from '../../src/operate/report/index.ts';
import {
  CHROMIUM_FLAGS,
  chromiumPath,
  chromiumReason,
  expectChromiumOnCi,
} from '../operate/findChromium.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';
import { reportVariants } from './reportVariants.ts';

const folder = mkdtempSync(join(tmpdir(), 'trimtab-pages-'));
let browser: Browser;

/** The variants whose buttons, lists and rows are pressed. */
const PRESSED = ['bare', 'lost', 'everything'];

expectChromiumOnCi();

describe.skipIf(chromiumPath === undefined)(`report pages${chromiumReason}`, () => {
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_FLAGS });
  });
  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  test('a report shows what it showed, at each press', { timeout: 600_000 }, async () => {
    const outcomes = new Map<string, Outcome>();
    const page = await browser.newPage({ viewport: { width: 1_360, height: 900 } });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.addInitScript({ path: join(import.meta.dirname, 'pageScript.js') });
    for (const [name, data] of Object.entries(reportVariants())) {
      const file = join(folder, 'report.html');
      writeFileSync(file, renderReport(data));
      await page.goto(pathToFileURL(file).href);
      await page.waitForSelector('html[data-ready="true"]');
      const shown: Record<string, string[]> = await page.evaluate('recorded.shown()');
      const count: number = await page.evaluate('recorded.count()');
      const presses: string[] = [];
      for (let at = 0; at < Math.min(count, PRESSED.includes(name) ? 70 : 0); at++)
        presses.push(...(await page.evaluate<string[]>(`recorded.press(${at})`)));
      outcomes.set(
        name,
        new Map([
          ...Object.entries(shown),
          ['presses', presses],
          ['complaints', complaints.splice(0)],
        ]),
      );
    }
    await expectRecorded('reportPages', outcomes);
  });
});
