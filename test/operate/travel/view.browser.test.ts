import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLiveEnv } from '../../../src/env/index.ts';
import { createPostgresStore } from '../../../src/journal/postgres/index.ts';
import type { WholeView } from '../../../src/operate/state/index.ts';
import { openWorkshop, type Workshop } from '../../e2e/startProcess.ts';
import { findTestDatabase } from '../../journal/findTestDatabase.ts';
import { journalOn, openIntent } from '../../journal/journalRows.ts';
import { root } from '../../sourceFiles.ts';
import {
  CHROMIUM_FLAGS,
  chromiumPath,
  chromiumReason,
  expectChromiumOnCi,
} from '../findChromium.ts';

expectChromiumOnCi();

const { database, missing } = await findTestDatabase();
let workshop: Workshop;
let axe: string;

const trimtab = (...args: string[]) => {
  const program = join(root, 'bin/trimtab.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: workshop.folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return { status, stdout, stderr };
};

beforeAll(() => {
  workshop = openWorkshop('view');
  axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const text = readFileSync(join(root, 'configs/demo.yaml'), 'utf8')
    .replaceAll('bars: 11000', 'bars: 1500')
    .replace('../var/demo.sqlite', './bot.sqlite')
    .replace('report: ../reports/demo.html', 'record: ./seen.jsonl');
  workshop.write('bot.yaml', text);
  const { status, stderr } = trimtab('run', 'bot.yaml', '--no-report');
  expect(status, stderr).toBe(0);
}, 120_000);
afterAll(() => workshop.close());

/** Serves, and returns the address. */
async function serve(...args: string[]): Promise<string> {
  const started = workshop.start(['view', ...args]);
  const line = /(http:\/\/127\.0\.0\.1:\d+\/\S*)/;
  await expect.poll(() => line.exec(started.text())?.[1], { timeout: 30_000 }).toBeDefined();
  return line.exec(started.text())![1]!;
}

const stateAt = async (address: string, at: number) =>
  (await (await fetch(new URL(`/api/state?at=${at}`, address))).json()) as {
    view: WholeView;
    before: number | null;
    after: number | null;
  };
const about = async (address: string) =>
  (await (await fetch(new URL('/api/travel', address))).json()) as { from: number; until: number };

describe('the command', () => {
  test('prints the view at an instant', async () => {
    const { status, stdout } = trimtab('view', 'seen.jsonl', '--at', '2025-01-01T20:00', '--json');
    expect(status).toBe(0);
    const { blocks, time } = JSON.parse(stdout) as WholeView;
    expect(new Date(time).toISOString()).toBe('2025-01-01T20:00:00.000Z');
    expect(blocks.wallets.map(({ wallet }) => wallet)).toEqual(['main', 'second']);
  });

  test.each([
    [['view', 'none.jsonl'], 'none.jsonl'],
    [['view', 'bot.sqlite', '--journal', 'bot.sqlite'], '--journal goes with a recording'],
    [['view', 'bot.yaml', '--journal', 'none.sqlite'], 'none.sqlite'],
    [['view', 'seen.jsonl', '--at', 'yesterday'], 'It is a time, such as'],
    [['view', 'seen.jsonl', '--port', '70000'], 'It is a number up to 65535'],
    [['view', 'notes.txt'], 'this is not a recording'],
    [['view', 'empty.jsonl'], 'is empty'],
  ])('%j', (args, words) => {
    workshop.write('notes.txt', 'notes\n');
    workshop.write('empty.jsonl', '');
    const { status, stderr } = trimtab(...args);
    expect(status).toBeGreaterThan(0);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('TRIMTAB_UNEXPECTED');
  });

  test.skipIf(database === undefined)(
    `names a journal in a database without its password${missing}`,
    async () => {
      const env = createLiveEnv();
      const store = await createPostgresStore({ url: database!.url, account: 'one', env });
      await openIntent(journalOn(store), 'a', ['emitted']);
      await store.close();
      const url = new URL(database!.url);
      url.username ||= 'root';
      url.password = 'hidden-word';
      const address = await serve(url.href);
      const travel = await (await fetch(new URL('/api/travel', address))).text();
      expect(travel).toContain(`postgres://${url.host}${url.pathname}`);
      expect(travel).not.toContain('hidden-word');
    },
  );

  test('serves only this machine, reads, and no control', async () => {
    const address = await serve('seen.jsonl');
    const ask = (path: string, init: RequestInit = {}) => fetch(new URL(path, address), init);
    expect((await ask('/api/kill', { method: 'POST', body: '{}' })).status).toBe(404);
    expect((await ask('/api/state')).status).toBe(422);
    expect((await ask('/api/state?at=1e99')).status).toBe(422);
    expect((await ask('/api/candles?at=1')).status).toBe(422);
    expect((await ask('/api/candles?symbol=DOGE&at=1')).status).toBe(404);
    expect((await ask('/api/intents/none')).status).toBe(404);
    expect((await ask('/api/travel', { headers: { origin: 'https://evil.example' } })).status).toBe(
      403,
    );
    expect((await ask('/')).headers.get('content-security-policy')).toContain("default-src 'self'");
  });
});

describe.skipIf(chromiumPath === undefined)(`the page of the past${chromiumReason}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_FLAGS });
  });
  afterAll(() => browser?.close());

  async function open(address: string, width = 1_400): Promise<Page> {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.goto(address);
    await page.waitForSelector('html[data-ready]');
    return page;
  }
  const cells = (page: Page, id: string): Promise<string[]> =>
    page.$$eval(`#${id} tbody tr`, (rows) => rows.map((row) => row.textContent));
  const time = (page: Page): Promise<string> => page.textContent('.travel-time').then(String);
  const instant = (ms: number): string =>
    `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

  test('moves by keys, steps and slider, and each block is what stood then', async () => {
    const address = await serve('bot.yaml', '--at', '2025-01-01T20:00:00Z');
    const page = await open(address);
    const at = Date.parse('2025-01-01T20:00:00Z');
    expect(await time(page)).toBe(instant(at));
    expect(await page.textContent('.title')).toContain('PAST');
    const { after } = await stateAt(address, at);
    await page.focus('.travel input');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => time(page), { timeout: 10_000 }).toBe(instant(after!));
    await page.click('button[aria-label="Previous change"]');
    await expect.poll(() => time(page), { timeout: 10_000 }).toBe(instant(at));
    const { from, until } = await about(address);
    await page.focus('.travel input');
    await page.keyboard.press('Home');
    await expect.poll(() => time(page), { timeout: 10_000 }).toBe(instant(from));
    expect(await cells(page, 'positions')).toEqual([]);
    expect(await page.isDisabled('button[aria-label="Previous change"]')).toBe(true);
    await page.keyboard.press('End');
    await expect.poll(() => time(page), { timeout: 10_000 }).toBe(instant(until));
    const { view } = await stateAt(address, until);
    const shown = await cells(page, 'strategies');
    for (const [index, { name, emitted }] of view.blocks.strategies.entries()) {
      expect(shown[index]).toContain(name);
      expect(shown[index]).toContain(String(emitted));
    }
    expect(view.events.length).toBeGreaterThan(5);
    await expect.poll(async () => (await cells(page, 'events')).length).toBe(view.events.length);
    await page.close();
  });

  test('explains an intent from the journal, plays, and goes on where its address says', async () => {
    const address = await serve('bot.yaml');
    const page = await open(address);
    await page.locator('#events button.in-cell').first().click();
    await expect
      .poll(() => page.textContent('dialog pre').catch(() => ''), { timeout: 10_000 })
      .toContain('accepted');
    await page.keyboard.press('Escape');
    await page.focus('.travel input');
    await page.keyboard.press('Home');
    const start = instant((await about(address)).from);
    await expect.poll(() => time(page), { timeout: 10_000 }).toBe(start);
    await page.click('button[aria-label="Play"]');
    await expect.poll(() => time(page), { timeout: 10_000 }).not.toBe(start);
    await page.click('button[aria-label="Play"]');
    const stopped = await time(page);
    await page.reload();
    await page.waitForSelector('html[data-ready]');
    expect(await time(page)).toBe(stopped);
    await page.close();
  });

  test.each(['seen.jsonl', 'bot.sqlite'])(
    '%s: is for everyone, on a narrow screen too',
    async (past) => {
      const page = await open(await serve(past), 390);
      expect(await page.evaluate('document.documentElement.scrollWidth <= 390')).toBe(true);
      await page.evaluate(axe);
      const found = (await page.evaluate(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))',
      )) as string[];
      expect(found).toEqual([]);
      if (past === 'bot.sqlite') {
        expect(await page.textContent('#positions')).toContain('A journal does not hold this');
        expect(await page.isVisible('#candles')).toBe(false);
      }
      await page.close();
    },
  );
});
