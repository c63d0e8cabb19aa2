import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { defaultDialect } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { lackingScopes } from '../../src/operate/lackingScopes.ts';
import { connectService } from '../../src/service/index.ts';
import { startHttp } from '../wire/startServer.ts';

type Respond = (response: ServerResponse) => void;

const refusal =
  (status: number, code: string): Respond =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { code, message: code, details: {} }, request_id: 'r' }));
  };
const MISSED = refusal(404, 'not_found');

/** What is said of a key whose cancel is answered so; its other probe finds no record. */
async function askWith(answer: Respond) {
  const { url: baseUrl } = await startHttp(({ method }, response) =>
    (method === 'DELETE' ? answer : MISSED)(response),
  );
  const address = { baseUrl, wsUrl: baseUrl.replace('http', 'ws'), keyId: 'vk_a', secret: 'vs_a' };
  const { client, http } = connectService(address, {
    env: createLiveEnv(),
    dialect: defaultDialect,
  });
  try {
    return await lackingScopes(client);
  } finally {
    await http.close();
  }
}

test.each([
  ['no record', [], MISSED],
  ['a record that has ended', [], refusal(409, 'invalid_transition')],
  ['a code of a newer service', [], refusal(404, 'no_such_order')],
  ['the scope', ['trade'], refusal(403, 'insufficient_scope')],
] as const)(
  'a service that misses %s says that the key lacks %j',
  async (_what, lacking, answer) => {
    expect(await askWith(answer)).toEqual(lacking);
  },
);

test.each([
  ['a 429', refusal(429, 'rate_limited')],
  ['a 503', refusal(503, 'service_starting')],
  ['a clock that is off', refusal(401, 'timestamp_out_of_window')],
  ['silence', ((response) => void response.destroy()) as Respond],
])('%s does not mean that the key has the scope', async (_what, answer) => {
  await expect(askWith(answer)).rejects.toThrow();
});
