import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { defaultDialect } from '../../src/contract/index.ts';
import { createLiveEnv, silentLog } from '../../src/env/index.ts';
import { createStartReads } from '../../src/operate/run/createStartReads.ts';
import { openService } from '../../src/operate/run/openService.ts';
import { reachAccount } from '../../src/operate/run/reachAccount.ts';
import { NotSentError } from '../../src/wire/index.ts';
import { closedPort, startHttp } from '../wire/startServer.ts';

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};
const fault = (code: string) => ({ error: { code, message: code, details: {} }, request_id: 'r' });

const MAIN = { id: 'main', venue: 'a venue', label: 'a', status: 'active', address: null };

const page = (response: ServerResponse): void => {
  response.writeHead(503, { 'content-type': 'text/html' });
  response.end('<h1>Service Unavailable</h1>');
};
/** A wait that would pass at once if nobody kept it. */
const busyPage = (response: ServerResponse): void => {
  response.writeHead(429, { 'content-type': 'text/html', 'retry-after': '60' });
  response.end('<h1>Too Many Requests</h1>');
};
const AWAY: Array<[string, (response: ServerResponse) => void]> = [
  ['the service’s 503', (response) => json(response, 503, fault('service_unavailable'))],
  ['a gateway’s page', page],
  ['a gateway’s JSON', (response) => json(response, 502, { message: 'Bad Gateway' })],
  ['a 429', (response) => json(response, 429, fault('rate_limited'))],
  ['silence', (response) => void response.destroy()],
];

async function reach(
  baseUrl: string,
  { retrySeconds = 60, stopped = new Promise<void>(() => {}) } = {},
) {
  const warned: string[] = [];
  const log = { ...silentLog, warn: (text: string) => void warned.push(text) };
  const env = createLiveEnv({ log });
  const address = { baseUrl, wsUrl: baseUrl.replace('http', 'ws'), keyId: 'vk_a', secret: 'vs_a' };
  const { client, link } = openService(address, { dialect: defaultDialect, env, market: 'wall' });
  const strategies = [{ name: 'own', wallet: 'main' }] as never;
  const reads = createStartReads({ env, baseUrl, keyId: 'vk_a', retrySeconds, stopped });
  const result = await reachAccount({ client, dialect: defaultDialect, reads, strategies });
  await link.close();
  return { result, warned };
}

test.each(AWAY)(
  '%s to the first requests of a start is waited out',
  async (_name, refuse) => {
    let asked = 0;
    const { url } = await startHttp((_request, response) => {
      if (++asked <= 2) refuse(response);
      else json(response, 200, { items: [MAIN], next_cursor: null });
    });
    const { result, warned } = await reach(url);
    if (!result.ok) expect(result.failure.message).toBe('');
    expect({ asked: asked > 2, warned: warned.length }).toEqual({ asked: true, warned: 2 });
    expect(warned[0]).toContain(url);
  },
  60_000,
);

test.each(AWAY)(
  '%s for longer than the limit ends the start, with address and remedy',
  async (_name, refuse) => {
    const { url } = await startHttp((_request, response) => refuse(response));
    const { result } = await reach(url, { retrySeconds: 0 });
    expect(result).toMatchObject({ ok: false, failure: { code: 'TRIMTAB_SERVICE_UNREACHABLE' } });
    if (result.ok) return;
    expect(result.failure.message).toContain(`The service at ${url} does not answer`);
    expect(result.failure.message).toContain('link.base_url');
  },
);

test('permanent errors end it at once: a wrong key, a wrong address, a foreign page', async () => {
  const refused = await startHttp((_request, response) =>
    json(response, 401, fault('unknown_key')),
  );
  const wrongKey = await reach(refused.url);
  expect(wrongKey.result).toMatchObject({ failure: { code: 'TRIMTAB_SERVICE_KEY_REFUSED' } });
  const nowhere = await reach(`http://127.0.0.1:${await closedPort()}`);
  expect(nowhere.result).toMatchObject({ failure: { code: 'TRIMTAB_SERVICE_UNREACHABLE' } });
  expect([...wrongKey.warned, ...nowhere.warned]).toEqual([]);
});

test('a base address that ends in /v1 is named as such', async () => {
  const { url } = await startHttp((_request, response) => json(response, 404, fault('not_found')));
  const { result } = await reach(`${url}/v1`);
  if (result.ok) throw new Error('it was reached');
  expect(result.failure.message).toContain('Write link.base_url without /v1');
  const other = await reach(url);
  if (other.result.ok) throw new Error('it was reached');
  expect(other.result.failure.message).toContain('link.base_url right?');
});

test('a stop ends the waiting', async () => {
  const stopped = Promise.withResolvers<void>();
  const { url } = await startHttp((_request, response) => {
    page(response);
    stopped.resolve();
  });
  const { result } = await reach(url, { retrySeconds: 3_600, stopped: stopped.promise });
  expect(result.ok).toBe(false);
});

test('a start waits as long as a gateway’s page asks, and not beyond its limit', async () => {
  let asked = 0;
  const { url } = await startHttp((_request, response) => {
    asked++;
    busyPage(response);
  });
  const { result } = await reach(url, { retrySeconds: 59 });
  expect(asked).toBe(1);
  expect(result).toMatchObject({ ok: false, failure: { code: 'TRIMTAB_SERVICE_UNREACHABLE' } });
  if (result.ok) return;
  expect(result.failure.message).toContain("429 text/html, which is not the service's answer");
});

test('a signature that is refused for its time sends the operator to the clock, not to the key', async () => {
  const { url } = await startHttp((_request, response) =>
    json(response, 401, fault('timestamp_out_of_window')),
  );
  const { result } = await reach(url);
  expect(result).toMatchObject({ failure: { code: 'TRIMTAB_SERVICE_KEY_REFUSED' } });
  if (result.ok) return;
  expect(result.failure.message).toContain('NTP');
  expect(result.failure.message).not.toContain('link.secret');
});

test('a key without the scope to read is refused by key and scope, not as a service that is away (AUTH-4)', async () => {
  const { url } = await startHttp((_request, response) =>
    json(response, 403, {
      error: {
        code: 'insufficient_scope',
        message: 'The key lacks it.',
        details: { required_scope: 'read' },
      },
      request_id: 'r',
    }),
  );
  const { result, warned } = await reach(url);
  expect(result).toMatchObject({ failure: { code: 'TRIMTAB_SERVICE_KEY_REFUSED' } });
  expect(warned).toEqual([]);
  if (result.ok) return;
  expect(result.failure.message).toContain('The key vk_a (link.key_id) lacks the scope read');
});

test('a refused connection is waited out once the address has answered', async () => {
  const env = createLiveEnv({ log: silentLog });
  const stopped = new Promise<void>(() => {});
  const reads = createStartReads({ env, baseUrl: '', keyId: '', retrySeconds: 60, stopped });
  let asked = 0;
  const read = async (): Promise<number> => {
    if (++asked === 1) throw new NotSentError('utility.status', 'ECONNREFUSED');
    return asked;
  };
  await expect(reads.ask(read)).rejects.toThrow(NotSentError);
  expect(await reads.ask(read)).toBe(2);
  asked = 0;
  expect(await reads.ask(read)).toBe(2);
});
