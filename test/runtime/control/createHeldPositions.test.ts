/** What counts as a position: at the least step and the least order of an instrument, and below them. */
import { describe, expect, test } from 'vitest';
import { createHeldPositions } from '../../../src/runtime/control/createHeldPositions.ts';

const SPOT = 'HYPE/USDC';
const STEP = 0.01;
const LEAST = 10;

/** A wallet that holds this much of a spot asset, at a price of 100, of which the bot bought a part. */
function open(size: number, bought?: number) {
  return createHeldPositions({
    plan: { instruments: [{ symbol: SPOT, size_decimals: 2, min_order_value: LEAST }] } as never,
    bookOf: () =>
      ({
        position: (symbol: string) => (symbol === SPOT ? size : -0.001),
        openPositions: () => [{ symbol: 'BTC' }],
        spotHoldings: () => [{ symbol: SPOT, size, price: 100 }],
      }) as never,
    holdings: { bought: () => bought },
  });
}

describe('of a spot asset', () => {
  test.each([
    [STEP, true],
    [STEP - 1e-9, false],
    [0, false],
    [5, true],
  ])('%d is held: %s', (size, isHeld) => {
    const held = open(size);
    expect([held.isHeld('main', SPOT), held.isLeft('main', SPOT)]).toEqual([isHeld, isHeld]);
    // Of what others hold in the wallet nothing is the bot's.
    const others = open(5, size);
    expect([others.isHeld('main', SPOT), others.isLeft('main', SPOT)]).toEqual([isHeld, true]);
  });

  test.each([
    [0.1, undefined, false],
    [0.09, undefined, true],
    [5, 0.1, false],
    [5, 0.09, true],
  ])('of %d, %s of them bought, nothing can be sold: %s', (size, bought, isDust) => {
    expect(open(size, bought).isDust('main', SPOT)).toBe(isDust);
  });
});

test('a perpetual of any size, of either side, is held, and never too little', () => {
  const held = open(0);
  expect([held.isHeld('main', 'BTC'), held.isLeft('main', 'BTC')]).toEqual([true, true]);
  expect(held.isDust('main', 'BTC')).toBe(false);
  expect(held.symbolsOf('main')).toEqual(['BTC']);
  expect(open(1).symbolsOf('main')).toEqual(['BTC', SPOT]);
});
