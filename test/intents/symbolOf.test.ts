import { expect, test } from 'vitest';
import type { Intent } from '../../src/intents/index.ts';
import { symbolOf } from '../../src/intents/symbolOf.ts';

test.each([
  [{ kind: 'close_position', symbol: 'BTC', request: { symbol: 'ETH' } }, 'BTC'],
  [{ kind: 'place_order', request: { symbol: 'ETH' } }, 'ETH'],
  // What a plugin in plain JavaScript wrote may be of any form, and is shown all the same.
  [{ kind: 'close_position', symbol: undefined, request: { symbol: 'ETH' } }, 'ETH'],
  [{ kind: 'bulk_cancel', symbol: undefined, request: {} }, ''],
  [{ kind: 'bulk_cancel', symbol: 5 }, ''],
  [{ kind: 'launch_basket', request: { legs: [{ symbol: 'BTC' }] } }, ''],
  [{ kind: 'place_order', request: { symbol: 7 } }, ''],
  [{ kind: 'place_order', request: null }, ''],
  [{ kind: 'cancel_order', order: { order_id: 'ord_1' } }, ''],
])('the symbol of %o is named if there is one: %s', (intent, symbol) => {
  expect(symbolOf(intent as unknown as Intent)).toBe(symbol);
});
