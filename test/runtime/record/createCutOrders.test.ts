import { expect, test } from 'vitest';
import { closePosition, placeOrder, type Intent } from '../../../src/intents/index.ts';
import type { PipeEvent } from '../../../src/runtime/PipeEvent.ts';
import { createCutOrders } from '../../../src/runtime/record/createCutOrders.ts';

const market = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 4 });
const limit = placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 4, price: 100 });

test('market orders of which a rest was cancelled are counted, with the share that filled on average', () => {
  const made = createCutOrders();
  expect(made.cut).toEqual({ count: 0, filledShare: 0 });
  const answer = (intent: Intent, filled_size: number, more: object = {}): void =>
    made.follow({
      state: 'accepted',
      emission: { intent },
      record: { status: 'cancelled', size: 4, filled_size },
      ...more,
    } as unknown as PipeEvent);
  answer(market, 1);
  answer(market, 3);
  answer(market, 0);
  const cut = { count: 3, filledShare: (0.25 + 0.75) / 3 };
  expect(made.cut).toEqual(cut);
  // None of these was cut: a limit order is cancelled by whoever wants that, and the others are whole, or not sent.
  answer(limit, 1);
  answer(market, 4);
  answer(market, 1, { record: { status: 'filled', size: 4, filled_size: 1 } });
  answer(market, 1, { state: 'rejected' });
  answer(market, 1, { record: undefined });
  answer(closePosition.atMarket('BTC'), 1, { record: null });
  expect(made.cut).toEqual(cut);
});
