import { describe, expect, test } from 'vitest';
import type { ServiceRequest } from '../../../src/contract/index.ts';
import { createVirtualEnv, pause, type Timers } from '../../../src/env/index.ts';
import {
  cancelOrder,
  controlExecution,
  modifyOrder,
  type Intent,
} from '../../../src/intents/index.ts';
import { createJournal, createMemoryStore, type JournalStore } from '../../../src/journal/index.ts';
import { createEntryGate } from '../../../src/runtime/control/createEntryGate.ts';
import {
  answered,
  buy,
  emission,
  order,
  rateLimited,
  setUpPipe as setUp,
  silence,
} from '../setUpPipe.ts';

test('an accepted intent goes emitted → guarded → sending → accepted', async () => {
  const { pipe, journal, run, events } = setUp([answered(201, { execution_id: 'exe_1' })]);
  pipe.submit(emission('d1'));
  await run(1_000);
  const key = events[0]!.key;
  expect(journal.store.entries(key).map((entry) => entry.state)).toEqual([
    'emitted',
    'guarded',
    'sending',
    'accepted',
  ]);
});

test('nothing is sent before `sending` is journaled', async () => {
  const { pipe, sent, run } = setUp([rateLimited, answered(201)]);
  pipe.submit(emission('d1'));
  pipe.submit(emission('d2'));
  await run(60_000);
  expect(sent).toHaveLength(3);
  for (const { journaled } of sent) expect(journaled.at(-1)).toBe('sending');
});

test('one decision is sent once, however often it is emitted', async () => {
  const { pipe, sent, states, run } = setUp([answered(201)]);
  pipe.submit(emission('d1'));
  pipe.submit(emission('d1'));
  await run(1_000);
  pipe.submit(emission('d1'));
  expect(sent).toHaveLength(1);
  expect(states().filter((state) => state === 'duplicate')).toHaveLength(2);
});

test('AUTH-6: a retry carries the same key and the same bytes', async () => {
  const { pipe, sent, run } = setUp([silence, answered(503), answered(201)]);
  pipe.submit(emission('d1'));
  await run(60_000);
  expect(sent).toHaveLength(3);
  expect(new Set(sent.map(({ request }) => request.idempotencyKey)).size).toBe(1);
  expect(new Set(sent.map(({ request }) => request.body)).size).toBe(1);
});

describe('silence', () => {
  test('makes a launch unknown; it is resent for ten minutes, then left to an operator', async () => {
    const { pipe, sent, states, run } = setUp([silence]);
    pipe.submit(emission('d1'));
    await run(1_300_000);
    expect(states().at(-1)).toBe('unresolved');
    expect(states()).not.toContain('rejected');
    expect(sent.length).toBeGreaterThan(20);
    expect(sent.at(-1)!.time).toBeLessThan(640_000);
  });

  test.each([cancelOrder({ order_id: 'ord_1' }), controlExecution.stop({ execution_id: 'exe_1' })])(
    'of what ends one thing by its id is resent for ten minutes, then left to an operator: $kind',
    async (intent) => {
      const { pipe, sent, states, run } = setUp([silence]);
      pipe.submit(emission('d1', intent));
      await run(590_000);
      expect(states().at(-1)).not.toBe('unresolved');
      await run(1_300_000);
      expect(states().at(-1)).toBe('unresolved');
      expect(sent.length).toBeGreaterThan(20);
      expect(sent.at(-1)!.time).toBeLessThan(640_000);
    },
  );

  test('never resends an order: it is reconciled', async () => {
    const found = { kind: 'found', record: { order_id: 'ord_9' } } as const;
    let lookUps = 0;
    const { pipe, sent, events, run } = setUp([silence], {
      lookUp: async () => (++lookUps < 2 ? { kind: 'unclear' } : found),
    });
    pipe.submit(emission('d1', order));
    await run(120_000);
    expect(sent).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ state: 'accepted', record: { order_id: 'ord_9' } });
  });

  test('is waited for as long as it is looked up, and what fails there is fatal', async () => {
    let answer: (failure?: Error) => void = () => {};
    const failures: unknown[] = [];
    const { pipe, run } = setUp([silence], {
      lookUp: async () =>
        await new Promise((resolve, reject) => {
          answer = (failure) => (failure ? reject(failure) : resolve({ kind: 'unclear' }));
        }),
      onFatal: (error) => void failures.push(error),
    });
    pipe.submit(emission('d1', order));
    await run(10_000);
    expect(pipe.isIdle()).toBe(false);
    const failure = new Error('the look-up broke');
    answer(failure);
    await run(10_001);
    expect([pipe.isIdle(), failures]).toEqual([true, [failure]]);
  });

  test('is absent only after lookups missed it beyond the window', async () => {
    const asked: number[] = [];
    const { env, pipe, states, run } = setUp([silence], {
      lookUp: async () => {
        asked.push(env.queue.now());
        return { kind: 'missing' };
      },
    });
    pipe.submit(emission('d1', order));
    await run(59_999);
    expect(states().at(-1)).toBe('unknown');
    await run(120_000);
    expect(states().slice(-2)).toEqual(['unknown', 'absent']);
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.at(-1)).toBeGreaterThanOrEqual(60_000);
  });

  test.each([
    ['found', 'accepted'],
    ['missing', 'absent'],
    ['unclear', 'unresolved'],
  ] as const)(
    'of a change of an order is resent for ten minutes; then the order shows it: %s is %s',
    async (kind, state) => {
      const asked: Array<ServiceRequest['endpoint']> = [];
      const { pipe, sent, states, run } = setUp([silence], {
        lookUp: async (_emission, _key, { endpoint }) => {
          asked.push(endpoint);
          return kind === 'found' ? { kind, record: { order_id: 'ord_1' } } : { kind };
        },
      });
      pipe.submit(emission('d1', modifyOrder({ order_id: 'ord_1' }, { price: 1 })));
      await run(590_000);
      expect([states().at(-1), asked]).toEqual(['unknown', []]);
      expect(sent.length).toBeGreaterThan(20);
      await run(2_000_000);
      expect(states().at(-1)).toBe(state);
      expect(new Set(asked)).toEqual(new Set(['orders.modify']));
    },
  );

  test('stays unresolved if no lookup is answered', async () => {
    const { pipe, states, run } = setUp([silence]);
    pipe.submit(emission('d1', order));
    await run(1_300_000);
    expect(states().at(-1)).toBe('unresolved');
  });

  test('stays unknown in the journal while a 429 delays the next attempt', async () => {
    const { pipe, journal, events, run } = setUp([silence, rateLimited, answered(201)]);
    pipe.submit(emission('d1'));
    await run(60_000);
    const states = journal.store.entries(events[0]!.key).map((entry) => entry.state);
    expect(states).toEqual([
      'emitted',
      'guarded',
      'sending',
      'unknown',
      'sending',
      'unknown',
      'sending',
      'accepted',
    ]);
  });
});

test('LIM-2: nothing is sent within retry_after, with a reason', async () => {
  const { pipe, sent, events, run } = setUp([rateLimited, answered(201)]);
  pipe.submit(emission('d1'));
  await run(10);
  pipe.submit(emission('d2'));
  await run(60_000);
  expect(sent.map(({ time }) => time)).toEqual([0, 5_000, 5_000]);
  const deferred = events.filter((event) => event.state === 'deferred');
  expect(deferred.map((event) => event.reason)).toEqual(['rate_limited', 'retry_after']);
});

test('an intent past its not_after expires unsent', async () => {
  const { pipe, sent, states, run } = setUp([rateLimited, answered(201)]);
  pipe.submit(emission('d1'));
  pipe.submit(emission('d2', { ...buy, not_after: 3_000 }));
  await run(60_000);
  expect(sent).toHaveLength(2);
  expect(states()).toContain('expired');
});

test('exits overtake waiting entries', async () => {
  const { pipe, sent, run } = setUp([answered(201)]);
  for (const name of ['a', 'b', 'c']) pipe.submit(emission(name));
  const close: Intent = { kind: 'close_position', symbol: 'BTC', request: {} };
  pipe.submit(emission('exit', close));
  await run(1_000);
  const bodies = sent.map(({ request }) => JSON.parse(request.body) as Intent);
  expect(bodies.map(({ kind }) => kind)).toEqual(['launch', 'close_position', 'launch', 'launch']);
});

test('the journal records which guards passed an intent', async () => {
  const { pipe, journal, run, events } = setUp([answered(201)]);
  pipe.submit(emission('d1'));
  await run(1_000);
  const { data } = journal.store.entries(events[0]!.key)[1]!;
  expect(JSON.parse(data)).toEqual({ lane: 'entry', weight: 20, passedGuards: ['entry_gate'] });
});

test('a denied intent is in the journal and never on the wire', async () => {
  const { pipe, sent, events, journal, run } = setUp([answered(201)], {
    prepare: () => ({ ok: false, reason: 'no such ref' }),
  });
  pipe.submit(emission('d1'));
  await run(1_000);
  expect(sent).toEqual([]);
  const reason = 'no such ref [ema: launch buy 1 BTC, upon bar:BTC:1m:0]';
  expect(events).toMatchObject([{ state: 'denied', reason }]);
  expect(journal.stateOf(events[0]!.key)).toBe('denied');
});

test('an end that is reported is in the journal by then', async () => {
  const noRef = { prepare: () => ({ ok: false as const, reason: 'no such ref' }) };
  const noEntry = { entryRefusal: () => 'closed' };
  for (const [over, state] of [
    [noRef, 'denied'],
    [noEntry, 'expired'],
  ] as const) {
    const store = createMemoryStore();
    const ends: unknown[] = [];
    const { pipe, run } = setUp(
      [answered(201)],
      { ...over, onEvent: (event) => void ends.push([event.state, store.stateOf(event.key)]) },
      store,
    );
    pipe.submit(emission('d1'));
    await run(1_000);
    expect(ends.at(-1)).toEqual([state, state]);
  }
});

test('a journal that fails stops all sending', async () => {
  const store = createMemoryStore();
  const env = createVirtualEnv();
  const journal = createJournal(
    {
      ...store,
      append() {
        throw new Error('disk full');
      },
    },
    { clock: env.clock, market: env.queue },
  );
  const failures: unknown[] = [];
  const { pipe, sent, run } = setUp([answered(201)], {
    journal,
    onFatal: (error) => failures.push(error),
  });
  pipe.submit(emission('d1'));
  pipe.submit(emission('d2'));
  await run(1_000);
  expect(sent).toEqual([]);
  expect(failures.map(String)).toContain('Error: disk full');
});

test('a refused timestamp is resent once, with the clock that the wire has learned', async () => {
  const skewed = answered(401, { error: { code: 'timestamp_out_of_window', message: '' } });
  const once = setUp([skewed, answered(201)]);
  once.pipe.submit(emission('d1'));
  await once.run(1_000);
  expect(once.states().at(-1)).toBe('accepted');
  expect(once.sent).toHaveLength(2);
  const always = setUp([skewed]);
  always.pipe.submit(emission('d1'));
  await always.run(1_000);
  expect(always.states().at(-1)).toBe('rejected');
  expect(always.sent).toHaveLength(2);
});

test('a decision proven absent may be repeated, under the next key', async () => {
  const { pipe, sent, states, run } = setUp([silence, answered(201)], {
    lookUp: async () => ({ kind: 'missing' }),
  });
  pipe.submit(emission('d1', order));
  await run(120_000);
  expect(states().at(-1)).toBe('absent');
  pipe.submit(emission('d1', order));
  await run(121_000);
  expect(states().at(-1)).toBe('accepted');
  expect(new Set(sent.map(({ request }) => request.idempotencyKey)).size).toBe(2);
});

describe('one response affects all requests', () => {
  test('an intent being journaled when a 429 arrives waits for it', async () => {
    const store = createMemoryStore();
    const slow = {
      ...store,
      append: (append: Parameters<typeof store.append>[0]) => {
        void store.append(append);
        return append.entries.some(({ state }) => state === 'sending')
          ? new Promise<void>((resolve) => void env.timers.after(10, resolve))
          : undefined;
      },
    };
    const { env, pipe, sent, run } = setUp([rateLimited, answered(201)], { concurrency: 2 }, slow);
    pipe.submit(emission('d1'));
    env.queue.at(5, () => pipe.submit(emission('d2')));
    await run(60_000);
    expect(sent.map(({ time }) => time >= 5_000)).toEqual([false, true, true]);
  });

  test('reconciling one intent does not delay the others', async () => {
    const { pipe, sent, run } = setUp([silence, answered(201)]);
    pipe.submit(emission('d1', order));
    pipe.submit(emission('d2', order));
    await run(1_000);
    expect(sent).toHaveLength(2);
  });
});

test('an exit is retried through more than a few seconds of faults', async () => {
  const { pipe, states, run } = setUp([
    ...Array.from({ length: 12 }, () => silence),
    answered(200),
  ]);
  pipe.submit(emission('d1', { kind: 'close_position', symbol: 'BTC', request: {} } as Intent));
  await run(600_000);
  expect(states().at(-1)).toBe('accepted');
});

test('early misses do not prove absence while later lookups go unanswered', async () => {
  let asked = 0;
  const { pipe, states, run } = setUp([silence], {
    lookUp: async () => ({ kind: ++asked <= 3 ? 'missing' : 'unclear' }),
  });
  pipe.submit(emission('d1', order));
  await run(1_300_000);
  expect(states()).not.toContain('absent');
  expect(states().at(-1)).toBe('unresolved');
});

const conflict = answered(409, { error: { code: 'idempotency_conflict', message: '' } });

describe('a second attempt that is refused', () => {
  test('proves nothing about the first, which is reconciled', async () => {
    const found = { kind: 'found', record: { execution_id: 'exe_1' } } as const;
    const { pipe, events, run } = setUp([silence, conflict], { lookUp: async () => found });
    pipe.submit(emission('d1'));
    await run(60_000);
    expect(events.at(-1)).toMatchObject({ state: 'accepted', record: found.record });
  });

  test('is final once the first is proven absent', async () => {
    const lookUp = async () => ({ kind: 'missing' }) as const;
    const { pipe, events, run } = setUp([silence, conflict], { lookUp });
    pipe.submit(emission('d1'));
    await run(200_000);
    expect(events.at(-1)).toMatchObject({
      state: 'rejected',
      fault: { code: 'idempotency_conflict' },
    });
  });
});

test('an exit does not wait behind hanging entries', async () => {
  const sent: string[] = [];
  const { pipe, run } = setUp([], {
    concurrency: 2,
    send(_request, { decisionKey }) {
      sent.push(decisionKey);
      return new Promise(() => {});
    },
  });
  for (const name of ['e1', 'e2', 'e3']) pipe.submit(emission(name));
  pipe.submit(emission('x1', { kind: 'close_position', symbol: 'BTC', request: {} } as Intent));
  await run(100);
  expect(sent).toEqual(['e1', 'e2', 'x1']);
});

test('absence is counted from the last attempt, which may still be in flight', async () => {
  const asked: number[] = [];
  const script = [...Array.from({ length: 6 }, () => silence), conflict];
  const { env, pipe, sent, states, run } = setUp(script, {
    lookUp: async () => {
      asked.push(env.queue.now());
      return { kind: 'missing' };
    },
  });
  pipe.submit(emission('d1'));
  await run(600_000);
  expect(states().at(-1)).toBe('rejected');
  expect(asked.at(-1)! - sent.at(-1)!.time).toBeGreaterThanOrEqual(60_000);
});

test('a signature refused twice proves nothing about an earlier attempt', async () => {
  const late = answered(401, { error: { code: 'timestamp_out_of_window', message: '' } });
  const found = { kind: 'found', record: { execution_id: 'exe_1' } } as const;
  const { pipe, states, run } = setUp([silence, late, late], { lookUp: async () => found });
  pipe.submit(emission('d1'));
  await run(60_000);
  expect(states().at(-1)).toBe('accepted');
});

test('an intent reported to the operator is still reconciled, and found when the service is back', async () => {
  const found = { kind: 'found', record: { order_id: 'ord_9' } } as const;
  const { env, pipe, states, run } = setUp([silence], {
    lookUp: async () => (env.queue.now() < 1_500_000 ? { kind: 'unclear' } : found),
  });
  pipe.submit(emission('d1', order));
  await run(1_600_000);
  expect(states().slice(-2)).toEqual(['unresolved', 'accepted']);
});

/** Durable ten milliseconds after it was asked for, as a server's disk is. */
function slowStore(timers: () => Timers): JournalStore {
  const store = createMemoryStore();
  return {
    ...store,
    append(append) {
      void store.append(append);
      return pause(timers(), 10);
    },
  };
}

describe('a gate that closes after the guards passed', () => {
  const close: Intent = { kind: 'close_position', symbol: 'BTC', request: {} };

  test('ends waiting entries at once, and lets exits pass', async () => {
    let closed: string | undefined;
    const { env, pipe, sent, events, journal, run } = setUp([rateLimited, answered(201)], {
      entryRefusal: () => closed,
    });
    for (const name of ['e1', 'e2']) pipe.submit(emission(name));
    pipe.submit(emission('x1', close));
    await run(1_000);
    closed = 'entry gate: kill level L1: a test';
    pipe.reconsider();
    await run(env.queue.now());
    const ended = events.filter(({ state }) => state === 'expired');
    expect(ended.map(({ emission: { decisionKey } }) => decisionKey)).toEqual(['e1', 'e2']);
    expect(ended.every(({ reason }) => reason === closed)).toBe(true);
    const last = journal.store.entries(ended[0]!.key).at(-1)!;
    expect([last.state, JSON.parse(last.data)]).toEqual(['expired', { reason: closed }]);
    await run(60_000);
    const after = sent.slice(1).map(({ request }) => (JSON.parse(request.body) as Intent).kind);
    expect(after).toEqual(['close_position']);
  });

  test('is asked by the symbols on which the guards saw each open', async () => {
    const gate = createEntryGate();
    const { env, pipe, events, run } = setUp([rateLimited, answered(200)], {
      entryRefusal: gate.reasonFor,
      prepare: ({ intent }, key) => ({
        ok: true,
        prepared: {
          request: {
            endpoint: 'orders.modify',
            pathParams: {},
            query: {},
            body: '{}',
            idempotencyKey: key,
          },
          lane: 'entry',
          weight: 1,
          opens: true,
          enters: [intent.ref!],
          verdict: { passed: true, passedGuards: [] },
        },
      }),
    });
    for (const ref of ['BTC', 'ETH'])
      pipe.submit(emission(ref, modifyOrder({ order_id: ref }, { price: 1 }, { ref })));
    await run(1_000);
    gate.closeSymbol('main', 'BTC', 'doubted');
    pipe.reconsider();
    await run(env.queue.now());
    const ended = events.filter(({ state }) => state === 'expired');
    expect(ended.map(({ emission: { decisionKey } }) => decisionKey)).toEqual(['BTC']);
    await run(60_000);
    expect(events.at(-1)).toMatchObject({ state: 'accepted', emission: { decisionKey: 'ETH' } });
  });

  test('ends those that waited too long, with their guard; exits pass', async () => {
    const tooOld = 'its cause is 61 s old, the limit is 60 s';
    const { env, pipe, sent, events, journal, run } = setUp([rateLimited, answered(201)], {
      explainTooOld: ({ decisionKey }) =>
        decisionKey === 'e1' && env.queue.now() > 0 ? tooOld : undefined,
    });
    for (const name of ['e1', 'e2']) pipe.submit(emission(name));
    pipe.submit(emission('x1', close));
    await run(60_000);
    const ended = events.filter(({ state }) => state === 'expired');
    const guard = 'max_decision_age_seconds';
    expect(ended).toMatchObject([{ emission: { decisionKey: 'e1' }, reason: tooOld, guard }]);
    const last = journal.store.entries(ended[0]!.key).at(-1)!;
    expect([last.state, JSON.parse(last.data)]).toEqual(['expired', { reason: tooOld, guard }]);
    expect(new Set(sent.slice(1).map(({ request }) => request.idempotencyKey)).size).toBe(2);
  });

  test('stops the entry whose sending is being journaled', async () => {
    let closed: string | undefined;
    const slow = slowStore(() => env.timers);
    const over = { entryRefusal: () => closed };
    const { env, pipe, sent, states, run } = setUp([answered(201)], over, slow);
    pipe.submit(emission('e1'));
    await run(5);
    closed = 'entry gate: the stream is lost';
    await run(60_000);
    expect(sent).toEqual([]);
    expect(states().at(-1)).toBe('expired');
  });

  test('stops the exit, too, once the wire is cut', async () => {
    let cut = false;
    const slow = slowStore(() => env.timers);
    const { env, pipe, sent, events, journal, run } = setUp(
      [answered(200)],
      { isCut: () => cut },
      slow,
    );
    pipe.submit(emission('x1', close));
    await run(5);
    cut = true;
    void pipe.close();
    await run(60_000);
    expect(sent).toEqual([]);
    // Not a byte left, and the next process knows it.
    expect(journal.stateOf(events[0]!.key)).toBe('deferred');
  });

  test('leaves an entry that may have been sent to reconciliation, once a level is set', async () => {
    let killed = false;
    const { pipe, sent, states, run } = setUp([silence], {
      entryRefusal: () => (killed ? 'kill level L2' : undefined),
      isKilled: () => killed,
      lookUp: async () => ({ kind: 'missing' }),
    });
    pipe.submit(emission('e1'));
    await run(100);
    killed = true;
    await run(200_000);
    expect(sent).toHaveLength(1);
    expect(states().at(-1)).toBe('absent');
  });

  test('also an entry decided too long ago that may not have arrived', async () => {
    const { env, pipe, sent, states, run } = setUp([silence], {
      explainTooOld: () => (env.queue.now() > 50 ? 'its cause is 60 s old' : undefined),
      lookUp: async () => ({ kind: 'missing' }),
    });
    pipe.submit(emission('e1'));
    await run(200_000);
    expect(sent).toHaveLength(1);
    expect(states().at(-1)).toBe('absent');
  });

  test('resends it if only a stream is lost: same key, same bytes', async () => {
    const { pipe, sent, states, run } = setUp([silence, answered(201)], {
      entryRefusal: () => (sent.length > 0 ? 'entry gate: the stream is lost' : undefined),
    });
    pipe.submit(emission('e1'));
    await run(60_000);
    expect(sent).toHaveLength(2);
    expect(states().at(-1)).toBe('accepted');
  });

  test('reports intents that no lookup can find', async () => {
    let killed = false;
    const basket = { kind: 'launch_basket', request: { legs: [] } } as unknown as Intent;
    const { pipe, sent, states, run } = setUp([silence], {
      isKilled: () => killed,
      prepare: (_emission, key) => ({
        ok: true,
        prepared: {
          request: {
            endpoint: 'baskets.launch',
            pathParams: {},
            query: {},
            body: '{}',
            idempotencyKey: key,
          },
          lane: 'entry',
          weight: 20,
          opens: true,
          verdict: { passed: true, passedGuards: [] },
        },
      }),
    });
    pipe.submit(emission('b1', basket));
    await run(100);
    killed = true;
    await run(60_000);
    expect(sent).toHaveLength(1);
    expect(states().at(-1)).toBe('unresolved');
  });
});

describe('a service that answers at once', () => {
  const atOnce = (onSend: (journaled: string[]) => void = () => {}) => {
    const store = createMemoryStore();
    const statesOf = (key = '') => store.entries(key).map(({ state }) => state);
    const send = ({ idempotencyKey }: { idempotencyKey?: string }) => {
      onSend(statesOf(idempotencyKey));
      return answered(201);
    };
    return setUp([], { send }, store);
  };

  test('receives requests after the turn of the proposal, without a promise', () => {
    const sent: string[][] = [];
    const { pipe, states } = atOnce((journaled) => sent.push(journaled));
    for (const name of ['d1', 'd2']) pipe.submit(emission(name));
    expect([states(), sent, pipe.isIdle()]).toEqual([['guarded', 'guarded'], [], false]);
    pipe.flush();
    expect(states().slice(2)).toEqual(['sending', 'accepted', 'sending', 'accepted']);
    expect(sent).toEqual([
      ['emitted', 'guarded', 'sending'],
      ['emitted', 'guarded', 'sending'],
    ]);
    expect(pipe.isIdle()).toBe(true);
  });

  test('receives requests with the next microtask by default', async () => {
    const { pipe, states } = atOnce();
    pipe.submit(emission('d1'));
    await Promise.resolve();
    expect(states()).toEqual(['guarded', 'sending', 'accepted']);
  });

  test('reports each of a thousand late intents, and the one in time', () => {
    const { pipe, env, states } = atOnce();
    env.queue.advanceTo(10);
    for (let n = 0; n < 1_000; n++) pipe.submit(emission(`late${n}`, { ...buy, not_after: 5 }));
    pipe.submit(emission('d1'));
    pipe.flush();
    const count = (state: string): number => states().filter((one) => one === state).length;
    expect([count('expired'), count('accepted'), pipe.isIdle()]).toEqual([1_000, 1, true]);
  });

  test('receives nothing if `sending` could not be journaled', () => {
    const faults: unknown[] = [];
    const sent: unknown[] = [];
    const store = createMemoryStore();
    store.append = () => {
      throw new Error('full');
    };
    const send = (request: unknown) => (sent.push(request), answered(201));
    const onFatal = (error: unknown) => void faults.push(String(error));
    const { pipe } = setUp([], { send, onFatal }, store);
    pipe.submit(emission('d1'));
    pipe.flush();
    expect([sent, faults]).toEqual([[], ['Error: full']]);
  });
});

describe('a wait for a maintained row', () => {
  /** A pipe whose first look finds no row, and the next ones do. */
  function setUpRoom(over: { journaledAtBegin?: string[] } = {}) {
    let wake = (): void => {};
    let looks = 0;
    const made: ReturnType<typeof setUp> = setUp([answered(201)], {
      prepare: ({ intent }, key) => {
        const begin = (next: () => void): void => {
          wake = next;
          const states = made.journal.store.entries(key).map(({ state }) => state);
          over.journaledAtBegin?.push(...states);
        };
        const request = {
          endpoint: 'orders.place',
          pathParams: {},
          query: {},
          body: JSON.stringify(intent),
          idempotencyKey: key,
        } as const;
        const plain = { request, lane: 'entry', weight: 2, opens: true } as const;
        if (looks++ === 0) {
          const verdict = { passed: false, guard: 'maintained_rows', reason: 'none left' } as const;
          const room = { reason: 'waits for a row', begin };
          return {
            ok: true,
            prepared: { ...plain, verdict: { ...verdict, passedGuards: [] }, room },
          };
        }
        return { ok: true, prepared: { ...plain, verdict: { passed: true, passedGuards: [] } } };
      },
    });
    const stepsOf = (): string[] =>
      made.journal.store
        .intents()
        .flatMap(({ key }) => made.journal.store.entries(key).map(({ state }) => state));
    return { ...made, wake: () => wake(), stepsOf };
  }

  test('is journaled before the row is requested, and evaluated again once it is free', async () => {
    const journaledAtBegin: string[] = [];
    const { pipe, wake, run, sent, states, stepsOf } = setUpRoom({ journaledAtBegin });
    pipe.submit(emission('d1', order));
    await run(1_000);
    expect(journaledAtBegin).toEqual(['emitted', 'deferred']);
    expect(sent).toEqual([]);
    wake();
    await run(2_000);
    expect(states()).toEqual(['deferred', 'guarded', 'sending', 'accepted']);
    expect(stepsOf()).toEqual(['emitted', 'deferred', 'guarded', 'sending', 'accepted']);
    pipe.submit(emission('d1', order));
    await run(3_000);
    expect(sent).toHaveLength(1);
  });

  test('ends at its not_after, with a reason', async () => {
    const { pipe, wake, run, sent, events, stepsOf } = setUpRoom();
    pipe.submit(emission('d1', { ...order, not_after: 500 }));
    await run(1_000);
    wake();
    await run(2_000);
    expect(events.at(-1)).toMatchObject({ state: 'expired', reason: 'not_after has passed' });
    expect(stepsOf()).toEqual(['emitted', 'deferred', 'expired']);
    expect(sent).toEqual([]);
  });

  test('is left to the next process if the bot ends', async () => {
    const { pipe, wake, run, sent, stepsOf } = setUpRoom();
    pipe.submit(emission('d1', order));
    await run(1_000);
    await pipe.close();
    wake();
    await run(2_000);
    expect(stepsOf()).toEqual(['emitted', 'deferred']);
    expect(sent).toEqual([]);
  });
});

test('an approval holds what a change adds and closes, for the next process', async () => {
  const change = modifyOrder({ order_id: 'ord_1' }, { size: 3 });
  const shown = {
    added: [{ symbol: 'BTC', side: 'buy', size: 2 }] as const,
    reduced: [{ symbol: 'BTC', side: 'sell', size: 2 }] as const,
  };
  for (const more of [{}, shown]) {
    const { pipe, events, journal, run } = setUp([answered(200)], {
      prepare: (_emission, key) => ({
        ok: true,
        prepared: {
          request: {
            endpoint: 'orders.modify',
            pathParams: { id: 'ord_1' },
            query: {},
            body: '{}',
            idempotencyKey: key,
          },
          lane: 'exit',
          weight: 1,
          opens: false,
          verdict: { passed: true, passedGuards: [] },
          ...more,
        },
      }),
    });
    pipe.submit(emission('d1', change));
    await run(1_000);
    const steps = journal.store.entries(events[0]!.key);
    const guarded = steps.find(({ state }) => state === 'guarded');
    expect(JSON.parse(guarded!.data)).toEqual({
      lane: 'exit',
      weight: 1,
      passedGuards: [],
      ...more,
    });
  }
});
