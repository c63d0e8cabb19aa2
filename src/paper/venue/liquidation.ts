import type { EngineState, Trade } from '../engine/EngineState.ts';
import type { PriceWatch } from '../market/PriceWatches.ts';
import type { Account, Position } from './Account.ts';
import { closeOrder } from './closeOrder.ts';
import { maintenanceRate, surplusOf } from './margin.ts';
import { watchMargin } from './marginWatch.ts';
import { placeExit } from './placeExit.ts';
import { publishAccount } from './publish.ts';

/**
 * A surplus below this (quote units) counts as zero: marks at whole milliseconds can't hit zero exactly.
 */
const NOTHING = 1e-7;

/**
 * A margin watch was reached, or money left the account: the venue liquidates positions without a surplus
 * and keeps watching the others.
 *
 * @param reached the watch: trades may have reached it in this millisecond and left it again
 */
export function checkMargin(
  engine: EngineState,
  account: Account,
  reached: PriceWatch | null = null,
): void {
  const all = [...account.positions.values()];
  const dip = reached === null ? null : dipOf(engine, account, reached);
  const surplusAtWorst = (position: Position): number =>
    surplusOf(engine, account, position) - lossIn(dip, position);
  const lost = all.filter((position) => surplusAtWorst(position) <= NOTHING);
  if (lost.length === 0) watchMargin(engine, account);
  else liquidate(engine, account, lost);
}

/** What a position's surplus lost at the worst trade of this millisecond, beyond what it lost at the mark. */
interface Dip {
  position: Position;
  loss: number;
}

function dipOf(
  engine: EngineState,
  account: Account,
  { symbol, side, since }: PriceWatch,
): Dip | null {
  const position = account.positions.get(symbol);
  const { path } = engine.market.at(symbol);
  if (position === undefined || since >= path.time) return null;
  const { low, high } = path.extremes;
  const move = (side === 'below' ? low : high) - path.mark;
  const { size } = position;
  return { position, loss: move * (Math.abs(size) * maintenanceRate(engine, symbol) - size) };
}

/** Cross positions share what is left; an isolated one loses its own margin only. */
function lossIn(dip: Dip | null, position: Position): number {
  if (dip === null) return 0;
  const isShared = dip.position.margin === null && position.margin === null;
  return isShared || dip.position === position ? dip.loss : 0;
}

/** Orders and executions end first, then the positions are closed, at the market and at any volume. */
function liquidate(engine: EngineState, account: Account, positions: readonly Position[]): void {
  const reason = 'liquidated';
  const symbols = new Set(positions.map(({ symbol }) => symbol));
  // Isolated positions are liquidated alone; cross ones end all that the account's margin or cash backs.
  const isAll = positions.some(({ margin }) => margin === null);
  const ends = (trade: Trade): boolean =>
    symbols.has(trade.symbol) || (isAll && !onlyCloses(engine, trade));
  for (const order of account.openOrders.values()) {
    if (ends(order.record)) closeOrder(engine, account, order, { reason });
  }
  engine.reactions.onLiquidated(account, ends);
  for (const position of positions) takeOver(engine, account, position);
}

/** It needs neither margin nor cash, and may be the stop of a position or holding that is not liquidated. */
const onlyCloses = (
  engine: EngineState,
  { symbol, side, reduce_only: reduceOnly }: Trade,
): boolean => reduceOnly || (side === 'sell' && engine.market.instrument(symbol)!.kind === 'spot');

function takeOver(engine: EngineState, account: Account, { symbol, size }: Position): void {
  if (size === 0) return;
  const time = engine.market.now;
  publishAccount(engine, account, 'liquidation', () => ({ symbol, size: Math.abs(size), time }));
  placeExit(engine, account, {
    symbol,
    side: size > 0 ? 'sell' : 'buy',
    size: Math.abs(size),
    request: null,
    volumeShare: null,
  });
}
