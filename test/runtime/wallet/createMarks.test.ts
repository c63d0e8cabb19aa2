import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMarks } from '../../../src/runtime/wallet/createMarks.ts';
import { holdLaw } from '../../holdLaw.ts';

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

const INTERVALS = { BTC: '1m', ETH: '1m', SOL: '5m' } as const;
const MINUTES = { BTC: 1, ETH: 1, SOL: 5 } as const;
const name = fc.constantFrom('BTC' as const, 'ETH' as const, 'SOL' as const);
const step = fc.oneof(
  // A bar that comes late closes before the newest close of all.
  fc.record({ bar: name, opened: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ waits: name }),
);

test('the newest close is that of all symbols, whichever bar comes last, and who waits is called once', async () => {
  await holdLaw(1_000, fc.array(step, { maxLength: 14 }), (steps) => {
    const marks = createMarks();
    const take = Object.fromEntries(
      Object.entries(INTERVALS).map(([symbol, interval]) => [
        symbol,
        marks.follow(symbol, interval),
      ]),
    );
    const closes = new Map<string, number>();
    const called: string[] = [];
    const waiting: string[] = [];
    let newest = 0;
    for (const one of steps) {
      if ('waits' in one) {
        waiting.push(one.waits);
        marks.whenKnown(one.waits, () => void called.push(one.waits));
      } else {
        take[one.bar]!({ time: one.opened * MINUTE_MS, close: one.opened });
        const close = one.opened + MINUTES[one.bar];
        closes.set(one.bar, close);
        newest = Math.max(newest, close);
      }
      expect(called.toSorted()).toEqual(waiting.filter((of) => closes.has(of)).toSorted());
      for (const [symbol, minutes] of Object.entries(MINUTES)) {
        const close = closes.get(symbol);
        expect(marks.of(symbol)?.time).toBe(close === undefined ? undefined : close * MINUTE_MS);
        expect(marks.isAwaited(symbol)).toBe(close !== undefined && close + minutes === newest);
      }
    }
  });
});
