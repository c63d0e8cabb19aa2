/** How long the bars of an instance are held. */
import { expect, test } from 'vitest';
import { createBarSequence } from '../../src/streams/createBarSequence.ts';

function open() {
  const limits: Array<{ due: () => void; end: () => void }> = [];
  const sequence = createBarSequence({
    placeOf: (symbol) => ['BTC', 'ETH'].indexOf(symbol),
    symbols: 2,
    limit: (due, end) => {
      limits.push({ due, end });
      return () => {};
    },
  });
  const [one, two] = ['BTC', 'ETH'].map((symbol) => sequence.join(symbol, '1m', () => {}));
  const seen: string[] = [];
  const bar = (name: string) => (): void => void seen.push(name);
  return { sequence, limits, one: one!, two: two!, seen, bar };
}

test('what is held already when the instance is set up is held for no longer than what comes later', () => {
  const { sequence, limits, one, seen, bar } = open();
  one.hand('history', 1, bar('one'));
  expect(limits).toHaveLength(0);
  sequence.begin();
  expect(limits).toHaveLength(1);
  limits[0]!.due();
  limits[0]!.end();
  expect(seen).toEqual(['one']);
});

test('a limit that has passed does not shorten the next wait', () => {
  const { sequence, limits, one, two, seen, bar } = open();
  sequence.begin();
  one.hand('history', 1, bar('history'));
  limits[0]!.due();
  one.hand('live', 2, bar('live'));
  expect(seen).toEqual(['history', 'live']);
  one.awaitBlock();
  two.awaitBlock();
  one.hand('catch_up', 3, bar('missed'));
  one.settle();
  one.hand('live', 5, bar('later'));
  expect(seen).toHaveLength(2);
  two.hand('catch_up', 4, bar('other'));
  two.settle();
  expect(seen.slice(2)).toEqual(['missed', 'other', 'later']);
});
