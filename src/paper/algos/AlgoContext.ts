import { BPS, isWithin, offsetPrice } from '../../contract/bounds.ts';
import {
  toValidPrice,
  type AlgoId,
  type ExecutionPhase,
  type ExecutionReason,
  type InstrumentRecord,
  type LaunchOf,
  type Side,
} from '../../contract/index.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { retireWatch } from '../tracking/retireWatch.ts';
import type { Account } from '../venue/Account.ts';
import { floorSize, snapSize } from '../../contract/sizes.ts';
import { signOf } from '../venue/applyFill.ts';
import { canMove } from '../venue/canMove.ts';
import { closeOrder } from '../venue/closeOrder.ts';
import { moveOrder } from '../venue/modifyOrder.ts';
import { isOpen, type Order } from '../venue/Order.ts';
import { createOrder, crosses, placeOrder, type OrderSpec } from '../venue/placeOrder.ts';
import { publishOrder } from '../venue/publish.ts';
import { offeredSize } from '../venue/takeLiquidity.ts';
import type { Execution } from './Execution.ts';
import { endExecution } from './endExecution.ts';

/** What an algorithm decides of a child order; the rest comes from its launch. */
type ChildOrder = Pick<OrderSpec, 'price' | 'size' | 'timeInForce'> &
  Partial<Pick<OrderSpec, 'slippageBps' | 'volumeShare'>>;

/**
 * What an algorithm sees of the market, and the actions that it can take. Every order that it places
 * carries the launch's key and its reduce-only intent (RULE-4, AUTH-6).
 */
export class AlgoContext<S = unknown, A extends AlgoId = AlgoId> {
  readonly engine: EngineState;
  readonly account: Account;
  readonly execution: Execution;

  constructor(engine: EngineState, account: Account, execution: Execution) {
    this.engine = engine;
    this.account = account;
    this.execution = execution;
  }

  get launch(): LaunchOf<A> {
    return this.execution.spec as LaunchOf<A>;
  }
  get state(): S {
    return this.execution.state as S;
  }
  get now(): number {
    return this.engine.market.now;
  }
  get side(): Side {
    return this.execution.record.side;
  }
  /** +1 for a buy: a price further in this direction is worse. */
  get sign(): 1 | -1 {
    return signOf(this.side);
  }
  get instrument(): InstrumentRecord {
    return this.#symbol.instrument;
  }
  get mark(): number {
    return this.#symbol.path.mark;
  }
  /** Best price on the order's own side, where it can rest. */
  get near(): number {
    const { bid, ask } = this.#symbol.touch();
    return this.side === 'buy' ? bid : ask;
  }
  /** Best price on the other side, where it can take. */
  get far(): number {
    const { bid, ask } = this.#symbol.touch();
    return this.side === 'buy' ? ask : bid;
  }
  /** Length of the feed's own bars. */
  get barMs(): number {
    return this.#symbol.path.intervalMs;
  }
  /** Volume of the last closed bar. */
  get barVolume(): number {
    return this.#symbol.path.closedVolume;
  }
  get nextCornerTime(): number {
    return this.#symbol.path.nextCornerTime();
  }
  get filled(): number {
    return this.execution.record.filled_size;
  }
  get remaining(): number {
    return this.execution.record.remaining_size;
  }
  get isRunning(): boolean {
    return this.execution.record.status === 'running';
  }
  /** The largest size on the grid that does not exceed `size`. */
  floor(size: number): number {
    return floorSize(size, this.instrument.size_decimals);
  }
  /** Whether the value of a size is below the venue's minimum order value. */
  isTooSmall(size: number): boolean {
    return !isWithin(this.instrument.min_order_value, size * this.mark);
  }

  get #symbol() {
    return this.engine.market.at(this.execution.record.symbol);
  }

  /** The resting order, if there is one. */
  get resting(): Order | undefined {
    const { openOrders } = this.account;
    return this.execution.children
      .map((id) => openOrders.get(id))
      .find((order) => order !== undefined);
  }

  /**
   * Rests what remains post-only at a price, by moving the order that rests already. A price that would cross
   * waits, and so does one for which the funds are lacking. The algorithm itself must respect its limit.
   */
  post(price: number): void {
    if (crosses(this.engine, this.execution.record.symbol, this.side, price)) return;
    const resting = this.resting;
    if (resting === undefined) {
      this.#place({ price, size: this.remaining, timeInForce: 'post_only' });
    } else if (
      resting.record.price !== price &&
      canMove(this.engine, this.account, resting, price)
    ) {
      moveOrder(this.engine, this.account, resting, price);
    }
  }

  /**
   * Takes up to `size` at once, no further than `bound` (null: the wallet's slippage from the mark, unless
   * an exit takes any price). Where the market offers nothing inside the bound, no order is sent.
   */
  take(
    size: number,
    bound: number | null,
    options: { volumeShare?: number | null; anyPrice?: boolean } = {},
  ): void {
    const slippageBps =
      bound === null && options.anyPrice !== true
        ? this.account.settings.default_slippage_bps
        : null;
    const edge =
      slippageBps === null ? bound : offsetPrice(this.mark, this.sign * slippageBps, BPS);
    const share =
      options.volumeShare === undefined ? this.engine.settings.volumeShare : options.volumeShare;
    const { symbol } = this.execution.record;
    const offered = offeredSize(this.engine, {
      symbol,
      side: this.side,
      bound: edge,
      volumeShare: share,
    });
    const wanted = this.floor(Math.min(size, this.remaining, offered));
    if (wanted <= 0) return;
    const timeInForce = bound === null ? null : 'ioc';
    this.#place({ price: bound, size: wanted, timeInForce, slippageBps, volumeShare: share });
  }

  /** Takes all that remains, at any price and any volume (complete-at-market). */
  sweepAll(): void {
    this.cancelChildren();
    this.#place({ price: null, size: this.remaining, timeInForce: null, volumeShare: null });
  }

  cancelChildren(): void {
    for (const id of this.execution.children.splice(0)) {
      const order = this.account.openOrders.get(id);
      if (order !== undefined) closeOrder(this.engine, this.account, order, { reason: null });
    }
  }

  /** Wakes the algorithm at that time, Infinity: never; replaces any time that was set before. */
  wakeAt(time: number): void {
    const { execution } = this;
    execution.timer?.();
    execution.timer = null;
    if (!this.isRunning) return;
    const id = execution.record.execution_id;
    execution.timer = this.engine.at(time, 'execution', execution.wallet, id);
  }

  /** Calls `onPrice` once when the mark reaches the price from the given side. */
  watchPrice(price: number, side: 'below' | 'above'): void {
    const { symbol, execution_id: id } = this.execution.record;
    const { wallet } = this.execution;
    this.execution.watches.push(
      this.engine.market.watch({ symbol, price, side, topic: 'execution', wallet, id }),
    );
  }

  unwatchPrices(): void {
    for (const watch of this.execution.watches.splice(0)) this.engine.market.unwatch(watch);
  }

  /** Its tracked level was reached and means nothing any more: the watch ends, and its row is free (TRK-7). */
  stopTracking(): void {
    retireWatch(this.engine, this.account, this.execution.entryTrack?.watch_id ?? null);
  }

  /** A valid price that is not worse than `price` for this side. */
  inside(price: number): number {
    return toValidPrice(price, this.instrument, this.sign > 0 ? 'down' : 'up');
  }

  enter(phase: ExecutionPhase): void {
    this.execution.record.phase = phase;
  }

  /** Ends the execution early. */
  stop(reason: ExecutionReason): void {
    endExecution(this.engine, this.account, this.execution, { status: 'stopped', reason });
  }

  #place(order: ChildOrder): void {
    const { record } = this.execution;
    const size = snapSize(order.size, this.instrument.size_decimals);
    const spec: OrderSpec = {
      symbol: record.symbol,
      side: record.side,
      size,
      price: order.price,
      timeInForce: order.timeInForce,
      slippageBps: order.slippageBps ?? null,
      reduceOnly: record.reduce_only,
      idempotencyKey: record.idempotency_key,
      executionId: record.execution_id,
      volumeShare: order.volumeShare,
      request: null,
    };
    try {
      const placed = placeOrder(this.engine, this.account, spec);
      this.#adopt(placed);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.#reject(spec, error);
    }
  }

  #adopt(order: Order): void {
    const id = order.record.order_id;
    this.execution.orderIds.push(id);
    if (isOpen(order)) this.execution.children.push(id);
  }

  /**
   * A child that fails its live checks is recorded as rejected and ends the execution (conventions §4).
   */
  #reject(spec: OrderSpec, error: ServiceError): void {
    const order = createOrder(this.engine, this.account, spec);
    order.record.status = 'rejected';
    order.record.reject_reason = error.code;
    this.account.orders.add(order.record.order_id, order);
    this.execution.orderIds.push(order.record.order_id);
    publishOrder(this.engine, this.account, order);
    this.stop(error.code === 'no_position' ? 'nothing_to_reduce' : 'insufficient_margin');
  }
}
