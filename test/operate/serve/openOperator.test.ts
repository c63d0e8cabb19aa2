import { request as httpRequest } from 'node:http';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { Secret, type OperateConfig } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { placeOrder } from '../../../src/intents/index.ts';
import { openOperator, type Operator } from '../../../src/operate/serve/index.ts';
import type { BotView, EventRow, ViewChange } from '../../../src/operate/state/index.ts';
import { openTestBot, type TestBot, type TestBotOptions } from '../../runtime/openTestBot.ts';
import { configOf, openTwoWallets, STRATEGIES } from '../watchedBot.ts';

const open: Array<{ close(): unknown }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const LACKS = 'an account is not known yet';
const READ = 'read-token-of-the-test';
const CONTROL = 'control-token-of-the-test';
const LOCAL: OperateConfig = {
  listen: { host: '127.0.0.1', port: 0 },
  hosts: [],
  readToken: null,
  controlToken: null,
  notify: null,
};
const buy = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 });

async function openServed(
  operate: Partial<OperateConfig> = {},
  over: TestBotOptions = {},
): Promise<{ bot: TestBot; operator: Operator; url(path: string): string }> {
  const server = await openTwoWallets();
  open.push(server);
  const operators: Operator[] = [];
  const bot = await openTestBot(server, {
    strategies: STRATEGIES,
    async onBot(created, plan) {
      const config = configOf(plan, { operate: { ...LOCAL, ...operate } });
      const now = (): number => created.instant;
      const from = { bot: created, plan, config, env: createLiveEnv(), now };
      operators.push((await openOperator({ ...from, service: null, takesCommands: false }))!);
    },
    ...over,
  });
  open.push(bot);
  const operator = operators[0]!;
  open.push(operator);
  return { bot, operator, url: (path) => new URL(path, operator.address!).href };
}

interface Message {
  event: string;
  id: string | undefined;
  data: BotView & ViewChange & { events: EventRow[] };
}

/** Reads server-sent events until it is answered to end. */
function follow(url: string, headers: Record<string, string> = {}) {
  const messages: Message[] = [];
  const abort = new AbortController();
  const done = (async () => {
    const response = await fetch(url, { headers, signal: abort.signal });
    let text = '';
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      const blocks = text.split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        const field = (name: string) =>
          block
            .split('\n')
            .find((line) => line.startsWith(`${name}: `))
            ?.slice(name.length + 2);
        const event = field('event');
        if (event !== undefined)
          messages.push({ event, id: field('id'), data: JSON.parse(field('data')!) });
      }
    }
  })().catch(() => {});
  return { messages, end: () => (abort.abort(), done) };
}

/** A request whose Host header is the caller's, which fetch does not allow. */
function ask(address: string, path: string, headers: Record<string, string>): Promise<number> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    httpRequest({ hostname, port, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    })
      .on('error', reject)
      .end();
  });
}

describe('the operator reads', () => {
  test('health, readiness, state, candles', async () => {
    const { bot, url } = await openServed();
    await bot.step(2);
    bot.propose(buy);
    await bot.step(1);
    expect(await (await fetch(url('/healthz'))).text()).toBe('ok\n');
    const ready = await fetch(url('/readyz'));
    expect([ready.status, await ready.json()]).toEqual([200, { ready: true, reasons: [] }]);
    const state = (await (await fetch(url('/api/state'))).json()) as Message['data'];
    expect(state.blocks.positions).toMatchObject([{ symbol: 'BTC', owner: 'first' }]);
    expect(state.events.map(({ text }) => text)).toContain('Filled');
    const candles = await (await fetch(url('/api/candles?symbol=BTC'))).json();
    expect(candles).toMatchObject({ symbol: 'BTC', fills: [{ side: 'buy', size: 0.02 }] });
    expect(candles).toMatchObject({
      intents: [{ symbol: 'BTC', strategy: 'first', kind: 'place_order', state: 'accepted' }],
    });
    expect((await fetch(url('/api/candles?symbol=DOGE'))).status).toBe(404);
    // The journal is in memory, and is its bot's alone.
    expect((await fetch(url('/api/intents'))).status).toBe(404);
    expect((await fetch(url('/api/intents?state=done'))).status).toBe(422);
    for (const cursor of ['', 'abc', '-1', '1.5', '9'.repeat(19)])
      expect((await fetch(url(`/api/intents?cursor=${cursor}`))).status).toBe(422);
    expect((await fetch(url('/nowhere'))).status).toBe(404);
    const posted = await fetch(url('/api/state'), { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
  });

  test('its events as often as it likes, one after the other', async () => {
    const { url } = await openServed();
    const follow = async (): Promise<number> => {
      const left = new AbortController();
      const { status } = await fetch(url('/api/events'), { signal: left.signal });
      left.abort();
      return status;
    };
    for (let at = 0; at < 16; at++) expect(await follow()).toBe(200);
    // The server hears of the last ones a moment later.
    await expect.poll(follow).toBe(200);
  });

  test('a bot that is not ready says why, to those who may read', async () => {
    const { bot, url } = await openServed({ readToken: new Secret(READ) });
    await bot.bot.stop();
    const asked = await fetch(url('/readyz'));
    expect([asked.status, await asked.json()]).toEqual([503, { ready: false }]);
    const answered = await fetch(url('/readyz'), { headers: { authorization: `Bearer ${READ}` } });
    expect(await answered.json()).toMatchObject({
      ready: false,
      reasons: ['the stream is closed', 'an account is not known yet'],
    });
  });

  test.each([
    ['two strategies on one wallet need that account alone', ['main', 'main'], 'second', []],
    ['every wallet that is traded needs its account', ['main', 'second'], 'second', [LACKS]],
    ['the first as well as the last', ['main', 'second'], 'main', [LACKS]],
  ])('%s', async (_name, wallets, lost, reasons) => {
    const strategies = STRATEGIES.map((one, at) => ({ ...one, wallet: wallets[at]! }));
    const { bot, url } = await openServed(
      {},
      {
        strategies,
        // The account of a wallet never comes.
        receives: (frame) =>
          frame.channel === 'account.state' && frame.wallet === lost
            ? ({ ...frame, event: 'noted' } as never)
            : frame,
      },
    );
    await bot.step(1);
    const asked = await fetch(url('/readyz'));
    expect(await asked.json()).toEqual({ ready: reasons.length === 0, reasons });
    expect(asked.status).toBe(reasons.length === 0 ? 200 : 503);
  });

  test('changes as they come, and resumes after the last one it saw', async () => {
    const { bot, url } = await openServed();
    await bot.step(2);
    const first = follow(url('/api/events'));
    await expect.poll(() => first.messages.length, { timeout: 10_000 }).toBeGreaterThan(0);
    expect(first.messages[0]).toMatchObject({ event: 'view', data: { blocks: { positions: [] } } });
    await bot.bot.kill('L1', 'first');
    const levels = (messages: readonly Message[]) =>
      messages.flatMap(({ data }) => data.blocks?.bot?.kill_level ?? []);
    await expect.poll(() => levels(first.messages), { timeout: 10_000 }).toContain('L1');
    await expect
      .poll(() => first.messages.some(({ event }) => event === 'beat'), { timeout: 10_000 })
      .toBe(true);
    const beat = first.messages.find(({ event }) => event === 'beat')!;
    expect(beat.data.time).toBeGreaterThanOrEqual(first.messages[0]!.data.time);
    expect(first.messages[0]!.data).toMatchObject({ control: false });
    await first.end();
    const last = first.messages.findLast(({ id }) => id !== undefined)!.id!;
    expect(Number(last)).toBe(first.messages.findLast(({ id }) => id !== undefined)!.data.sequence);

    await bot.bot.rearm('back');
    const resumed = follow(url('/api/events'), { 'last-event-id': last });
    await expect.poll(() => levels(resumed.messages), { timeout: 10_000 }).toContain('L0');
    expect(resumed.messages[0]!.event).toBe('change');
    expect(Number(resumed.messages[0]!.id)).toBe(Number(last) + 1);
    await resumed.end();

    // An id of another process begins anew.
    const other = follow(url('/api/events'), { 'last-event-id': '17' });
    await expect.poll(() => other.messages.length, { timeout: 10_000 }).toBeGreaterThan(0);
    expect(other.messages[0]!.event).toBe('view');
    await other.end();
  });

  test('the page is a few fixed files that hold no data and run nothing inline', async () => {
    const { url } = await openServed({ readToken: new Secret(READ) });
    const files = ['/', '/page.css', '/page.js', '/lightweight-charts.js'];
    const types = ['text/html', 'text/css', 'text/javascript', 'text/javascript'];
    for (const [at, path] of files.entries()) {
      const answer = await fetch(url(path));
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get('content-type')).toContain(types[at]);
      const policy = answer.headers.get('content-security-policy')!;
      expect(policy).toMatch(/^default-src 'self';/);
      expect(policy).not.toContain('unsafe');
      const text = await answer.text();
      if (path === '/') expect(text).not.toMatch(/ style=|<style|<script(?! [^>]*src=)| on\w+=/);
      expect(text).not.toContain('watched');
    }
    for (const path of ['/page/main.js', '/page.ts', '/..%2fpackage.json'])
      expect([path, (await fetch(url(path))).status]).toEqual([path, 404]);
  });

  test('over a socket of this machine that its owner alone may use', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'trimtab-operator-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const socket = join(folder, 'var', 'bot.sock');
    const { operator } = await openServed({ listen: { socket } });
    expect(operator.address!).toBe(socket);
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    const status = await new Promise((resolve, reject) => {
      httpRequest(
        { socketPath: socket, path: '/healthz', headers: { host: 'localhost' } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      )
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
  });
});

describe('who is refused', () => {
  test('readers without the token, with a wrong one, and with the wrong scheme', async () => {
    const { url } = await openServed({
      readToken: new Secret(READ),
      controlToken: new Secret(CONTROL),
    });
    const status = async (authorization?: string) =>
      (
        await fetch(url('/api/state'), {
          headers: authorization === undefined ? {} : { authorization },
        })
      ).status;
    expect(await status()).toBe(401);
    expect(await status(`Bearer ${READ}x`)).toBe(401);
    expect(await status(`Basic ${READ}`)).toBe(401);
    expect(await status(`Bearer ${READ}`)).toBe(200);
    expect(await status(`Bearer ${CONTROL}`)).toBe(200);
    const denied = await fetch(url('/api/kill'), {
      method: 'POST',
      headers: { authorization: `Bearer ${READ}` },
    });
    expect([denied.status, denied.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    // A search for tokens is slowed down, and the right one goes on.
    const statuses = await Promise.all(Array.from({ length: 20 }, () => status('Bearer guess')));
    expect(statuses).toContain(429);
    expect(await status(`Bearer ${READ}`)).toBe(200);
  });

  test('other hosts and other sites', async () => {
    const { operator, url } = await openServed({ hosts: ['bot.example.org'] });
    const { host } = new URL(operator.address!);
    expect(await ask(operator.address!, '/healthz', { host: 'evil.example' })).toBe(403);
    expect(await ask(operator.address!, '/healthz', { host: 'bot.example.org' })).toBe(200);
    const from = (headers: Record<string, string>) => fetch(url('/healthz'), { headers });
    expect((await from({ origin: 'http://evil.example' })).status).toBe(403);
    expect((await from({ origin: `http://${host}` })).status).toBe(200);
    expect(await ask(operator.address!, '/healthz', { host, 'sec-fetch-site': 'cross-site' })).toBe(
      403,
    );
  });

  test('without a control token there is no route that controls', async () => {
    const { url } = await openServed();
    for (const path of ['/api/kill', '/api/rearm', '/api/settle']) {
      const answer = await fetch(url(path), { method: 'POST', body: '{}' });
      expect([path, answer.status]).toEqual([path, 404]);
    }
  });
});
