import { BPS, isWithin, offsetPrice } from '../../contract/bounds.ts';
import type { Side } from '../../contract/index.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { Account } from './Account.ts';
import { snapSize } from '../../contract/sizes.ts';
import { signOf } from './applyFill.ts';
import { reducible, spotCost, type Shortfall } from './fillable.ts';
import { closeOrder } from './closeOrder.ts';
import { availableMargin, heldBase, marginFor, spendableCash, type Candidate } from './margin.ts';
import { isOpen, type Order, type PriceFromResolution } from './Order.ts';
import { publishOrder } from './publish.ts';
import { publishHeldAfter } from './publishHeldAfter.ts';
import { restOrder } from './restOrder.ts';
import { takeLiquidity } from './takeLiquidity.ts';

/** An order of valid shape; the live checks happen here (RULE-3). */
export interface OrderSpec {
  symbol: string;
  side: Side;
  size: number;
  /** null: a market order. */
  price: number | null;
  timeInForce: 'gtc' | 'ioc' | 'post_only' | null;
  /** Market orders: the largest distance from the mark that they may pay; null: any price. */
  slippageBps: number | null;
  reduceOnly: boolean;
  clientOrderId?: string | null;
  idempotencyKey?: string | null;
  executionId?: string | null;
  priceFrom?: PriceFromResolution | null;
  /** Share of a bar's volume; absent: the venue's; null: no cap. */
  volumeShare?: number | null | undefined;
  /** As of {@link Order.persistent}. */
  persistent?: boolean;
  request: unknown;
}

/** All checks that can refuse the order, on live data and before anything changes. */
export function checkOrder(engine: EngineState, account: Account, spec: OrderSpec): void {
  const { market } = engine;
  const { instrument, path } = market.at(spec.symbol);
  const touch = touchFor(engine, spec);
  const price = spec.price ?? touch;
  const value = spec.size * price;
  if (
    !spec.reduceOnly &&
    (spec.executionId ?? null) === null &&
    !isWithin(instrument.min_order_value, value)
  ) {
    const details = { minimum: instrument.min_order_value, value };
    throw new ServiceError('below_order_minimum', { details });
  }
  if (spec.reduceOnly && reducible(account, spec) <= 0) {
    const { symbol, side } = spec;
    throw new ServiceError('no_position', {
      message: `A reduce-only ${side} of ${symbol} has no position to reduce.`,
      asPrecondition: true,
      details: { symbol: spec.symbol },
    });
  }
  if (spec.timeInForce === 'post_only' && crosses(engine, spec.symbol, spec.side, price)) {
    throw new ServiceError('would_cross', { details: { price, touch, mark: path.mark } });
  }
  if (spec.reduceOnly) return;
  const { symbol, side, size } = spec;
  checkFunds(engine, account, { symbol, side, size, price });
}

export function crosses(engine: EngineState, symbol: string, side: Side, price: number): boolean {
  const { bid, ask } = engine.market.at(symbol).touch();
  return side === 'buy' ? price >= ask : price <= bid;
}

/** The price at which an order enters: its limit, or the best price if it takes at once. */
export function entryPrice(
  engine: EngineState,
  { symbol, side, price }: Pick<OrderSpec, 'symbol' | 'side' | 'price'>,
): number {
  const isResting = price !== null && !crosses(engine, symbol, side, price);
  return isResting ? price : touchFor(engine, { symbol, side });
}

function touchFor(
  engine: EngineState,
  { symbol, side }: Pick<OrderSpec, 'symbol' | 'side'>,
): number {
  const { bid, ask } = engine.market.at(symbol).touch();
  return side === 'buy' ? ask : bid;
}

/** Margin for perpetuals, cash or holdings for spot; closing always fits. */
function checkFunds(engine: EngineState, account: Account, order: Candidate): void {
  const { fits, code, ...details } = fundsFor(engine, account, order);
  if (!fits) throw new ServiceError(code, { details });
}

/** What an order needs beside those that are there, and what there is for it. */
export interface Funds {
  required: number;
  available: number;
  fits: boolean;
  /** Of its refusal. */
  code: 'insufficient_margin' | 'insufficient_balance';
}

export function fundsFor(engine: EngineState, account: Account, order: Candidate): Funds {
  if (engine.market.instrument(order.symbol)!.kind === 'spot') {
    return balanceFor(engine, account, order);
  }
  const { used, required } = marginFor(engine, account, {
    ...order,
    price: dearest(engine, order),
  });
  const available = availableMargin(engine, account, used);
  const fits = required <= 0 || isWithin(required, available);
  return { required, available, fits, code: 'insufficient_margin' };
}

/** A sale below the bid takes at the bid, and its position needs the margin of that price. */
function dearest(engine: EngineState, { symbol, side, price }: Candidate): number {
  return side === 'buy' ? price : Math.max(price, touchFor(engine, { symbol, side }));
}

function balanceFor(
  engine: EngineState,
  account: Account,
  { symbol, side, size, price }: Candidate,
): Funds {
  const [required, available] =
    side === 'buy'
      ? [size * price * spotCost(engine, symbol), spendableCash(engine, account)]
      : [size, sellable(engine, account, symbol)];
  // All the cash can be spent, despite the rounding error of the difference.
  return { required, available, fits: required <= available + 1e-9, code: 'insufficient_balance' };
}

/** The holding, less what resting sells hold; without the rounding error of the difference. */
function sellable(engine: EngineState, account: Account, symbol: string): number {
  const { size_decimals: decimals } = engine.market.instrument(symbol)!;
  const held = account.holdings.get(symbol)?.size ?? 0;
  return snapSize(held - heldBase(account, symbol), decimals);
}

/**
 * Checks an order and places it: first it takes what it may, then it rests, waits or ends. Throws a
 * refusal before anything has changed.
 */
export function placeOrder(engine: EngineState, account: Account, spec: OrderSpec): Order {
  checkOrder(engine, account, spec);
  return enterOrder(engine, account, createOrder(engine, account, spec), () => {});
}

/** Places a checked order; `prepare` attaches its legs or watch before it can fill. */
export function enterOrder(
  engine: EngineState,
  account: Account,
  order: Order,
  prepare: (order: Order) => void,
): Order {
  publishHeldAfter(engine, account, order, () => enter(engine, account, order, prepare));
  return order;
}

function enter(
  engine: EngineState,
  account: Account,
  order: Order,
  prepare: (order: Order) => void,
): void {
  const { record } = order;
  account.orders.add(record.order_id, order);
  account.openOrders.set(record.order_id, order);
  if (record.client_order_id !== null) {
    account.clientOrderIds.set(record.client_order_id, record.order_id);
  }
  prepare(order);
  order.placing = true;
  const isTaker =
    record.price === null || crosses(engine, record.symbol, record.side, record.price);
  const shortfall = isTaker ? takeLiquidity(engine, account, order) : null;
  if (isOpen(order)) settleRest(engine, account, order, shortfall);
  order.placing = false;
  publishOrder(engine, account, order);
}

/**
 * The unfilled remainder rests, waits for the liquidity that comes next, or is cancelled with a reason.
 */
function settleRest(
  engine: EngineState,
  account: Account,
  order: Order,
  shortfall: Shortfall | null,
): void {
  const { record } = order;
  if (order.persistent) waitForMore(engine, account, order);
  else if (record.price === null || record.time_in_force === 'ioc') {
    closeOrder(engine, account, order, { reason: shortfall ?? 'price_bound' });
  } else restOrder(engine, order, shortfall !== null);
}

/** An exit whose position is closed does not wait: it would close the next one. */
function waitForMore(engine: EngineState, account: Account, order: Order): void {
  if (reducible(account, order.record) <= 0) {
    closeOrder(engine, account, order, { reason: 'nothing_to_reduce' });
    return;
  }
  const { symbol, order_id } = order.record;
  order.waiting = engine.at(nextLiquidityTime(engine, symbol), 'exit', order.wallet, order_id);
}

/** The next closed bar, or the next change of a recorded book; Infinity at the end of the feed. */
export function nextLiquidityTime({ market }: EngineState, symbol: string): number {
  const closeTime = market.nextCloseTime(symbol, market.feedInterval(symbol));
  return Math.min(closeTime, market.at(symbol).book?.nextTime ?? Infinity);
}

/**
 * The timer of an exit: the next closed bar with its share of volume, or the next change of a recorded
 * book.
 */
export function resumeExit(engine: EngineState, account: Account, order: Order): void {
  order.waiting = null;
  if (!isOpen(order)) return;
  takeLiquidity(engine, account, order);
  if (isOpen(order)) waitForMore(engine, account, order);
}

/** A market order's bound: its slippage from the mark; null if it takes any price. */
function boundOf({ side, slippageBps }: OrderSpec, mark: number): number | null {
  return slippageBps === null ? null : offsetPrice(mark, signOf(side) * slippageBps, BPS);
}

export function createOrder(engine: EngineState, account: Account, spec: OrderSpec): Order {
  const { now } = engine.market;
  const mark = engine.market.mark(spec.symbol);
  const isMarket = spec.price === null;
  return {
    wallet: account.wallet,
    bound: isMarket ? boundOf(spec, mark) : spec.price,
    volumeShare: spec.volumeShare === undefined ? engine.settings.volumeShare : spec.volumeShare,
    persistent: spec.persistent ?? false,
    filledNotional: 0,
    watch: null,
    waiting: null,
    legIds: [],
    entryTrack: null,
    takesAt: null,
    priceFrom: spec.priceFrom ?? null,
    placing: false,
    record: {
      order_id: engine.nextId('ord'),
      client_order_id: spec.clientOrderId ?? null,
      idempotency_key: spec.idempotencyKey ?? null,
      execution_id: spec.executionId ?? null,
      symbol: spec.symbol,
      side: spec.side,
      size: spec.size,
      filled_size: 0,
      average_price: null,
      price: spec.price,
      order_type: isMarket ? 'market' : 'limit',
      time_in_force: spec.timeInForce,
      reduce_only: spec.reduceOnly,
      status: 'open',
      created_time: now,
      updated_time: now,
      reject_reason: null,
      request: spec.request,
    },
  };
}
