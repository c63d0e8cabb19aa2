import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pluginTemplate } from '../../src/cli/project/initTemplates.ts';
import { openDevWorkshop, startDev, type StartedDev } from '../e2e/startDev.ts';
import {
  CHROMIUM_FLAGS,
  chromiumPath,
  chromiumReason,
  expectChromiumOnCi,
} from './findChromium.ts';

expectChromiumOnCi();
const PLUGIN = 'strategies/firstPlugin.ts';

/** Other programs of a test run may need the machine. */
const PATIENT = { timeout: 20_000 };

describe.skipIf(chromiumPath === undefined)(`the page of trimtab dev${chromiumReason}`, () => {
  const workshop = openDevWorkshop('dev-page');
  let dev: StartedDev;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    dev = await startDev(workshop);
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_FLAGS });
    page = await browser.newPage({ viewport: { width: 1360, height: 900 } });
    // The stream breaks off when the command ends, as the last test but one has it.
    page.on('console', (message) => {
      if (!message.location().url.endsWith('/events')) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(dev.url);
  }, 300_000);
  afterAll(async () => {
    await browser.close();
    workshop.close();
  });

  const report = () => page.frameLocator('#report').locator('html[data-ready="true"]');

  test('shows the report, and refreshes it at a save without losing its place', async () => {
    await report().waitFor();
    await page.getByText('+556.38').first().waitFor();
    const frame = page.frames().find((each) => each.url().includes('/report'))!;
    await frame.evaluate('scrollTo(0, 400)');
    workshop.write(PLUGIN, pluginTemplate.replace('ctx.capital() / 2', 'ctx.capital() / 3'));
    await page.locator('#figures').getByText('(+556.38)').waitFor();
    await page.waitForURL(dev.url);
    await expect
      .poll(() => page.frames().map((each) => each.url()), PATIENT)
      .toContain(`${dev.url}report?run=2`);
    await report().waitFor();
    const placeOf = () =>
      page
        .frames()
        .find((each) => each.url().includes('run=2'))!
        .evaluate('scrollY');
    await expect.poll(placeOf, PATIENT).toBe(400);
  }, 300_000);

  test('shows a fault with its line, and takes it away when it is mended', async () => {
    workshop.write(PLUGIN, pluginTemplate.replace('contract: 1,', 'contract: 1'));
    const fault = page.locator('#fault');
    await expect.poll(() => fault.textContent(), PATIENT).toContain(`${PLUGIN}:17`);
    expect(await page.title()).toBe('✗ bot.yaml');
    workshop.write(PLUGIN, pluginTemplate);
    await expect.poll(() => fault.textContent(), PATIENT).toBe('');
    await expect.poll(() => page.title(), PATIENT).toBe('bot.yaml');
  }, 300_000);

  test('says when the command has ended', async () => {
    dev.child.kill('SIGINT');
    await page.getByText('trimtab dev has ended.').waitFor();
  }, 300_000);

  test('asks for nothing but itself, and its policy stops nothing', () => {
    expect(complaints).toEqual([]);
  });
});
