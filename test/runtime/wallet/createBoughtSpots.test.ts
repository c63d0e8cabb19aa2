import { expect, test } from 'vitest';
import type { FillRecord } from '../../../src/contract/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { createBoughtSpots } from '../../../src/runtime/wallet/createBoughtSpots.ts';

test('sums of fills have no binary tail, which would cost a lot', () => {
  const spots = createBoughtSpots({
    store: createMemoryStore(),
    isOwn: () => true,
    onFatal: (error) => {
      throw error;
    },
  });
  for (const [at, size] of [0.1, 0.2].entries()) {
    const side = size > 0 ? 'buy' : 'sell';
    spots.fill('main', {
      fill_id: `f${at}`,
      order_id: `o${at}`,
      symbol: 'HYPE/USDC',
      side,
      size: Math.abs(size),
      time: at,
    } as FillRecord);
  }
  expect(0.1 + 0.2).not.toBe(0.3);
  expect(spots.size('main', 'HYPE/USDC')).toBe(0.3);
});
