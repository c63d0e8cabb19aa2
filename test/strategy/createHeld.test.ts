import { expect, test } from 'vitest';
import { createHeld } from '../../src/strategy/createHeld.ts';

const NONE = { bought: 0, sold: 0 };

test('between a fill and its position frame both count, whichever comes first', () => {
  let now = 0;
  const held = createHeld({ now: () => now });
  held.onPosition(1, NONE);
  expect(held.bounds(1, { bought: 2, sold: 0 })).toEqual({ long: 3, short: 1 });
  expect(held.bounds(3, { bought: 2, sold: 0 })).toEqual({ long: 3, short: 3 });
  now += 60_000;
  // The frame of a sale is before its fill.
  expect(held.bounds(1, { bought: 2, sold: 0 })).toEqual({ long: 1, short: 1 });
});

test.each([
  [999, 2],
  [1_000, 1],
])('a position %i ms after the last fill is taken where it has settled', (afterMs, long) => {
  let now = 0;
  const held = createHeld({ now: () => now });
  held.onPosition(1, NONE);
  const filled = { bought: 1, sold: 0 };
  held.bounds(1, filled);
  now += afterMs;
  // It shows no fill: a sale that is not reported yet has taken it back.
  held.onPosition(1, filled);
  expect(held.bounds(1, filled)).toEqual({ long, short: 1 });
});

test('after an outage, fills that the snapshot showed already do not count for ever', () => {
  let now = 0;
  const held = createHeld({ now: () => now });
  held.onPosition(0, NONE);
  now += 60_000;
  // A snapshot has the position of a fill that is caught up after it, and no frame follows.
  held.onPosition(5, NONE);
  const filled = { bought: 5, sold: 0 };
  expect(held.bounds(5, filled)).toEqual({ long: 10, short: 5 });
  now += 9_999;
  expect(held.bounds(5, filled)).toEqual({ long: 10, short: 5 });
  now += 1;
  expect(held.bounds(5, filled)).toEqual({ long: 5, short: 5 });
  // The next fill counts until its frame comes.
  expect(held.bounds(5, { bought: 5, sold: 2 })).toEqual({ long: 5, short: 3 });
});
