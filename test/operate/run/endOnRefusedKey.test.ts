import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createLiveEnv, createVirtualEnv } from '../../../src/env/index.ts';
import { endOnRefusedKey, KEY_PROBLEM } from '../../../src/operate/run/endOnRefusedKey.ts';
import { openService } from '../../../src/operate/run/index.ts';
import { type KeyStanding, readKeyStanding } from '../../../src/operate/run/readKeyStanding.ts';
import type { BotEvent } from '../../../src/runtime/index.ts';
import { holdLaw } from '../../holdLaw.ts';
import { startHttp } from '../../wire/startServer.ts';

/** A bot whose service answers a read of the key as a test decides, at once or later. */
function setUp(retrySeconds = 60) {
  const env = createVirtualEnv({ startTime: 1_780_000_000_000 });
  const events$ = new Subject<BotEvent>();
  const asked: Array<(standing: KeyStanding) => void> = [];
  const states: Array<string | undefined> = [];
  const ends: string[] = [];
  let accepted = 0;
  const stop = endOnRefusedKey({
    bot: { events$, keyAccepted: () => void accepted++ },
    env,
    retrySeconds,
    read: () => new Promise((resolve) => asked.push(resolve)),
    onState: (problem) => states.push(problem),
    onEnd: (message) => ends.push(message),
  });
  const pass = async (seconds: number): Promise<void> => {
    env.queue.advanceTo(env.queue.now() + seconds * 1_000);
    await turn();
  };
  return {
    asked,
    states,
    ends,
    stop,
    pass,
    accepted: () => accepted,
    refuse: () => events$.next({ kind: 'key_refused', code: 'unknown_key' }),
    rotate: () => events$.next({ kind: 'key_rotated', rotation: {} as never }),
    answer: async (standing: KeyStanding) => {
      asked.at(-1)!(standing);
      await turn();
    },
  };
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const drawn = fc.record({
  retrySeconds: fc.integer({ min: 1, max: 300 }),
  unclear: fc.integer({ min: 0, max: 12 }),
  last: fc.constantFrom<KeyStanding | 'rotated' | 'rotated while it is read'>(
    'accepted',
    'refused',
    'rotated',
    'rotated while it is read',
  ),
});

test('a read that says nothing is repeated: only a refusal ends the bot, and only an acceptance clears it', async () => {
  await holdLaw(60, drawn, async ({ retrySeconds, unclear, last }) => {
    const { refuse, pass, answer, rotate, asked, states, ends, accepted } = setUp(retrySeconds);
    refuse();
    await pass(retrySeconds);
    for (let count = 0; count < unclear; count++) {
      await answer('unclear');
      expect([states, ends]).toEqual([[KEY_PROBLEM], []]);
      // The same refusal again is no other one.
      refuse();
      await pass(15);
    }
    expect(asked).toHaveLength(unclear + 1);
    if (last === 'rotated') {
      await answer('unclear');
      rotate();
      await pass(86_400);
    } else if (last === 'rotated while it is read') {
      rotate();
      await answer('refused');
    } else await answer(last);
    expect(asked).toHaveLength(unclear + 1);
    const seconds = retrySeconds + 15 * unclear;
    expect(ends).toEqual(last === 'refused' ? [expect.stringContaining(`For ${seconds} s `)] : []);
    expect(states).toEqual(last === 'refused' ? [KEY_PROBLEM] : [KEY_PROBLEM, undefined]);
    expect(accepted()).toBe(last === 'accepted' ? 1 : 0);

    // What is refused from now on is waited for again.
    refuse();
    await pass(retrySeconds);
    expect(asked).toHaveLength(unclear + 2);
    await answer('refused');
    expect(ends).toHaveLength(last === 'refused' ? 2 : 1);
  });
});

test('one that is stopped neither asks nor hears an answer', async () => {
  const { refuse, pass, answer, asked, ends, stop } = setUp();
  refuse();
  await pass(60);
  stop();
  await answer('refused');
  refuse();
  await pass(86_400);
  expect([asked.length, ends]).toEqual([1, []]);
});

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};
const refusal = (status: number, code: string) => (response: ServerResponse) =>
  json(response, status, { error: { code, message: code, details: {} }, request_id: 'r' });

const ANSWERS: Array<[string, KeyStanding, (response: ServerResponse) => void]> = [
  ['a list', 'accepted', (response) => json(response, 200, { items: [], next_cursor: null })],
  ['a missing scope', 'accepted', refusal(403, 'insufficient_scope')],
  ['an unknown key', 'refused', refusal(401, 'unknown_key')],
  ['an invalid signature', 'refused', refusal(401, 'invalid_signature')],
  ['a wrong clock', 'unclear', refusal(401, 'timestamp_out_of_window')],
  ['a proxy’s 401', 'unclear', (response) => json(response, 401, { message: 'who are you?' })],
  ['a proxy’s 403', 'unclear', (response) => json(response, 403, { message: 'forbidden' })],
  ['a 429', 'unclear', refusal(429, 'rate_limited')],
  ['a 500', 'unclear', refusal(500, 'internal')],
  ['a gateway’s 502', 'unclear', (response) => json(response, 502, {})],
  ['a service that starts', 'unclear', refusal(503, 'service_starting')],
  ['silence', 'unclear', (response) => void response.destroy()],
];

test.each(ANSWERS)('%s says of the key: %s', async (_name, standing, respond) => {
  const { url: baseUrl } = await startHttp((_request, response) => respond(response));
  const address = { baseUrl, wsUrl: baseUrl.replace('http', 'ws'), keyId: 'vk_a', secret: 'vs_a' };
  const market = 'wall' as const;
  const env = createLiveEnv();
  const { client, link } = openService(address, { dialect: defaultDialect, env, market });
  expect(await readKeyStanding(client)).toBe(standing);
  await link.close();
});
