import type { Side } from '../../contract/index.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { SymbolMarket } from '../market/SymbolMarket.ts';
import type { Account } from './Account.ts';
import { floorSize } from '../../contract/sizes.ts';
import { applyFill, signOf } from './applyFill.ts';
import { fillable, exhaustedReason, type Shortfall } from './fillable.ts';
import { impactOf, sizeInside } from './impactOf.ts';
import { remainingOf, type Order } from './Order.ts';
import { sizeInBook, walkBook } from './walkBook.ts';

/**
 * Takes at the best price on the last closed bar's volume, at best price × (1 ± impact × share of that
 * volume), inside the order's bound and its share of the volume (conventions §6). The caller decides
 * whether the remainder rests, waits or is cancelled. If the book was recorded, it walks the book's
 * levels instead.
 */
export function takeLiquidity(engine: EngineState, account: Account, order: Order): Shortfall {
  const symbol = engine.market.at(order.record.symbol);
  const { book } = symbol;
  if (book !== null) return walkBook(engine, account, order, book);
  const taker = describeTaker(engine, symbol, order.record.side, order);
  const { closedIndex, closedVolume } = symbol.path;
  const priceOf = (size: number): number =>
    taker.touch * (1 + taker.sign * impactOf(engine, size, closedVolume));
  const offered = Math.min(taker.volumeLeft, taker.sizeInsideBound);
  const wanted = fillable(engine, account, order, priceOf(Math.min(remainingOf(order), offered)));
  const size = floorSize(Math.min(wanted, offered), symbol.instrument.size_decimals);
  if (size > 0) {
    symbol.useVolume(closedIndex, size);
    applyFill(engine, account, order, { price: priceOf(size), size, liquidity: 'taker' });
  }
  if (wanted <= offered) return exhaustedReason(order);
  return taker.volumeLeft < taker.sizeInsideBound ? 'volume' : 'price_bound';
}

/** Size that the market offers a taker at once, inside a bound and a share of the volume. */
export function offeredSize(
  engine: EngineState,
  taker: { symbol: string; side: Side } & TakerLimits,
): number {
  const symbol = engine.market.at(taker.symbol);
  if (symbol.book !== null) return sizeInBook(symbol.book, taker);
  const { volumeLeft, sizeInsideBound } = describeTaker(engine, symbol, taker.side, taker);
  return Math.min(volumeLeft, sizeInsideBound);
}

/** null: no bound, no cap. */
interface TakerLimits {
  bound: number | null;
  volumeShare: number | null;
}

function describeTaker(engine: EngineState, symbol: SymbolMarket, side: Side, limits: TakerLimits) {
  const { bid, ask } = symbol.touch();
  const sign = signOf(side);
  const touch = sign > 0 ? ask : bid;
  const { closedIndex, closedVolume } = symbol.path;
  const volumeLeft =
    limits.volumeShare === null ? Infinity : symbol.volumeLeft(closedIndex, limits.volumeShare);
  const sizeInsideBound = sizeInside(engine, { touch, bound: limits.bound, sign }, closedVolume);
  return { sign, touch, volumeLeft, sizeInsideBound };
}
