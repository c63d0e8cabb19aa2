import type { Side } from '../../contract/index.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { Account, PnlRow, Position } from './Account.ts';
import { averageAfter } from '../../contract/averageAfter.ts';
import { snapSize } from '../../contract/sizes.ts';
import { DAY_MS } from '../../contract/durations.ts';
import type { Fill } from './Fill.ts';
import { withdraw } from './closeOrder.ts';
import { dropMarginWatch, watchMargin } from './marginWatch.ts';
import { leverageOf } from './margin.ts';
import { isOpen, type Order } from './Order.ts';
import { publishAccount, publishBalance, publishOrder, publishPosition } from './publish.ts';
import { feeTier } from './VolumeWindow.ts';

export const signOf = (side: Side): 1 | -1 => (side === 'buy' ? 1 : -1);

/**
 * Books one fill: fees by the tier of the volume before it (ACC-2), cash, position or holding, the order,
 * the day's row. Every amount that leaves one account arrives in another, so that equity = deposits +
 * realized + unrealized − fees − funding at any time.
 */
export function applyFill(
  engine: EngineState,
  account: Account,
  order: Order,
  execution: { price: number; size: number; liquidity: 'maker' | 'taker' },
): Fill {
  const fill = recordFill(engine, account, order, execution);
  const before = heldSize(account, fill.symbol);
  settle(engine, account, fill);
  progressOrder(engine, order, fill);
  account.openOrders.changed(order);
  account.fills.add(fill.fill_id, fill);
  if (!isOpen(order)) {
    withdraw(engine, order);
    account.openOrders.delete(order.record.order_id);
  }
  publishAccount(engine, account, 'fill', () => ({ ...fill }));
  // The frame of an entry shows its legs as this fill leaves them; no fill of an entry moves an execution.
  const isEntry = order.legIds.length > 0;
  if (isEntry) engine.reactions.onFill(account, order, fill);
  if (!order.placing) publishOrder(engine, account, order);
  publishPosition(engine, account, fill.symbol);
  publishBalance(engine, account, fill.symbol);
  watchMargin(engine, account);
  if (!isEntry) engine.reactions.onFill(account, order, fill);
  engine.reactions.onPositionChanged(account, fill.symbol);
  const hasEnded = before !== 0 && before * heldSize(account, fill.symbol) <= 0;
  if (hasEnded) engine.reactions.onPositionEnded(account, fill.symbol, order);
  if (!isOpen(order)) engine.reactions.onOrderClosed(account, order);
  return fill;
}

/** Signed; a symbol is held as a position or, if it is spot, as a holding. */
const heldSize = ({ positions, holdings }: Account, symbol: string): number =>
  positions.get(symbol)?.size ?? holdings.get(symbol)?.size ?? 0;

function recordFill(
  engine: EngineState,
  account: Account,
  order: Order,
  { price, size, liquidity }: { price: number; size: number; liquidity: 'maker' | 'taker' },
): Fill {
  const { record } = order;
  const { now } = engine.market;
  const notional = price * size;
  const fees = engine.settings.fees.get(record.symbol)!;
  const venueBps = liquidity === 'maker' ? fees.makerBps : fees.takerBps;
  const venueFee = (notional * venueBps) / 10_000;
  const serviceBps = fees.serviceBps ?? feeTier(account.volume.at(now)).tier.bps;
  const serviceFee = (notional * serviceBps) / 10_000;
  return {
    fill_id: engine.nextId('fil'),
    order_id: record.order_id,
    client_order_id: record.client_order_id,
    execution_id: record.execution_id,
    symbol: record.symbol,
    side: record.side,
    price,
    size,
    notional,
    fee: venueFee + serviceFee,
    venue_fee: venueFee,
    service_fee: serviceFee,
    liquidity,
    reduce_only: record.reduce_only,
    closed_pnl: 0,
    time: now,
  };
}

function settle(engine: EngineState, account: Account, fill: Fill): void {
  const instrument = engine.market.instrument(fill.symbol)!;
  const spot = instrument.kind === 'spot';
  const book = spot ? account.holdings : account.positions;
  const delta = signOf(fill.side) * fill.size;
  const held = book.get(fill.symbol);
  const isIsolated = !spot && account.isolated.has(fill.symbol);
  fill.closed_pnl = movePosition(book, fill, {
    delta,
    decimals: instrument.size_decimals,
    marginRate: isIsolated ? 1 / leverageOf(engine, account, fill.symbol) : null,
  });
  if (held?.size === 0) dropMarginWatch(engine, held);
  account.cash += spot ? -signOf(fill.side) * fill.notional : fill.closed_pnl;
  account.cash -= fill.fee;
  account.realizedPnl += fill.closed_pnl;
  account.feesPaid += fill.fee;
  account.volume.add(fill.time, fill.notional);
  const row = pnlRow(account, fill.symbol, fill.time);
  row.realized_pnl += fill.closed_pnl;
  row.fees += fill.fee;
  row.volume += fill.notional;
}

/** Moves the net position and returns the profit of the closed part. */
function movePosition(
  book: Map<string, Position>,
  fill: Fill,
  { delta, decimals, marginRate }: { delta: number; decimals: number; marginRate: number | null },
): number {
  const position = book.get(fill.symbol) ?? openPosition(fill);
  const before = position.size;
  const closing = before * delta < 0 ? Math.min(Math.abs(before), Math.abs(delta)) : 0;
  const profit = (fill.price - position.entryPrice) * Math.sign(before);
  // Never −0, so that a record equals its JSON.
  const closedPnl = closing === 0 || profit === 0 ? 0 : closing * profit;
  const after = snapSize(before + delta, decimals);
  if (closing > 0) scaleEntry(position, (Math.abs(before) - closing) / Math.abs(before));
  // Before what is opened: a reversed position has earned nothing yet.
  position.realizedPnl += closedPnl;
  const opened = Math.abs(delta) - closing;
  if (opened > 0 && after !== 0) {
    addEntry(position, fill, opened);
    // An isolated position allocates its initial margin, and releases it as it closes.
    if (marginRate !== null)
      position.margin = (position.margin ?? 0) + opened * fill.price * marginRate;
  }
  position.size = after;
  position.updatedTime = fill.time;
  if (after === 0) book.delete(fill.symbol);
  else book.set(fill.symbol, position);
  return closedPnl;
}

function openPosition(fill: Fill): Position {
  return {
    symbol: fill.symbol,
    size: 0,
    entryPrice: 0,
    realizedPnl: 0,
    openedTime: fill.time,
    updatedTime: fill.time,
    entryFees: 0,
    entryNotional: 0,
    makerNotional: 0,
    margin: null,
    marginWatch: null,
  };
}

function scaleEntry(position: Position, share: number): void {
  position.entryFees *= share;
  position.entryNotional *= share;
  position.makerNotional *= share;
  if (position.margin !== null) position.margin *= share;
}

function addEntry(position: Position, fill: Fill, size: number): void {
  const flipped = position.size * signOf(fill.side) < 0;
  const held = flipped ? 0 : Math.abs(position.size);
  const before = held === 0 ? null : position.entryPrice;
  const notional = held * position.entryPrice + size * fill.price;
  position.entryPrice = averageAfter(before, fill.price, notional, held + size);
  if (flipped) {
    scaleEntry(position, 0);
    position.openedTime = fill.time;
    position.realizedPnl = 0;
  }
  position.entryFees += (fill.fee * size) / fill.size;
  position.entryNotional += size * fill.price;
  if (fill.liquidity === 'maker') position.makerNotional += size * fill.price;
}

function progressOrder(engine: EngineState, order: Order, fill: Fill): void {
  const { record } = order;
  const decimals = engine.market.instrument(record.symbol)!.size_decimals;
  record.filled_size = snapSize(record.filled_size + fill.size, decimals);
  order.filledNotional += fill.notional;
  const { average_price: before, filled_size: filled } = record;
  record.average_price = averageAfter(before, fill.price, order.filledNotional, filled);
  record.updated_time = fill.time;
  if (record.filled_size >= record.size) record.status = 'filled';
}

/** `YYYY-MM-DD`, UTC. */
export const dayName = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** The row of a symbol and UTC day; created when it is first needed. */
export function pnlRow(account: Account, symbol: string, time: number): PnlRow {
  // A day is a number until it is returned: to format a date at each fill is costly.
  const key = `${Math.floor(time / DAY_MS)}|${symbol}`;
  let row = account.pnl.get(key);
  if (row === undefined) {
    row = {
      day: dayName(time),
      symbol,
      realized_pnl: 0,
      unrealized_pnl: 0,
      fees: 0,
      funding: 0,
      volume: 0,
    };
    account.pnl.set(key, row);
  }
  return row;
}
