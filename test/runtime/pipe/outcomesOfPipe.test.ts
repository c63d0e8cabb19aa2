import { describe, expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import {
  cancelOrder,
  closePosition,
  controlExecution,
  createMonitor,
  launchBasket,
  modifyOrder,
  placeOrder,
  type Intent,
} from '../../../src/intents/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { createCatchUp } from '../../../src/runtime/pipe/createCatchUp.ts';
import { createQueue, type QueueOptions } from '../../../src/runtime/pipe/createQueue.ts';
import type { PersistedIntent } from '../../../src/runtime/pipe/PersistedIntent.ts';
import type { Emission } from '../../../src/strategy/Emission.ts';
import { answered, buy, emission, order, setUpPipe, silence } from '../setUpPipe.ts';

describe('what is found in the journal as sent', () => {
  const found = (intent: Intent, more: object = {}) =>
    ({
      stage: 'sent',
      emission: emission('before', intent),
      key: 'key-1',
      generation: 0,
      attempt: 1,
      state: 'sending',
      lane: 'entry',
      weight: 20,
      sentForMs: 1_000,
      request: {
        endpoint: 'executions.launch',
        pathParams: {},
        query: {},
        body: '{}',
        idempotencyKey: 'key-1',
      },
      ...more,
    }) as PersistedIntent;

  function resume(persisted: PersistedIntent, over: object = {}) {
    const store = createMemoryStore();
    const row = {
      key: 'key-1',
      decisionKey: 'before',
      generation: 0,
      instance: 'ema',
      wallet: 'main',
      kind: persisted.emission.intent.kind,
      intent: '{}',
    };
    const step = (state: 'emitted' | 'guarded' | 'sending') => ({
      key: 'key-1',
      state,
      wallTime: 0,
      marketTime: 0,
      data: '{}',
    });
    void store.append({
      intent: row,
      entries: [step('emitted'), step('guarded'), step('sending')],
    });
    const set = setUpPipe([answered(200)], over, store);
    set.pipe.resume(persisted);
    return set;
  }

  test('is unknown in the journal from then on, and resent while it may be', async () => {
    const { run, sent, states, journal } = resume(found(buy));
    expect(journal.stateOf('key-1')).toBe('unknown');
    await run(1_000);
    expect([sent.length, states().at(-1)]).toEqual([1, 'accepted']);
  });

  test('is not sent again at a kill level if it may add exposure, shown or not', async () => {
    for (const intent of [buy, launchBasket({ template_id: 'bas_1' })]) {
      const { run, sent } = resume(found(intent), { isKilled: () => true });
      await run(60_000);
      expect([intent.kind, sent.length]).toEqual([intent.kind, 0]);
    }
    // What moved an exit opens nothing: its lane shows that.
    const moved = found(modifyOrder({ order_id: 'ord_1' }, { price: 1 }), { lane: 'exit' });
    const { run, sent } = resume(moved, { isKilled: () => true });
    await run(1_000);
    expect(sent).toHaveLength(1);
  });

  test('is left to the operator if a later one has set the same', async () => {
    const { run, sent, journal } = resume(
      found(modifyOrder({ order_id: 'ord_1' }, { price: 1 }), { isOvertaken: true }),
    );
    await run(60_000);
    expect([sent.length, journal.stateOf('key-1')]).toEqual([0, 'unresolved']);
  });

  test('is left to the operator if nobody follows its wallet', async () => {
    const { run, sent, journal } = resume(found(order, { stranded: 'no longer traded' }));
    await run(600_000);
    expect([sent.length, journal.stateOf('key-1')]).toEqual([0, 'unresolved']);
  });

  test('does not wait for the budget to be reconciled', async () => {
    const { journal, run, pipe } = resume(
      found(order, {
        request: {
          endpoint: 'orders.place',
          pathParams: {},
          query: {},
          body: '{}',
          idempotencyKey: 'key-1',
        },
      }),
      {
        budget: {
          admit: () => ({ admitted: false, reason: 'budget', until: 1e9, need: 'none' }),
          spend() {},
        },
        lookUp: async () => ({ kind: 'found', record: { order_id: 'ord_1' } }),
      },
    );
    await run(1_000);
    expect(journal.stateOf('key-1')).toBe('accepted');
    expect(pipe.isIdle()).toBe(true);
  });
});

test.each([
  [['emitted'], 'denied'],
  [['emitted', 'guarded'], 'expired'],
  [['emitted', 'guarded', 'deferred'], 'expired'],
] as const)(
  'what an earlier process left unsent after %j and the guards refuse now is %s',
  async (lived, ended) => {
    const store = createMemoryStore();
    const row = { key: 'key-1', decisionKey: 'before', generation: 0, instance: 'ema' };
    const times = { wallTime: 0, marketTime: 0 };
    const entries = lived.map((state) => ({ key: 'key-1', state, ...times, data: '{}' }));
    void store.append({
      intent: { ...row, wallet: 'main', kind: order.kind, intent: '{}' },
      entries,
    });
    const verdict = { passed: false, guard: 'entry_gate', reason: 'closed', passedGuards: [] };
    const prepare = () => ({ ok: true, prepared: { verdict } }) as never;
    const { pipe, run, journal, sent } = setUpPipe([answered(200)], { prepare }, store);
    pipe.resume({
      stage: 'unsent',
      emission: emission('before', order),
      key: 'key-1',
      generation: 0,
      attempt: 0,
      state: lived.at(-1)!,
      waitsForRow: false,
      lane: 'entry',
      leftAt: 0,
    });
    await run(1);
    expect(store.entries('key-1').at(-1)).toMatchObject({ state: ended });
    expect([journal.stateOf('key-1') ?? ended, sent.length]).toEqual([ended, 0]);
  },
);

describe('an answer', () => {
  test('without a record of its endpoint leaves the outcome unknown', async () => {
    const { pipe, run, states } = setUpPipe([answered(200, { status: 'ok' }), answered(200)]);
    pipe.submit(emission('d1', buy));
    await run(1);
    expect(states().at(-1)).toBe('unknown');
    await run(60_000);
    expect(states().at(-1)).toBe('accepted');
  });

  test('with a code of a newer service leaves an entry that cannot be looked up unknown, and rejects an exit', async () => {
    const strange = answered(422, { error: { code: 'brand_new', message: '' } });
    const basket = launchBasket({ template_id: 'bas_1' });
    const entry = setUpPipe([strange, answered(200)]);
    entry.pipe.submit(emission('d1', basket));
    await entry.run(1);
    expect(entry.states().at(-1)).toBe('unknown');
    const exit = setUpPipe([strange, answered(200)]);
    exit.pipe.submit(emission('d1', closePosition.atMarket('BTC')));
    await exit.run(1);
    expect(exit.states().at(-1)).toBe('rejected');
  });

  test('that the client id is taken is looked up before anything is concluded', async () => {
    const taken = answered(409, { error: { code: 'duplicate_client_order_id', message: '' } });
    const looked: string[] = [];
    const { pipe, run, states, events } = setUpPipe([taken], {
      lookUp: async (_emission, key) => (
        looked.push(key),
        { kind: 'found', record: { order_id: 'ord_7' } }
      ),
    });
    pipe.submit(emission('d1', order));
    await run(1);
    expect(looked).toHaveLength(1);
    expect(states().slice(-2)).toEqual(['unknown', 'accepted']);
    expect(events.at(-1)!.record).toEqual({ order_id: 'ord_7' });
  });

  describe('that the client id is taken', () => {
    const code = 'duplicate_client_order_id';
    const taken = answered(409, { error: { code, message: '' } });

    test('by another request is a rejection, since no attempt can have it as well', async () => {
      const { pipe, run, states, events } = setUpPipe([taken], {
        lookUp: async () => ({ kind: 'taken' }),
      });
      pipe.submit(emission('d1', order));
      await run(1);
      expect(states().slice(-2)).toEqual(['unknown', 'rejected']);
      expect(events.at(-1)!.fault).toMatchObject({ code });
    });

    test('by another request proves that one without an answer is absent', async () => {
      const { pipe, run, states } = setUpPipe([silence], {
        lookUp: async () => ({ kind: 'taken' }),
      });
      pipe.submit(emission('d1', order));
      await run(1);
      expect(states().slice(-2)).toEqual(['unknown', 'absent']);
    });

    test('and is then missing is absence, not a refusal', async () => {
      const { pipe, run, states } = setUpPipe([taken], {
        lookUp: async () => ({ kind: 'missing' }),
      });
      pipe.submit(emission('d1', order));
      await run(200_000);
      expect(states().at(-1)).toBe('absent');
    });

    test.each([
      ['a first attempt', [], 'rejected'],
      ['a second attempt', [silence], 'unresolved'],
    ] as const)('refuses %s of a basket, which no read finds', async (_what, before, state) => {
      const inBasket = answered(409, {
        error: { code: 'duplicate_client_execution_id', message: '' },
      });
      const { pipe, run, states, events } = setUpPipe([...before, inBasket]);
      pipe.submit(emission('d1', launchBasket({ template_id: 'bas_1' })));
      await run(60_000);
      expect(states().at(-1)).toBe(state);
      if (state === 'rejected')
        expect(events.at(-1)!.fault).toMatchObject({ code: 'duplicate_client_execution_id' });
      if (state === 'rejected') expect(states()).not.toContain('unknown');
    });
  });

  test('that refuses a second attempt says nothing of a first one without an answer', async () => {
    const refused = answered(422, { error: { code: 'insufficient_margin', message: '' } });
    const { pipe, run, states } = setUpPipe([silence, refused], {
      lookUp: async () => ({ kind: 'unclear' }),
    });
    pipe.submit(emission('d1', buy));
    await run(30_000);
    expect(states()).not.toContain('rejected');
    expect(states().at(-1)).toBe('unknown');
  });

  const monitor = (more: object) =>
    createMonitor({
      trigger: { type: 'price_level', symbol: 'BTC', price: 90, direction: 'below' },
      action: {
        type: 'order',
        request: { symbol: 'BTC', side: 'sell', size: 1, order_type: 'market', ...more },
      },
    });
  const REFUSALS = [
    [401, 'unknown_key'],
    [403, 'insufficient_scope'],
    [409, 'idempotency_conflict'],
    [422, 'insufficient_margin'],
  ] as const;

  test.each(
    REFUSALS.flatMap(([status, code]) => [
      ['a basket', status, code, launchBasket({ template_id: 'bas_1' })] as const,
      ['a monitor', status, code, monitor({})] as const,
    ]),
  )(
    'to a second attempt of %s, %i %s, leaves it to the operator',
    async (_name, status, code, intent) => {
      const refused = answered(status, { error: { code, message: '' } });
      const { pipe, run, states, events, journal } = setUpPipe([silence, refused]);
      pipe.submit(emission('d1', intent));
      await run(60_000);
      expect(states()).not.toContain('rejected');
      expect(states().at(-1)).toBe('unresolved');
      expect(events.at(-1)!.reason).toContain(code);
      expect(journal.stateOf(events.at(-1)!.key)).toBe('unresolved');
    },
  );

  test.each<[string, Intent]>([
    ['a monitor that only reduces', monitor({ reduce_only: true })],
    ['a change of an order', modifyOrder({ order_id: 'ord_1' }, { price: 1 })],
    ['a resume', controlExecution.resume({ execution_id: 'exe_1' })],
  ])('to a second attempt of %s is its conclusion', async (_name, intent) => {
    const refused = answered(422, { error: { code: 'validation_failed', message: '' } });
    const { pipe, run, states } = setUpPipe([silence, refused]);
    pipe.submit(emission('d1', intent));
    await run(60_000);
    expect(states().at(-1)).toBe('rejected');
  });
});

describe('the queue', () => {
  const of = (name: string, lane: string, weight: number, more: object = {}) =>
    ({
      name,
      lane,
      weight,
      order: ordinal++,
      isSent: false,
      emission: emission(name),
      request: { endpoint: 'orders.place', pathParams: {}, query: {}, body: '{}' },
      ...more,
    }) as never;
  let ordinal = 0;

  function setUp(over: Partial<QueueOptions> = {}) {
    const sent: string[] = [];
    const ends: Array<() => void> = [];
    const wakes: Array<() => void> = [];
    let room = 0;
    const nameOf = (item: unknown): string => (item as { name: string }).name;
    const deferred: string[] = [];
    const queue = createQueue({
      budget: {
        admit: (_lane: string, weight: number) =>
          weight <= room
            ? { admitted: true }
            : { admitted: false, reason: 'budget', until: 1, need: 'room' },
      } as never,
      concurrency: 1,
      shareOf: () => 1,
      at: (_time, wake) => (wakes.push(wake), () => {}),
      isTooLate: () => false,
      run: (item, ended) => void (sent.push(nameOf(item)), ends.push(ended)),
      onDeferred: (item) => void deferred.push(nameOf(item)),
      onSuperseded: () => {},
      ...over,
    });
    return {
      queue,
      sent,
      deferred,
      end: () => ends.shift()?.(),
      allow(next: number) {
        room = next;
        for (const wake of wakes.splice(0)) wake();
      },
    };
  }

  test('lets nothing overtake its head, however light, and reports each that waits', () => {
    const { queue, sent, deferred, allow, end } = setUp();
    queue.push(of('heavy', 'entry', 20));
    queue.push(of('light', 'entry', 1));
    allow(10);
    expect([sent, [...new Set(deferred)]]).toEqual([[], ['heavy', 'light']]);
    allow(20);
    expect(sent).toEqual(['heavy']);
    end();
    expect(sent).toEqual(['heavy', 'light']);
  });

  test('sends what is more urgent first, and lets an exit pass what is in flight', () => {
    const { queue, sent, allow, end } = setUp({ concurrency: 2 });
    for (const [name, lane] of [
      ['entry', 'entry'],
      ['exit', 'exit'],
      ['cancel', 'control'],
      ['another', 'entry'],
    ] as const)
      queue.push(of(name, lane, 5));
    allow(5);
    expect(sent.slice(0, 2)).toEqual(['cancel', 'exit']);
    queue.push(of('late exit', 'exit', 5));
    expect(sent).toEqual(['cancel', 'exit', 'late exit']);
    end();
    end();
    expect(sent).toContain('entry');
  });

  test('notices what comes while it reports a wait', () => {
    const urgent = of('urgent', 'control', 1);
    let isPushed = false;
    const set = setUp({
      onDeferred() {
        if (isPushed) return;
        isPushed = true;
        set.queue.push(urgent);
      },
    });
    set.allow(1);
    set.queue.push(of('heavy', 'entry', 20));
    expect(set.sent).toEqual(['urgent']);
  });

  test('ends what is too late at once, whatever is before it', () => {
    const late = new Set<unknown>();
    const { queue, sent } = setUp({ isTooLate: (item) => late.has(item) });
    const old = of('old', 'entry', 1);
    queue.push(of('heavy', 'entry', 20));
    queue.push(old);
    late.add(old);
    queue.pump();
    expect(sent).toEqual(['old']);
  });

  test('sends nothing more once it is closed, and is settled when nothing is in flight', async () => {
    const { queue, sent, allow, end } = setUp();
    queue.push(of('one', 'entry', 1));
    queue.push(of('two', 'entry', 1));
    allow(1);
    let isSettled = false;
    void queue.close().then(() => (isSettled = true));
    await Promise.resolve();
    expect([sent, isSettled]).toEqual([['one'], false]);
    end();
    await Promise.resolve();
    expect([sent, isSettled]).toEqual([['one'], true]);
  });
});

describe('of what is decided in a catch-up', () => {
  const sell = (symbol: string): Intent =>
    placeOrder.market({ symbol, side: 'sell', size: 1, reduce_only: true });
  const caught = (name: string, cause: string): Emission => ({
    ...emission(name),
    cause,
    isCatchUp: true,
  });
  const EACH: ReadonlyArray<Partial<Emission>> = [
    { intent: sell('BTC') },
    { intent: sell('ETH') },
    { intent: sell('BTC'), wallet: 'hedge' },
    { intent: sell('BTC'), instance: 'other' },
    { intent: placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1, reduce_only: true }) },
    { intent: cancelOrder({ order_id: 'ord_1' }) },
    { intent: cancelOrder({ order_id: 'ord_2' }) },
    { intent: modifyOrder({ order_id: 'ord_1' }, { price: 1 }) },
    { intent: closePosition.atMarket('BTC') },
  ];

  test('the newest of each kind, symbol, side, wallet, strategy and target is sent, once', () => {
    const env = createVirtualEnv();
    const submitted: Emission[] = [];
    const catchUp = createCatchUp({ timers: env.timers, submit: (one) => submitted.push(one) });
    for (const round of ['first', 'second'])
      for (const [at, more] of EACH.entries())
        catchUp.take({ ...caught(`${round} ${at}`, round), ...more } as Emission);
    env.queue.advanceTo(10_000);
    const of = (isOvertaken: boolean) =>
      submitted
        .filter((one) => (one.isOvertaken === true) === isOvertaken)
        .map((one) => one.decisionKey);
    expect(of(true)).toEqual(EACH.map((_one, at) => `first ${at}`));
    expect(of(false)).toEqual(EACH.map((_one, at) => `second ${at}`));
  });

  test('entries go on at once, and a burst without end is sent in parts', () => {
    const env = createVirtualEnv();
    const submitted: string[] = [];
    const catchUp = createCatchUp({
      timers: env.timers,
      submit: (one) => submitted.push(one.decisionKey),
    });
    catchUp.take({ ...emission('entry', order), isCatchUp: true } as Emission);
    expect(submitted).toEqual(['entry']);
    for (let at = 0; at < 60; at++) {
      catchUp.take({ ...caught(`exit ${at}`, `bar ${at}`), intent: sell('BTC') });
      env.queue.advanceTo((at + 1) * 100);
    }
    // Each is overtaken by the next, but for the one that was held for the longest time.
    expect(submitted.filter((key) => key === 'exit 49' || key === 'exit 50')).not.toEqual([]);
    expect(env.queue.nextTime()).toBeDefined();
  });

  test('what is decided now comes after what its strategy has held', () => {
    const env = createVirtualEnv();
    const submitted: string[] = [];
    const catchUp = createCatchUp({
      timers: env.timers,
      submit: (one) => submitted.push(one.decisionKey),
    });
    catchUp.take({ ...emission('held', sell('BTC')), isCatchUp: true } as Emission);
    catchUp.take({ ...emission('others', order), instance: 'other' } as Emission);
    expect(submitted).toEqual(['others']);
    catchUp.take(emission('live', order));
    expect(submitted).toEqual(['others', 'held', 'live']);
  });
});
