import { filter, from, map, merge, mergeMap } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Exchange } from '../../../src/contract/index.ts';
import {
  controlExecution,
  createMonitor,
  launch,
  pauseMonitor,
  stopMonitor,
  type Intent,
  type TargetKind,
} from '../../../src/intents/index.ts';
import { toServiceRequest } from '../../../src/intents/toServiceRequest.ts';
import { effectOf } from '../../../src/intents/effectOf.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { createRefs } from '../../../src/runtime/wallet/createRefs.ts';
import { readPersisted } from '../../../src/runtime/recovery/readPersisted.ts';
import { laneOf } from '../../../src/runtime/pipe/laneOf.ts';
import type { PipeOptions } from '../../../src/runtime/pipe/Pipe.ts';
import { defineStrategy } from '../../../src/strategy/index.ts';
import { openOutageBot } from '../openOutageBot.ts';
import { answered, emission, rateLimited, setUpPipe, silence } from '../setUpPipe.ts';

/** What a ref names and has no id before it is accepted, with what controls it. */
const CASES: ReadonlyArray<readonly [string, TargetKind, Intent, Intent]> = [
  ...(['stop', 'pause', 'completeAtMarket'] as const).map(
    (action) =>
      [
        `${action} of an execution`,
        'execution',
        launch.pacemaker(
          { symbol: 'BTC', side: 'buy', total_size: 1, params: { duration_seconds: 60 } },
          { ref: 'x' },
        ),
        controlExecution[action]({ ref: 'x' }),
      ] as const,
  ),
  ...[stopMonitor({ ref: 'x' }), pauseMonitor({ ref: 'x' })].map(
    (control) =>
      [
        control.kind,
        'monitor',
        createMonitor(
          {
            trigger: { type: 'price_level', symbol: 'BTC', price: 1, direction: 'below' },
            action: {
              type: 'order',
              request: { symbol: 'BTC', side: 'buy', order_type: 'market', size: 1 },
            },
          },
          { ref: 'x' },
        ),
        control,
      ] as const,
  ),
];

/** As a bot's pipe: refs resolve, and follow what becomes of each intent. */
function setUp(over: Partial<PipeOptions> = {}, store = createMemoryStore()) {
  /** Ids that the streams show, by the key of what made the execution. */
  const shown = new Map<string, string>();
  const refs = createRefs({ executionOf: (_instance, clientId) => shown.get(clientId) });
  const set = setUpPipe(
    [],
    {
      concurrency: 4,
      meant: refs.meant,
      prepare({ intent, instance }, key, meant) {
        const made = toServiceRequest(intent, {
          idempotencyKey: key,
          resolve: meant ? () => meant.name() : refs.resolverOf(instance),
        });
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
      onEvent(event) {
        const { state, key, emission, record } = event;
        const { instance, intent } = emission;
        if (state === 'accepted') refs.became(instance, intent, key, record);
        if (['denied', 'expired', 'rejected', 'absent'].includes(state))
          refs.ended(instance, intent, key);
        set.events.push(event);
      },
      ...over,
    },
    store,
  );
  const submit = (name: string, intent: Intent): void => set.pipe.submit(emission(name, intent));
  const states = (name: string) =>
    set.events
      .filter(({ emission: { decisionKey } }) => decisionKey === name)
      .map(({ state, guard }) => (guard === undefined ? state : `${state}/${guard}`));
  return { ...set, refs, shown, submit, states };
}

const OURS = { execution_id: 'exe_1', monitor_id: 'mon_1' };
const OK = answered(200, OURS);
const REFUSED: Exchange = answered(422, {
  error: { code: 'validation_failed', message: '', details: {} },
});

describe.each(CASES)('%s that is in flight', (_what, kind, makes, controls) => {
  /** One request is answered once the test says how. */
  function setUpSlow(others?: object, nth = 1) {
    const { promise, resolve: answer } = Promise.withResolvers<Exchange>();
    const sent: string[] = [];
    const set = setUp({
      send(request) {
        sent.push(request.pathParams['id'] ?? '');
        return sent.length === nth ? promise : answered(200, others && { ...OURS, ...others });
      },
    });
    return { ...set, answer, ids: sent };
  }

  test('waits for the answer, and is sent then', async () => {
    const { submit, run, states, answer, ids } = setUpSlow();
    submit('makes', makes);
    await run(1);
    submit('controls', controls);
    await run(1_000);
    expect(states('controls')).toEqual(['deferred']);
    answer(answered(200));
    await run(2_000);
    expect(states('controls')).toEqual(['deferred', 'guarded', 'sending', 'accepted']);
    expect(ids).toEqual(['', kind === 'monitor' ? 'mon_1' : 'exe_1']);
  });

  test('is about that, though its ref is used again', async () => {
    const { submit, run, states, answer, ids } = setUpSlow({ execution_id: 'b', monitor_id: 'b' });
    submit('makes', makes);
    await run(1);
    submit('controls', controls);
    submit('again', makes);
    await run(1_000);
    expect(states('again').at(-1)).toBe('accepted');
    expect(states('controls')).toEqual(['deferred']);
    answer(answered(200, { execution_id: 'a', monitor_id: 'a' }));
    await run(2_000);
    expect(states('controls').at(-1)).toBe('accepted');
    expect(ids).toEqual(['', '', 'a']);
  });

  test('is about the one before, once that is refused', async () => {
    const { submit, run, states, answer, ids } = setUpSlow({}, 2);
    submit('before', makes);
    await run(1);
    submit('makes', makes);
    await run(2);
    submit('controls', controls);
    await run(3);
    expect(states('controls')).toEqual(['deferred']);
    answer(REFUSED);
    await run(1_000);
    expect(states('controls').at(-1)).toBe('accepted');
    expect(ids.at(-1)).toBe(kind === 'monitor' ? 'mon_1' : 'exe_1');
  });

  test('waits for the one before, too, once that is refused', async () => {
    const answers = [Promise.withResolvers<Exchange>(), Promise.withResolvers<Exchange>()];
    const ids: string[] = [];
    const { submit, run, states } = setUp({
      send: ({ pathParams }) => answers[ids.push(pathParams['id'] ?? '') - 1]?.promise ?? OK,
    });
    submit('before', makes);
    submit('makes', makes);
    await run(1);
    submit('controls', controls);
    answers[1]!.resolve(REFUSED);
    await run(1_000);
    expect(states('makes').at(-1)).toBe('rejected');
    expect(states('controls').at(-1)).toBe('deferred');
    answers[0]!.resolve(OK);
    await run(2_000);
    expect(states('controls').at(-1)).toBe('accepted');
    expect(ids).toEqual(['', '', kind === 'monitor' ? 'mon_1' : 'exe_1']);
  });

  test('is journaled with what it is about', async () => {
    const { submit, run, journal, events } = setUpSlow();
    submit('makes', makes);
    await run(1);
    submit('controls', controls);
    await run(2);
    const [maker, control] = [...new Set(events.map(({ key }) => key))];
    const [emitted] = journal.store.entries(control!);
    expect(JSON.parse(emitted!.data)).toMatchObject({ maker });
  });

  test('is denied once nothing came of it', async () => {
    const { submit, run, states, answer, ids } = setUpSlow();
    submit('makes', makes);
    await run(1);
    submit('controls', controls);
    answer(REFUSED);
    await run(1_000);
    expect(states('makes').at(-1)).toBe('rejected');
    expect(states('controls')).toEqual(['deferred', 'denied/request']);
    expect(ids).toEqual(['']);
  });

  test('of an earlier process waits for what that left unanswered', async () => {
    const store = createMemoryStore();
    const before = setUp({ send: () => new Promise(() => {}) }, store);
    before.submit('makes', makes);
    await before.run(1);
    before.submit('controls', controls);
    await before.run(1);

    const ids: string[] = [];
    const after = setUp(
      {
        send(request) {
          ids.push(request.pathParams['id'] ?? '');
          return answered(200);
        },
        lookUp: async () => ({ kind: 'found', record: { [`${kind}_id`]: 'found' } }),
      },
      store,
    );
    const persisted = readPersisted(store, { clock: after.env.clock, market: after.env.queue });
    for (const { emission, key } of persisted) after.refs.named('ema', emission.intent, key);
    for (const one of persisted) after.pipe.resume(one);
    await after.run(600_000);
    expect(after.states('makes').at(-1)).toBe('accepted');
    expect(after.states('controls').at(-1)).toBe('accepted');
    expect(ids.at(-1)).not.toBe('');
  });
});

test('a control of an earlier process is about what it meant there', async () => {
  const [, , makes, controls] = CASES[0]!;
  const ids: string[] = [];
  const set = setUp({
    send: ({ pathParams }) => (ids.push(pathParams['id'] ?? ''), OK),
  });
  set.submit('newer', makes);
  await set.run(1);
  const meant = { key: 'k', asked: undefined, name: () => 'older' };
  const own = { emission: emission('controls', controls), key: 'c', generation: 0, attempt: 0 };
  const waited = { waitsForRow: false, lane: undefined, leftAt: 0 };
  const { journal } = set;
  void journal.open({ ...own.emission, key: 'c', generation: 0, kind: controls.kind, intent: '' }, [
    { state: 'emitted' },
  ]);
  set.pipe.resume({ ...own, ...waited, state: 'emitted', stage: 'unsent', meant });
  await set.run(1_000);
  expect(ids).toEqual(['', 'older']);
});

test('a control of what has no answer and no evidence is denied, and waits no longer', async () => {
  const [, , makes, controls] = CASES[0]!;
  const { submit, run, states } = setUp({ send: () => silence });
  submit('makes', makes);
  await run(1);
  submit('controls', controls);
  await run(3_600_000);
  expect(states('makes').at(-1)).toBe('unresolved');
  expect(states('controls')).toEqual(['deferred', 'denied/request']);
});

test('what nothing makes is denied at once', async () => {
  const { submit, run, states } = setUp();
  submit('controls', controlExecution.stop({ ref: 'x' }));
  await run(1);
  expect(states('controls')).toEqual(['denied/request']);
});

const run = CASES[0]![2];
const alarm = CASES.find(([, kind]) => kind === 'monitor')![2];
const STOPS: ReadonlyArray<readonly [string, Intent, Intent, Intent]> = [
  ['launch', run, controlExecution.stop({ ref: 'x' }), controlExecution.pause({ ref: 'x' })],
  ['monitor', alarm, stopMonitor({ ref: 'x' }), pauseMonitor({ ref: 'x' })],
];
const SKEWED: Exchange = answered(401, {
  error: { code: 'timestamp_out_of_window', message: '', details: {} },
});
const NOT_SENT: Exchange = { kind: 'not_sent', reason: 'no connection' };

describe.each(STOPS)('a stop that waits for the answer of a %s', (_what, makes, stops, pauses) => {
  function setUpScript(...script: Array<Promise<Exchange> | Exchange>) {
    const sent: string[] = [];
    const send: PipeOptions['send'] = ({ endpoint }) => script[sent.push(endpoint) - 1] ?? OK;
    return { ...setUp({ send }), sent };
  }

  test.each([
    ['its connection failed', NOT_SENT],
    ['a 429 has come', rateLimited],
    ['the clock was wrong', SKEWED],
  ])('ends that unsent when it comes back because %s', async (_why, answer) => {
    const { promise, resolve } = Promise.withResolvers<Exchange>();
    const { submit, run: pass, states, sent, journal } = setUpScript(promise);
    submit('makes', makes);
    await pass(1);
    submit('pauses', pauses);
    submit('stops', stops);
    await pass(2);
    resolve(answer);
    await pass(60_000);
    expect(states('makes').at(-1)).toBe('expired');
    expect(states('stops').at(-1)).toBe('expired');
    expect(states('pauses').at(-1)).toBe('expired');
    expect(sent).toHaveLength(1);
    expect(journal.store.openIntents()).toEqual([]);
  });

  test('leaves an older one with its ref alone when it does so', async () => {
    const { promise, resolve } = Promise.withResolvers<Exchange>();
    const { submit, run: pass, states, sent } = setUpScript(OK, promise);
    submit('older', makes);
    await pass(1);
    submit('makes', makes);
    await pass(2);
    submit('pauses', pauses);
    submit('stops', stops);
    resolve(rateLimited);
    await pass(60_000);
    expect(states('makes').at(-1)).toBe('expired');
    expect(states('pauses').at(-1)).toBe('expired');
    expect(sent).toHaveLength(2);
  });

  test('is sent if an attempt before that may have been executed', async () => {
    const { promise, resolve } = Promise.withResolvers<Exchange>();
    const { submit, run: pass, states } = setUpScript(promise, rateLimited);
    submit('makes', makes);
    await pass(1);
    submit('pauses', pauses);
    submit('stops', stops);
    resolve(silence);
    await pass(60_000);
    if (makes.kind !== 'launch') return;
    expect(states('makes').at(-1)).toBe('accepted');
    expect(states('pauses').at(-1)).toBe('accepted');
    expect(states('stops').at(-1)).toBe('accepted');
  });

  test('of an earlier process ends unsent what that left unsent', async () => {
    const store = createMemoryStore();
    const { promise, resolve } = Promise.withResolvers<Exchange>();
    const before = setUp({ send: () => promise }, store);
    before.submit('makes', makes);
    await before.run(1);
    before.submit('stops', stops);
    await before.run(2);
    void before.pipe.close();
    resolve(NOT_SENT);
    await before.run(3);
    const sent: string[] = [];
    const send: PipeOptions['send'] = ({ endpoint }) => (sent.push(endpoint), OK);
    const after = setUp({ send }, store);
    for (const one of readPersisted(store, { clock: after.env.clock, market: after.env.queue })) {
      expect(one.stage).toBe('unsent');
      after.pipe.resume(one);
    }
    await after.run(60_000);
    expect([after.states('makes').at(-1), after.states('stops').at(-1)]).toEqual([
      'expired',
      'expired',
    ]);
    expect(sent).toEqual([]);
  });
});

describe('controls of an execution whose launch has no answer', () => {
  const { stop, pause, resume } = controlExecution;
  const target = { ref: 'x' };

  function setUpLaunched() {
    const sent: string[] = [];
    const { promise, resolve } = Promise.withResolvers<Exchange>();
    const set = setUp({
      concurrency: 8,
      send({ endpoint, pathParams }) {
        sent.push([endpoint, pathParams['id'] ?? ''].join(' ').replace('executions.', ''));
        return sent.length === 1 ? promise : OK;
      },
    });
    set.submit('makes', run);
    const show = (id: string): void => {
      set.shown.set(set.events[0]!.key, id);
      set.pipe.shown();
    };
    return { ...set, requests: sent, show, answer: () => resolve(OK) };
  }

  test('are sent once the stream shows it, in their order', async () => {
    const { submit, run: pass, states, show, requests } = setUpLaunched();
    await pass(1);
    submit('pause', pause(target));
    submit('stop', stop(target));
    await pass(1_000);
    expect(requests).toEqual(['launch ']);
    show('exe_7');
    await pass(2_000);
    expect(states('makes').at(-1)).toBe('sending');
    expect(requests).toEqual(['launch ', 'pause exe_7', 'stop exe_7']);
  });

  test('go before a later one that finds it shown', async () => {
    const { submit, run: pass, shown, events, requests, answer } = setUpLaunched();
    await pass(1);
    submit('pause', pause(target));
    await pass(2);
    shown.set(events[0]!.key, 'exe_7');
    submit('resume', resume(target));
    answer();
    await pass(2_000);
    expect(requests).toEqual(['launch ', 'pause exe_7', 'resume exe_7']);
  });

  test('go before what a strategy answers to the first of them', async () => {
    const set = setUpLaunched();
    await set.run(1);
    set.submit('pause', pause(target));
    set.submit('stop', stop(target));
    await set.run(2);
    const push = set.events.push.bind(set.events);
    set.events.push = (event) => {
      if (event.emission.decisionKey === 'pause' && event.state === 'guarded')
        set.submit('again', pause(target));
      return push(event);
    };
    set.show('exe_7');
    await set.run(2_000);
    expect(set.requests).toEqual(['launch ', 'pause exe_7', 'stop exe_7', 'pause exe_7']);
  });

  test('go on waiting while the stream shows others', async () => {
    const { submit, run: pass, states, requests, pipe } = setUpLaunched();
    await pass(1);
    submit('stop', stop(target));
    pipe.shown();
    await pass(1_000);
    expect(states('stop')).toEqual(['deferred']);
    expect(requests).toEqual(['launch ']);
  });

  test('are left to the next process once the bot has stopped', async () => {
    const { submit, run: pass, states, pipe, show } = setUpLaunched();
    await pass(1);
    submit('stop', stop(target));
    void pipe.close();
    show('exe_7');
    await pass(1_000);
    expect(states('stop')).toEqual(['deferred']);
  });

  test('are superseded by later ones that decide the same', async () => {
    const { submit, run: pass, states, events, answer, requests, journal } = setUpLaunched();
    await pass(1);
    for (let tick = 0; tick < 100; tick++) {
      submit(`pause ${tick}`, pause(target));
      submit(`resume ${tick}`, resume(target));
    }
    submit('last', pause(target));
    await pass(2);
    expect(journal.store.openIntents()).toHaveLength(3);
    expect(states('pause 0')).toEqual(['deferred', 'expired']);
    expect(events.find(({ state }) => state === 'expired')!.reason).toMatch(/^superseded by /);
    answer();
    await pass(2_000);
    expect(requests).toEqual(['launch ', 'resume exe_1', 'pause exe_1']);
  });

  test('keep the place of a stop that is repeated', async () => {
    const { submit, run: pass, answer, requests } = setUpLaunched();
    await pass(1);
    submit('stop', stop(target));
    submit('pause', pause(target));
    submit('again', stop(target));
    answer();
    await pass(2_000);
    expect(requests).toEqual(['launch ', 'stop exe_1', 'pause exe_1']);
  });

  test('are not superseded by one that is valid for less long', async () => {
    const { submit, run: pass, states, answer } = setUpLaunched();
    await pass(1);
    submit('stop', stop(target));
    submit('short', stop(target, { not_after: 1_000 }));
    submit('longer', stop(target, { not_after: 2_000 }));
    await pass(3_000);
    expect(states('short').at(-1)).toBe('expired');
    answer();
    await pass(4_000);
    expect(states('stop').at(-1)).toBe('accepted');
    expect(states('longer').at(-1)).toBe('expired');
  });
});

test('a bot sends a stop once its stream shows the execution, and waits for no answer', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const params = { duration_seconds: 3_600 };
  const work = { symbol: 'BTC', side: 'buy', total_size: 0.01, params } as const;
  const turns = [launch.pacemaker(work, { ref: 'x' })];
  const strategy = defineStrategy({
    name: 'stops',
    contract: 1,
    description: 'Launches once, and stops that at once.',
    scopes: ['algo'],
    params: z.object({}),
    setup: (ctx) =>
      merge(
        ctx.candles('BTC', '1m').pipe(mergeMap(() => from(turns.splice(0)))),
        ctx.outcomes$.pipe(
          filter(({ state, intent }) => state === 'sending' && intent.kind === 'launch'),
          map(() => controlExecution.stop({ ref: 'x' })),
        ),
      ),
  });
  let isLaunched = false;
  const outage = await openOutageBot({
    strategy,
    async wire(send) {
      if (isLaunched) return send();
      isLaunched = true;
      const exchange = await send();
      await released;
      return exchange;
    },
  });
  const states: string[] = [];
  outage.bot.events$.subscribe((event) => {
    if (event.kind !== 'intent') return;
    const { state, emission: of } = event.event;
    states.push(`${of.intent.kind} ${state}`);
  });
  await outage.pass(60);
  await outage.pass(60);
  const stopped = states.filter((state) => state.startsWith('control_execution'));
  expect(stopped).toEqual(['control_execution deferred', 'control_execution guarded']);
  expect(states).not.toContain('launch accepted');
  release();
  await outage.pass(60);
  expect(states).toContain('control_execution accepted');
  await outage.close();
});
