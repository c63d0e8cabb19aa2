import { describe, expect, test } from 'vitest';
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
import { answered, emission, setUpPipe, silence } from '../setUpPipe.ts';

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
function setUp(kind: TargetKind, over: Partial<PipeOptions> = {}, store = createMemoryStore()) {
  const refs = createRefs();
  const set = setUpPipe(
    [],
    {
      concurrency: 4,
      makerOf: refs.makerOf,
      prepare({ intent, instance }, key) {
        const made = toServiceRequest(intent, {
          idempotencyKey: key,
          resolve: refs.resolverOf(instance),
        });
        if (!made.ok) return { ...made, maker: refs.makerOf(instance, kind, 'x') };
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
        if (['rejected', 'absent'].includes(state)) refs.ended(instance, intent, key);
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
  return { ...set, refs, submit, states };
}

const REFUSED: Exchange = answered(422, {
  error: { code: 'validation_failed', message: '', details: {} },
});

describe.each(CASES)('%s that is in flight', (_what, kind, makes, controls) => {
  /** The first request is answered once the test says how. */
  function setUpSlow() {
    const { promise, resolve: answer } = Promise.withResolvers<Exchange>();
    const sent: string[] = [];
    const set = setUp(kind, {
      send(request) {
        sent.push(request.pathParams['id'] ?? '');
        return sent.length === 1 ? promise : answered(200);
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
    const before = setUp(kind, { send: () => new Promise(() => {}) }, store);
    before.submit('makes', makes);
    await before.run(1);
    before.submit('controls', controls);
    await before.run(1);

    const ids: string[] = [];
    const after = setUp(
      kind,
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

test('a control of what has no answer and no evidence is denied, and waits no longer', async () => {
  const [, kind, makes, controls] = CASES[0]!;
  const { submit, run, states } = setUp(kind, { send: () => silence });
  submit('makes', makes);
  await run(1);
  submit('controls', controls);
  await run(3_600_000);
  expect(states('makes').at(-1)).toBe('unresolved');
  expect(states('controls')).toEqual(['deferred', 'denied/request']);
});

test('what nothing makes is denied at once', async () => {
  const { submit, run, states } = setUp('execution');
  submit('controls', controlExecution.stop({ ref: 'x' }));
  await run(1);
  expect(states('controls')).toEqual(['denied/request']);
});
