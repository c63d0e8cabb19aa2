import type { PositionRecord } from '../contract/index.ts';

/**
 * A spot balance in the shape of a position: long, without profit, its entry the mark at its last change, since a
 * balance has none.
 *
 * @param price the mark, quote units
 * @param time of the change, epoch milliseconds
 */
export function spotPosition(
  symbol: string,
  { size, price, time }: { size: number; price: number; time: number },
): PositionRecord {
  return {
    symbol,
    side: 'long',
    size,
    entry_price: price,
    mark_price: price,
    notional: size * price,
    unrealized_pnl: 0,
    realized_pnl: 0,
    opened_time: time,
    updated_time: time,
  };
}
