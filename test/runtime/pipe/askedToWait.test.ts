import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createBudget } from '../../../src/budget/index.ts';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { effectOf } from '../../../src/intents/effectOf.ts';
import { cancelOrder, closePosition, type Intent } from '../../../src/intents/index.ts';
import { toServiceRequest } from '../../../src/intents/toServiceRequest.ts';
import { createRequest } from '../../../src/runtime/links/createRequest.ts';
import { learnBudget } from '../../../src/runtime/links/learnBudget.ts';
import { laneOf } from '../../../src/runtime/pipe/laneOf.ts';
import { createLookUp } from '../../../src/runtime/recovery/createLookUp.ts';
import { catchUpFills } from '../../../src/runtime/wallet/catchUpFills.ts';
import { readWork } from '../../../src/runtime/wallet/readWork.ts';
import { createHttpClient } from '../../../src/wire/createHttpClient.ts';
import { createSigner } from '../../../src/wire/createSigner.ts';
import { startHttp } from '../../wire/startServer.ts';
import { answered, buy, emission, order, setUpPipe } from '../setUpPipe.ts';

type Answer = (response: ServerResponse) => void;

const HTML = '<html><h1>Too Many Requests</h1></html>';
const PAGE = { 'content-type': 'text/html' };
const JSON_TYPE = { 'content-type': 'application/json' };
const inAMinute = (): string => new Date(Date.now() + 60_000).toUTCString();
const envelope = (details: object): string =>
  JSON.stringify({ error: { code: 'rate_limited', message: 'x', details }, request_id: 'r' });

/** Each asks to wait for a minute, in its own way. */
const FORMS: Array<[string, Answer]> = [
  ['a page', (to) => to.writeHead(429, { ...PAGE, 'retry-after': '60' }).end(HTML)],
  [
    'a page, by a date',
    (to) => to.writeHead(429, { ...PAGE, 'retry-after': inAMinute() }).end(HTML),
  ],
  ['{}', (to) => to.writeHead(429, { ...JSON_TYPE, 'retry-after': '60' }).end('{}')],
  [
    '{}, by a date',
    (to) => to.writeHead(429, { ...JSON_TYPE, 'retry-after': inAMinute() }).end('{}'),
  ],
  ['no body', (to) => to.writeHead(429, { 'retry-after': '60' }).end()],
  [
    'a body that is cut off',
    (to) => {
      to.writeHead(429, { ...PAGE, 'retry-after': '60', 'content-length': '900' });
      to.write(HTML, () => to.destroy());
    },
  ],
  [
    'the service, by its header',
    (to) => to.writeHead(429, { ...JSON_TYPE, 'retry-after': '60' }).end(envelope({})),
  ],
  [
    'the service, by a date',
    (to) => to.writeHead(429, { ...JSON_TYPE, 'retry-after': inAMinute() }).end(envelope({})),
  ],
  [
    'the service, by its envelope',
    (to) => to.writeHead(429, JSON_TYPE).end(envelope({ retry_after_seconds: 60 })),
  ],
  [
    'the service, whose header asks for longer than its envelope',
    (to) => {
      to.writeHead(429, { ...JSON_TYPE, 'retry-after': '60' });
      to.end(envelope({ retry_after_seconds: 1 }));
    },
  ],
];

const LANES: Record<string, Intent> = {
  entry: buy,
  order,
  exit: closePosition.atMarket('BTC'),
  cancel: cancelOrder({ order_id: 'ord_1' }),
};

/** Long enough for several attempts by the back-off of a request without an answer. */
const WATCHED_MS = 900;

/** A pipe whose requests go through real sockets to a server that gives one answer to all. */
async function openPipe(answer: Answer) {
  const received: string[] = [];
  const { url } = await startHttp((request, response) => {
    received.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => answer(response));
  });
  const env = createLiveEnv();
  const now = (): number => env.clock.monotonicNow();
  const dialect = defaultDialect;
  const signer = createSigner({ keyId: 'vk_a', secret: 'vs_a', dialect, clock: env.clock });
  const http = createHttpClient({ baseUrl: url, dialect, signer, env });
  onTestFinished(() => http.close());
  const budget = createBudget({
    limit: 1_000,
    windowMs: 60_000,
    share: 0.9,
    reserveShare: 0.3,
    reserveFloor: 40,
    now,
  });
  const learning = learnBudget(budget, {
    remainingHeader: dialect.headers.weightRemaining.toLowerCase(),
    wallNow: () => env.clock.wallNow(),
  });
  const request = createRequest(http, { learning, leaves: () => () => {} });
  const lookUp = createLookUp({ budget, dialect, market: { now }, request });
  const set = setUpPipe([answered(200)], {
    env,
    budget,
    concurrency: 4,
    at: (time, run) => env.timers.after(time - now(), run),
    send: request,
    lookUp,
    prepare({ intent }, key) {
      const made = toServiceRequest(intent, { idempotencyKey: key, resolve: (_kind, ref) => ref });
      if (!made.ok) return made;
      const effect = effectOf(intent);
      const prepared = {
        request: made.request,
        lane: laneOf(effect),
        weight: 20,
        opens: !effect.isExit,
        verdict: { passed: true as const, passedGuards: [] },
      };
      return { ok: true, prepared };
    },
  });
  onTestFinished(() => set.pipe.close());
  return { ...set, env, budget, request, lookUp, received };
}

/** What happens after one refused write, if everything else is asked for too. */
async function refuse(lane: string, answer: Answer) {
  const { pipe, received, lookUp, env, budget, request, events } = await openPipe(answer);
  pipe.submit(emission('first', LANES[lane]));
  const isHeld = (): boolean => !budget.admit('control', 0).admitted;
  const end = env.clock.monotonicNow() + 5_000;
  // Without a hold the request is sent again, which is counted too.
  while (!isHeld() && received.length < 3 && env.clock.monotonicNow() < end) {
    await new Promise((resolve) => env.timers.after(5, () => resolve(undefined)));
  }
  for (const [name, intent] of Object.entries(LANES)) pipe.submit(emission(name, intent));
  let isOver = false;
  const catchingUp = catchUpFills({
    env,
    budget,
    plan: { dialect: defaultDialect },
    wallet: 'main',
    since: 0,
    request,
    isOver: () => isOver,
  });
  const [work] = await Promise.all([
    readWork({
      env,
      budget,
      dialect: defaultDialect,
      request,
      accepted: { earlier: () => [] } as never,
      known: { wallet: 'main' } as never,
      isConnected: true,
      until: env.clock.monotonicNow() + WATCHED_MS,
    }),
    lookUp(emission('order', order), 'key'),
  ]);
  isOver = true;
  void catchingUp;
  const ends = events.filter(({ state }) => state === 'rejected' || state === 'accepted');
  return { received, ends, isRead: work.ok };
}

test.each(FORMS)(
  'LIM-2: the wait that %s asks for holds writes of all lanes, look-ups and reads',
  async (_name, answer) => {
    const lanes = Object.keys(LANES);
    const all = await Promise.all(lanes.map((lane) => refuse(lane, answer)));
    // The silence of a gateway is no rejection, and a refusal by the budget is none.
    const expected = lanes.map(() => ({ received: [expect.any(String)], ends: [], isRead: false }));
    expect(all).toEqual(expected);
  },
  30_000,
);

test('a read that is refused holds the writes', async () => {
  const [, answer] = FORMS[0]!;
  const { pipe, received, request } = await openPipe(answer);
  await request({ endpoint: 'account.get', pathParams: {}, query: {}, body: '' });
  for (const [name, intent] of Object.entries(LANES)) pipe.submit(emission(name, intent));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(received).toEqual(['GET /v1/account']);
});

test('what the reads of a stop were refused with is its reason, and they wait as well', async () => {
  const [, answer] = FORMS[0]!;
  const { received, env, budget, request } = await openPipe(answer);
  const work = await readWork({
    env,
    budget,
    dialect: defaultDialect,
    request,
    accepted: { earlier: () => [] } as never,
    known: { wallet: 'main' } as never,
    isConnected: true,
    until: env.clock.monotonicNow() + WATCHED_MS,
  });
  const reason = "429 text/html, which is not the service's answer";
  expect(work).toMatchObject({ ok: false, reason });
  // All of them had left before the first answer came; none was repeated.
  expect(new Set(received).size).toBe(received.length);
});
