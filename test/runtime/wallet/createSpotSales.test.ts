import { expect, test } from 'vitest';
import { placeOrder } from '../../../src/intents/index.ts';
import { INTENT_STATES } from '../../../src/journal/index.ts';
import { createSpotSales, saleOf } from '../../../src/runtime/wallet/createSpotSales.ts';
import type { Emission } from '../../../src/strategy/index.ts';

const HYPE = 'HYPE/USDC';
const emissionOf = (decisionKey: string): Emission =>
  ({
    intent: placeOrder.market({ symbol: HYPE, side: 'sell', size: 1, reduce_only: true }),
    instance: 'operator',
    wallet: 'main',
    decisionKey,
  }) as Emission;

test.each(INTENT_STATES)(
  'a sale that is %s may be repeated only if nothing of it is left',
  (state) => {
    const sales = createSpotSales();
    const one = emissionOf('one');
    sales.begin(one, saleOf(one)!);
    sales.follow(one, saleOf(one)!, state);
    const isOver = ['accepted', 'denied', 'rejected', 'expired', 'absent'].includes(state);
    expect(sales.isUnderWay('main', HYPE)).toBe(!isOver);
    expect(sales.isUnderWay('second', HYPE)).toBe(false);
  },
);
