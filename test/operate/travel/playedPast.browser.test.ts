import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createLiveEnv } from '../../../src/env/index.ts';
import { sendJson } from '../../../src/operate/serve/answer.ts';
import { createAdmission } from '../../../src/operate/serve/createAdmission.ts';
import {
  addressOf,
  closeServer,
  createRouteServer,
  listen,
} from '../../../src/operate/serve/createRouteServer.ts';
import { pageRoutes } from '../../../src/operate/serve/pageRoutes.ts';
import {
  CHROMIUM_FLAGS,
  chromiumPath,
  chromiumReason,
  expectChromiumOnCi,
} from '../findChromium.ts';
import { MARKET, viewOf } from '../serve/shownView.ts';

expectChromiumOnCi();

const SECOND = 1_000;
/** How many requests of the page have no answer yet, as `window.unanswered`. */
const COUNT_UNANSWERED = `
window.unanswered = 0;
const send = window.fetch;
window.fetch = async (...request) => {
  window.unanswered++;
  try {
    return await send(...request);
  } finally {
    window.unanswered--;
  }
};`;
const [FROM, UNTIL] = [MARKET, MARKET + 100 * SECOND];

describe.skipIf(chromiumPath === undefined)(`a past that is played${chromiumReason}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_FLAGS });
  });
  afterAll(() => browser?.close());

  /** A past with a change each second, in a page whose time is the test's. */
  async function openPast(hash = '') {
    const read: number[] = [];
    const about = { name: 'past', source: 'recording', path: 'seen.jsonl', changes: 100 };
    const times = { from: FROM, until: UNTIL, explains: false, isComplete: false };
    const at = { host: '127.0.0.1', port: 0 };
    const rules = { listen: at, hosts: [], readToken: null, controlToken: null, notify: null };
    const env = createLiveEnv();
    const server = createRouteServer({
      routes: [
        ...pageRoutes('past'),
        {
          method: 'GET',
          path: '/api/travel',
          access: 'open',
          handle: ({ response }) => sendJson(response, { ...about, ...times }),
        },
        {
          method: 'GET',
          path: '/api/state',
          access: 'open',
          handle({ response, query }) {
            const time = Number(query.get('at'));
            read.push((time - FROM) / SECOND);
            sendJson(response, {
              view: viewOf({}, { time, control: false, past: { unknown: ['feeds'] } }),
              before: time > FROM ? time - SECOND : null,
              after: time < UNTIL ? time + SECOND : null,
            });
          },
        },
      ],
      admission: createAdmission(rules, () => 0),
      env,
    });
    await listen(server, at);
    const page = await browser.newPage();
    onTestFinished(async () => {
      await page.close();
      await closeServer(server);
    });
    await page.addInitScript(COUNT_UNANSWERED);
    await page.clock.install({ time: 0 });
    await page.goto(`${addressOf(server, at)}${hash}`);
    await page.waitForSelector('html[data-ready="true"]');
    await page.clock.pauseAt(3_600_000);
    /** Seconds from the beginning that the page shows, once it shows all that it has read. */
    const shown = async (): Promise<number> => {
      const text = await page.locator('.travel-time').innerText();
      return (Date.parse(`${text.slice(0, 19).replace(' ', 'T')}Z`) - FROM) / SECOND;
    };
    const play = page.locator('.travel-steps button').nth(1);
    return { page, read, shown, play };
  }

  test('goes on by a change in 0.4 s, and no faster after it was stopped and played again', async () => {
    const { page, read, shown, play } = await openPast(`#at=${FROM + 10 * SECOND}`);
    expect(await shown()).toBe(10);
    await play.click();
    await expect.poll(shown).toBe(11);
    /** Time passes in parts, each with the answers to what the page asked for in it. */
    const pass = async (ms: number): Promise<void> => {
      for (let at = 0; at < ms; at += 50) {
        await page.clock.runFor(50);
        await expect.poll(() => page.evaluate('window.unanswered')).toBe(0);
        await expect.poll(async () => (await shown()) === read.at(-1)).toBe(true);
      }
    };
    for (let again = 0; again < 3; again++) {
      await pass(150);
      const before = await shown();
      await play.click();
      expect(await play.innerText()).toBe('Play');
      await play.click();
      await expect.poll(shown).toBe(before + 1);
    }
    const before = await shown();
    await pass(2_000);
    expect(await shown()).toBe(before + 5);
    await play.click();
    await page.clock.runFor(5_000);
    expect(await shown()).toBe(before + 5);
  }, 300_000);

  test('keys, steps and the address lead within it, and from its end it is played from its beginning', async () => {
    const { page, read, shown, play } = await openPast(`#at=${UNTIL + 9 * SECOND}`);
    expect(await shown()).toBe(100);
    expect(await page.locator('.travel').innerText()).toContain('it ends before its bot did');
    const step = (name: string) => page.getByRole('button', { name });
    expect([await step('Previous').isDisabled(), await step('Next').isDisabled()]).toEqual([
      false,
      true,
    ]);
    const slider = page.getByLabel('Time', { exact: true });
    for (const [key, at] of [
      ['PageDown', 90],
      ['ArrowLeft', 89],
      ['ArrowUp', 90],
      ['PageUp', 100],
      ['PageUp', 100],
      ['Home', 0],
      ['PageDown', 0],
      ['ArrowDown', 0],
      ['ArrowRight', 1],
      ['End', 100],
    ] as const) {
      await slider.press(key);
      await expect.poll(shown, { message: key }).toBe(at);
    }
    await play.click();
    await expect.poll(shown).toBe(0);
    expect(await page.evaluate('location.hash')).toBe(`#at=${FROM}`);
    expect(await page.title()).toBe(`past at ${new Date(FROM).toISOString()}`);
    // A step by hand ends the play.
    await step('Next').click();
    await expect.poll(shown).toBe(1);
    await page.clock.runFor(5_000);
    expect(await shown()).toBe(1);
    expect(read.at(-1)).toBe(1);
    expect(await page.locator('.title').innerText()).toMatch(/^shown\s*PAST/);
    expect(await page.locator('#control').isVisible()).toBe(false);
    expect(await page.locator('#candles').isVisible()).toBe(false);
  }, 300_000);
});
