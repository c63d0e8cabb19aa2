import { expect, test } from 'vitest';
import { createIntentTrack } from '../../../src/operate/state/createIntentTrack.ts';
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
