/** What is known of a ref that is shown again, used again, or one of very many. */
import { map, Subject, Subscription } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { WARM_UP } from '../../src/strategy/createEmissionGate.ts';
import type { Outcome } from '../../src/strategy/Outcome.ts';
import { createByRef } from '../../src/strategy/refs/createByRef.ts';
import type { RefEvent, RefNews } from '../../src/strategy/refs/RefEvent.ts';
import {
  applyRefNews,
  createRefParts,
  isPending,
  newsOf,
  toRefState,
} from '../../src/strategy/refs/RefState.ts';

const order = (more: object = {}): RefNews =>
  ({
    kind: 'order',
    order: { order_id: 'o', status: 'open', size: 5, filled_size: 1, updated_time: 7, ...more },
  }) as never;
const execution = (more: object = {}): RefNews => {
  const record = { execution_id: 'e', client_execution_id: 'c', status: 'running' };
  const sizes = { total_size: 5, filled_size: 1, updated_time: 7 };
  return { kind: 'execution', execution: { ...record, ...sizes, ...more } } as never;
};
const monitor = (more: object = {}): RefNews =>
  ({ kind: 'monitor', monitor: { monitor_id: 'm', status: 'armed', ...more } }) as never;
const gone = (id: string): RefNews => ({ kind: 'gone', id });

function partsOf(...news: readonly RefNews[]) {
  const parts = createRefParts('one');
  for (const one of news) applyRefNews(parts, one);
  return parts;
}
/** The state after all of these. */
const after = (...news: readonly RefNews[]) => toRefState(partsOf(...news));
const outcomeOf = (kind: string, state: string): RefNews =>
  ({ kind: 'outcome', outcome: { intent: { kind, request: {} }, state } }) as never;

describe.each([
  ['an order', order(), gone('o')],
  ['an execution', execution(), gone('e')],
  ['a monitor', monitor(), gone('m')],
])('%s', (_what, shown, isGone) => {
  test('that is gone has ended, and works on if it is shown again', () => {
    expect(after(shown).ended).toBe(false);
    expect(after(shown, isGone).ended).toBe(true);
    expect(after(shown, isGone, shown).ended).toBe(false);
    expect(after(shown, isGone, shown, isGone).ended).toBe(true);
  });
});

test('an answer says nothing that a frame of the same instant has not said, and a frame does', () => {
  const answered = (news: RefNews): RefNews => ({ ...news, answered: true }) as never;
  expect(after(order(), answered(order({ price: 9 }))).order).not.toHaveProperty('price');
  expect(after(answered(order()), order({ price: 9 })).order).toHaveProperty('price', 9);
  expect(after(order(), answered(order({ updated_time: 8, price: 9 }))).order).toHaveProperty(
    'price',
    9,
  );
  expect(after(monitor(), answered(monitor({ status: 'paused' }))).monitor?.status).toBe('armed');
  expect(after(answered(monitor()), monitor({ status: 'paused' })).monitor?.status).toBe('paused');
});

test('an execution is one, whatever ids the service gives it', () => {
  const state = after(execution(), execution({ execution_id: 'f', filled_size: 3 }));
  expect(state.executions.map(({ execution_id: id }) => id)).toEqual(['f']);
  expect([state.size, state.filled, state.remaining]).toEqual([5, 3, 2]);
});

test.each([
  'modify_order',
  'cancel_order',
  'bulk_cancel',
  'retire_tpsl',
  'control_execution',
  'set_leverage',
  'pause_monitor',
  'stop_monitor',
])('nothing more comes of a control that was accepted: %s', (kind) => {
  expect(after(outcomeOf(kind, 'unknown')).ended).toBe(false);
  expect(after(outcomeOf(kind, 'accepted')).ended).toBe(true);
  expect(isPending(partsOf(outcomeOf(kind, 'accepted')))).toBe(false);
});

test.each(['place_order', 'launch', 'launch_basket', 'create_monitor', 'close_position'])(
  'what an accepted intent has made is waited for: %s',
  (kind) => {
    expect(after(outcomeOf(kind, 'accepted')).ended).toBe(false);
    expect(isPending(partsOf(outcomeOf(kind, 'accepted')))).toBe(true);
    expect(isPending(partsOf(outcomeOf(kind, 'denied')))).toBe(false);
  },
);

test('what is known is brought over whole', () => {
  const fill: RefNews = { kind: 'fill', fill: { fill_id: 'f', size: 1, time: 1 } } as never;
  const all = [outcomeOf('place_order', 'accepted'), order(), execution(), monitor(), fill];
  for (const news of [...all.map((one) => [one]), all, [...all, gone('m')], [order(), gone('o')]])
    expect(after(...newsOf(partsOf(...news)))).toEqual(after(...news));
});

describe('the refs of an instance', () => {
  function open() {
    const refs$ = new Subject<RefEvent>();
    const failures: unknown[] = [];
    const refs = createByRef({
      refs$,
      lastOf: () => undefined,
      toPlugin: (changes$) => changes$.pipe(map(({ state }) => state)),
      lifetime: new Subscription(),
      onSourceFailed: (error) => failures.push(error),
    });
    refs.view('first');
    const outcome = (ref: string, state: Outcome['state'], more: Partial<Outcome> = {}): void => {
      const intent = { kind: 'place_order', ref, request: { size: 1 } };
      refs.outcome({ intent, decisionKey: `${ref} 1`, state, time: 0, ...more } as never);
    };
    const stateOf = (ref: string) => refs.view(ref).state;
    return { refs, refs$, failures, outcome, stateOf };
  }

  test('are what they are now, whenever a view is read', () => {
    const { refs, outcome } = open();
    const view = refs.view('a');
    expect(view.state).toBeUndefined();
    for (const state of ['sending', 'unknown', 'accepted'] as const) {
      outcome('a', state);
      expect([view.state, view.outcome?.state]).toEqual([state, state]);
    }
  });

  test('are forgotten by the thousand, the oldest first, but none that is on its way', () => {
    const { outcome, stateOf } = open();
    outcome('on its way', 'sending');
    outcome('used again', 'denied');
    outcome('old', 'denied');
    for (let at = 0; at < 900; at++) outcome(`other ${at}`, 'denied');
    outcome('used again', 'rejected', { decisionKey: 'another' });
    for (let at = 900; at < 1_300; at++) outcome(`other ${at}`, 'denied');
    expect([stateOf('on its way'), stateOf('used again'), stateOf('old')]).toEqual([
      'sending',
      'rejected',
      undefined,
    ]);
  });

  test('keep what became of them when warm-up decides the same again', () => {
    const { outcome, stateOf } = open();
    outcome('a', 'accepted');
    const again = { decisionKey: 'in warm-up', guard: WARM_UP };
    outcome('a', 'denied', again);
    outcome('b', 'denied', again);
    expect([stateOf('a'), stateOf('b')]).toEqual(['accepted', 'denied']);
  });

  test('end the strategy with their source', () => {
    const { refs$, failures } = open();
    const error = new Error('gone');
    refs$.error(error);
    expect(failures).toEqual([error]);
  });
});
