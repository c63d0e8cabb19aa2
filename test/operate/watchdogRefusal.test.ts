import { expect, test } from 'vitest';
import { defaultDialect } from '../../src/contract/index.ts';
import { createLiveEnv, silentLog } from '../../src/env/index.ts';
import { openService } from '../../src/operate/run/openService.ts';
import { watchdogRefusal } from '../../src/operate/watchdogRefusal.ts';
import { startHttp } from '../wire/startServer.ts';

const WALLET = defaultDialect.headers.wallet.toLowerCase();

type Answer = 200 | 403 | 404 | 503;
const CODES = { 403: 'insufficient_scope', 404: 'unknown_wallet', 503: 'venue_unavailable' };

/** What is said of a key whose reads of two wallets, and whose writes, are answered so. */
async function refusalOf(answers: Readonly<Record<'a' | 'b' | 'writes', Answer>>): Promise<string> {
  const { url } = await startHttp(({ method, headers }, response) => {
    const status = answers[method === 'GET' ? (headers[WALLET] as 'a' | 'b') : 'writes'];
    response.writeHead(status, { 'content-type': 'application/json' });
    const body =
      status === 200
        ? { items: [], next_cursor: null }
        : { error: { code: CODES[status], message: 'no', details: {} }, request_id: 'r' };
    response.end(JSON.stringify(body));
  });
  const env = createLiveEnv({ log: silentLog });
  const address = { baseUrl: url, wsUrl: url.replace('http', 'ws'), keyId: 'vk_a', secret: 'vs_a' };
  const { client, link } = openService(address, { dialect: defaultDialect, env, market: 'wall' });
  const refusal = await watchdogRefusal(client, ['a', 'b']).catch((error) => `thrown: ${error}`);
  await link.close();
  return refusal ?? 'none';
}

test.each([
  ['two wallets that it reads, and writes', { a: 200, b: 200, writes: 404 }, 'none'],
  [
    'a wallet that is away: it is named',
    { a: 503, b: 200, writes: 404 },
    'thrown: Error: can’t read a',
  ],
  ['a second wallet that is refused', { a: 200, b: 404, writes: 404 }, 'can’t read b'],
  ['one that is refused after one that is away', { a: 503, b: 404, writes: 404 }, 'can’t read b'],
  [
    'scopes that are missed after a wallet that is away',
    { a: 503, b: 200, writes: 403 },
    'can’t end what is open',
  ],
] as const)('AUTH-4: a watchdog’s key with %s', async (_name, answers, says) => {
  expect((await refusalOf(answers)).replaceAll("'", '’')).toContain(says);
});
