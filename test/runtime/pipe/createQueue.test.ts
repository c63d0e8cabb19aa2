import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effectOf } from '../../../src/intents/effectOf.ts';
import {
  attachTpsl,
  closePosition,
  modifyOrder,
  setLeverage,
  stopLoss,
  type Intent,
} from '../../../src/intents/index.ts';
import { toServiceRequest } from '../../../src/intents/toServiceRequest.ts';
import type { PipeOptions } from '../../../src/runtime/pipe/Pipe.ts';
import { laneOf } from '../../../src/runtime/pipe/laneOf.ts';
import { answered, buy, emission, rateLimited, setUpPipe, silence } from '../setUpPipe.ts';

/** As prepared by the runtime, without guards. */
const prepare: PipeOptions['prepare'] = ({ intent, wallet }, key) => {
  const resolve = () => undefined;
  const made = toServiceRequest(intent, { wallet, idempotencyKey: key, resolve });
  if (!made.ok) return made;
  const lane = laneOf(effectOf(intent));
  return {
    ok: true,
    prepared: {
      request: made.request,
      lane,
      weight: 20,
      opens: false,
      verdict: { passed: true, passedGuards: [] },
    },
  };
};

const move = (price: number, order_id = 'ord_1') => modifyOrder({ order_id }, { price });
const of = (instance: string, decision: string, intent: Intent) => ({
  ...emission(decision, intent),
  instance,
});
const bodies = (sent: ReturnType<typeof setUpPipe>['sent']): unknown[] =>
  sent.map(({ request }) => JSON.parse(request.body));

describe('a queued change superseded by a later one', () => {
  test('is dropped with a reason, and the later one is sent', async () => {
    const { pipe, sent, journal, events, run } = setUpPipe([answered(200)], { prepare });
    pipe.submit(emission('d0')); // Under way, so that the others queue.
    pipe.submit(emission('d1', move(100)));
    pipe.submit(emission('d2', buy));
    pipe.submit(emission('d3', move(101)));
    await run(1_000);
    const endpoints = sent.map(({ request }) => request.endpoint);
    expect(endpoints).toEqual(['executions.launch', 'orders.modify', 'executions.launch']);
    expect(bodies(sent)[1]).toEqual({ price: 101 });

    const dropped = events.find(({ state }) => state === 'expired')!;
    const newer = events.find(({ emission: { decisionKey } }) => decisionKey === 'd3')!;
    expect(dropped.emission.decisionKey).toBe('d1');
    expect(dropped.reason).toBe(`superseded by ${newer.key}`);
    const last = journal.store.entries(dropped.key).at(-1)!;
    expect(last.state).toBe('expired');
    expect(JSON.parse(last.data)).toEqual({ reason: 'superseded', by: newer.key });
  });

  test.each([
    ['another order', move(100), move(101, 'ord_2')],
    ['a field that it leaves alone', modifyOrder({ order_id: 'ord_1' }, { size: 2 }), move(101)],
    [
      'the other leg',
      attachTpsl('BTC', { stop_loss: stopLoss.price(90) }),
      attachTpsl('BTC', { take_profit: { price: 120 } }),
    ],
  ])('stays if the later one is about %s', async (_name, earlier, later) => {
    const { pipe, sent, run } = setUpPipe([answered(200)], { prepare });
    pipe.submit(emission('d0'));
    pipe.submit(emission('d1', earlier));
    pipe.submit(emission('d2', later));
    await run(1_000);
    expect(sent).toHaveLength(3);
  });

  test.each([
    ['legs', attachTpsl('BTC', { stop_loss: stopLoss.price(90) })],
    ['a leverage', setLeverage('BTC', { leverage: 3 })],
  ])('may be %s', async (_name, intent) => {
    const { pipe, states, run } = setUpPipe([answered(200)], { prepare });
    pipe.submit(emission('d0'));
    pipe.submit(emission('d1', intent));
    pipe.submit(emission('d2', intent));
    await run(1_000);
    expect(states().filter((state) => state === 'expired')).toHaveLength(1);
  });

  test('stays if it belongs to another strategy', async () => {
    const { pipe, sent, run } = setUpPipe([answered(200)], { prepare });
    pipe.submit(emission('d0'));
    pipe.submit(of('one', 'd1', move(100)));
    pipe.submit(of('two', 'd2', move(101)));
    await run(1_000);
    expect(sent).toHaveLength(3);
  });

  test('is not dropped once it may have been sent', async () => {
    const script = [silence, rateLimited, answered(200)];
    const { pipe, states, sent, run } = setUpPipe(script, { prepare });
    pipe.submit(emission('d1', attachTpsl('BTC', { stop_loss: stopLoss.price(90) })));
    // Sent without an answer, sent again, and held by the 429 when the later one comes.
    for (let at = 100; at < 5_000 && states().at(-1) !== 'deferred'; at += 100) await run(at);
    expect(sent).toHaveLength(2);
    pipe.submit(emission('d2', attachTpsl('BTC', { stop_loss: stopLoss.price(91) })));
    await run(60_000);
    expect(states()).not.toContain('expired');
    expect(states().filter((state) => state === 'accepted')).toHaveLength(2);
  });
});

describe('an answer to the end of a superseded change', () => {
  const answerWith = async (change: Parameters<typeof modifyOrder>[1]) => {
    const set = setUpPipe([answered(200)], {
      prepare,
      onEvent(event) {
        set.events.push(event);
        if (event.state !== 'expired' || event.emission.decisionKey !== 'price') return;
        set.pipe.submit(emission('again', modifyOrder({ order_id: 'ord_1' }, change)));
      },
    });
    set.pipe.submit(emission('d0')); // Under way, so that the others queue.
    set.pipe.submit(emission('price', move(100)));
    set.pipe.submit(emission('size', modifyOrder({ order_id: 'ord_1' }, { size: 2 })));
    set.pipe.submit(emission('last', buy));
    set.pipe.submit(
      emission('both', modifyOrder({ order_id: 'ord_1' }, { price: 101, size: 2.5 })),
    );
    await set.run(1_000);
    const endings = set.events
      .filter(({ state }) => ['expired', 'accepted'].includes(state))
      .map(({ state, emission: { decisionKey } }) => `${decisionKey} ${state}`);
    return { endings: endings.toSorted(), changes: bodies(set.sent).slice(1, -1) };
  };

  test('leaves the rest of the queue alone', async () => {
    const { endings } = await answerWith({ size: 3 });
    expect(endings).toEqual([
      'again accepted',
      'both accepted',
      'd0 accepted',
      'last accepted',
      'price expired',
      'size expired',
    ]);
  });

  test('supersedes what had superseded it', async () => {
    const { endings, changes } = await answerWith({ price: 102, size: 3 });
    expect(endings).toContain('both expired');
    expect(changes).toEqual([{ price: 102, size: 3 }]);
  });
});

describe('a full lane', () => {
  const served = async (
    flood: Readonly<Record<string, number>>,
    shareOf: (instance: string) => number = () => 1,
  ): Promise<string[]> => {
    const { pipe, events } = setUpPipe([answered(201)], { shareOf });
    let decision = 0;
    for (const [instance, count] of Object.entries(flood)) {
      for (let n = 0; n < count; n++) pipe.submit(of(instance, `d${decision++}`, buy));
    }
    await pipe.settled();
    const sending = events.filter(({ state }) => state === 'sending');
    return sending.map(({ emission: { instance } }) => instance);
  };

  test('is shared round-robin: a flood waits behind itself', async () => {
    const order = await served({ flood: 100, quiet: 3 });
    expect(order.length).toBeLessThan(40);
    expect(order.slice(0, 7)).toEqual([
      'flood',
      'quiet',
      'flood',
      'quiet',
      'flood',
      'quiet',
      'flood',
    ]);
  });

  test('gives each instance its share of the weight despite a flood', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), async (times) => {
        const order = await served({ big: 200, small: 200 }, (name) =>
          name === 'big' ? times : 1,
        );
        const small = order.filter((name) => name === 'small').length;
        expect(order.length).toBeGreaterThan(20);
        expect(Math.abs(small * times - (order.length - small))).toBeLessThanOrEqual(times + 1);
      }),
      { numRuns: 4 },
    );
  });

  test('keeps the order of each instance', async () => {
    const { pipe, events } = setUpPipe([answered(201)]);
    for (let n = 0; n < 6; n++) pipe.submit(of(n % 3 === 0 ? 'a' : 'b', `d${n}`, buy));
    await pipe.settled();
    const sending = events.filter(({ state }) => state === 'sending');
    const decisions = (name: string): string[] =>
      sending
        .filter(({ emission: { instance } }) => instance === name)
        .map(({ emission: { decisionKey } }) => decisionKey);
    expect(decisions('a')).toEqual(['d0', 'd3']);
    expect(decisions('b')).toEqual(['d1', 'd2', 'd4', 'd5']);
  });
});

describe('a replay', () => {
  const close = (symbol: string): Intent => ({ kind: 'close_position', symbol, request: {} });

  test('sends what the budget admits in the order of the emissions, exits, changes and entries alike', async () => {
    const kind = fc.constantFrom('enter', 'exit', 'change');
    await fc.assert(
      fc.asyncProperty(fc.array(kind, { minLength: 2, maxLength: 12 }), async (kinds) => {
        const { pipe, events } = setUpPipe([answered(201)], { prepare, inOrder: true });
        for (const [at, each] of kinds.entries()) {
          const other = each === 'exit' ? close(`X${at}`) : move(100, `ord_${at}`);
          pipe.submit(of(`s${at % 3}`, `d${at}`, each === 'enter' ? buy : other));
        }
        await pipe.settled();
        const sending = events.filter(({ state }) => state === 'sending');
        expect(sending.map(({ emission: { decisionKey } }) => decisionKey)).toEqual(
          kinds.map((_each, at) => `d${at}`),
        );
      }),
      { numRuns: 20 },
    );
  });

  test('sends an exit before the entries for which the budget has nothing left', async () => {
    const { pipe, events } = setUpPipe([answered(201)], { prepare, inOrder: true });
    for (let at = 0; at < 100; at++) pipe.submit(of('flood', `d${at}`, buy));
    pipe.submit(of('quiet', 'exit', close('ETH')));
    await pipe.settled();
    const sending = events.filter(({ state }) => state === 'sending');
    const keys = sending.map(({ emission: { decisionKey } }) => decisionKey);
    expect(keys.length).toBeLessThan(100);
    expect(keys.at(-1)).toBe('exit');
    expect(keys.slice(0, -1)).toEqual(keys.slice(0, -1).map((_key, at) => `d${at}`));
  });

  test('shares what the budget admits later, until nothing waits any more', async () => {
    const { pipe, events, run } = setUpPipe([answered(201)], { prepare, inOrder: true });
    const sent = (): string[] =>
      events
        .filter(({ state }) => state === 'sending')
        .map(({ emission: { instance } }) => instance);
    pipe.submit(of('quiet', 'first', buy));
    for (let at = 0; at < 40; at++) pipe.submit(of('flood', `d${at}`, buy));
    await pipe.settled();
    const before = sent().length;
    for (let at = 0; at < 3; at++) pipe.submit(of('quiet', `q${at}`, buy));
    await run(60_000);
    const shared = ['quiet', 'flood', 'quiet', 'flood', 'quiet', 'flood'];
    expect(sent().slice(before, before + 6)).toEqual(shared);
    expect(sent()).toHaveLength(44);

    await run(60_000);
    pipe.submit(of('flood', 'e0', buy));
    for (const name of ['e1', 'e2']) pipe.submit(of('flood', name, buy));
    pipe.submit(of('quiet', 'e3', close('ETH')));
    await pipe.settled();
    expect(sent().slice(44)).toEqual(['flood', 'flood', 'flood', 'quiet']);
  });
});

test('eight exits are in flight beside what entries hold up, and no ninth', async () => {
  const { pipe, events, run } = setUpPipe([], {
    prepare,
    concurrency: 2,
    send: () => new Promise(() => {}),
  });
  const sending = (): string[] =>
    events.flatMap(({ state, emission: { decisionKey } }) =>
      state === 'sending' ? [decisionKey] : [],
    );
  for (const name of ['e1', 'e2', 'e3']) pipe.submit(emission(name));
  await run(1);
  for (let at = 0; at < 10; at++)
    pipe.submit(emission(`x${at}`, closePosition.atMarket(`COIN${at}`)));
  await run(2);
  expect(sending()).toEqual(['e1', 'e2', ...Array.from({ length: 8 }, (_none, at) => `x${at}`)]);
});

test('up to four of one kind are tried while their connection fails, and no fifth', async () => {
  const { pipe, run } = setUpPipe([{ kind: 'not_sent', reason: 'no connection' }], {
    prepare,
    concurrency: 8,
  });
  const close = closePosition.atMarket('BTC');
  const pending: boolean[] = [];
  for (let at = 0; at < 5; at++) {
    pending.push(pipe.isPending(emission('next', close)));
    pipe.submit(emission(`x${at}`, close));
    await run(0);
  }
  expect(pending).toEqual([false, false, false, false, true]);
});
