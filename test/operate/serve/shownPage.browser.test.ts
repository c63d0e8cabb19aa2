import type { ServerResponse } from 'node:http';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLiveEnv } from '../../../src/env/index.ts';
import { createAdmission } from '../../../src/operate/serve/createAdmission.ts';
import {
  addressOf,
  closeServer,
  createRouteServer,
  listen,
} from '../../../src/operate/serve/createRouteServer.ts';
import { pageRoutes } from '../../../src/operate/serve/pageRoutes.ts';
import type { Route } from '../../../src/operate/serve/Route.ts';
import type { WholeView } from '../../../src/operate/state/index.ts';
import {
  CHROMIUM_FLAGS,
  chromiumPath,
  chromiumReason,
  expectChromiumOnCi,
} from '../findChromium.ts';
import { candlesOf, line, MARKET, strategyOf, viewOf, WALL } from './shownView.ts';

expectChromiumOnCi();

/** What the page asked for, and its answer, which is the test's to give. */
interface Asked {
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
  answer(value: unknown, status?: number): void;
}

describe.skipIf(chromiumPath === undefined)(`the page of a view${chromiumReason}`, () => {
  let browser: Browser;
  const open: Array<() => Promise<unknown>> = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath!, args: CHROMIUM_FLAGS });
  });
  afterEach(async () => {
    for (const close of open.splice(0).toReversed()) await close();
  });
  afterAll(() => browser?.close());

  /** The real page, of a server whose answers are the test's. */
  async function show(view: WholeView | null, width = 1_400) {
    const streams: ServerResponse[] = [];
    const asked: Asked[] = [];
    let token: string | null = null;
    let isSilent = false;
    const ask = (method: 'GET' | 'POST', path: string): Route => ({
      method,
      path,
      access: 'open',
      handle: ({ request, response, body }) =>
        new Promise<void>((resolve) => {
          const answer = (value: unknown, status = 200): void => {
            const isText = typeof value === 'string';
            response.writeHead(status, {
              'content-type': isText ? 'text/plain' : 'application/json',
            });
            response.end(isText ? value : JSON.stringify(value));
            resolve();
          };
          const { url = '', headers } = request;
          asked.push({ path: url, headers, body: body as Asked['body'], answer });
        }),
    });
    const routes: Route[] = [
      ...pageRoutes(),
      {
        method: 'GET',
        path: '/api/events',
        access: 'open',
        handle({ request, response }) {
          if (token !== null && request.headers.authorization !== `Bearer ${token}`) {
            response.writeHead(401, { 'content-type': 'application/json' });
            response.end(JSON.stringify({ error: { code: 'unauthorized', message: 'No.' } }));
            return;
          }
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          streams.push(response);
          if (view !== null && !isSilent)
            response.write(`event: view\ndata: ${JSON.stringify(view)}\n\n`);
        },
      },
      ask('GET', '/api/candles'),
      ask('GET', '/api/report'),
      ask('GET', '/api/intents/:key'),
      ask('POST', '/api/kill'),
      ask('POST', '/api/rearm'),
      ask('POST', '/api/settle'),
      ask('POST', '/api/strategies/:name/pause'),
      ask('POST', '/api/strategies/:name/resume'),
    ];
    const at = { host: '127.0.0.1', port: 0 };
    const rules = { listen: at, hosts: [], readToken: null, controlToken: null, notify: null };
    const env = createLiveEnv();
    const admission = createAdmission(rules, () => env.clock.monotonicNow());
    const server = createRouteServer({ routes, admission, env });
    await listen(server, at);
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    // The page's time stands still but for what a test lets pass.
    await page.clock.install({ time: WALL - 3_600_000 });
    await page.clock.pauseAt(WALL);
    open.push(async () => {
      await page.close();
      for (const stream of streams) stream.end();
      for (const one of asked) one.answer({});
      await closeServer(server);
    });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    const load = async (): Promise<void> => {
      await page.goto(addressOf(server, at));
      if (token === null && view !== null) await page.waitForSelector('html[data-ready="true"]');
    };
    const text = (selector: string): Promise<string> => page.locator(selector).innerText();
    let sequence = 1;
    const send = (event: string, data: object): void =>
      void streams.at(-1)!.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    return {
      page,
      asked,
      streams,
      complaints,
      load,
      text,
      requireToken: (wanted: string) => (token = wanted),
      /** From now on the bot takes connections, and says nothing. */
      fallSilent: () => (isSilent = true),
      /** Lets time pass on the page. */
      pass: (ms: number): Promise<void> => page.clock.runFor(ms),
      /** Gives an answer, and waits until the page has all of it. */
      async answer(one: Asked, value: unknown, status?: number): Promise<void> {
        const received = page.waitForResponse((response) => response.url().endsWith(one.path));
        one.answer(value, status);
        await (await received).finished();
        await page.evaluate('document.title');
      },
      /** A change of blocks and new lines, as the bot sends it. */
      change(blocks: object, events: readonly object[] = [], passedMs = 0): void {
        sequence += 1;
        const times = { time: MARKET + passedMs, wall_time: WALL + passedMs };
        send('change', { sequence, ...times, blocks, events });
      },
      /** A whole view, as the bot sends it to who comes anew. */
      whole(again: WholeView): void {
        sequence = again.sequence;
        send('view', again);
      },
      beat: (passedMs: number) =>
        send('beat', { time: MARKET + passedMs, wall_time: WALL + passedMs }),
      /** The next request whose path begins so. */
      async next(path: string): Promise<Asked> {
        const find = (): number => asked.findIndex((one) => one.path.startsWith(path));
        await expect.poll(find, { timeout: 10_000, interval: 20 }).toBeGreaterThanOrEqual(0);
        return asked.splice(find(), 1)[0]!;
      },
      rows: (id: string): Promise<string[][]> =>
        page.evaluate<string[][]>(
          `[...document.querySelectorAll('#${id} tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))`,
        ),
    };
  }

  /** Opens the form of a command, fills it and sends it. */
  async function command(page: Page, name: string, fields: Record<string, string>): Promise<void> {
    await page.getByRole('button', { name, exact: true }).click();
    await fill(page, fields);
  }
  async function fill(page: Page, fields: Record<string, string>): Promise<void> {
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
    await page.locator('dialog button[type="submit"]').click();
  }
  const GIVEN = { 'Reason, for the journal': 'why', 'Control token': 'token' };
  const said = (page: Page): Promise<string> => page.locator('dialog .answer').innerText();

  test('the head says what the bot is, and every reason why it may not enter, each once', async () => {
    const { load, text, page, change, rows } = await show(viewOf());
    await load();
    expect(await text('.title')).toMatch(/^shown\s*PAPER\s*L0\s*Control/);
    expect(await text('.gate')).toBe('Entries are open');
    expect(await page.locator('.gate').getAttribute('class')).toBe('gate');
    expect(await page.locator('.badge').nth(0).getAttribute('class')).toBe('badge paper');
    expect(await page.locator('.badge').nth(1).getAttribute('class')).toBe('badge calm');
    const facts = await text('header .facts');
    expect(facts).toMatch(/up\s+1 h 0 min/);
    expect(facts).toMatch(/market time\s+2025-01-04 12:20:3\d UTC/);
    expect(facts).toMatch(/configuration\s+0123456789abcdef\s*$/);
    expect(await text('#feeds')).toContain('The stream is open for 2 min · reconnects: 0');
    expect(await text('#budget')).toMatch(/used in this window\s+30 of 1,080/);
    expect(await text('#budget')).toMatch(/the service’s limit\s+1,200/);
    expect(await text('#budget')).toMatch(/highest in a window\s+270 \(25 %\)/);
    expect(await rows('budget')).toEqual([
      ['clock', '–', '2'],
      ['entries', '10', '0'],
      ['exits', '20', '0'],
    ]);
    const { bot, connection, budget } = viewOf().blocks;
    expect(await text('#budget')).toMatch(/held until\s+–/);
    change({ budget: { ...budget, held_until: MARKET } });
    await expect.poll(() => text('#budget')).toMatch(/held until\s+2025-01-04 12:20:30 UTC/);
    const why = { wallet: 'main', symbol: 'BTC', reason: 'by hand' };
    change({
      bot: { ...bot, kind: 'live', kill_level: 'L1', kill_reason: 'why', gate: ['starting'] },
      connection: { ...connection, state: 'lost', reason: 'away' },
    });
    const gate = 'Entries are closed · kill level L1: why · starting';
    await expect.poll(() => text('.gate')).toBe(gate);
    expect(await text('.title')).toMatch(/^shown\s*LIVE\s*L1/);
    expect(await page.title()).toBe('shown L1');
    expect(await page.locator('.badge').nth(0).getAttribute('class')).toBe('badge live');
    expect(await page.locator('header .facts dt').count()).toBe(6);
    expect(await page.locator('.badge').nth(1).getAttribute('class')).toBe('badge alarm');
    expect(await page.locator('header .facts .loss').innerText()).toBe('lost: away');
    change({
      bot: {
        ...bot,
        service: null,
        gate: ['kill level L1: why'],
        kill_level: 'L1',
        kill_reason: 'why',
        closed_wallets: [{ wallet: 'side', reason: 'the loss' }],
        closed_symbols: [why],
        key_refused: '',
      },
    });
    await expect
      .poll(() => text('.gate'))
      .toBe(
        "Entries are closed · kill level L1: why · side: the loss · the service refuses the bot's key · BTC on main is closed: by hand",
      );
    expect(await text('header .facts')).toContain('in the same process');
    // A symbol that is closed closes nothing else.
    change({ bot: { ...bot, closed_symbols: [why] } });
    await expect
      .poll(() => text('.gate'))
      .toBe('Entries are open · BTC on main is closed: by hand');
    expect(await page.locator('.gate').getAttribute('class')).toBe('gate');
    for (const more of [{ closed_wallets: [why] }, { key_refused: '' }]) {
      change({ bot: { ...bot, ...more } });
      await expect.poll(() => page.locator('.gate').getAttribute('class')).toBe('gate closed');
    }
  }, 300_000);

  test('ages go on between changes, and stand still once the bot is silent', async () => {
    const { load, text, page, beat, change, streams, rows, pass, fallSilent } =
      await show(viewOf());
    await load();
    const age = async (): Promise<string> => (await rows('strategies'))[0]![4]!;
    expect(await age()).toBe('0 s');
    await pass(2_000);
    expect(await age()).toBe('2 s');
    fallSilent();
    beat(30_000);
    const later = async (): Promise<number> => Number.parseInt(await pass(100).then(age));
    await expect.poll(later, { interval: 20 }).toBeGreaterThanOrEqual(30);
    // No beat any more: the page counts four seconds on, and no further.
    const silence = async (): Promise<string> => {
      await pass(250);
      return text('.link-alert');
    };
    await expect.poll(silence, { interval: 20 }).toContain('No answer');
    expect(await text('.link-alert')).toMatch(
      /^No answer from the bot since 23:59:5\d UTC\. What stands below is from then\. \(nothing came for 4 s\)$/,
    );
    expect(await page.title()).toBe('No answer: shown');
    expect(await page.locator('.stale').count()).toBe(2);
    const since = await text('.link-alert');
    await pass(2_000);
    expect(await age()).toBe('34 s');
    await expect.poll(() => streams.length).toBe(2);
    // The next attempt is silent, too, and one that answers at last ends it.
    await pass(20_000);
    await expect.poll(() => pass(250).then(() => streams.length)).toBeGreaterThan(2);
    expect([await text('.link-alert'), await age()]).toEqual([since, '34 s']);
    const alertAfterBeat = (): Promise<string> => {
      streams.at(-1)!.write(': beat\n\n');
      return text('.link-alert');
    };
    await expect.poll(alertAfterBeat).toBe('');
    const back = /^The bot is back since (\d\d:\d\d:\d\d) UTC, after (\d+) s\.$/;
    const [, at, seconds] = back.exec(await text('.link-back'))!;
    const secondOf = (of: string): number => (Date.parse(`2026-06-08T${of}Z`) / 1_000) % 86_400;
    const from = /since (\S+) UTC/.exec(since)![1]!;
    const passed = (secondOf(at!) - secondOf(from) + 86_400) % 86_400;
    expect(Math.abs(Number(seconds) - passed)).toBeLessThanOrEqual(1);
    expect(passed).toBeGreaterThan(20);
    expect(await page.title()).toBe('shown L0');
    expect(await page.locator('.stale').count()).toBe(0);
    // The line of its return goes by itself, and not before its time after another silence.
    let reconnects = 0;
    const passWithNews = async (ms: number): Promise<void> => {
      await pass(ms);
      reconnects += 1;
      change({ connection: { ...viewOf().blocks.connection, reconnects } });
      await expect.poll(() => text('#feeds')).toContain(`reconnects: ${reconnects}`);
    };
    await passWithNews(3_000);
    expect(await text('.link-back')).not.toBe('');
    streams.at(-1)!.end();
    await expect.poll(() => text('.link-alert')).toContain('has closed the connection');
    expect(await text('.link-back')).toBe('');
    await expect.poll(() => pass(100).then(alertAfterBeat)).toBe('');
    for (const ms of [3_000, 3_000, 2_000]) await passWithNews(ms);
    expect(await text('.link-back')).not.toBe('');
    await pass(2_500);
    expect(await text('.link-back')).toBe('');
  }, 300_000);

  test('rows follow the order, the values and the end of what they show, and their buttons too', async () => {
    const { load, page, change, rows, next, text } = await show(viewOf());
    await load();
    const names = async (): Promise<string[]> => (await rows('strategies')).map(([name]) => name!);
    expect(await names()).toEqual(['one', 'two']);
    const label = (name: string) =>
      page.getByRole('button', { name: `Explain the last intent of ${name}: launch BTC accepted` });
    change({ strategies: [strategyOf('three'), strategyOf('two'), strategyOf('one')] });
    await expect.poll(names).toEqual(['three', 'two', 'one']);
    // The same row, with another intent: its button explains the new one.
    const newer = strategyOf('one', { intent: { ...strategyOf('newer').intent, symbol: 'ETH' } });
    change({ strategies: [newer, strategyOf('two', { intent: null })] });
    await expect.poll(names).toEqual(['one', 'two']);
    await page.getByRole('button', { name: /of one: launch ETH/ }).click();
    expect((await next('/api/intents/')).path).toBe('/api/intents/key%20of%20newer');
    await page.keyboard.press('Escape');
    expect(await label('two').count()).toBe(0);
    expect(await text('#strategies')).not.toContain('three');
    const cells = page.locator('#strategies tbody tr').nth(1).locator('td');
    expect(await cells.nth(5).innerText()).toBe('–');
    // The focus of a row that goes moves to what held it.
    await page.getByRole('button', { name: 'Pause two' }).focus();
    change({ strategies: [newer] });
    await expect.poll(names).toEqual(['one']);
    const focused = () => page.evaluate(`document.activeElement.closest('section')?.id`);
    await expect.poll(focused).toBe('strategies');
    change({ strategies: [] });
    await expect.poll(() => text('#strategies')).toContain('The bot has no strategy.');
    expect(await page.locator('#strategies table').isVisible()).toBe(false);
    // What comes back is there again.
    change({ strategies: [strategyOf('two'), newer] });
    await expect.poll(names).toEqual(['two', 'one']);
    await page.getByRole('button', { name: /of one: launch ETH/ }).waitFor();
  }, 300_000);

  test('events are the newest first, of the level and with the words that were asked for', async () => {
    const events = [
      line(1, { text: 'Filled', fields: { symbol: 'BTC', price: 0.1 + 0.2, note: '' } }),
      line(2, { text: 'Denied', level: 'warn', key: 'abcdef', fields: { symbol: 'ETH' } }),
      line(3, { text: 'Failed', level: 'error', time: 0 }),
    ];
    const { load, page, change, whole, rows, text, next, answer, complaints } = await show(
      viewOf({}, { events }),
    );
    await load();
    const shown = async (): Promise<string[]> => (await rows('events')).map((cells) => cells[2]!);
    expect(await shown()).toEqual(['Failed', 'Denied', 'Filled']);
    expect((await rows('events')).map((cells) => cells[0])).toEqual([
      '–',
      '2025-01-04 12:20:29',
      '2025-01-04 12:20:29',
    ]);
    expect((await rows('events'))[2]![3]).toBe('symbol BTC · price 0.3');
    expect(await page.locator('#events td.loss').innerText()).toBe('error');
    const level = page.getByLabel('Level of events');
    await level.selectOption('warnings and errors');
    expect(await shown()).toEqual(['Failed', 'Denied']);
    expect(await text('#events .value')).toBe('2 of 3');
    await level.selectOption('errors');
    expect(await shown()).toEqual(['Failed']);
    await level.selectOption('all');
    const search = page.getByLabel('Filter events');
    await search.fill('eth  ABCD');
    expect(await shown()).toEqual(['Denied']);
    await search.fill('eth btc');
    expect(await text('#events')).toContain('No event matches.');
    // New lines are filtered as the others are.
    change({}, [line(4, { text: 'ETH and BTC' }), line(5)]);
    await expect.poll(shown).toEqual(['ETH and BTC']);
    await search.fill('');
    await expect.poll(shown).toEqual(['Line 5', 'ETH and BTC', 'Failed', 'Denied', 'Filled']);
    // As many as are shown: the newest takes the place of the oldest.
    const many = Array.from({ length: 195 }, (_none, at) => line(at + 6));
    change({}, many);
    await expect.poll(async () => (await shown())[0]).toBe('Line 200');
    change({}, [line(201)]);
    await expect.poll(async () => (await shown())[0]).toBe('Line 201');
    expect([(await shown()).length, await text('#events .value')]).toEqual([200, '200 of 200']);
    // A bot that was started again has lines of the same numbers.
    whole(viewOf({}, { events: [line(1), line(2)] }));
    await expect.poll(shown).toEqual(['Line 2', 'Line 1']);
    whole(viewOf({}, { events: [line(1, { text: 'Once more' }), line(2)] }));
    await expect.poll(shown).toEqual(['Line 2', 'Once more']);
    // A day is one of wall time, and only the last that was asked for is shown.
    await page.getByRole('button', { name: 'Day…' }).click();
    const first = await next('/api/report');
    expect(first.path).toBe('/api/report?day=2026-06-07');
    expect(first.headers['accept']).toBe('text/plain');
    await page.getByLabel('Day (UTC)').fill('2026-06-01');
    const second = await next('/api/report');
    expect(second.path).toBe('/api/report?day=2026-06-01');
    second.answer('The first of June.');
    await expect.poll(() => text('dialog pre')).toBe('The first of June.');
    await answer(first, 'Today.');
    expect(await text('dialog pre')).toBe('The first of June.');
    await page.getByLabel('Day (UTC)').fill('2026-06-02');
    (await next('/api/report')).answer({ error: { code: 'x', message: 'No journal.' } }, 404);
    await expect.poll(() => text('dialog pre')).toBe('No journal.');
    expect(complaints).toEqual([]);
  }, 300_000);

  test('an intent is explained in its dialog, and a fault of it there too', async () => {
    const { load, page, next, answer, change, rows, text } = await show(
      viewOf({}, { events: [line(1, { text: 'Denied', key: 'a/b' })] }),
    );
    await load();
    const explain = page.getByRole('button', { name: 'Explain: Denied,' });
    await explain.click();
    expect(await text('dialog')).toContain('Reading the journal …');
    const asked = await next('/api/intents/');
    expect(asked.path).toBe('/api/intents/a%2Fb');
    const explained = { key: 'a/b', strategy: 'one', kind: 'launch', state: 'denied' };
    asked.answer({ ...explained, explanation: 'In short' });
    await expect.poll(() => text('dialog h2')).toBe('launch of one: denied');
    expect(await text('dialog code')).toBe('a/b');
    expect(await text('dialog pre')).toBe('In short');
    // A click beside it closes it, one in it does not.
    await page.locator('dialog pre').click();
    expect(await page.locator('dialog').isVisible()).toBe(true);
    await page.mouse.click(5, 5);
    expect(await page.locator('dialog').isVisible()).toBe(false);
    await explain.click();
    (await next('/api/intents/')).answer({ error: { code: 'x', message: 'None.' } }, 404);
    await expect.poll(() => text('dialog')).toContain('There is no explanation: None.');
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('dialog').isVisible()).toBe(false);
    await explain.click();
    (await next('/api/intents/')).answer({ error: { code: 'x', message: 'Busy.' } }, 503);
    await expect.poll(() => text('dialog')).toContain('Busy.');
    expect(await text('dialog')).not.toContain('no explanation');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Close');
    await page.keyboard.press('Escape');
    // What comes after it was closed opens nothing, and takes the place of nothing else.
    await explain.click();
    const [late, later] = [await next('/api/intents/'), page.getByLabel('Reason, for the journal')];
    await page.keyboard.press('Escape');
    await answer(late, { ...explained, explanation: 'Late' });
    expect(await page.locator('dialog').isVisible()).toBe(false);
    await explain.click();
    const other = await next('/api/intents/');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Kill to L1…' }).click();
    await answer(other, { ...explained, explanation: 'Later' });
    expect([await text('dialog h2'), await later.isVisible()]).toEqual(['Kill to L1', true]);
    // A form is ready to be filled.
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('INPUT');
    await page.keyboard.press('Escape');
    // The focus goes where the row was that opened it, if that is gone meanwhile.
    await page.getByRole('button', { name: 'Explain the last intent of two:' }).click();
    change({ strategies: [strategyOf('one')] });
    await expect.poll(async () => (await rows('strategies')).length).toBe(1);
    await page.keyboard.press('Escape');
    const focused = () => page.evaluate(`document.activeElement.closest('section')?.id`);
    await expect.poll(focused).toBe('strategies');
  }, 300_000);

  test('a command that is sent again is the same one, and another once it says something else', async () => {
    const { load, page, next, text } = await show(viewOf());
    await load();
    await command(page, 'Kill to L3…', { 'The bot’s name, shown, to confirm': 'shown', ...GIVEN });
    const first = await next('/api/kill');
    expect(first.headers['authorization']).toBe('Bearer token');
    const { nonce, ...body } = first.body;
    expect(body).toEqual({ level: 'L3', name: 'shown', reason: 'why' });
    expect(await page.locator('dialog button[type="submit"]').isDisabled()).toBe(true);
    first.answer({ error: { code: 'x', message: 'The disk is full.' } }, 500);
    await expect.poll(() => said(page)).toBe('The disk is full.');
    await fill(page, {});
    const again = await next('/api/kill');
    expect(again.body).toEqual(first.body);
    again.answer({ error: { code: 'x', message: 'Still full.' } }, 500);
    await expect.poll(() => said(page)).toBe('Still full.');
    await fill(page, { 'Reason, for the journal': 'another' });
    const other = await next('/api/kill');
    expect(other.body['nonce']).not.toBe(nonce);
    expect(other.body['nonce']).toMatch(/^[0-9a-f-]{32,36}$/);
    other.answer({ level: 'L3', gate: [], not_ended: [] });
    await expect.poll(() => text('dialog [role="status"]')).toBe('The bot is at L3.');
    await page.keyboard.press('Escape');
    // The token is known now, as long as the page is open; a light level needs no name.
    await page.getByRole('button', { name: 'Kill to L2…' }).click();
    expect(await page.getByLabel('Control token').isVisible()).toBe(false);
    expect(await page.getByLabel(/to confirm/).count()).toBe(0);
    await fill(page, { 'Reason, for the journal': 'again' });
    const light = await next('/api/kill');
    expect(light.headers['authorization']).toBe('Bearer token');
    expect(Object.keys(light.body).toSorted()).toEqual(['level', 'nonce', 'reason']);
    light.answer({ level: 'L2', gate: [], not_ended: ['ord_1'] });
    await expect.poll(() => text('dialog [role="alert"]')).toContain('ord_1');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Kill to L4…' }).click();
    expect(await page.getByLabel(/to confirm/).count()).toBe(1);
    await page.keyboard.press('Escape');
    await command(page, 'Re-arm…', { 'Reason, for the journal': 'over' });
    expect(Object.keys((await next('/api/rearm')).body).toSorted()).toEqual(['nonce', 'reason']);
  }, 300_000);

  test('a command goes to the strategy and to the intent of its row', async () => {
    const unanswered = [
      {
        ...strategyOf('one').intent,
        strategy: 'a/b',
        wallet: 'main',
        state: 'unresolved',
        reason: '',
        command: 'c',
      },
    ];
    const strategies = [strategyOf('a/b'), strategyOf('c d', { paused: 'by hand' })];
    const { load, page, next, text } = await show(viewOf({ strategies, unanswered }));
    await load();
    await command(page, 'Pause a/b', GIVEN);
    const pause = await next('/api/strategies/');
    expect(pause.path).toBe('/api/strategies/a%2Fb/pause');
    pause.answer({ paused: true });
    await expect.poll(() => text('dialog [role="status"]')).toBe('The strategy is paused.');
    await page.keyboard.press('Escape');
    await command(page, 'Resume c d', { 'Reason, for the journal': 'over' });
    const resume = await next('/api/strategies/');
    expect(resume.path).toBe('/api/strategies/c%20d/resume');
    resume.answer({ paused: false });
    await expect.poll(() => text('dialog [role="status"]')).toBe('The strategy is resumed.');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Settle launch BTC of a/b' }).click();
    await page.getByLabel('Its outcome').selectOption('accepted');
    await fill(page, {
      'Ids of its records, if accepted, separated by spaces': ' ord_1,  ord_2 ',
      'Reason, for the journal': ' looked it up ',
    });
    const settle = await next('/api/settle');
    const { nonce: _nonce, ...body } = settle.body;
    expect(body).toEqual({
      key: 'key of one',
      as: 'accepted',
      records: ['ord_1', 'ord_2'],
      reason: 'looked it up',
    });
    settle.answer({ state: 'accepted' });
    await expect.poll(() => text('dialog [role="status"]')).toBe('The intent is accepted.');
  }, 300_000);

  test('what comes of commands late is a line each, and each is dismissed by itself', async () => {
    const { load, page, next } = await show(viewOf());
    await load();
    const lines = (): Promise<string[]> => page.locator('.late p span').allInnerTexts();
    for (const [at, level] of ['L1', 'L2'].entries()) {
      const token =
        at === 0 ? GIVEN : { 'Reason, for the journal': 'why', 'Control token': 'token' };
      await command(page, `Kill to ${level}…`, token);
      await page.keyboard.press('Escape');
      (await next('/api/kill')).answer({ error: { code: 'x', message: `Not ${level}.` } }, 500);
      await expect.poll(async () => (await lines()).length).toBe(at + 1);
    }
    expect(await lines()).toEqual(['Kill to L1: Not L1.', 'Kill to L2: Not L2.']);
    await page.locator('.late button').first().click();
    expect(await lines()).toEqual(['Kill to L2: Not L2.']);
    await command(page, 'Kill to L1…', GIVEN);
    await page.keyboard.press('Escape');
    (await next('/api/kill')).answer({ level: 'L1', gate: [], not_ended: [] });
    await expect.poll(lines).toEqual(['Kill to L2: Not L2.', 'Kill to L1: The bot is at L1.']);
  }, 300_000);

  test('candles are those of the chosen symbol, and read again only when something came', async () => {
    const { load, page, asked, next, answer, change, text, pass } = await show(viewOf());
    await load();
    const first = await next('/api/candles');
    expect(first.path).toBe('/api/candles?symbol=BTC');
    first.answer(candlesOf('BTC'));
    await expect.poll(() => text('#candle-legend')).toMatch(/^BTC 1 min\s+O 3/);
    // Ages are drawn each second; candles are not.
    await pass(2_500);
    expect(asked.filter(({ path }) => path.startsWith('/api/candles'))).toEqual([]);
    const [btc, eth] = viewOf().blocks.feeds;
    change({ feeds: [{ ...btc, close_time: MARKET + 60_000 }, eth] });
    (await next('/api/candles?symbol=BTC')).answer(candlesOf('BTC', { open: Array(10).fill(7) }));
    await expect.poll(() => text('#candle-legend')).toMatch(/O 7/);
    change({ strategies: [strategyOf('one', { fills: 1 }), strategyOf('two')] });
    const late = await next('/api/candles?symbol=BTC');
    await page.getByRole('tab', { name: 'ETH/USDC' }).click();
    // What comes late for another symbol is not shown under this one’s name.
    await answer(late, candlesOf('BTC', { open: Array(10).fill(8) }));
    expect(await text('#candle-legend')).toMatch(/^BTC 1 min\s+O 7/);
    const other = await next('/api/candles');
    expect(other.path).toBe('/api/candles?symbol=ETH%2FUSDC');
    other.answer({ error: { code: 'x', message: 'None.' } }, 404);
    await expect.poll(() => text('#candle-legend')).toBe('No candles of ETH/USDC are known.');
    expect(await page.locator('#candle-chart').isVisible()).toBe(false);
    await pass(1_000);
    (await next('/api/candles?symbol=ETH')).answer(candlesOf('ETH/USDC'));
    await expect.poll(() => text('#candle-legend')).toMatch(/^ETH\/USDC 1 min\s+O 8/);
    expect(await page.locator('#candle-chart').isVisible()).toBe(true);
    // A reading that fails later leaves what stands there.
    change({ strategies: [strategyOf('one', { symbols: ['ETH/USDC'], fills: 2 })] });
    const failing = await next('/api/candles?symbol=ETH');
    await answer(failing, { error: { code: 'x', message: '' } }, 503);
    expect(await text('#candle-legend')).toMatch(/^ETH\/USDC/);
    await pass(1_000);
    await answer(await next('/api/candles?symbol=ETH'), candlesOf('ETH/USDC'));
    // An intent that has an answer now is another mark.
    const { intent } = strategyOf('one');
    const answered = { ...intent, state: 'rejected' };
    const more = { symbols: ['ETH/USDC'], fills: 2, intent: answered };
    change({ strategies: [strategyOf('one', more)] });
    await next('/api/candles?symbol=ETH');
  }, 300_000);

  test('a token is asked for, taken without its spaces, and stays with the tab once it was right', async () => {
    const { load, page, text, next, requireToken, streams, pass, complaints } =
      await show(viewOf());
    requireToken('right');
    await load();
    const field = page.getByLabel('Read token');
    await field.waitFor();
    await expect.poll(() => page.evaluate(`document.activeElement.id`)).toBe('read-token');
    expect(await page.locator('#dashboard').isVisible()).toBe(false);
    await field.fill('wrong ünd');
    await page.keyboard.press('Enter');
    expect(await text('main.token [role="alert"]')).toContain('This is no token');
    await field.fill('wrong');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => text('main.token [role="alert"]'))
      .toBe('The token was not accepted. No.');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(await field.inputValue()).toBe('');
    await field.fill('  right ');
    await page.keyboard.press('Enter');
    await page.waitForSelector('html[data-ready="true"]');
    expect(await page.locator('main.token').isVisible()).toBe(false);
    expect(await page.evaluate('sessionStorage.getItem("trimtab-read-token")')).toBe('right');
    expect((await next('/api/candles')).headers['authorization']).toBe('Bearer right');
    // Another one is needed since.
    requireToken('next');
    streams.at(-1)!.end();
    await expect.poll(() => pass(250).then(() => field.isVisible())).toBe(true);
    expect(await text('main.token [role="alert"]')).toContain('The token was not accepted.');
    expect(await page.locator('#dashboard').isVisible()).toBe(false);
    await field.fill('next');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#dashboard').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  }, 300_000);

  test('the same symbol and the same id on two wallets are two rows', async () => {
    const placed = { symbol: 'BTC', side: 'buy', reduce_only: false, filled_size: 0, owner: null };
    const on = (wallet: string, more: object) => ({ wallet, ...placed, ...more });
    const order = { order_id: 'ord_1', order_type: 'limit', size: 1, price: 9, status: 'open' };
    const twap = { execution_id: 'exe_1', algo: 'twap', total_size: 1, progress: 0 };
    const working = { status: 'running', phase: 'running', created_time: MARKET };
    const position = { size: 1, uncovered_since: null, stop_price: null, ownership: 'ignored' };
    const both = (more: object) => ['main', 'side'].map((wallet) => on(wallet, more));
    const { load, rows } = await show(
      viewOf({
        orders: both({ ...order, created_time: MARKET }),
        executions: both({ ...twap, ...working }),
        positions: both(position),
      }),
    );
    await load();
    for (const id of ['orders', 'executions', 'positions'])
      expect((await rows(id)).map((cells) => cells[1])).toEqual(['main', 'side']);
  }, 300_000);

  test('a bot that takes no commands has no buttons for them', async () => {
    const { load, page } = await show(viewOf({}, { control: false }));
    await load();
    expect(await page.locator('#control').isVisible()).toBe(false);
    expect(await page.locator('.jump').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Pause one' }).count()).toBe(0);
  }, 300_000);
});
