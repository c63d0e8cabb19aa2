import { afterEach, expect, test, vi } from 'vitest';
import { COMMAND_MS, createClient } from '../../../src/operate/serve/page/createClient.ts';

afterEach(() => void vi.unstubAllGlobals());

/** Timers that the test lets end. */
function timersByHand() {
  const waiting = new Map<() => void, number>();
  return {
    waiting,
    after(ms: number, then: () => void) {
      waiting.set(then, ms);
      return () => void waiting.delete(then);
    },
  };
}

test('a command whose answer never comes is said to be undecided, and not to have failed', async () => {
  vi.stubGlobal('fetch', (_path: string, { signal }: RequestInit) => {
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
    });
  });
  const ports = timersByHand();
  const asked = createClient(() => null, ports).post('/api/kill', {}, 'token');
  expect([...ports.waiting.values()]).toEqual([COMMAND_MS]);
  for (const end of ports.waiting.keys()) end();
  expect(await asked).toMatchObject({
    ok: false,
    status: 0,
    message: expect.stringContaining('may have carried it out'),
  });
  expect(ports.waiting.size).toBe(0);
});

test('an answered command leaves no timer', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ level: 'L1' }));
  const ports = timersByHand();
  const answer = await createClient(() => null, ports).post('/api/kill', {}, 'token');
  expect(answer).toEqual({ ok: true, value: { level: 'L1' } });
  expect(ports.waiting.size).toBe(0);
});

test('a request has the token of its kind: a reader’s for what is read, the given one for a command', async () => {
  const asked: Array<[path: string, init: RequestInit]> = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    asked.push([path, init]);
    return new Response('{}');
  });
  let token: string | null = null;
  const client = createClient(() => token, timersByHand());
  await client.get('/api/state');
  token = 'reads';
  await client.get('/api/state');
  expect(await client.getText('/api/report')).toEqual({ ok: true, value: '{}' });
  await client.post('/api/kill', { level: 'L1' }, 'controls');
  const headers = [
    {},
    { authorization: 'Bearer reads' },
    { authorization: 'Bearer reads', accept: 'text/plain' },
    { authorization: 'Bearer controls', 'content-type': 'application/json' },
  ];
  expect(asked.map(([, init]) => init.headers)).toEqual(headers);
  // What a browser has stored of an earlier answer is not the bot.
  expect(new Set(asked.map(([, init]) => init.cache))).toEqual(new Set(['no-store']));
  expect(asked.at(-1)![1]).toMatchObject({ method: 'POST', body: '{"level":"L1"}' });
});

test('a refusal has its number and the server’s own sentence; a line that is cut has neither', async () => {
  const client = createClient(() => null, timersByHand());
  const refused = { error: { code: 'not_found', message: 'No such intent.' } };
  vi.stubGlobal('fetch', async () => Response.json(refused, { status: 404 }));
  const answer = { ok: false, status: 404, message: 'No such intent.' };
  expect(await client.get('/api/intents/k')).toEqual(answer);
  expect(await client.post('/api/kill', {}, 'token')).toEqual(answer);
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('cut')));
  const cut = { ok: false, status: 0, message: 'The bot does not answer.' };
  expect(await client.post('/api/kill', {}, 'token')).toEqual(cut);
});

test('an answer that comes with the last moment is the answer', async () => {
  const ports = timersByHand();
  vi.stubGlobal('fetch', async () => {
    for (const end of ports.waiting.keys()) end();
    return Response.json({ level: 'L2' });
  });
  const answer = await createClient(() => null, ports).post('/api/kill', {}, 'token');
  expect(answer).toEqual({ ok: true, value: { level: 'L2' } });
});
