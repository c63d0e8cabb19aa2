import { expect, test } from 'vitest';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createReferences } from '../../../src/runtime/wallet/createReferences.ts';

/** A wallet in which others hold two of an asset that the bot does not follow. */
const book = {
  positionRecord: () => undefined,
  openOrders: () => [],
  liveExecutions: () => [],
  entryMonitors: () => [],
  position: () => 2,
};

test.each([
  [3, 3],
  // Worth nothing it would pass every limit.
  [0, undefined],
  [-1, undefined],
])('a mark of %s is the price %s', async (mark, price) => {
  const references = createReferences({
    bookOf: () => book as never,
    budget: { admit: () => ({ admitted: true }), spend: () => {} } as never,
    dialect: defaultDialect,
    market: { now: () => 0 },
    request: () => ({
      kind: 'answered',
      response: { status: 200, headers: {}, body: { mark, bid: 1, ask: 1, last: 1 } },
    }),
  });
  references.of('main', 'PURR/USDC');
  expect(references.of('main', 'PURR/USDC')).toEqual({ what: 'a holding of 2', price });
});
