import { expect, test } from 'vitest';
import { agrees } from '../../../src/runtime/wallet/confirmSnapshots.ts';
import type { AccountModel } from '../../../src/streams/index.ts';
import { order, position } from '../../streams/records.ts';

const viewOf = (side: string, size: number, filled_size: number, symbol = 'BTC'): AccountModel =>
  ({
    positions: new Map([[symbol, { ...position(size, symbol), side }]]),
    openOrders: new Map([['o', { ...order('o'), filled_size }]]),
  }) as never;

test('two views agree on positions with their side, and on what open orders have filled', () => {
  const view = viewOf('long', 1, 0);
  expect(agrees(view, viewOf('long', 1, 0))).toBe(true);
  // The same size, shown as its opposite: the second view confirms nothing.
  expect(agrees(view, viewOf('short', 1, 0))).toBe(false);
  expect(agrees(view, viewOf('long', 2, 0))).toBe(false);
  expect(agrees(view, viewOf('long', 1, 0, 'ETH'))).toBe(false);
  expect(agrees(view, viewOf('long', 1, 0.5))).toBe(false);
  expect(agrees(view, { ...view, openOrders: new Map() })).toBe(false);
  expect(agrees({ ...view, positions: new Map() }, view)).toBe(false);
});
