import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createLiveEnv } from '../../../src/env/index.ts';
import { createSqliteReader, createSqliteStore } from '../../../src/journal/index.ts';
import type { DayReport } from '../../../src/operate/journal/index.ts';
import { beginStream, sendFault, sendJson, sendText } from '../../../src/operate/serve/answer.ts';
import { createReportRoute } from '../../../src/operate/serve/createReportRoute.ts';
import { serveTravel } from '../../../src/operate/serve/serveTravel.ts';
import { journalOn, openIntent } from '../../journal/journalRows.ts';

/** What a browser is told with every answer, whatever it is. */
const ALWAYS: Readonly<Record<string, RegExp>> = {
  'cache-control': /^no-store$/,
  'content-security-policy':
    /^default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'permissions-policy': /camera=\(\)/,
  'referrer-policy': /^no-referrer$/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
};

test('every answer forbids to store, to frame and to guess: a text, JSON, a refusal, a stream', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/text') sendText(response, { text: 'x', headers: { allow: 'GET' } });
    else if (request.url === '/json') sendJson(response, {});
    else if (request.url === '/stream') beginStream(response);
    else sendFault(response, { status: 404, code: 'not_found', message: 'none' });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => (server.closeAllConnections(), void server.close()));
  const { port } = server.address() as AddressInfo;
  for (const path of ['text', 'json', 'stream', 'none']) {
    const answer = await fetch(`http://127.0.0.1:${port}/${path}`);
    for (const [name, value] of Object.entries(ALWAYS))
      expect([path, name, answer.headers.get(name)]).toEqual([
        path,
        name,
        expect.stringMatching(value),
      ]);
    if (path === 'text') expect(answer.headers.get('allow')).toBe('GET');
    await answer.body?.cancel();
  }
});

test('the past of a bot is served on loopback alone, to one address of it', async () => {
  const travel = await serveTravel({ about: { name: 'bot' } } as never, {
    env: createLiveEnv(),
    port: 0,
  });
  onTestFinished(() => travel.close());
  const { hostname, port } = new URL(travel.address);
  expect(hostname).toBe('127.0.0.1');
  expect(await (await fetch(new URL('/api/travel', travel.address))).json()).toEqual({
    name: 'bot',
  });
  // Another address of this machine stands for those that others reach.
  const isReached = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: '127.0.0.2', port: Number(port), timeout: 5_000 });
    const end = (is: boolean) => () => (socket.destroy(), resolve(is));
    socket.once('connect', end(true)).once('error', end(false)).once('timeout', end(false));
  });
  expect(isReached).toBe(false);
});

test('days are read one at a time, the same day once for all who ask, and each time anew', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-answers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bot.sqlite');
  const begun = Date.parse('2025-03-05T10:00');
  const add = async (key: string): Promise<void> => {
    const store = createSqliteStore(path, 'process');
    await openIntent(journalOn(store, begun), key, ['emitted', 'guarded']);
    await store.close();
  };
  await add('first');
  let reading = 0;
  let most = 0;
  let reads = 0;
  const handle = createReportRoute({
    name: 'bot',
    env: createLiveEnv(),
    async read(use) {
      reads += 1;
      most = Math.max(most, (reading += 1));
      const reader = createSqliteReader(path);
      // Whoever does not wait for its turn comes meanwhile.
      await new Promise(setImmediate);
      try {
        return await use(reader);
      } finally {
        reading -= 1;
        await reader.close();
      }
    },
  });
  const ask = async (day: string): Promise<DayReport> => {
    let text = '';
    const response = { writeHead() {}, end: (part: string) => void (text += part) };
    const query = new URLSearchParams({ day });
    await handle({ request: { headers: {} }, response, query } as never);
    return JSON.parse(text) as DayReport;
  };
  const days = ['2025-03-05', '2025-03-05', '2025-03-04'];
  const [one, same, other] = await Promise.all(days.map(ask));
  expect([one!.intents, other!.intents]).toEqual([{ guarded: 1 }, {}]);
  expect(same).toEqual(one);
  expect([reads, most]).toEqual([2, 1]);
  await add('second');
  expect((await ask('2025-03-05')).intents).toEqual({ guarded: 2 });
});
