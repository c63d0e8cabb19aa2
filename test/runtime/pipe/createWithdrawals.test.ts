import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/contract/index.ts';
import {
  bulkCancel,
  cancelOrder,
  closePosition,
  controlExecution,
  createMonitor,
  launch,
  placeOrder,
  stopMonitor,
  type Intent,
} from '../../../src/intents/index.ts';
import { toServiceRequest } from '../../../src/intents/toServiceRequest.ts';
import { effectOf } from '../../../src/intents/effectOf.ts';
import {
  createMemoryStore,
  type IntentState,
  type JournalStore,
} from '../../../src/journal/index.ts';
import { createRefs } from '../../../src/runtime/wallet/createRefs.ts';
import { OPERATOR } from '../../../src/runtime/operator.ts';
import { laneOf } from '../../../src/runtime/pipe/laneOf.ts';
import { createWithdrawals } from '../../../src/runtime/pipe/createWithdrawals.ts';
import type { PipeOptions } from '../../../src/runtime/pipe/Pipe.ts';
import { answered, emission, rateLimited, setUpPipe, silence } from '../setUpPipe.ts';

const NOT_SENT: Exchange = { kind: 'not_sent', reason: 'no connection' };
const LIMIT = { symbol: 'BTC', side: 'buy', size: 1, price: 100 } as const;
const entry = placeOrder.limit(LIMIT, { ref: 'entry' });
const named = placeOrder.limit({ ...LIMIT, client_order_id: 'mine' });
const work = {
  symbol: 'BTC',
  side: 'buy',
  total_size: 1,
  params: { duration_seconds: 60 },
} as const;

/** As a bot's pipe: refs resolve, and a ref that does not makes no request. */
function setUp(script: Exchange[], over: Partial<PipeOptions> = {}, store?: JournalStore) {
  const refs = createRefs();
  const options: Partial<PipeOptions> = {
    concurrency: 4,
    meant: refs.meant,
    prepare({ intent, instance }, key, meant) {
      const resolve = meant ? () => meant.name() : refs.resolverOf(instance);
      const made = toServiceRequest(intent, { idempotencyKey: key, resolve });
      if (!made.ok) return made;
      refs.named(instance, intent, key);
      const effect = effectOf(intent);
      return {
        ok: true,
        prepared: {
          request: made.request,
          lane: laneOf(effect),
          weight: 1,
          opens: !effect.isExit,
          verdict: { passed: true, passedGuards: [] },
        },
      };
    },
    ...over,
  };
  const set = setUpPipe(script, options, store);
  const states = () =>
    set.events
      .filter(({ state }) => !['guarded', 'sending', 'deferred'].includes(state))
      .map(({ state, emission: { decisionKey } }) => `${decisionKey} ${state}`);
  const endpoints = () => set.sent.map(({ request }) => request.endpoint);
  const submit = (name: string, intent: Intent): void => set.pipe.submit(emission(name, intent));
  return { ...set, refs, states, endpoints, submit };
}

/** A database whose writes of a state, from the nth on, take until they are released. */
function storeSlowAt(slow: IntentState, nth = 1) {
  const store = createMemoryStore();
  const { promise, resolve: release } = Promise.withResolvers<void>();
  let writes = 0;
  const append: JournalStore['append'] = (appended) => {
    const written = store.append(appended);
    const isSlow = appended.entries.some(({ state }) => state === slow) && ++writes >= nth;
    return isSlow ? promise : written;
  };
  return { store: { ...store, append }, release };
}

const CASES: ReadonlyArray<readonly [what: string, placed: Intent, ends: Intent]> = [
  ['an order by its ref', entry, cancelOrder({ ref: 'entry' })],
  ['an order by its client id', named, cancelOrder({ client_order_id: 'mine' })],
  [
    'an execution by its ref',
    launch.pacemaker(work, { ref: 'run' }),
    controlExecution.stop({ ref: 'run' }),
  ],
  [
    'a monitor by its ref',
    createMonitor(
      {
        trigger: { type: 'price_level', symbol: 'BTC', price: 1, direction: 'below' },
        action: { type: 'order', request: { ...LIMIT, order_type: 'limit' } },
      },
      { ref: 'alarm' },
    ),
    stopMonitor({ ref: 'alarm' }),
  ],
];

describe.each(CASES)('what ends %s', (_what, placed, ends) => {
  test.each([
    ['rests after its connection failed', NOT_SENT],
    ['waits for a 429 to pass', rateLimited],
  ])('while it %s ends it unsent, and is not sent itself', async (_how, answer) => {
    const { submit, run, states, sent, events, journal } = setUp([answer, answered(200)]);
    submit('placed', placed);
    await run(1);
    expect(sent).toHaveLength(1);
    submit('ends', ends);
    await run(60_000);
    expect(states()).toEqual(['placed expired', 'ends expired']);
    expect(sent).toHaveLength(1);
    const reasons = events.flatMap(({ state, reason }) => (state === 'expired' ? [reason] : []));
    expect(reasons[0]).toBe('it was cancelled before it was sent');
    expect(reasons[1]).toMatch(/^what it ends was not sent/);
    // The next process resumes neither.
    expect(events.map(({ key }) => journal.stateOf(key))).not.toContain('deferred');
    expect(journal.store.openIntents()).toEqual([]);
  });

  test.each([
    ['it has passed the guards', 'guarded', answered(200), 0],
    ['its connection failed', 'deferred', NOT_SENT, 1],
    ['a 429 has come', 'deferred', rateLimited, 1],
  ] as const)(
    'as the reaction to the news that %s ends it unsent',
    async (_how, news, answer, attempts) => {
      const set = setUp([answer, answered(200)], {
        onEvent(event) {
          set.events.push(event);
          if (event.state === news && event.emission.decisionKey === 'placed')
            set.submit('ends', ends);
        },
      });
      set.submit('placed', placed);
      await set.run(60_000);
      expect(set.states()).toEqual(['placed expired', 'ends expired']);
      expect(set.sent).toHaveLength(attempts);
      expect(set.journal.store.openIntents()).toEqual([]);
    },
  );

  // A replay sends one at a time: a backtest must show what the same turn does live.
  test.each([1, 4])(
    'in the turn that proposed it ends it unsent, with %i in flight at most',
    async (concurrency) => {
      const { submit, run, states, sent, journal } = setUp([answered(200)], { concurrency });
      submit('placed', placed);
      submit('ends', ends);
      await run(60_000);
      expect(states()).toEqual(['placed expired', 'ends expired']);
      expect(sent).toEqual([]);
      expect(journal.store.openIntents()).toEqual([]);
    },
  );

  test.each([1, 4])(
    'in its turn leaves what leaves before and after it, with %i in flight at most',
    async (concurrency) => {
      const { submit, run, states, sent } = setUp([answered(200)], { concurrency });
      submit('before', placeOrder.limit({ ...LIMIT, symbol: 'ETH' }));
      submit('placed', placed);
      submit('ends', ends);
      submit('after', placeOrder.limit({ ...LIMIT, symbol: 'SOL' }));
      await run(60_000);
      expect(states()).toEqual([
        'placed expired',
        'ends expired',
        'before accepted',
        'after accepted',
      ]);
      expect(sent).toHaveLength(2);
    },
  );

  test.each([
    ['sending', answered(200), 0],
    ['deferred', NOT_SENT, 1],
    ['deferred', rateLimited, 1],
  ] as const)('while the database writes `%s` ends it unsent', async (state, answer, attempts) => {
    const { store, release } = storeSlowAt(state);
    const set = setUp([answer, answered(200)], {}, store);
    set.submit('placed', placed);
    await set.run(1);
    expect(set.sent).toHaveLength(attempts);
    set.submit('ends', ends);
    await set.run(2);
    release();
    await set.run(60_000);
    expect(set.states().toSorted()).toEqual(['ends expired', 'placed expired']);
    expect(set.sent).toHaveLength(attempts);
    const news = set.events.filter(({ emission: of }) => of.decisionKey === 'placed');
    expect(news.at(-1)?.state).toBe('expired');
    expect(store.openIntents()).toEqual([]);
  });
});

test('a stop leaves a launch that may have started, while it is journaled once more', async () => {
  const { store, release } = storeSlowAt('sending', 2);
  const set = setUp([silence, answered(201)], {}, store);
  set.submit('placed', launch.pacemaker(work, { ref: 'run' }));
  await set.run(5_000);
  expect(set.journal.store.entries(set.events[0]!.key).at(-1)!.state).toBe('sending');
  expect(set.sent).toHaveLength(1);
  set.submit('ends', controlExecution.stop({ ref: 'run' }));
  release();
  await set.run(10_000);
  expect(set.states()).toEqual(['placed unknown', 'placed accepted', 'ends denied']);
});

describe('a cancel', () => {
  test('is sent where the order may have been executed', async () => {
    const { submit, run, states, endpoints } = setUp([silence, answered(200)]);
    submit('placed', entry);
    await run(1);
    submit('ends', cancelOrder({ ref: 'entry' }));
    await run(1_000);
    expect(states()).toEqual(['placed unknown', 'ends accepted']);
    expect(endpoints()).toEqual(['orders.place', 'orders.cancel']);
  });

  test('that waits for its turn ends what was refused meanwhile', async () => {
    const set = setUp([rateLimited, answered(200)], { concurrency: 1 });
    set.submit('placed', entry);
    set.pipe.flush();
    expect(set.sent).toHaveLength(1);
    set.submit('ends', cancelOrder({ ref: 'entry' }));
    expect(set.states()).toEqual([]);
    await set.run(60_000);
    expect(set.states()).toEqual(['placed expired', 'ends expired']);
    expect(set.endpoints()).toEqual(['orders.place']);
  });

  test('is sent where the order is in flight', async () => {
    const answer = Promise.withResolvers<Exchange>();
    const set = setUp([], {
      send: (request) =>
        request.endpoint === 'orders.place' ? answer.promise : Promise.resolve(answered(200)),
    });
    set.submit('placed', entry);
    await set.run(1);
    set.submit('ends', cancelOrder({ ref: 'entry' }));
    await set.run(10);
    answer.resolve(answered(200));
    await set.run(20);
    expect(set.states()).toEqual(['ends accepted', 'placed accepted']);
  });

  test('leaves what another wallet, another name or a later decision placed', async () => {
    const set = setUp([rateLimited, answered(200)]);
    set.submit('first', closePosition.atMarket('ETH'));
    await set.run(1);
    set.submit('other', placeOrder.limit({ ...LIMIT, client_order_id: 'other' }));
    set.pipe.submit({ ...emission('elsewhere', named), wallet: 'second' });
    set.submit('ends', cancelOrder({ client_order_id: 'mine' }));
    set.submit('later', named);
    await set.run(60_000);
    expect(set.states().toSorted()).toEqual([
      'elsewhere accepted',
      'ends accepted',
      'first accepted',
      'later accepted',
      'other accepted',
    ]);
  });
});

test('a stop leaves what has another kind or an older intent’s ref', async () => {
  const { submit, run, states } = setUp([NOT_SENT, answered(200)]);
  submit('placed', entry);
  await run(1);
  submit('stop', controlExecution.stop({ ref: 'entry' }));
  submit('run', launch.pacemaker(work, { ref: 'run' }));
  submit('pause', controlExecution.pause({ ref: 'run' }));
  await run(60_000);
  expect(states()).toEqual(['stop denied', 'run accepted', 'pause denied', 'placed accepted']);
});

test.each([
  ['of its symbol', bulkCancel({ symbol: 'BTC' }), ['rests', 'waits']],
  ['of the wallet', bulkCancel(), ['rests', 'waits', 'elsewhere']],
])('a bulk cancel %s ends unsent orders that would rest, and is sent', async (_of, bulk, ended) => {
  const set = setUp([NOT_SENT, rateLimited, answered(200)]);
  set.submit('rests', entry);
  await set.run(1);
  set.submit('close', closePosition.atMarket('ETH'));
  await set.run(2);
  set.submit('waits', named);
  set.submit('at market', placeOrder.market({ symbol: 'BTC', side: 'sell', size: 1 }));
  const atOnce = { ...LIMIT, time_in_force: 'ioc' } as const;
  set.submit('ioc', placeOrder.limit({ ...atOnce, side: 'sell', reduce_only: true }));
  set.submit('elsewhere', placeOrder.limit({ ...LIMIT, symbol: 'ETH' }));
  set.submit('bulk', bulk);
  set.submit('later', entry);
  await set.run(60_000);
  const all = set.states();
  expect(all.filter((text) => text.endsWith('expired'))).toEqual(
    expect.arrayContaining(ended.map((name) => `${name} expired`)),
  );
  expect(all.filter((text) => text.endsWith('expired'))).toHaveLength(ended.length);
  expect(all).toEqual(
    expect.arrayContaining([
      'bulk accepted',
      'at market accepted',
      'ioc accepted',
      'later accepted',
    ]),
  );
});

test.each([
  ['a strategy’s', 'ema', 'accepted'],
  ['an operator’s', OPERATOR, 'expired'],
])(
  'after %s bulk cancel of the wallet (%s) another strategy’s unsent order is %s',
  async (_whose, instance, end) => {
    const set = setUp([rateLimited, answered(200)]);
    set.submit('first', closePosition.atMarket('ETH'));
    await set.run(1);
    set.pipe.submit({ ...emission('others', named), instance: 'other' });
    set.pipe.submit({ ...emission('bulk', bulkCancel()), instance });
    await set.run(60_000);
    expect(set.states()).toContain(`others ${end}`);
  },
);

test('what waits for a row is withdrawn, and does not wake', async () => {
  let wake = (): void => {};
  const store = createMemoryStore();
  const refs = createRefs();
  const set = setUp([answered(200)], {
    meant: refs.meant,
    prepare({ intent, instance }, key, meant) {
      const made = toServiceRequest(intent, {
        idempotencyKey: key,
        resolve: meant ? () => meant.name() : refs.resolverOf(instance),
      });
      if (!made.ok) return made;
      refs.named(instance, intent, key);
      const begin = (woken: () => void): void => void (wake = woken);
      return {
        ok: true,
        prepared: {
          request: made.request,
          lane: laneOf(effectOf(intent)),
          weight: 1,
          opens: intent.kind === 'place_order',
          verdict: { passed: true, passedGuards: [] },
          room: intent.kind === 'place_order' ? { reason: 'waits for a row', begin } : undefined,
        },
      };
    },
  });
  set.submit('placed', entry);
  set.submit('ends', cancelOrder({ ref: 'entry' }));
  await set.run(1);
  wake();
  await set.run(1_000);
  expect(set.states()).toEqual(['placed expired', 'ends expired']);
  expect(set.sent).toEqual([]);
  expect(store.openIntents()).toEqual([]);
});

/** A pipe whose orders wait for a row until it is woken. */
function setUpRows(script: Exchange[], over: Partial<PipeOptions> = {}) {
  const wakes: Array<() => void> = [];
  const refs = createRefs();
  const set = setUp(script, {
    meant: refs.meant,
    prepare({ intent, instance }, key, meant) {
      const made = toServiceRequest(intent, {
        idempotencyKey: key,
        resolve: meant ? () => meant.name() : refs.resolverOf(instance),
      });
      if (!made.ok) return made;
      refs.named(instance, intent, key);
      const begin = (woken: () => void): void => void wakes.push(woken);
      const isEntry = intent.kind === 'place_order';
      return {
        ok: true,
        prepared: {
          request: made.request,
          lane: laneOf(effectOf(intent)),
          weight: 1,
          opens: isEntry,
          verdict: { passed: true, passedGuards: [] },
          room: isEntry && wakes.length === 0 ? { reason: 'waits for a row', begin } : undefined,
        },
      };
    },
    ...over,
  });
  return { ...set, wakes };
}

test.each([1, 4])(
  'a bulk cancel ends what would rest of its own turn, exits too, with %i in flight at most',
  async (concurrency) => {
    const set = setUp([answered(200)], { concurrency });
    set.submit('entry', entry);
    set.submit('exit', placeOrder.limit({ ...LIMIT, side: 'sell', reduce_only: true }));
    set.submit('at market', closePosition.atMarket('BTC'));
    set.submit('bulk', bulkCancel({ symbol: 'BTC' }));
    set.submit('later', named);
    await set.run(60_000);
    expect(set.states().slice(0, 2)).toEqual(['entry expired', 'exit expired']);
    expect(set.states().slice(2).toSorted()).toEqual([
      'at market accepted',
      'bulk accepted',
      'later accepted',
    ]);
  },
);

test('a cancel that the guards refuse ends nothing', async () => {
  const refs = createRefs();
  const set = setUp([answered(200)], {
    meant: refs.meant,
    prepare({ intent, instance }, key, meant) {
      const made = toServiceRequest(intent, {
        idempotencyKey: key,
        resolve: meant ? () => meant.name() : refs.resolverOf(instance),
      });
      if (!made.ok) return made;
      refs.named(instance, intent, key);
      const isCancel = intent.kind !== 'place_order';
      return {
        ok: true,
        prepared: {
          request: made.request,
          lane: laneOf(effectOf(intent)),
          weight: 1,
          opens: !isCancel,
          verdict: isCancel
            ? {
                passed: false,
                passedGuards: [],
                guard: 'ownership',
                reason: 'BTC is another strategy’s',
              }
            : { passed: true, passedGuards: [] },
        },
      };
    },
  });
  set.submit('placed', named);
  for (const [name, ends] of [
    ['by id', cancelOrder({ client_order_id: 'mine' })],
    ['bulk', bulkCancel()],
  ] as const)
    set.submit(name, ends);
  await set.run(1_000);
  expect(set.states()).toEqual(['by id denied', 'bulk denied', 'placed accepted']);
});

test.each([
  ['before it', ['parked', 'bulk'], 'expired'],
  ['after it', ['bulk', 'parked'], 'accepted'],
])(
  'a bulk cancel that waits for its turn ends what waits for a row if that was decided %s',
  async (_when, order, ended) => {
    const { submit, run, states, wakes } = setUpRows([rateLimited, answered(200)]);
    submit('close', closePosition.atMarket('ETH'));
    await run(1);
    for (const name of order) submit(name, name === 'bulk' ? bulkCancel() : entry);
    await run(60_000);
    for (const wake of wakes) wake();
    await run(120_000);
    expect(states().toSorted()).toEqual(['bulk accepted', 'close accepted', `parked ${ended}`]);
  },
);

test('nothing is cancelled for what is withdrawn as the answer to its wait for a row', async () => {
  const { submit, events, states, run, wakes } = setUpRows([answered(200)], {
    onEvent(event) {
      events.push(event);
      if (event.state === 'deferred') submit('ends', cancelOrder({ ref: 'entry' }));
    },
  });
  submit('parked', entry);
  await run(1_000);
  expect(states()).toEqual(['parked expired', 'ends expired']);
  expect(wakes).toEqual([]);
});

test('what waits for a row is withdrawn with the cancel that is to free it, if that was not sent either', async () => {
  const { submit, pipe, events, run, states, endpoints, wakes } = setUpRows([
    rateLimited,
    NOT_SENT,
    answered(200),
  ]);
  submit('close', closePosition.atMarket('ETH'));
  await run(1);
  submit('parked', entry);
  const { key } = events.find(({ emission: { decisionKey } }) => decisionKey === 'parked')!;
  const cancel = (name: string, cause: string) =>
    pipe.submit({
      ...emission(name, cancelOrder({ order_id: name })),
      instance: OPERATOR,
      cause,
    });
  cancel('for it', `slot:${key}:ord_1`);
  cancel('for another', 'slot:another:ord_2');
  submit('ends', cancelOrder({ ref: 'entry' }));
  await run(60_000);
  for (const wake of wakes) wake();
  await run(120_000);
  expect(states().toSorted()).toEqual([
    'close accepted',
    'ends expired',
    'for another accepted',
    'for it expired',
    'parked expired',
  ]);
  // One that did not leave, and the other.
  expect(endpoints().filter((one) => one === 'orders.cancel')).toHaveLength(2);
});

test('a stop by the ref of a close that an algorithm works leaves the close that was not sent', async () => {
  const close = closePosition.byAlgo(
    'BTC',
    { algo: 'pacemaker', params: { duration_seconds: 60 } },
    { ref: 'exit' },
  );
  const { submit, run, states } = setUp([NOT_SENT, answered(200)]);
  submit('close', close);
  await run(1);
  submit('stop', controlExecution.stop({ ref: 'exit' }));
  await run(60_000);
  expect(states()).toContain('close accepted');
  expect(states()).not.toContain('close expired');
});

describe('directly', () => {
  /** Withdrawals of one place, in which one order of another strategy waits. */
  function direct(instance: string) {
    const waits = emission('order', placeOrder.limit(LIMIT));
    const item = { emission: { ...waits, instance }, key: 'order', decided: 0 };
    const ended: string[] = [];
    const { beforeSending } = createWithdrawals({
      reports: { end: ({ key }) => void ended.push(key) },
      places: () => [{ withdraw: (isOne) => [item as never].filter(isOne) }],
    });
    const ask = (intent: Intent, more: object = {}) =>
      beforeSending({
        emission: emission('cancel', intent),
        request: { pathParams: { id: 'client:order' } },
        decided: 1,
        ...more,
      } as never);
    return { ask, ended };
  }

  test('a bulk cancel of a symbol ends what any strategy has not sent on it, one of all its own only', () => {
    for (const [intent, isOther, expected] of [
      [bulkCancel({ symbol: 'BTC' }), true, ['order']],
      [bulkCancel({ symbol: 'ETH' }), true, []],
      [bulkCancel({}), true, []],
      [bulkCancel({}), false, ['order']],
    ] as const) {
      const { ask, ended } = direct(isOther ? 'former' : 'ema');
      expect(ask(intent)).toBeUndefined();
      expect(ended).toEqual(expected);
    }
  });

  test('a cancel that may have been sent is needed all the same', () => {
    const cancel = cancelOrder({ client_order_id: 'order' });
    expect(direct('ema').ask(cancel)).toBeDefined();
    const { ask, ended } = direct('ema');
    expect(ask(cancel, { unknownSince: 5 })).toBeUndefined();
    expect(ended).toEqual(['order']);
  });
});
