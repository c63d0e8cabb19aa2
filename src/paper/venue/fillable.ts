import { signOf } from './applyFill.ts';
import type { Account } from './Account.ts';
import { remainingOf, type Order } from './Order.ts';

/** What an order may still fill: all of it, or what its position leaves to reduce (RULE-4). */
export function fillable(account: Account, order: Order): number {
  const { record } = order;
  const remaining = remainingOf(order);
  return record.reduce_only ? Math.min(remaining, reducible(account, record)) : remaining;
}

/** Size that an order of this side would close rather than open. */
export function reducible(
  account: Account,
  { symbol, side }: { symbol: string; side: 'buy' | 'sell' },
): number {
  const size = account.positions.get(symbol)?.size ?? account.holdings.get(symbol)?.size ?? 0;
  return Math.max(0, -signOf(side) * size);
}

/** What kept an order from filling whole. */
export type Shortfall = 'nothing_to_reduce' | 'volume' | 'price_bound';

/** Impact stops growing at this share of a bar, so that no size pays a price below zero. */
export const MAX_IMPACT_SHARE = 100;

/** A size's share of a bar's volume; on an empty bar it counts as 1. */
export function shareOf(size: number, volume: number): number {
  return volume === 0 ? 1 : Math.min(MAX_IMPACT_SHARE, size / volume);
}
