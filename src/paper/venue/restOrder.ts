import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from './Account.ts';
import { floorSize } from '../../contract/sizes.ts';
import { applyFill } from './applyFill.ts';
import { closeOrder, withdraw } from './closeOrder.ts';
import { fillable, exhaustedReason } from './fillable.ts';
import { isOpen, type Order } from './Order.ts';

/**
 * Puts a limit order on the book: it waits for the path to trade through its price. If the mark is
 * already beyond it (inside the spread), the next trade is the first that counts.
 *
 * @param crosses the liquidity that it could not take at once is still in its way, unless the book was
 *   recorded: then it has taken all of it
 */
export function restOrder(engine: EngineState, order: Order, crosses: boolean): void {
  withdraw(engine, order);
  const { market } = engine;
  const { record } = order;
  const { path, book } = market.at(record.symbol);
  const { nextTradeTime } = path;
  order.takesAt = crosses && book === null ? nextTradeTime : null;
  order.watch = market.watch({
    symbol: record.symbol,
    price: record.price!,
    side: record.side === 'buy' ? 'below' : 'above',
    passed: !engine.settings.touchFills,
    topic: 'order',
    wallet: order.wallet,
    id: record.order_id,
  });
  market.sleep(order.watch, nextTradeTime);
}

/**
 * The path traded through a resting order: it fills at its own price, up to its share of the bar's volume
 * and, if trades were recorded, up to their size. The remainder keeps its place and waits for the next
 * trade, or for the next bar's volume.
 */
export function fillResting(engine: EngineState, account: Account, order: Order): void {
  if (!isOpen(order)) return;
  const price = order.record.price!;
  const available = fillable(engine, account, order, price);
  if (available <= 0) {
    closeOrder(engine, account, order, { reason: exhaustedReason(order) });
    return;
  }
  const symbol = engine.market.at(order.record.symbol);
  const { running, barIndex, nextOpenTime, nextTradeTime } = symbol.path;
  const { size_decimals: decimals } = symbol.instrument;
  const watch = order.watch!;
  const left = running ? symbol.volumeLeft(barIndex, order.volumeShare ?? 1) : 0;
  const traded = symbol.tradedLeft(watch);
  const size = floorSize(Math.min(available, left, traded), decimals);
  const waitsForTrade = size < floorSize(Math.min(available, left), decimals);
  const until = waitsForTrade ? nextTradeTime : nextOpenTime + 1;
  if (size < available) engine.market.sleep(watch, until);
  if (size <= 0) return;
  symbol.useVolume(barIndex, size);
  symbol.useTraded(watch, size);
  const liquidity = order.takesAt === engine.market.now ? 'taker' : 'maker';
  applyFill(engine, account, order, { price, size, liquidity });
  const isExhausted = size >= available || fillable(engine, account, order, price) <= 0;
  if (isOpen(order) && isExhausted) {
    closeOrder(engine, account, order, { reason: exhaustedReason(order) });
  }
}
