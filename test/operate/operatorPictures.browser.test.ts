import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { inTurn } from '../e2e/plugins.ts';
import { openWorkshop, remoteBot, type Started, type Workshop } from '../e2e/startProcess.ts';
import { processEnvironment } from '../../src/config/index.ts';
import {
  CHROMIUM_FLAGS,
  chromiumPath,
  chromiumReason,
  expectChromiumOnCi,
} from './findChromium.ts';

expectChromiumOnCi();

/** Where `npm run docs:pictures` wants the pictures; without it none are stored. */
const PICTURES = processEnvironment.TRIMTAB_PICTURES;
const MOST_BYTES = 250_000;
const LIMIT = { timeout: 60_000, interval: 100 };

const VIEWS = [
  { width: 1400, height: 1000, colorScheme: 'light' },
  { width: 1400, height: 1000, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const;

describe.skipIf(chromiumPath === undefined)(`the operator’s page${chromiumReason}`, () => {
  let workshop: Workshop;
  let browser: Browser;
  let bot: Started;
  let address: string;

  beforeAll(async () => {
    workshop = openWorkshop('pictures');
    const service = await workshop.startPaper(120);
    workshop.write('own.ts', inTurn);
    const more = 'operate: { listen: 127.0.0.1:0 }\nguards: { daily_loss_limit: 400 }\n';
    workshop.write(
      'bot.yaml',
      remoteBot(service, more).replace('[BTC] }', '[BTC], shadow: { use: ./own.ts } }'),
    );
    bot = workshop.start(['run', 'bot.yaml', '--log-level', 'debug'], {
      TRIMTAB_TEST_SECRET: service.secret,
    });
    address = await printed(bot);
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_FLAGS });
    await vi.waitFor(() => expect(bot.text().split('accepted').length).toBeGreaterThan(30), LIMIT);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    workshop?.close();
  });

  async function printed(started: Started): Promise<string> {
    const line = /(http:\/\/127\.0\.0\.1:\d+\/\S*)/;
    return vi.waitFor(() => line.exec(started.text())![1]!, LIMIT);
  }

  async function command(...args: string[]): Promise<void> {
    const started = workshop.start(args);
    const [code] = (await once(started.child, 'close')) as [number];
    expect(code, started.text()).toBe(0);
  }

  /** The page in each width and scheme, each from its own load, once it shows what is awaited. */
  async function take(name: string, at: string, awaited: string, before?: () => Promise<void>) {
    const pages = await Promise.all(
      VIEWS.map(async ({ width, height, colorScheme }) => {
        const page = await browser.newPage({ viewport: { width, height }, colorScheme });
        await page.goto(at);
        await page.waitForSelector('html[data-ready="true"]');
        return { page, name: `operator-${name}-${width}-${colorScheme}.png` };
      }),
    );
    await before?.();
    for (const { page, name: file } of pages) {
      await page.getByText(awaited).filter({ visible: true }).first().waitFor();
      const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate<number>(beyond), file).toBe(0);
      if (PICTURES !== undefined) await store(page, join(PICTURES, file));
      await page.close();
    }
  }

  async function store(page: Page, path: string): Promise<void> {
    await page.screenshot({ path });
    expect((await stat(path)).size).toBeLessThan(MOST_BYTES);
  }

  test(
    'live, degraded, killed and travelling fits its width, in light and dark',
    { timeout: 180_000 },
    async () => {
      await take('live', address, 'own');
      await command('pause', 'bot.yaml', 'own', '--reason', 'the feed of BTC looks wrong');
      await command('kill', 'L1', 'bot.yaml', '--reason', 'looking into it');
      await take('degraded', address, 'looking into it');
      await take('killed', address, 'No answer from the bot since', async () => {
        bot.child.kill('SIGKILL');
        await once(bot.child, 'exit');
      });
      await take('travelling', await printed(workshop.start(['view', 'bot.sqlite'])), 'own');
    },
  );
});
