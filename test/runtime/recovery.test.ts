import { expect, test } from 'vitest';
import type { Exchange } from '../../src/contract/index.ts';
import { createVirtualEnv } from '../../src/env/index.ts';
import { cancelOrder, type Intent } from '../../src/intents/index.ts';
import {
  createJournal,
  createMemoryStore,
  idempotencyKeyOf,
  type IntentState,
  type JournalStore,
} from '../../src/journal/index.ts';
import { OPERATOR } from '../../src/runtime/operatorIntents.ts';
import { createExposure } from '../../src/runtime/createExposure.ts';
import type { PipeOptions } from '../../src/runtime/createPipe.ts';
import { createRefs } from '../../src/runtime/createRefs.ts';
import { recoverIntents } from '../../src/runtime/recoverIntents.ts';
import { answered, buy, emission, order, rateLimited, setUpPipe, silence } from './setUpPipe.ts';

const close = { kind: 'close_position', symbol: 'BTC', request: {} } as const;
/** The process dies with the request under way: nothing after it is ever known. */
const death = new Promise<Exchange>(() => {});

/** A process that dies while it sends, and the one after it on the same journal. */
async function restart(
  before: (pipe: ReturnType<typeof setUpPipe>['pipe']) => void,
  answers: Exchange[],
  over: { dying?: Partial<PipeOptions>; next?: Partial<PipeOptions>; afterMs?: number } = {},
) {
  const store = createMemoryStore();
  const first = setUpPipe([silence], { send: () => death, ...over.dying }, store);
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
    refs: createRefs(),
    instances: ['ema'],
  });
  return { ...next, store, report, exposure, sentBefore };
}

test('a launch that was being sent goes out again with the same key and bytes', async () => {
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

test('an order that was being sent is looked up, and never sent again', async () => {
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

test('a launch of longer ago than its key is good for is only looked up', async () => {
  const { sent, run, states } = await restart(
    (pipe) => pipe.submit(emission('d1', buy)),
    [answered(201)],
    { afterMs: 700_000, next: { lookUp: async () => ({ kind: 'missing' }) } },
  );
  await run(800_000);
  expect(sent).toEqual([]);
  expect(states().at(-1)).toBe('absent');
});

test('an approved exit that never left is sent, an entry of before is not', async () => {
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

test('what a 429 had put off is sent again: nothing of it was executed', async () => {
  const { report, sent, run, states } = await restart(
    (pipe) => pipe.submit(emission('d1', order)),
    [answered(201, { order_id: 'ord_1' })],
    { dying: { send: async () => rateLimited } },
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

/** A newcomer that waits for a row, as it stands in the journal, and the cancel that makes room for it. */
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
  const newcomer = { intent: order, instance: 'ema', cause: 'bar' };
  const key = await keep('new', newcomer, ['emitted', 'deferred']);
  const cause = `slot:${key}:ord_1`;
  const cancel = { intent: cancelOrder({ order_id: 'ord_1' }), instance: OPERATOR, cause };
  await keep(`main/operator/${cause}#0`, cancel, ['emitted', 'guarded']);
}

test.each([
  { afterMs: 1_000, resumed: 2, dropped: 0 },
  { afterMs: 90_000, resumed: 0, dropped: 2 },
])('a cancel that never left goes with its newcomer ($afterMs ms later)', async (expected) => {
  const store = createMemoryStore();
  await keepNewcomer(store);
  const held: string[] = [];
  const next = setUpPipe(
    [answered(200)],
    {
      holdForRow({ key }, wake) {
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
    refs: createRefs(),
    instances: ['ema'],
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
