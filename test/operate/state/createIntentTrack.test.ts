import { expect, test } from 'vitest';
import { createIntentTrack } from '../../../src/operate/state/createIntentTrack.ts';
import { waitForBudget, waitForConnection } from '../../../src/runtime/waits.ts';
import type { Unanswered } from '../../../src/runtime/index.ts';

test('what an earlier process left without an answer keeps what an operator must know of it', () => {
  const track = createIntentTrack((key) => `settle ${key}`);
  const left = (key: string, state: Unanswered['state']): Unanswered => ({
    key,
    state,
    instance: 'own',
    wallet: 'main',
    kind: 'place_order',
    symbol: 'BTC',
    time: 1,
  });
  track.recover([left('a', 'sending'), left('b', 'unknown'), left('c', 'unresolved')]);
  expect(track.unanswered().map(({ key, state, command }) => [key, state, command])).toEqual([
    ['a', 'unknown', 'settle a'],
    ['b', 'unknown', 'settle b'],
    ['c', 'unresolved', 'settle c'],
  ]);
});

test('what may have been executed stays a question while it is sent again', () => {
  const track = createIntentTrack(() => '');
  const intent = { kind: 'close_position', symbol: 'BTC' };
  const emission = { instance: 'own', wallet: 'main', marketTime: 1, intent };
  const step = (state: string, reason?: string): void =>
    track.follow({ key: 'a', state, emission, reason } as never);
  step('sending');
  step('unknown', 'timeout');
  for (const [state, reason] of [['deferred', 'not_connected'], ['sending'], ['deferred', 'x']]) {
    step(state!, reason);
    expect(track.unanswered()).toMatchObject([{ key: 'a', state: 'unknown' }]);
    expect(track.deferred()).toEqual({});
  }
  step('accepted');
  expect(track.unanswered()).toEqual([]);
});

test('malformed intents are counted by strategy, exits apart', () => {
  const track = createIntentTrack(() => '');
  track.refuse({ instance: 'own', isExit: false });
  track.refuse({ instance: 'own', isExit: true });
  track.refuse({ instance: 'other', isExit: true });
  expect(track.of('own')).toMatchObject({
    emitted: 2,
    denied: { malformed: 1, malformed_exit: 1 },
  });
  expect(track.denied()).toEqual({ malformed: 1, malformed_exit: 2 });
});

test('what waits is counted by its lane, or by what else it waits for', () => {
  const track = createIntentTrack(() => '');
  const intent = { kind: 'close_position', symbol: 'BTC' };
  const emission = { instance: 'own', wallet: 'main', marketTime: 1, intent };
  const terms = [
    waitForBudget('exit'),
    waitForBudget('entry'),
    waitForConnection('exit'),
    'retry_after',
    undefined,
  ];
  for (const [key, waitsFor] of terms.entries())
    track.follow({ key: `${key}`, state: 'deferred', emission, waitsFor } as never);
  expect(track.deferred()).toEqual({ exit: 2, entry: 1, retry_after: 1, other: 1 });
});
