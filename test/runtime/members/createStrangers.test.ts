import { expect, test } from 'vitest';
import { createStrangers } from '../../../src/runtime/members/createStrangers.ts';
import { fill, position } from '../../streams/records.ts';

const of = (side: 'buy' | 'sell', size: number, time: number) => ({
  ...fill('one'),
  side,
  size,
  time,
});

test('its fills are a stranger’s until they have closed it', () => {
  const strangers = createStrangers();
  expect(strangers.takes(of('buy', 1, 1))).toBe(false);
  strangers.add('BTC', 0.3);
  expect(strangers.has('BTC')).toBe(true);
  const sizes = [0.1, 0.1, 0.1].map((size, at) => strangers.takes(of('sell', size, at)));
  expect([...sizes, strangers.has('BTC')]).toEqual([true, true, true, false]);
  expect(strangers.takes(of('buy', 1, 4))).toBe(false);
  // One that is turned stays what it is.
  strangers.add('BTC', -1);
  expect(strangers.takes(of('buy', 3, 5))).toBe(true);
  expect(strangers.has('BTC')).toBe(true);
});

test.each([
  [10_000, [9_999.9999, 0.0001]],
  [20_000, [19_999.99999, 0.00001]],
])('its last step is closed like the others: %d', (size, parts) => {
  const strangers = createStrangers();
  strangers.add('BTC', size);
  for (const [at, part] of parts.entries()) {
    expect(strangers.has('BTC')).toBe(true);
    strangers.takes(of('sell', part, at));
  }
  expect(strangers.has('BTC')).toBe(false);
});

test('what a snapshot no longer shows has fills of before it only', () => {
  const strangers = createStrangers();
  strangers.add('BTC', 1);
  strangers.shown({ positions: new Map([['BTC', position(1)]]), time: 50 });
  expect(strangers.has('BTC')).toBe(true);
  strangers.shown({ positions: new Map(), time: 100 });
  expect(strangers.has('BTC')).toBe(false);
  expect([99, 100, 101].map((time) => strangers.takes(of('sell', 1, time)))).toEqual([
    true,
    true,
    false,
  ]);
});
