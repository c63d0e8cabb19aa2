import { describe, expect, test } from 'vitest';
import type { ExecutionRecord, OrderRecord, ServiceRequest } from '../../../src/contract/index.ts';
import {
  attachTpsl,
  bulkCancel,
  cancelOrder,
  closePosition,
  controlExecution,
  createMonitor,
  launch,
  launchBasket,
  modifyOrder,
  placeOrder,
  retireTpsl,
  setLeverage,
  stopLoss,
  stopMonitor,
  takeProfit,
  type Intent,
} from '../../../src/intents/index.ts';
import { createMemoryStore, keyOfRemainder, type IntentState } from '../../../src/journal/index.ts';
import { confirmKey, latchKey } from '../../../src/runtime/control/rotateKey.ts';
import { OPERATOR } from '../../../src/runtime/operator.ts';
import type { PersistedIntent } from '../../../src/runtime/pipe/PersistedIntent.ts';
import { readPersisted } from '../../../src/runtime/recovery/readPersisted.ts';
import { recoverIntents } from '../../../src/runtime/recovery/recoverIntents.ts';
import {
  createExposure,
  createRefLog,
  createRefs,
  type RefLog,
} from '../../../src/runtime/wallet/index.ts';
import { createOpenWork } from '../../../src/runtime/wallet/createOpenWork.ts';
import type { RefEvent } from '../../../src/strategy/refs/RefEvent.ts';

const NOW = 1_000_000_000;
const MINUTE = 60_000;
const DAY = 86_400_000;

const clocksAt = (wall: number) =>
  ({ clock: { wallNow: () => wall }, market: { now: () => NOW } }) as never;

interface Life {
  intent: Intent;
  states: readonly IntentState[];
  instance?: string;
  wallet?: string;
  /** Before the present, market time. */
  ageMs?: number;
  /** How long before the present its last step was, if not as long as its decision, market time. */
  leftMs?: number;
  /** Wall time of each step. */
  wall?: readonly number[];
  data?: Readonly<Record<string, unknown>>;
  cause?: string;
  /** Of its approval; default `exit`. */
  lane?: 'entry' | 'exit';
  /** The target as the request names it. */
  id?: string;
  /** Of its answer. */
  record?: object;
  /** Of its request. */
  body?: string;
  /** Under which its attempts left, if that is not its own. */
  idempotencyKey?: string;
  /** Of its approval. */
  guarded?: object;
}

function journalOf(lives: Readonly<Record<string, Life>>) {
  const store = createMemoryStore();
  for (const [key, life] of Object.entries(lives)) {
    const {
      intent,
      states,
      instance = 'trend',
      wallet = 'main',
      ageMs = 0,
      wall = [],
      data = {},
      lane = 'exit',
      id,
      record,
    } = life;
    const text = JSON.stringify({ intent, trigger: { bar: 1 } });
    const marketTime = NOW - ageMs;
    const emitted = { cause: life.cause ?? 'bar:BTC:1m:0', ordinal: 2, marketTime, ...data };
    void store.append({
      intent: {
        key,
        decisionKey: `d/${key}`,
        generation: 0,
        instance,
        wallet,
        kind: intent.kind,
        intent: text,
      },
      entries: states.map((state, at) => ({
        key,
        state,
        wallTime: wall[at] ?? 0,
        marketTime:
          life.leftMs !== undefined && at === states.length - 1 ? NOW - life.leftMs : marketTime,
        data: JSON.stringify(
          state === 'emitted'
            ? emitted
            : state === 'guarded'
              ? { lane, weight: 3, ...life.guarded }
              : state === 'sending'
                ? {
                    endpoint: 'orders.place',
                    body: life.body ?? `body of ${key} ${at}`,
                    idempotencyKey: life.idempotencyKey,
                    pathParams: id === undefined ? {} : { id },
                    query: {},
                  }
                : state === 'accepted' && record !== undefined
                  ? { record }
                  : {},
        ),
      })),
    });
  }
  return store;
}

interface Found {
  /** On each wallet. */
  orders?: readonly OrderRecord[];
  executions?: readonly ExecutionRecord[];
  refLogs?: ReadonlyMap<string, RefLog>;
  /** Default: one with these lives. */
  store?: ReturnType<typeof journalOf>;
}

function recover(
  lives: Readonly<Record<string, Life>>,
  instances = ['trend'],
  { orders = [], executions = [], refLogs = new Map(), store = journalOf(lives) }: Found = {},
) {
  const resumed = new Map<string, PersistedIntent & { isOvertaken?: boolean }>();
  const dropped = new Map<string, string>();
  const exposure = createExposure();
  const refs = createRefs();
  const book = createOpenWork();
  book.model({ openOrders: new Map(orders.map((one) => [one.order_id, one])) } as never);
  book.executions(executions);
  const report = recoverIntents({
    store,
    clock: { wallNow: () => 50_000 } as never,
    market: { now: () => NOW } as never,
    pipe: {
      resume: (persisted) => void resumed.set(persisted.key, persisted),
      drop: ({ key }, reason) => void dropped.set(key, reason),
    },
    exposure,
    refs,
    refLogs,
    bookOf: () => book,
    instances,
    wallets: ['main', 'hedge'],
  });
  return { resumed, dropped, exposure, report, refs };
}

const entry = placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 2, price: 100 });
const exit = placeOrder.market({ symbol: 'BTC', side: 'sell', size: 1, reduce_only: true });
const UNSENT: readonly IntentState[] = ['emitted', 'guarded'];
const SENT: readonly IntentState[] = ['emitted', 'guarded', 'sending'];

describe('on a wallet that the bot no longer trades', () => {
  const wallet = 'former';

  test('nothing is sent: what was not ends, and what was stays with what it adds', () => {
    const stop = controlExecution.stop({ execution_id: 'exe_1' });
    const { dropped, resumed, exposure } = recover({
      stop: { intent: stop, states: UNSENT, wallet },
      entry: { intent: entry, states: UNSENT, wallet },
      sent: { intent: entry, states: SENT, wallet },
      own: { intent: exit, states: SENT },
    });
    const why = 'wallet former is no longer traded';
    expect([...dropped]).toEqual([
      ['stop', why],
      ['entry', why],
    ]);
    expect(resumed.get('sent')).toMatchObject({ stage: 'sent', stranded: why });
    expect(exposure.pending(wallet, 'BTC', 'buy')).toBe(2);
    expect(resumed.get('own')!.stranded).toBeUndefined();
  });
});

// A bot that reprices makes a hundred thousand changes, and what has no answer stays open until it is settled.
test('the steps of each later change are read once, however many are open', () => {
  const at = (price: number): Intent => modifyOrder({ order_id: `ord_${price % 3}` }, { price });
  const opened = [0, 1, 2, 3, 4].map((price): [string, Life] => [
    `open ${price}`,
    { intent: at(price), states: SENT, id: `ord_${price % 3}` },
  ]);
  const later = [5, 6, 8].map((price): [string, Life] => [
    `later ${price}`,
    { intent: at(price), states: [...SENT, 'accepted'], record: { order_id: `ord_${price % 3}` } },
  ]);
  const lives = Object.fromEntries([...opened, ...later]);
  const store = journalOf(lives);
  const read: string[] = [];
  const counted: typeof store = {
    ...store,
    entries(key) {
      if (key.startsWith('later')) read.push(key);
      return store.entries(key);
    },
  };
  const { resumed } = recover(lives, ['trend'], { store: counted });
  // Once more for the time of the newest decision.
  expect(read).toEqual(['later 5', 'later 6', 'later 8', 'later 8']);
  const isOvertaken = [...resumed.values()].map((one) => one.isOvertaken);
  expect(isOvertaken).toEqual([true, false, true, true, false]);
});

describe('what was never sent', () => {
  test('is sent if it is fresh; later only what ends, reduces or protects', () => {
    const intents: Readonly<Record<string, Intent>> = {
      entry,
      exit,
      close: closePosition.atMarket('BTC'),
      cancel: cancelOrder({ order_id: 'ord_1' }),
      stop: controlExecution.stop({ execution_id: 'exe_1' }),
      legs: attachTpsl('BTC', { stop_loss: stopLoss.price(90) }),
      resume: controlExecution.resume({ execution_id: 'exe_1' }),
      move: modifyOrder({ order_id: 'ord_1' }, { price: 90 }),
      leverage: setLeverage('BTC', { leverage: 3 }),
      moveOfExit: modifyOrder({ order_id: 'ord_2' }, { price: 90 }),
      resumeOfExit: controlExecution.resume({ execution_id: 'exe_2' }),
    };
    const laneOf = (key: string) => (key.endsWith('OfExit') ? 'exit' : 'entry');
    const of = (ageMs: number) =>
      recover(
        Object.fromEntries(
          Object.entries(intents).map(([key, intent]) => [
            key,
            { intent, states: UNSENT, ageMs, lane: laneOf(key) },
          ]),
        ),
      );
    expect([...of(MINUTE).dropped.keys()]).toEqual([]);
    const late = of(MINUTE + 1);
    expect([...late.dropped.keys()].toSorted()).toEqual(['entry', 'leverage', 'move', 'resume']);
    expect([...late.resumed.keys()].toSorted()).toEqual([
      'cancel',
      'close',
      'exit',
      'legs',
      'moveOfExit',
      'resumeOfExit',
      'stop',
    ]);
    expect(late.report).toMatchObject({ sent: 0, resumed: 7, dropped: 4 });
  });

  test('is not sent after ten minutes without a process, unless it ends one thing by its id (AUTH-6)', () => {
    const intents: Readonly<Record<string, Intent>> = {
      exit,
      close: closePosition.atMarket('BTC'),
      legs: attachTpsl('BTC', { stop_loss: stopLoss.price(90) }),
      retire: retireTpsl('BTC'),
      bulk: bulkCancel({ symbol: 'BTC' }),
      moveOfExit: modifyOrder({ order_id: 'ord_2' }, { price: 90 }),
      cancel: cancelOrder({ order_id: 'ord_1' }),
      stop: controlExecution.stop({ execution_id: 'exe_1' }),
      monitor: stopMonitor({ monitor_id: 'mon_1' }),
    };
    const droppedOf = (life: Omit<Life, 'intent' | 'states'>, instance?: string) =>
      [
        ...recover(
          Object.fromEntries(
            Object.entries(intents).map(([key, intent]) => [
              key,
              { intent, states: UNSENT, ...life, ...(instance === undefined ? {} : { instance }) },
            ]),
          ),
        ).dropped.keys(),
      ].toSorted();
    const named = ['bulk', 'close', 'exit', 'legs', 'moveOfExit', 'retire'];
    for (const instance of ['trend', OPERATOR]) {
      expect(droppedOf({ ageMs: 10 * MINUTE }, instance)).toEqual([]);
      expect(droppedOf({ ageMs: 10 * MINUTE + 1 }, instance)).toEqual(named);
      expect(droppedOf({ ageMs: 3 * DAY }, instance)).toEqual(named);
      // An outage in which its process tried all along is none without one.
      expect(droppedOf({ ageMs: 3 * DAY, leftMs: 10 * MINUTE }, instance)).toEqual([]);
    }
  });

  test('of a kill level, a stop or a flattening is not sent by another process', () => {
    const own = { intent: closePosition.atMarket('BTC'), states: UNSENT };
    const of = (cause: string, intent: Intent = own.intent) => ({
      ...own,
      intent,
      instance: OPERATOR,
      cause,
    });
    const sale = placeOrder.market({
      symbol: 'BTC/USDC',
      side: 'sell',
      size: 1,
      reduce_only: true,
    });
    const { dropped, resumed } = recover({
      kill: of('kill:L3:1700000000000'),
      read: of('kill:L2:1700000000000:read:2', cancelOrder({ order_id: 'ord_1' })),
      stop: of('stop:flatten:1700000000000:1'),
      flatten: of('flatten:BTC:1700000000000'),
      sale: of('kill:L3:1700000000000', sale),
      reattach: of('reattach:leg_1', attachTpsl('BTC', { stop_loss: stopLoss.price(90) })),
      // A strategy's own cause may begin with the same word.
      strategy: { ...own, cause: 'kill:L3:1700000000000' },
    });
    expect([...dropped.keys()]).toEqual(['kill', 'read', 'stop', 'flatten', 'sale']);
    expect([...resumed.keys()]).toEqual(['reattach', 'strategy']);
    expect(dropped.get('kill')).toContain('earlier process');
  });

  test('has its own end, which goes before its age', () => {
    const { dropped, resumed } = recover({
      past: { intent: { ...exit, not_after: NOW - 1 }, states: UNSENT },
      at: { intent: { ...entry, not_after: NOW }, states: UNSENT, ageMs: 10 * MINUTE },
    });
    expect([[...dropped.keys()], [...resumed.keys()]]).toEqual([['past'], ['at']]);
  });

  test('of a strategy that no longer runs is not sent; an operator’s is', () => {
    const { dropped, resumed } = recover({
      gone: { intent: exit, states: UNSENT, instance: 'former' },
      operator: { intent: exit, states: UNSENT, instance: OPERATOR },
    });
    expect([[...dropped.keys()], [...resumed.keys()]]).toEqual([['gone'], ['operator']]);
  });

  test('adds no exposure before it is evaluated again', () => {
    expect(
      recover({ entry: { intent: entry, states: UNSENT } }).exposure.pending('main', 'BTC', 'buy'),
    ).toBe(0);
  });
});

describe('what may have been sent', () => {
  test('is reconciled with its full exposure, whatever its age, its end and its strategy', () => {
    const { resumed, exposure, report } = recover({
      old: {
        intent: { ...entry, not_after: 1 },
        states: SENT,
        instance: 'former',
        ageMs: 100 * MINUTE,
      },
      unknown: { intent: entry, states: [...SENT, 'unknown'] },
      unresolved: { intent: entry, states: [...SENT, 'unknown', 'unresolved'], wallet: 'hedge' },
    });
    expect([...resumed.values()].map(({ stage }) => stage)).toEqual(['sent', 'sent', 'sent']);
    expect(exposure.pending('main', 'BTC', 'buy')).toBe(4);
    expect(exposure.pending('hedge', 'BTC', 'buy')).toBe(2);
    expect(report).toMatchObject({ sent: 3, resumed: 0, dropped: 0 });
  });

  test('gives an order the size that it may have set, once what was set before it is shown', () => {
    const resized = { order: 'ord_1', symbol: 'BTC', side: 'buy', size: 10, isReducing: false };
    const intent = modifyOrder({ order_id: 'ord_1' }, { size: 10 });
    const { exposure } = recover({ one: { intent, states: SENT, guarded: { resized } } });
    expect(exposure.pending('main', 'BTC', 'buy', () => 10)).toBe(0);
    expect(exposure.pending('main', 'BTC', 'buy', () => 5)).toBe(5);
  });

  test('may have started executions: each leg, a close, what a monitor launches, what is resumed', () => {
    const leg = {
      algo: 'pacemaker',
      symbol: 'BTC',
      side: 'buy',
      total_size: 1,
      params: { duration_seconds: 60 },
    } as const;
    const { algo, params } = leg;
    const trigger = { type: 'price_level', symbol: 'BTC', price: 9, direction: 'above' } as const;
    const intents: ReadonlyArray<readonly [Intent, number]> = [
      [entry, 0],
      [launchBasket({ legs: [leg, { ...leg, reduce_only: true }, leg] }), 3],
      [closePosition.byAlgo('BTC', { algo, params }), 1],
      [createMonitor({ trigger, action: { type: 'execute', request: leg } }), 1],
      [controlExecution.resume({ execution_id: 'exe_1' }), 1],
    ];
    for (const [intent, count] of intents) {
      const { exposure } = recover({ one: { intent, states: SENT } });
      expect(exposure.executions('main'), intent.kind).toBe(count);
    }
  });

  test('has the bytes of its last attempt, and the time since its first', () => {
    const store = journalOf({
      twice: {
        intent: exit,
        states: [...SENT, 'sending', 'unknown'],
        wall: [1_000, 2_000, 3_000, 9_000, 9_500],
      },
    });
    const [persisted] = readPersisted(store, clocksAt(10_000));
    expect(persisted).toMatchObject({
      stage: 'sent',
      attempt: 2,
      lane: 'exit',
      weight: 3,
      sentForMs: 7_000,
      request: { body: 'body of twice 3', idempotencyKey: 'twice', wallet: 'main' },
    });
  });

  // Reliability: ten minutes since the first attempt that may have been executed, by whichever process.
  test('has the time since the first attempt that was not refused', () => {
    const states: IntentState[] = [...SENT, 'deferred', 'sending', 'deferred', 'sending'];
    const wall = [1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000];
    const store = journalOf({
      resent: { intent: exit, states, wall },
      again: {
        intent: exit,
        states: [...states, 'unknown', 'sending'],
        wall: [...wall, 8_000, 9_000],
      },
    });
    expect(readPersisted(store, clocksAt(10_000))).toMatchObject([
      { stage: 'sent', attempt: 3, sentForMs: 3_000 },
      { stage: 'sent', attempt: 4, sentForMs: 3_000 },
    ]);
  });

  // The clock of the host before may have been ahead: market time is the service's.
  test('has the longer of its times by the wall and by the market', () => {
    const wall = [1_000, 2_000, 3_000];
    const store = journalOf({ sent: { intent: exit, states: SENT, ageMs: MINUTE, wall } });
    const sentForMs = (now: number) =>
      readPersisted(store, clocksAt(now)).map((one) => one.stage === 'sent' && one.sentForMs);
    expect(sentForMs(0)).toEqual([MINUTE]);
    expect(sentForMs(10_000)).toEqual([MINUTE]);
    expect(sentForMs(3_000 + 2 * MINUTE)).toEqual([2 * MINUTE]);
  });

  test('has the key of its last attempt; a row of a former version, the key of that time', async () => {
    const wall = [1_000, 2_000, 3_000];
    const life = { intent: exit, states: SENT, wall };
    const at = clocksAt(10_000);
    const signers = (store: ReturnType<typeof journalOf>) =>
      readPersisted(store, at).map((one) => (one.stage === 'sent' ? one.signedBy : 'unsent'));
    const store = journalOf({ old: life });
    expect(signers(store)).toEqual([undefined]);
    await latchKey(store, 'vk_1', 500);
    expect(signers(store)).toEqual(['vk_1']);
    const rotation = { keyId: 'vk_2', previous: 'vk_1', fingerprint: 'abc', reason: 'asked' };
    await confirmKey(store, rotation, 3_001);
    expect(signers(store)).toEqual(['vk_1']);
    await confirmKey(store, rotation, 3_000);
    expect(signers(store)).toEqual(['vk_2']);
    // The last attempt counts, and what it says goes before the time.
    const said = ['vk_0', 'vk_3'].map((keyId, number) => ({
      key: 'old',
      state: 'sending' as const,
      wallTime: 4_000 + number,
      marketTime: NOW,
      data: JSON.stringify({ endpoint: 'orders.place', keyId }),
    }));
    await store.append({ entries: said });
    expect(signers(store)).toEqual(['vk_3']);
  });

  test('is not, if the service deferred it: nothing was executed', () => {
    const { resumed, exposure } = recover({
      deferred: { intent: entry, states: [...SENT, 'deferred'] },
    });
    expect(resumed.get('deferred')).toMatchObject({
      stage: 'unsent',
      attempt: 1,
      waitsForRow: false,
    });
    expect(exposure.pending('main', 'BTC', 'buy')).toBe(0);
  });
});

test('a wait for a row is one before the guards, and goes on as one', () => {
  const { resumed } = recover({
    row: { intent: entry, states: ['emitted', 'deferred'] },
    budget: { intent: entry, states: ['emitted', 'guarded', 'deferred'] },
  });
  expect(resumed.get('row')).toMatchObject({ waitsForRow: true, state: 'emitted' });
  expect(resumed.get('budget')).toMatchObject({ waitsForRow: false, state: 'deferred' });
});

test('no entry is cancelled for an intent that is not sent any more', () => {
  const cancel = { intent: cancelOrder({ order_id: 'ord_1' }), states: UNSENT, instance: OPERATOR };
  const waiting = { intent: entry, states: ['emitted', 'deferred'] as const };
  const still = recover({ waits: waiting, cancel: { ...cancel, cause: 'slot:waits:ord_1' } });
  expect([...still.dropped.keys()]).toEqual([]);
  const over = recover({
    waits: { ...waiting, ageMs: 2 * MINUTE },
    cancel: { ...cancel, cause: 'slot:waits:ord_1' },
  });
  expect([...over.dropped.keys()].toSorted()).toEqual(['cancel', 'waits']);
});

test('what is emitted again has its cause, its ordinal and whether it was caught up', () => {
  const lives = {
    caught: { intent: exit, states: UNSENT, data: { causeTime: 7, isCatchUp: true } },
    plain: { intent: exit, states: UNSENT },
    operator: { intent: exit, states: UNSENT, instance: OPERATOR },
  };
  const all = readPersisted(journalOf(lives), clocksAt(0));
  const [caught, plain, operator] = all.map(({ emission }) => emission);
  expect(caught).toMatchObject({
    causeTime: 7,
    isCatchUp: true,
    ordinal: 2,
    cause: 'bar:BTC:1m:0',
    decisionKey: 'd/caught',
  });
  expect(plain).toMatchObject({ causeTime: NOW, marketTime: NOW });
  expect(plain).not.toHaveProperty('isCatchUp');
  expect(operator).not.toHaveProperty('causeTime');
});

describe('what a later intent has set', () => {
  const legs = (...kinds: ReadonlyArray<'stop_loss' | 'take_profit'>): Intent =>
    attachTpsl('BTC', {
      ...(kinds.includes('stop_loss') ? { stop_loss: stopLoss.price(90) } : {}),
      ...(kinds.includes('take_profit') ? { take_profit: takeProfit.price(120) } : {}),
    } as never);
  const move = (change: object, id = 'ord_1'): Intent =>
    modifyOrder({ order_id: id }, change as never);
  const CASES: ReadonlyArray<
    readonly [name: string, earlier: Intent, later: Intent, isOvertaken: boolean]
  > = [
    ['the same leg', legs('stop_loss'), legs('stop_loss', 'take_profit'), true],
    ['the other leg', legs('stop_loss'), legs('take_profit'), false],
    ['no leg any more', legs('take_profit'), retireTpsl('BTC'), true],
    ['another symbol’s legs', legs('stop_loss'), retireTpsl('ETH'), false],
    ['the same price', move({ price: 1 }), move({ price: 2 }), true],
    ['another field', move({ price: 1 }), move({ size: 2 }), false],
    ['another order', move({ price: 1 }), move({ price: 2 }, 'ord_2'), false],
    ['a leverage', setLeverage('BTC', { leverage: 2 }), setLeverage('BTC', { leverage: 3 }), true],
    [
      'the course',
      controlExecution.pause({ execution_id: 'e' }),
      controlExecution.resume({ execution_id: 'e' }),
      true,
    ],
    [
      'the end',
      controlExecution.pause({ execution_id: 'e' }),
      controlExecution.stop({ execution_id: 'e' }),
      false,
    ],
    ['an order', entry, entry, false],
  ];

  test('is that of the same order or execution under each of its names', () => {
    const record = { order_id: 'ord_1', client_order_id: 'key' };
    const ran = { execution_id: 'exe_1', client_execution_id: 'key' };
    const byRef = modifyOrder({ ref: 'entry' }, { price: 1 });
    const byId = move({ price: 2 });
    const byClient = modifyOrder({ client_order_id: 'key' }, { price: 3 });
    const orders = [
      { intent: byRef, id: 'client:key', record },
      { intent: byId, id: 'ord_1', record },
      { intent: byClient, id: 'client:key', record },
    ];
    const executions = [
      { intent: controlExecution.pause({ ref: 'in' }), id: 'exe_1', record: ran },
      { intent: controlExecution.resume({ execution_id: 'exe_1' }), id: 'exe_1', record: ran },
    ];
    const placed = {
      intent: { ...entry, ref: 'entry' },
      states: [...SENT, 'accepted'] as const,
      record,
    };
    for (const pairs of [orders, executions]) {
      for (const earlier of pairs) {
        for (const later of pairs) {
          const { record: _none, ...asked } = earlier;
          const done = { ...later, states: [...SENT, 'accepted'] as const };
          const sent = recover({ key: placed, first: { ...asked, states: SENT }, later: done });
          expect(sent.resumed.get('first')).toMatchObject({ isOvertaken: true });
          const other = { ...later, id: 'ord_9', record: { order_id: 'ord_9' } };
          const of = { intent: { ...other.intent, order: { ref: 'x' }, execution: { ref: 'x' } } };
          const apart = { ...other, ...of, states: done.states } as never;
          const another = recover({ key: placed, first: { ...asked, states: SENT }, apart });
          expect(another.resumed.get('first')).toMatchObject({ isOvertaken: false });
        }
      }
    }
    // What was not sent is named by its ref, which an earlier process gave.
    const unsent = { intent: byRef, states: UNSENT };
    const later = { ...orders[1]!, states: [...SENT, 'accepted'] as const };
    expect(recover({ key: placed, unsent, later }).dropped.has('unsent')).toBe(true);
  });

  test.each([
    [legs('stop_loss', 'take_profit'), legs('take_profit'), legs('stop_loss')],
    [move({ size: 2, price: 1 }), move({ price: 2 }), move({ size: 2 })],
  ])('leaves what it has not set', (earlier, later, rest) => {
    const set = { intent: later, states: [...SENT, 'accepted'] as const };
    const unsent = recover({ first: { intent: earlier, states: UNSENT }, later: set });
    expect(unsent.resumed.get('first')!.emission.intent).toEqual(rest);
    const body = (intent: Intent): string =>
      JSON.stringify(
        intent.kind === 'attach_tpsl' ? intent.legs : (intent as { change: object }).change,
      );
    const first = { intent: earlier, states: SENT, body: body(earlier) };
    const sent = recover({ first, later: set }).resumed.get('first')!;
    expect(sent).toMatchObject({ isOvertaken: false, emission: { intent: earlier } });
    // AUTH-6: other bytes never leave under the key of the first attempt.
    const key = (persisted: typeof sent): unknown =>
      'request' in persisted && persisted.request.idempotencyKey;
    const ofRest = keyOfRemainder('first', body(rest));
    expect(key(sent)).toBe(ofRest);
    const cut = { intent: earlier, states: SENT, body: body(rest), idempotencyKey: ofRest };
    expect(key(recover({ first: cut, later: set }).resumed.get('first')!)).toBe(ofRest);
    expect((sent as { request: ServiceRequest }).request.body).toBe(body(rest));
  });

  test.each(CASES)('%s', (_name, earlier, later, isOvertaken) => {
    const accepted: readonly IntentState[] = [...SENT, 'accepted'];
    const lives = { first: { intent: earlier, states: SENT } };
    const sent = recover({ ...lives, later: { intent: later, states: accepted } });
    expect(sent.resumed.get('first')!.isOvertaken).toBe(isOvertaken);
    const unsent = recover({
      first: { intent: earlier, states: UNSENT },
      later: { intent: later, states: accepted },
    });
    expect(unsent.dropped.has('first')).toBe(isOvertaken);
    for (const not of [
      { intent: later, states: [...SENT, 'rejected'] as const },
      { intent: later, states: accepted, wallet: 'hedge' },
    ]) {
      expect(recover({ ...lives, later: not }).resumed.get('first')!.isOvertaken).toBe(false);
    }
    const before = recover({ later: { intent: later, states: accepted }, ...lives });
    expect(before.resumed.get('first')!.isOvertaken).toBe(false);
  });
});

test('a journal that is ahead of the present is reported, beyond what two clocks may differ', () => {
  const ahead = (ageMs: number) =>
    recover({ one: { intent: exit, states: [...SENT, 'accepted'], ageMs } }).report.aheadMs;
  expect([ahead(0), ahead(-MINUTE), ahead(-MINUTE - 1)]).toEqual([
    undefined,
    undefined,
    MINUTE + 1,
  ]);
});

describe('a ref of an earlier process', () => {
  const DONE: readonly IntentState[] = ['emitted', 'guarded', 'sending', 'accepted'];
  const request = { symbol: 'BTC', side: 'buy', size: 2, price: 100 } as const;
  const orderOf = (key: string, status: 'open' | 'filled') =>
    ({
      ...request,
      order_id: `ord_${key}`,
      client_order_id: key,
      status,
      filled_size: status === 'filled' ? 2 : 0,
      updated_time: 1,
    }) as OrderRecord;
  const placed = (key: string, status: 'open' | 'filled', instance: string): Life => ({
    intent: placeOrder.limit(request, { ref: `ref ${key}` }),
    states: DONE,
    record: orderOf(key, status),
    instance,
  });
  const many = (count: number, instance: string): Array<[string, Life]> =>
    Array.from({ length: count }, (_none, at) => {
      const key = `${instance} ${at}`;
      return [key, placed(key, 'filled', instance)];
    });
  const recoverRefs = (lives: ReadonlyArray<[string, Life]>, found: Found) => {
    const refLogs = new Map([
      ['grid', createRefLog()],
      ['maker', createRefLog()],
    ]);
    recover(Object.fromEntries(lives), ['grid', 'maker'], { ...found, refLogs });
    const log = refLogs.get('grid')!;
    const events: RefEvent[] = [];
    log.events$.subscribe((event) => events.push(event));
    const stateOf = (key: string) =>
      events.flatMap((event) =>
        event.kind === 'outcome' && event.ref === `ref ${key}` ? [event.outcome.state] : [],
      );
    return { log, stateOf };
  };

  describe('in an intent that was not sent', () => {
    const launched = launch.pacemaker(
      { symbol: 'BTC', side: 'buy', total_size: 1, params: { duration_seconds: 60 } },
      { ref: 'x' },
    );
    const armed = createMonitor(
      {
        trigger: { type: 'price_level', symbol: 'BTC', price: 1, direction: 'below' },
        action: { type: 'order', request: { ...request, order_type: 'limit' } },
      },
      { ref: 'x' },
    );
    const CASES: ReadonlyArray<readonly [string, Intent, Intent, string]> = [
      ['execution', launched, controlExecution.stop({ ref: 'x' }), 'older'],
      ['monitor', armed, stopMonitor({ ref: 'x' }), 'older'],
      ['order', { ...entry, ref: 'x' }, cancelOrder({ ref: 'x' }), 'client:older'],
      ['order', { ...entry, ref: 'x' }, modifyOrder({ ref: 'x' }, { price: 9 }), 'client:older'],
    ];
    const made = (kind: string, intent: Intent, id: string): Life => ({
      intent,
      states: DONE,
      record: { [`${kind}_id`]: id },
    });

    test.each(CASES)('means the %s that it meant at the decision', (kind, makes, ends, name) => {
      const older = made(kind, makes, 'older');
      const newer = made(kind, makes, 'newer');
      for (const states of [UNSENT, ['emitted'] as const]) {
        const ended = { intent: ends, states, data: { maker: 'older' } };
        const { resumed } = recover({ older, ended, newer });
        expect(resumed.get('ended')?.meant?.name()).toBe(name);
        // One of a former version, which did not say it, is resolved where it is evaluated.
        const former = { intent: ends, states };
        expect(recover({ older, former, newer }).resumed.get('former')?.meant).toBeUndefined();
        // The store may hold what it meant no more: it must not be another.
        const bare = recover({ ended, newer }).resumed.get('ended');
        expect(bare?.meant?.key).toBe('older');
        expect(bare?.meant?.name()).toBeUndefined();
      }
    });

    test.each(CASES)('waits for the answer of the %s that it meant', (kind, makes, ends) => {
      const older = { intent: makes, states: SENT };
      const newer = made(kind, makes, 'newer');
      const ended = { intent: ends, states: ['emitted'] as const, data: { maker: 'older' } };
      const { refs, resumed } = recover({ older, ended, newer });
      const { meant } = resumed.get('ended')!;
      expect(meant?.key).toBe('older');
      if (kind !== 'order') expect(meant?.name()).toBeUndefined();
      refs.became('trend', makes, 'older', { [`${kind}_id`]: 'older' });
      expect(meant?.name()).toBe(kind === 'order' ? 'client:older' : 'older');
    });

    test('ends that by its id, however long no process was there', () => {
      const older = made('execution', launched, 'older');
      const newer = { intent: launched, states: SENT };
      const ends = controlExecution.stop({ ref: 'x' });
      const late = { ageMs: 3 * DAY, data: { maker: 'older' } };
      const { dropped } = recover({
        older,
        ended: { intent: ends, states: UNSENT, ...late },
        newer,
      });
      expect([...dropped.keys()]).toEqual([]);
    });

    test('is overtaken by what has set the same of the one that it meant', () => {
      const order = { ...entry, ref: 'x' };
      const older = { intent: order, states: DONE, record: orderOf('older', 'open') };
      const newer = { intent: order, states: DONE, record: orderOf('newer', 'open') };
      const moved = modifyOrder({ ref: 'x' }, { price: 9 });
      const unsent = { intent: moved, states: UNSENT, data: { maker: 'older' } };
      const later = (of: string): Life => ({
        intent: modifyOrder({ client_order_id: of }, { price: 8 }),
        states: DONE,
        id: `client:${of}`,
        record: orderOf(of, 'open'),
      });
      const droppedBy = (of: string) =>
        recover({ older, unsent, newer, later: later(of) }).dropped.has('unsent');
      expect([droppedBy('older'), droppedBy('newer')]).toEqual([true, false]);
    });
  });

  test('names an order that is open, whatever was named since', () => {
    const rung = orderOf('rung', 'open');
    const { log, stateOf } = recoverRefs(
      [['rung', placed('rung', 'open', 'grid')], ...many(1_200, 'grid'), ...many(1_200, 'maker')],
      { orders: [rung] },
    );
    expect(log.refOf(rung)).toBe('ref rung');
    expect(stateOf('rung')).toEqual(['accepted']);
    // Of what ended the newest are known.
    expect(stateOf('grid 0')).toEqual([]);
    expect(stateOf('grid 250')).toEqual(['accepted']);
  });

  test('names an execution that runs, by its client id or the service’s', () => {
    const run = (key: string, client?: string) =>
      ({
        symbol: 'BTC',
        side: 'buy',
        execution_id: `exe_${key}`,
        client_execution_id: client,
        status: 'running',
        total_size: 1,
        filled_size: 0,
        updated_time: 1,
      }) as ExecutionRecord;
    const launched = (key: string, record: object): Life => ({
      intent: launch.pacemaker(
        { symbol: 'BTC', side: 'buy', total_size: 1, params: { duration_seconds: 60 } },
        { ref: `ref ${key}` },
      ),
      states: DONE,
      record,
      instance: 'grid',
    });
    const others = many(1_200, 'grid').map(([key]): [string, Life] => [
      key,
      launched(key, { ...run(key), status: 'completed' }),
    ]);
    const { log, stateOf } = recoverRefs(
      [
        ['mine', launched('mine', run('former', 'mine'))],
        ['theirs', launched('theirs', run('theirs'))],
        ...others,
      ],
      { executions: [run('mine', 'mine'), run('theirs')] },
    );
    expect(log.refOf(run('mine', 'mine'))).toBe('ref mine');
    expect(log.refOf(run('theirs'))).toBe('ref theirs');
    expect(stateOf('theirs')).toEqual(['accepted']);
  });

  test('is known as unanswered for as long as it is', () => {
    const { stateOf } = recoverRefs(
      [
        ['doubt', { ...placed('doubt', 'open', 'grid'), states: [...SENT, 'unknown'] }],
        ...many(1_200, 'grid'),
      ],
      {},
    );
    expect(stateOf('doubt')).toEqual(['unknown']);
  });

  test('of another strategy or another kind of intent takes no place of its own', () => {
    const moved = Array.from({ length: 900 }, (_none, at): [string, Life] => [
      `move ${at}`,
      {
        intent: modifyOrder({ ref: 'ref first' }, { price: at + 1 }, { ref: `ref move ${at}` }),
        states: DONE,
        instance: 'grid',
      },
    ]);
    const { stateOf } = recoverRefs(
      [['first', placed('first', 'filled', 'grid')], ...many(900, 'maker'), ...moved],
      {},
    );
    expect(stateOf('first')).toEqual(['accepted']);
  });
});
