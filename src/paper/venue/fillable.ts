import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from './Account.ts';
import { floorSize, snapSize } from '../../contract/sizes.ts';
import { signOf } from './applyFill.ts';
import { spendableCash } from './margin.ts';
import { remainingOf, type Order } from './Order.ts';

/**
 * Size that an order may still fill at a price: its remainder, or what its position leaves to reduce
 * (RULE-4). Spot is delivered: cash or holdings that were there when the order was placed may have been
 * spent or sold since.
 */
export function fillable(
  engine: EngineState,
  account: Account,
  order: Order,
  price: number,
): number {
  const { record } = order;
  const { kind, size_decimals: decimals } = engine.market.instrument(record.symbol)!;
  // The difference of two large sizes misses a whole step by more than `floorSize` forgives.
  const remaining = snapSize(remainingOf(order), decimals);
  if (record.reduce_only) return Math.min(remaining, reducible(account, record));
  if (kind !== 'spot') return remaining;
  if (record.side === 'sell') return Math.min(remaining, reducible(account, record));
  return Math.min(remaining, floorSize(payable(engine, account, order, price), decimals));
}

/** Size that the cash can pay, fees included; the order may spend the cash that it holds itself. */
function payable(engine: EngineState, account: Account, order: Order, price: number): number {
  const held = (order.record.price ?? 0) * remainingOf(order);
  const available = spendableCash(engine, account) + held;
  return available / (price * spotCost(engine, order.record.symbol));
}

/** Cost of a unit of spot, fees included, as a multiple of its price. */
export function spotCost({ settings }: EngineState, symbol: string): number {
  const { takerBps, serviceBps } = settings.fees.get(symbol)!;
  // The service's highest tier is below 1 bps; a configured fee is used as it is, with the same reserve.
  const service = serviceBps === null ? 1 : serviceBps + 0.2;
  return 1 + (takerBps + service) / 10_000;
}

/** The reason why nothing more of an open order can fill. */
export function exhaustedReason({ record }: Order): 'nothing_to_reduce' | 'insufficient_balance' {
  return record.reduce_only ? 'nothing_to_reduce' : 'insufficient_balance';
}

/** Size that an order of this side would close rather than open. */
export function reducible(
  account: Account,
  { symbol, side }: { symbol: string; side: 'buy' | 'sell' },
): number {
  const size = account.positions.get(symbol)?.size ?? account.holdings.get(symbol)?.size ?? 0;
  return Math.max(0, -signOf(side) * size);
}

/** The reason why an order did not fill completely. */
export type Shortfall = ReturnType<typeof exhaustedReason> | 'volume' | 'price_bound';
