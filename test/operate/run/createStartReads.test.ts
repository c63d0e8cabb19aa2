/** What a start says of a service that answers oddly, or not at all. */
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createLiveEnv, createVirtualEnv, type Env } from '../../../src/env/index.ts';
import { createStartReads } from '../../../src/operate/run/createStartReads.ts';
import { connectService } from '../../../src/service/index.ts';
import { NoAnswerError } from '../../../src/wire/index.ts';
import { startHttp } from '../../wire/startServer.ts';

const never = new Promise<void>(() => {});

function openReads(env: Env, baseUrl: string, { retrySeconds = 0, stopped = never } = {}) {
  const lines: string[] = [];
  const log = { ...env.log, warn: (line: string) => void lines.push(line) };
  const options = { env: { ...env, log }, baseUrl, keyId: 'vk_a', retrySeconds, stopped };
  return { lines, ...createStartReads(options) };
}

/** What the first read of a start ends with at a service that answers so. */
async function failureOf(answer: (response: ServerResponse) => void) {
  const { url: baseUrl } = await startHttp((_request, response) => answer(response));
  const address = { baseUrl, wsUrl: baseUrl.replace('http', 'ws'), keyId: 'vk_a', secret: 'vs_a' };
  const env = createLiveEnv();
  const { client, http } = connectService(address, { env });
  const { ask, toResult } = openReads(env, baseUrl);
  try {
    return await toResult(async () => {
      await ask(() => client.connections.list({ query: {} }));
      return { ok: true, value: undefined };
    });
  } finally {
    await http.close();
  }
}

const page = (status: number) => (response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'text/html' });
  response.end('<h1>no</h1>');
};

test.each([
  [401, /The key may be wrong \(link\.key_id, link\.secret\), or a proxy on the way/],
  [403, /The key may lack a right, or something on the way refuses this machine/],
  [404, /Is the service up, and link\.base_url right\?/],
  [407, /A proxy on the way wants credentials/],
  [502, /Is the service up, and link\.base_url right\?/],
])('a %d without the service’s own code has its remedy', async (status, remedy) => {
  const result = await failureOf(page(status));
  expect(result).toMatchObject({ ok: false, failure: { code: 'TRIMTAB_SERVICE_UNREACHABLE' } });
  expect((result as { failure: { message: string } }).failure.message).toMatch(remedy);
});

test('a read that gets no answer is said after five seconds, once, and one that does is not', async () => {
  const env = createVirtualEnv();
  const { ask, lines } = openReads(env, 'http://127.0.0.1:1', { retrySeconds: 120 });
  let answer: (value: string) => void = () => {};
  const asked = ask(() => new Promise<string>((resolve) => (answer = resolve)));
  const advance = (ms: number) => env.queue.advanceTo(env.clock.wallNow() + ms);
  advance(4_999);
  expect(lines).toEqual([]);
  advance(1);
  advance(60_000);
  const said = 'The service at http://127.0.0.1:1 has not answered for 5 s; still waiting';
  expect(lines).toEqual([said]);
  answer('now');
  expect(await asked).toBe('now');
  expect(await ask(async () => 'at once')).toBe('at once');
  advance(60_000);
  expect(lines).toEqual([said]);
});

const unanswered = new NoAnswerError({ endpoint: 'connections.list' }, { reason: 'timeout' });

test.each(['a read that fails', 'a stop while it waits for the next one'])(
  '%s leaves no timer, by which a line would come late or a process live on',
  async (what) => {
    const env = createVirtualEnv();
    const stop = Promise.withResolvers<void>();
    const more = { retrySeconds: what === 'a read that fails' ? 0 : 600, stopped: stop.promise };
    const { ask, lines } = openReads(env, 'http://127.0.0.1:1', more);
    const asked = ask(() => Promise.reject(unanswered));
    const failed = expect(asked).rejects.toBe(unanswered);
    // Until it waits, where it may.
    for (let tick = 0; tick < 20; tick++) await Promise.resolve();
    expect(lines).toHaveLength(more.retrySeconds === 0 ? 0 : 1);
    stop.resolve();
    await failed;
    expect(env.queue.nextTime()).toBeUndefined();
  },
);

test.each([
  [12, 12],
  [5, 5],
  // An answer is given a moment, also where nothing is waited for.
  [0, 5],
])('a read that hangs ends with the %d s of its start, after %d s', async (retrySeconds, after) => {
  const env = createVirtualEnv();
  const { ask, toResult } = openReads(env, 'http://127.0.0.1:1', { retrySeconds });
  const startTime = env.clock.wallNow();
  let ended: number | undefined;
  const failure = toResult(() => ask(() => new Promise<never>(() => {})));
  void failure.then(() => (ended = env.clock.wallNow() - startTime));
  for (let second = 0; second < 40; second++) {
    env.queue.advanceTo(env.clock.wallNow() + 1_000);
    await new Promise(setImmediate);
  }
  expect(ended).toBe(after * 1_000);
  expect(await failure).toMatchObject({
    ok: false,
    failure: {
      code: 'TRIMTAB_SERVICE_UNREACHABLE',
      message: expect.stringContaining(`does not answer: no answer within ${after} s`) as string,
    },
  });
});

test('a stop does not wait for a read that hangs', async () => {
  const env = createVirtualEnv();
  const stop = Promise.withResolvers<void>();
  const { ask } = openReads(env, 'http://127.0.0.1:1', {
    retrySeconds: 120,
    stopped: stop.promise,
  });
  const asked = ask(() => new Promise<never>(() => {}));
  stop.resolve();
  await expect(asked).rejects.toThrow('when the start was stopped');
});
