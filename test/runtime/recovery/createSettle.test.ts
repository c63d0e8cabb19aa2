import { afterEach, expect, test } from 'vitest';
import {
  attachTpsl,
  bulkCancel,
  cancelOrder,
  closePosition,
  controlExecution,
  createMonitor,
  launch,
  modifyOrder,
  pauseMonitor,
  placeOrder,
  retireTpsl,
  setLeverage,
  stopMonitor,
  type Intent,
} from '../../../src/intents/index.ts';
import {
  createJournal,
  createMemoryStore,
  type IntentState,
  type JournalStore,
} from '../../../src/journal/index.ts';
import type { LookUp } from '../../../src/runtime/pipe/createReconciliation.ts';
import { createSettle, type Settlement } from '../../../src/runtime/recovery/createSettle.ts';
import type { PipeEvent } from '../../../src/runtime/PipeEvent.ts';
import { clocksAt } from '../../journal/journalRows.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { keepOld, oldBasket } from '../keepOld.ts';
import { openTestBot } from '../openTestBot.ts';
import { emission, order, setUpPipe, silence } from '../setUpPipe.ts';

const open: Array<{ close(): Promise<unknown> }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const found = (as: Settlement['as'], ...records: string[]): Settlement => ({
  as,
  records,
  unchecked: true,
  reason: 'looked',
  by: 'ann at host',
});
/** No test asks the service but those of the check. */
const read = (): never => {
  throw new Error('nothing is read');
};
const lost: readonly IntentState[] = ['sending', 'unknown', 'unresolved'];

function settleOn(store: JournalStore, isRunning = true) {
  const events: PipeEvent[] = [];
  const onEvent = (event: PipeEvent): void => void events.push(event);
  const journal = createJournal(store, clocksAt(9_000));
  return { events, settle: createSettle({ journal, isRunning, read, onEvent }) };
}
const statesOf = (store: JournalStore, key: string): string[] =>
  store.entries(key).map(({ state }) => state);

test.each([
  [['sending'], true, 'it is being sent'],
  [['sending'], false, 'start the bot to reconcile it'],
  [['sending', 'unknown'], true, 'the bot is still reconciling it'],
  [['deferred'], false, 'nothing of it was sent'],
  [['sending', 'accepted'], true, 'it is accepted already'],
  [['sending', 'unknown', 'absent'], false, 'it is absent already'],
] as const)(
  'an intent that is %s is not settled (a bot runs: %s), and nothing is written',
  async (states, isRunning, words) => {
    const store = createMemoryStore();
    const key = await keepOld(store, { name: 'd1', states });
    const before = statesOf(store, key);
    const { settle, events } = settleOn(store, isRunning);
    expect(await settle(key, found('absent'))).toContain(words);
    expect(await settle('nobody', found('absent'))).toContain('does not hold it');
    expect(statesOf(store, key)).toEqual(before);
    expect(events).toEqual([]);
  },
);

test('without a running bot an operator may settle an unknown intent', async () => {
  const store = createMemoryStore();
  const key = await keepOld(store, { name: 'd1', states: ['sending', 'unknown'] });
  expect(await settleOn(store, false).settle(key, found('accepted'))).toBeUndefined();
  expect(statesOf(store, key).at(-1)).toBe('accepted');
});

test('the journal records who settled, why and when, before anything is reported', async () => {
  const store = createMemoryStore();
  const key = await keepOld(store, { name: 'd1', states: lost });
  let wasOpen: string[] = [];
  const journal = createJournal(store, clocksAt(9_000));
  const onEvent = (): void => void (wasOpen = statesOf(store, key));
  const settle = createSettle({ journal, isRunning: true, read, onEvent });
  await settle(key, found('accepted', 'exe_1', 'exe_2'));
  expect(wasOpen.at(-1)).toBe('accepted');
  const last = store.entries(key).at(-1)!;
  expect(last.wallTime).toBe(9_000);
  expect(JSON.parse(last.data)).toEqual({
    settled_by: 'ann at host',
    reason: 'looked',
    record: { legs: [{ execution_id: 'exe_1' }, { execution_id: 'exe_2' }] },
  });
});

test('an unwritten settlement is not reported', async () => {
  const store = createMemoryStore();
  const key = await keepOld(store, { name: 'd1', states: lost });
  const full = { ...store, append: () => Promise.reject(new Error('the disk is full')) };
  const { settle, events } = settleOn(full);
  await expect(settle(key, found('absent'))).rejects.toThrow('the disk is full');
  expect(events).toEqual([]);
  // And it may be tried again.
  expect(await settleOn(store).settle(key, found('absent'))).toBeUndefined();
});

test('a record that an intent cannot have created is refused by its id', async () => {
  const store = createMemoryStore();
  const intent = setLeverage('BTC', { leverage: 2 });
  const leverage = await keepOld(store, { name: 'd1', intent, states: lost });
  const placed = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 });
  const one = await keepOld(store, { name: 'd2', intent: placed, states: lost });
  const { settle, events } = settleOn(store);
  expect(await settle(leverage, found('accepted', 'ord_1'))).toContain('leave ord_1 out');
  expect(await settle(one, found('accepted', 'ord_1', 'ord_2'))).toContain('one of ord_1, ord_2');
  expect(events).toEqual([]);
  expect(await settle(one, found('accepted', 'ord_1'))).toBeUndefined();
  expect(events[0]).toMatchObject({ state: 'accepted', record: { order_id: 'ord_1' }, attempt: 1 });
});

test.each([
  ['an order', closePosition.atMarket('BTC'), 'orders.get', 'order_id'],
  [
    'an execution',
    closePosition.byAlgo('BTC', { algo: 'pacemaker', params: { duration_seconds: 60 } }),
    'executions.get',
    'execution_id',
  ],
] as const)(
  'a close that made %s is settled by it, checked or not',
  async (_what, intent, endpoint, field) => {
    const store = createMemoryStore();
    const key = await keepOld(store, { name: 'd1', intent, states: lost });
    const asked: string[] = [];
    const events: PipeEvent[] = [];
    const settle = createSettle({
      journal: createJournal(store, clocksAt(9_000)),
      isRunning: true,
      read(request) {
        asked.push(`${request.endpoint} ${request.pathParams['id']}`);
        const body = { [field]: 'r1', symbol: 'BTC', side: 'sell' };
        return { kind: 'answered', response: { status: 200, headers: {}, body } };
      },
      onEvent: (event) => void events.push(event),
    });
    const settlement = { ...found('accepted', 'r1'), unchecked: false };
    expect(await settle(key, settlement)).toBeUndefined();
    expect(asked).toEqual([`${endpoint} r1`]);
    expect(events[0]).toMatchObject({ state: 'accepted', record: { [field]: 'r1' } });
  },
);

/** Every kind of intent, and the field by which its answer would name what it made; none where it makes nothing. */
const MADE: Readonly<Record<Intent['kind'], readonly [intent: Intent, field: string | undefined]>> =
  {
    place_order: [placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 }), 'order_id'],
    modify_order: [modifyOrder({ order_id: 'ord_9' }, { price: 1 }), 'order_id'],
    close_position: [closePosition.atMarket('BTC'), 'order_id'],
    launch: [
      launch.pacemaker({
        symbol: 'BTC',
        side: 'buy',
        total_size: 1,
        params: { duration_seconds: 60 },
      }),
      'execution_id',
    ],
    launch_basket: [oldBasket, 'legs'],
    control_execution: [controlExecution.resume({ execution_id: 'exe_9' }), 'execution_id'],
    create_monitor: [createMonitor({ trigger: {}, action: {} } as never), 'monitor_id'],
    cancel_order: [cancelOrder({ order_id: 'ord_9' }), undefined],
    bulk_cancel: [bulkCancel({ symbol: 'BTC' }), undefined],
    attach_tpsl: [attachTpsl('BTC', { stop_loss: { price: 1 } } as never), undefined],
    retire_tpsl: [retireTpsl('BTC'), undefined],
    set_leverage: [setLeverage('BTC', { leverage: 2 }), undefined],
    pause_monitor: [pauseMonitor({ monitor_id: 'mon_9' }), undefined],
    stop_monitor: [stopMonitor({ monitor_id: 'mon_9' }), undefined],
  };

test.each(Object.entries(MADE))(
  'a %s is settled with what it makes, after as many attempts as there were',
  async (_kind, [intent, field]) => {
    for (const attempts of [1, 2, 3]) {
      const store = createMemoryStore();
      const again: IntentState[] = Array.from({ length: attempts }, () => [
        'sending' as const,
        'unknown' as const,
      ]).flat();
      const key = await keepOld(store, { name: 'd1', intent, states: [...again, 'unresolved'] });
      const { settle, events } = settleOn(store);
      const refusal = await settle(key, found('accepted', 'r_1'));
      if (field === undefined) {
        expect(refusal).toContain('makes no record of its own');
        expect(await settle(key, found('accepted'))).toBeUndefined();
      } else expect(refusal).toBeUndefined();
      const record =
        field === 'legs' ? { legs: [{ execution_id: 'r_1' }] } : { [field ?? '']: 'r_1' };
      const made = field === undefined ? {} : { record };
      expect(events).toMatchObject([{ state: 'accepted', key, attempt: attempts, ...made }]);
      expect('record' in events[0]!).toBe(field !== undefined);
      expect(statesOf(store, key).at(-1)).toBe('accepted');
    }
  },
);

test('a checked record is taken as the service shows it, for one order and for each leg', async () => {
  const store = createMemoryStore();
  const placed = placeOrder.market({ symbol: 'BTC', side: 'sell', size: 1 });
  const one = await keepOld(store, { name: 'd1', intent: placed, states: lost });
  const basket = await keepOld(store, { name: 'd2', states: lost });
  const events: PipeEvent[] = [];
  const bodyOf = (id: string) => ({
    status: 'filled',
    filled_size: 1,
    ...(id === 'o' ? { order_id: id } : { execution_id: id }),
  });
  const settle = createSettle({
    journal: createJournal(store, clocksAt(9_000)),
    isRunning: true,
    read: ({ pathParams }) => ({
      kind: 'answered',
      response: { status: 200, headers: {}, body: bodyOf(pathParams['id']!) },
    }),
    onEvent: (event) => void events.push(event),
  });
  expect(await settle(one, { ...found('accepted', 'o'), unchecked: false })).toBeUndefined();
  const both = { ...found('accepted', 'e1', 'e2'), unchecked: false };
  expect(await settle(basket, both)).toBeUndefined();
  expect(events.map(({ record }) => record)).toEqual([
    bodyOf('o'),
    { legs: [bodyOf('e1'), bodyOf('e2')] },
  ]);
});

test('what ended while the service was asked for its record is not settled', async () => {
  const store = createMemoryStore();
  const intent = closePosition.atMarket('BTC');
  const key = await keepOld(store, { name: 'd1', intent, states: lost });
  const journal = createJournal(store, clocksAt(9_000));
  const events: PipeEvent[] = [];
  const settle = createSettle({
    journal,
    isRunning: true,
    async read() {
      await journal.record(key, [{ state: 'rejected', data: { fault: { code: 'no_position' } } }]);
      const body = { order_id: 'r1', symbol: 'BTC', side: 'sell' };
      return { kind: 'answered', response: { status: 200, headers: {}, body } };
    },
    onEvent: (event) => void events.push(event),
  });
  const settlement = { ...found('accepted', 'r1'), unchecked: false };
  expect(await settle(key, settlement)).toContain('it is rejected already');
  expect(statesOf(store, key).at(-1)).toBe('rejected');
  expect(events).toEqual([]);
});

test.each([
  ['absent', [], 'accepted'],
  ['accepted', [], 'accepted'],
  ['accepted', ['exe_unseen'], 'denied'],
] as const)('after settling as %s with %j the next entry is %s', async (as, records, state) => {
  const server = await openTestServer();
  open.push(server);
  const store = createMemoryStore();
  const key = await keepOld(store, { name: 'd1', states: lost });
  // One leg of the basket is more than this.
  const reported = await openTestBot(server, { store, guards: { max_position_notional: 10_000 } });
  open.push(reported);
  await reported.step(2);
  const buy = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.01 });
  const enter = async (): Promise<string | undefined> => {
    reported.propose(buy);
    await reported.step(1);
    const outcomes = reported.events.flatMap((item) =>
      item.kind === 'intent' && item.event.emission.intent.kind === 'place_order'
        ? [item.event.state]
        : [],
    );
    return outcomes.at(-1);
  };
  expect(store.stateOf(key)).toBe('unresolved');
  expect(await enter()).toBe('denied');
  expect(await reported.bot.settle(key, found(as, ...records))).toBeUndefined();
  expect(await enter()).toBe(state);
});

/** An order that is reconciled until it is reported to the operator, and beyond. */
async function leaveUnresolved(answer: () => Promise<LookUp>) {
  const store = createMemoryStore();
  const faults: unknown[] = [];
  const onFatal = (fault: unknown): void => void faults.push(fault);
  const set = setUpPipe([silence], { lookUp: answer, onFatal }, store);
  set.pipe.submit(emission('d1', order));
  await set.run(1_500_000);
  expect(set.states().at(-1)).toBe('unresolved');
  const [{ key } = { key: '' }] = store.intents();
  const { events } = set;
  const onEvent = (event: PipeEvent): void => void events.push(event);
  const settle = createSettle({ journal: set.journal, isRunning: true, read, onEvent });
  return { ...set, store, key, settle, faults };
}

test('a settled intent is no longer reconciled, whatever a pending lookup returns', async () => {
  let answer = async (): Promise<LookUp> => ({ kind: 'unclear' });
  let asked = 0;
  const { settle, key, run, store, env, faults } = await leaveUnresolved(() => (asked++, answer()));
  const late = Promise.withResolvers<LookUp>();
  answer = () => late.promise;
  await run(env.queue.now() + 30_000);
  expect(await settle(key, found('absent'))).toBeUndefined();
  late.resolve({ kind: 'found', record: { order_id: 'ord_1' } });
  const before = asked;
  await run(env.queue.now() + 600_000);
  expect(statesOf(store, key).slice(-2)).toEqual(['unresolved', 'absent']);
  expect(asked).toBe(before);
  expect(faults).toEqual([]);
});

test('the same decision after an absent one is sent under the next key', async () => {
  const { settle, key, run, env, pipe, sent } = await leaveUnresolved(async () => ({
    kind: 'unclear',
  }));
  pipe.submit(emission('d1', order));
  await run(env.queue.now() + 1_000);
  expect(sent).toHaveLength(1);
  await settle(key, found('absent'));
  pipe.submit(emission('d1', order));
  await run(env.queue.now() + 1_000);
  expect(sent).toHaveLength(2);
  expect(sent[1]!.request.idempotencyKey).not.toBe(key);
});
