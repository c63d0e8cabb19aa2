import { expect, test } from 'vitest';
import type { Exchange } from '../../../src/contract/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import {
  attachTpsl,
  bulkCancel,
  cancelOrder,
  closePosition,
  controlExecution,
  createMonitor,
  launchBasket,
  modifyOrder,
  retireTpsl,
  setLeverage,
  stopLoss,
  pauseMonitor,
  stopMonitor,
  type Intent,
} from '../../../src/intents/index.ts';
import {
  createJournal,
  createMemoryStore,
  idempotencyKeyOf,
  type IntentState,
  type JournalStore,
} from '../../../src/journal/index.ts';
import { OPERATOR } from '../../../src/runtime/operator.ts';
import { createExposure } from '../../../src/runtime/wallet/createExposure.ts';
import type { PipeOptions } from '../../../src/runtime/pipe/Pipe.ts';
import { createOpenWork } from '../../../src/runtime/wallet/createOpenWork.ts';
import { createRefs } from '../../../src/runtime/wallet/createRefs.ts';
import { recoverIntents } from '../../../src/runtime/recovery/recoverIntents.ts';
import { answered, buy, emission, order, rateLimited, setUpPipe, silence } from '../setUpPipe.ts';

const close = { kind: 'close_position', symbol: 'BTC', request: {} } as const;
/** The process dies with the request under way: nothing after it is ever known. */
const death = new Promise<Exchange>(() => {});

/** A process that dies while it sends, and the one after it on the same journal. */
async function restart(
  before: (pipe: ReturnType<typeof setUpPipe>['pipe']) => void,
  answers: Exchange[],
  over: {
    dying?: Partial<PipeOptions>;
    /** What the first process is answered; left out, nothing. */
    answered?: Exchange;
    next?: Partial<PipeOptions>;
    afterMs?: number;
  } = {},
) {
  const store = createMemoryStore();
  const dying = over.answered === undefined ? { send: () => death, ...over.dying } : {};
  const first = setUpPipe([over.answered ?? silence], dying, store);
  before(first.pipe);
  await first.run(0);
  const sentBefore = first.journal.store.intents().flatMap(({ key }) =>
    store
      .entries(key)
      .filter(({ state }) => state === 'sending')
      .map(({ data }) => (JSON.parse(data) as { body: string }).body),
  );

  const next = setUpPipe(answers, over.next, store);
  next.env.queue.advanceTo(over.afterMs ?? 1_000);
  const exposure = createExposure();
  const report = recoverIntents({
    store,
    clock: next.env.clock,
    market: next.env.queue,
    pipe: next.pipe,
    exposure,
    refLogs: new Map(),
    bookOf: () => createOpenWork(),
    refs: createRefs(),
    instances: ['ema'],
    wallets: ['main'],
  });
  return { ...next, store, report, exposure, sentBefore };
}

test('a launch in flight is resent with the same key and bytes', async () => {
  const made = answered(201, { execution_id: 'exe_1' });
  const { sent, report, run, states, exposure, sentBefore, store } = await restart(
    (pipe) => pipe.submit(emission('d1', buy)),
    [made],
  );
  expect(report).toEqual({ sent: 1, resumed: 0, dropped: 0 });
  expect(exposure.pending('main', 'BTC', 'buy')).toBe(1);
  await run(60_000);
  expect(sent.map(({ request }) => request.body)).toEqual(sentBefore);
  expect(states()).toEqual(['unknown', 'sending', 'accepted']);
  const [row] = store.intents();
  expect(sent[0]!.request.idempotencyKey).toBe(row!.key);
  expect(store.entries(row!.key).map(({ state }) => state)).toEqual([
    'emitted',
    'guarded',
    'sending',
    'unknown',
    'sending',
    'accepted',
  ]);
});

test('a restarted replay is detected by a journal ahead of it', async () => {
  const store = createMemoryStore();
  const first = setUpPipe([answered(200)], {}, store);
  first.env.queue.advanceTo(200_000);
  first.pipe.submit(emission('d1', buy));
  await first.run(0);
  const aheadAt = (time: number): number | undefined => {
    const { env, pipe } = setUpPipe([], {}, store);
    env.queue.advanceTo(time);
    const { clock, queue: market } = env;
    const parts = {
      exposure: createExposure(),
      refs: createRefs(),
      refLogs: new Map(),
      bookOf: () => createOpenWork(),
      instances: ['ema'],
      wallets: ['main'],
    };
    return recoverIntents({ store, clock, market, pipe, ...parts }).aheadMs;
  };
  expect(aheadAt(1_000)).toBe(199_000);
  expect(aheadAt(150_000)).toBeUndefined();
});

test('a stop of an earlier process is not sent once a later one is set', async () => {
  const stopAt = (price: number) => attachTpsl('BTC', { stop_loss: stopLoss.price(price) });
  const dying: Partial<PipeOptions> = {
    concurrency: 4,
    send: ({ body }) => (body.includes('90') ? silence : answered(200)),
  };
  const { sent, run, states } = await restart(
    (pipe) => {
      pipe.submit(emission('old', stopAt(90)));
      pipe.submit(emission('new', stopAt(95)));
    },
    [answered(200)],
    { dying },
  );
  await run(60_000);
  expect(sent).toEqual([]);
  expect(states()).toEqual(['unknown', 'unresolved']);
});

test('an order in flight is reconciled, and never resent', async () => {
  const found = { kind: 'found', record: { order_id: 'ord_1' } } as const;
  const { sent, run, states } = await restart(
    (pipe) => pipe.submit(emission('d1', order)),
    [answered(201)],
    { next: { lookUp: async () => found } },
  );
  await run(60_000);
  expect(sent).toEqual([]);
  expect(states()).toEqual(['unknown', 'accepted']);
});

test('a launch older than the validity of its key is only reconciled', async () => {
  const { sent, run, states } = await restart(
    (pipe) => pipe.submit(emission('d1', buy)),
    [answered(201)],
    { afterMs: 700_000, next: { lookUp: async () => ({ kind: 'missing' }) } },
  );
  await run(800_000);
  expect(sent).toEqual([]);
  expect(states().at(-1)).toBe('absent');
});

const order_id = 'ord_1';
const execution_id = 'exe_1';
const basket = launchBasket({ legs: [buy.request] });
const exits = launchBasket({ legs: [{ ...buy.request, reduce_only: true }] });
const THREE_DAYS_MS = 259_200_000;

/** What was sent without an answer three days ago or a minute ago means something else by now, or not. */
const ofItsTime: ReadonlyArray<readonly [string, Intent]> = [
  ['a basket', basket],
  [
    'a monitor',
    createMonitor({
      trigger: { type: 'price_level', symbol: 'BTC', price: 90, direction: 'below' },
      action: { type: 'execute', request: buy.request },
    }),
  ],
  ['a close', closePosition.atMarket('BTC')],
  ['a modify', modifyOrder({ order_id }, { price: 101 })],
  ['a resume', controlExecution.resume({ execution_id })],
  ['a completion at the market', controlExecution.completeAtMarket({ execution_id })],
  ['a bulk cancel', bulkCancel({ symbol: 'BTC' })],
  ['a retirement of legs', retireTpsl('BTC')],
  ['a leverage', setLeverage('BTC', { leverage: 2 })],
];

test.each(ofItsTime)(
  '%s from days ago is left to an operator after any start',
  async (_name, intent) => {
    const { sent, run, states } = await restart(
      (pipe) => pipe.submit(emission('d1', intent)),
      [answered(200)],
      { afterMs: THREE_DAYS_MS },
    );
    // A change is looked up in its order first; here no look-up is answered.
    await run(THREE_DAYS_MS + 1_300_000);
    expect(sent).toEqual([]);
    expect(states()).toEqual(['unknown', 'unresolved']);
  },
);

test.each([
  ['found', 'accepted'],
  ['missing', 'absent'],
] as const)('a modify from days ago is concluded by its order: %s is %s', async (kind, state) => {
  const change = modifyOrder({ order_id }, { price: 101 });
  const { sent, run, states } = await restart(
    (pipe) => pipe.submit(emission('d1', change)),
    [answered(200)],
    {
      afterMs: THREE_DAYS_MS,
      next: {
        lookUp: async (_emission, _key, { endpoint }) => {
          expect(endpoint).toBe('orders.modify');
          return kind === 'found' ? { kind, record: { order_id } } : { kind };
        },
      },
    },
  );
  await run(THREE_DAYS_MS + 300_000);
  expect(sent).toEqual([]);
  expect(states()).toEqual(['unknown', state]);
});

test.each(ofItsTime)('%s from a minute ago is resent', async (_name, intent) => {
  const { sent, run, states, sentBefore } = await restart(
    (pipe) => pipe.submit(emission('d1', intent)),
    [answered(200)],
    { afterMs: 60_000 },
  );
  await run(120_000);
  expect(sent.map(({ request }) => request.body)).toEqual(sentBefore);
  expect(states()).toEqual(['unknown', 'sending', 'accepted']);
});

test.each([
  ['a cancel', cancelOrder({ order_id })],
  ['a stop', controlExecution.stop({ execution_id })],
  ['a pause', controlExecution.pause({ execution_id })],
  ['a declaration that it is complete', controlExecution.markComplete({ execution_id })],
  ["a monitor's pause", pauseMonitor({ monitor_id: 'mon_1' })],
  ["a monitor's stop", stopMonitor({ monitor_id: 'mon_1' })],
])('%s by its id is still valid days later', async (_name, intent) => {
  const { sent, run, states } = await restart(
    (pipe) => pipe.submit(emission('d1', intent)),
    [answered(200)],
    { afterMs: THREE_DAYS_MS },
  );
  await run(THREE_DAYS_MS + 60_000);
  expect(sent).toHaveLength(1);
  expect(states()).toEqual(['unknown', 'sending', 'accepted']);
});

test('the ten minutes are counted over all processes, the time between them included', async () => {
  const { sent, run, states } = await restart(
    (pipe) => pipe.submit(emission('d1', basket)),
    [silence],
    { afterMs: 400_000 },
  );
  await run(2_000_000);
  expect(sent.length).toBeGreaterThan(5);
  expect(sent.at(-1)!.time).toBeLessThan(600_000);
  expect(states().at(-1)).toBe('unresolved');
});

test.each([
  ['a basket is not', { ...basket, not_after: 30_000 }, 0, 'unresolved'],
  ['a launch is looked for, and not', { ...buy, not_after: 30_000 }, 0, 'absent'],
  ['a close is', { ...close, not_after: 30_000 }, 1, 'accepted'],
])('past its not_after %s sent again', async (_name, intent, sends, end) => {
  const { sent, run, states } = await restart(
    (pipe) => pipe.submit(emission('d1', intent as Intent)),
    [answered(200)],
    { afterMs: 60_000, next: { lookUp: async () => ({ kind: 'missing' }) } },
  );
  await run(300_000);
  expect(sent).toHaveLength(sends);
  expect(states().at(-1)).toBe(end);
});

test('an intent held by a 429 beyond the ten minutes is not resent', async () => {
  const slow = answered(429, {
    error: { code: 'rate_limited', message: '', details: { retry_after_seconds: 700 } },
  });
  const { pipe, sent, run, states } = setUpPipe([silence, slow, answered(200)]);
  pipe.submit(emission('d1', close));
  await run(900_000);
  expect(sent).toHaveLength(2);
  expect(states().at(-1)).toBe('unresolved');
});

test('an approved unsent exit is sent, an earlier entry is not', async () => {
  const { report, run, states, sent } = await restart(
    (pipe) => {
      pipe.submit(emission('busy', order));
      pipe.submit(emission('entry', buy));
      pipe.submit(emission('exit', close));
    },
    [answered(200)],
    { afterMs: 90_000, next: { lookUp: async () => ({ kind: 'missing' }) } },
  );
  expect(report).toEqual({ sent: 1, resumed: 1, dropped: 1 });
  await run(300_000);
  expect(sent.map(({ request }) => JSON.parse(request.body).kind)).toEqual(['close_position']);
  expect(states()).toContain('expired');
});

test.each([
  ['a new price', modifyOrder({ order_id }, { price: 600_000 }), false],
  ['a new size', modifyOrder({ order_id }, { size: 9 }), false],
  ['a resume', controlExecution.resume({ execution_id }), false],
  ['a completion at the market', controlExecution.completeAtMarket({ execution_id }), false],
  ['a leverage', setLeverage('BTC', { leverage: 9 }), false],
  ['a basket', basket, false],
  ['a cancel', cancelOrder({ order_id }), true],
  ['a stop', controlExecution.stop({ execution_id }), true],
  ['a pause', controlExecution.pause({ execution_id }), true],
  ['a leg', attachTpsl('BTC', { stop_loss: stopLoss.price(90) }), true],
  ['a basket of exits', exits, true],
])('%s that never left goes out 90 s later, or not (%#)', async (_name, intent, isSent) => {
  const { report, sent, run } = await restart(
    (pipe) => pipe.submit(emission('d1', intent)),
    [answered(200)],
    { answered: rateLimited, afterMs: 90_000 },
  );
  expect(report).toEqual({ sent: 0, resumed: isSent ? 1 : 0, dropped: isSent ? 0 : 1 });
  await run(300_000);
  expect(sent).toHaveLength(isSent ? 1 : 0);
});

test.each([
  ['while its strategy is paused', { next: { isPaused: () => true }, meta: {} }],
  ['without its strategy', { next: { mayRun: () => false }, meta: {} }],
  ['at a kill level', { next: { isKilled: () => true }, meta: {} }],
  ['past its not_after', { next: {}, meta: { not_after: 30_000 } }],
])('an enlargement that may have been sent is not resent %s', async (_name, how) => {
  const { sent, run, states } = await restart(
    (pipe) => pipe.submit(emission('d1', modifyOrder({ order_id }, { size: 9 }, how.meta))),
    [answered(200)],
    { afterMs: 60_000, next: how.next },
  );
  await run(1_500_000);
  expect(sent).toEqual([]);
  expect(states()).toEqual(['unknown', 'unresolved']);
});

test('an intent deferred by a 429 is resent: it was not executed', async () => {
  const { report, sent, run, states } = await restart(
    (pipe) => pipe.submit(emission('d1', order)),
    [answered(201, { order_id: 'ord_1' })],
    { answered: rateLimited },
  );
  expect(report).toEqual({ sent: 0, resumed: 1, dropped: 0 });
  await run(60_000);
  expect(sent).toHaveLength(1);
  expect(states().at(-1)).toBe('accepted');
});

test('an intent past its not_after is dropped at the restart', async () => {
  const late = { ...close, not_after: 500 };
  const { report, run, sent } = await restart(
    (pipe) => {
      pipe.submit(emission('busy', order));
      pipe.submit(emission('exit', late));
    },
    [answered(200)],
    { next: { lookUp: async () => ({ kind: 'found', record: {} }) } },
  );
  expect(report.dropped).toBe(1);
  await run(60_000);
  expect(sent).toEqual([]);
});

/** A pending intent that waits for a row, as it is journaled, and the cancel that makes room for it. */
async function keepNewcomer(store: JournalStore): Promise<void> {
  const env = createVirtualEnv();
  const journal = createJournal(store, { clock: env.clock, market: env.queue });
  const keep = async (
    decisionKey: string,
    what: { intent: Intent; instance: string; cause: string },
    states: readonly IntentState[],
  ): Promise<string> => {
    const { intent, instance, cause } = what;
    const key = idempotencyKeyOf(decisionKey, 0);
    const text = JSON.stringify({ intent, trigger: {} });
    const row = { key, decisionKey, generation: 0, instance, wallet: 'main', kind: intent.kind };
    const steps = states.map((state) => ({
      state,
      data: { cause, marketTime: 0, lane: 'control' },
    }));
    await journal.open({ ...row, intent: text }, steps);
    return key;
  };
  const pendingIntent = { intent: order, instance: 'ema', cause: 'bar' };
  const key = await keep('new', pendingIntent, ['emitted', 'deferred']);
  const cause = `slot:${key}:ord_1`;
  const cancel = { intent: cancelOrder({ order_id: 'ord_1' }), instance: OPERATOR, cause };
  await keep(`main/operator/${cause}#0`, cancel, ['emitted', 'guarded']);
}

test.each([
  { afterMs: 1_000, resumed: 2, dropped: 0 },
  { afterMs: 90_000, resumed: 0, dropped: 2 },
])('an unsent cancel ends with its pending intent ($afterMs ms later)', async (expected) => {
  const store = createMemoryStore();
  await keepNewcomer(store);
  const held: string[] = [];
  const next = setUpPipe(
    [answered(200)],
    {
      waitForRow({ key }, wake) {
        held.push(key);
        wake();
      },
    },
    store,
  );
  next.env.queue.advanceTo(expected.afterMs);
  const report = recoverIntents({
    store,
    clock: next.env.clock,
    market: next.env.queue,
    pipe: next.pipe,
    exposure: createExposure(),
    refLogs: new Map(),
    bookOf: () => createOpenWork(),
    refs: createRefs(),
    instances: ['ema'],
    wallets: ['main'],
  });
  await next.run(100_000);
  expect(report).toEqual({ sent: 0, resumed: expected.resumed, dropped: expected.dropped });
  expect(held).toHaveLength(expected.dropped === 0 ? 1 : 0);
  const ends = store.intents().map(({ key }) => store.entries(key).map(({ state }) => state));
  expect(ends).toEqual(
    expected.dropped === 0
      ? [
          ['emitted', 'deferred', 'guarded', 'sending', 'accepted'],
          ['emitted', 'guarded', 'sending', 'accepted'],
        ]
      : [
          ['emitted', 'deferred', 'denied'],
          ['emitted', 'guarded', 'expired'],
        ],
  );
});
