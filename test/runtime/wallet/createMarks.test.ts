import { expect, test } from 'vitest';
import { createMarks } from '../../../src/runtime/wallet/createMarks.ts';

const MINUTE_MS = 60_000;

test('a bar is awaited while others of its instant have arrived, and not beyond that instant', () => {
  const marks = createMarks();
  const [one, other, slow] = [
    marks.follow('BTC', '1m'),
    marks.follow('ETH', '1m'),
    marks.follow('SOL', '5m'),
  ];
  const close = (minute: number) => ({ time: (minute - 1) * MINUTE_MS, close: 1 });
  expect(marks.isAwaited('BTC')).toBe(false);
  one(close(5));
  other(close(5));
  slow({ time: 0, close: 1 });
  one(close(6));
  expect(marks.isAwaited('BTC')).toBe(false);
  expect(marks.isAwaited('ETH')).toBe(true);
  // Its next bar closes at the tenth minute.
  expect(marks.isAwaited('SOL')).toBe(false);
  one(close(7));
  expect(marks.isAwaited('ETH')).toBe(false);
  other(close(7));
  one(close(10));
  expect(marks.isAwaited('SOL')).toBe(true);
  slow({ time: 5 * MINUTE_MS, close: 1 });
  expect(marks.isAwaited('SOL')).toBe(false);
});
