import { averageAfter } from '../contract/averageAfter.ts';
import type { ExecutionRecord, OrderRecord, PositionRecord, Side } from '../contract/index.ts';
import type { TestedIntent } from './TestedIntent.ts';

/** An order that an intent placed. */
export interface OrderWork {
  kind: 'order';
  intent: TestedIntent;
  order: OrderRecord;
  /** It follows its level, and nothing else moves it (TRK-7). */
  isTracked: boolean;
}

/** An execution that an intent launched, with one order of its own. */
export interface ExecutionWork {
  kind: 'execution';
  intent: TestedIntent;
  orderId: string;
  execution: ExecutionRecord;
  /** The snapshot after an outage lacked it; fills of the outage may still be read. */
  isGone?: true;
}

/** What the service makes of an intent that can fill. */
export type Work = OrderWork | ExecutionWork;

interface Placed {
  symbol: string;
  side: Side;
  size: number;
  reduce_only: boolean;
}

export interface WorkContext {
  wallet: string;
  now: number;
  nextId(prefix: string): string;
  position(symbol: string): PositionRecord | null;
  markOf(symbol: string): number | undefined;
}

/** undefined if an intent of this kind never fills. */
export function toWork(intent: TestedIntent, context: WorkContext): Work | undefined {
  if (intent.kind === 'place_order') {
    const { request } = intent;
    const { symbol, side, size, order_type, reduce_only = false } = request;
    const price = 'price' in request ? (request.price ?? null) : null;
    const own = { order_type, price, client_order_id: request.client_order_id ?? null, request };
    return toOrder(intent, { symbol, side, size, reduce_only }, { ...context, ...own });
  }
  if (intent.kind === 'launch') {
    const { request } = intent;
    const { symbol, side, total_size: size, reduce_only = false, algo } = request;
    const client_execution_id = request.client_execution_id ?? null;
    const own = { algo, client_execution_id, request };
    return toExecution(intent, { symbol, side, size, reduce_only }, { ...context, ...own });
  }
  if (intent.kind !== 'close_position') return undefined;
  const { symbol, request } = intent;
  const position = context.position(symbol);
  if (position === null) return undefined;
  const side = position.side === 'long' ? 'sell' : 'buy';
  const placed = { symbol, side, size: position.size, reduce_only: true } as const;
  if (request.algo !== undefined) {
    const own = { algo: request.algo, client_execution_id: null, request };
    return toExecution(intent, placed, { ...context, ...own });
  }
  const own = { order_type: 'market', price: null, client_order_id: null, request } as const;
  return toOrder(intent, placed, { ...context, ...own });
}

function toOrder(
  intent: TestedIntent,
  placed: Placed,
  at: WorkContext & Pick<OrderRecord, 'order_type' | 'price' | 'client_order_id' | 'request'>,
): Work {
  const { now, order_type, price, client_order_id, request } = at;
  const order: OrderRecord = {
    order_id: at.nextId('ord'),
    client_order_id,
    idempotency_key: intent.decisionKey,
    execution_id: null,
    ...placed,
    filled_size: 0,
    average_price: null,
    price,
    order_type,
    status: 'open',
    created_time: now,
    updated_time: now,
    reject_reason: null,
    request,
  };
  const isTracked = intent.kind === 'place_order' && intent.request.price_from?.track === true;
  return { kind: 'order', intent, order, isTracked };
}

function toExecution(
  intent: TestedIntent,
  { size, ...placed }: Placed,
  at: WorkContext & Pick<ExecutionRecord, 'algo' | 'client_execution_id' | 'request'>,
): Work {
  const { now, wallet, algo, client_execution_id, request } = at;
  const execution: ExecutionRecord = {
    execution_id: at.nextId('exe'),
    client_execution_id,
    idempotency_key: intent.decisionKey,
    algo,
    ...placed,
    total_size: size,
    filled_size: 0,
    remaining_size: size,
    average_price: null,
    arrival_price: at.markOf(placed.symbol) ?? null,
    status: 'running',
    phase: WAITS_FOR_PRICE.has(algo) ? 'armed' : 'working',
    reason: null,
    progress: 0,
    fees: 0,
    wallet,
    created_time: now,
    updated_time: now,
    ended_time: null,
    request,
  };
  return { kind: 'execution', intent, orderId: at.nextId('ord'), execution };
}

/** Algorithms that do nothing before a price is reached; their executions start `armed` (EXE-8). */
const WAITS_FOR_PRICE: ReadonlySet<string> = new Set(['flowband', 'ghostsweep', 'smartexit']);

export const symbolOf = (work: Work): string =>
  work.kind === 'order' ? work.order.symbol : work.execution.symbol;

/** Size that is still to be filled, base units. Decimals: a difference of two carries binary dust. */
export const remainingOf = (work: Work): number =>
  work.kind === 'order'
    ? Number((work.order.size - work.order.filled_size).toPrecision(12))
    : work.execution.remaining_size;

/** Whether it can still fill. */
export const isOpen = (work: Work): boolean =>
  work.kind === 'order' ? work.order.status === 'open' : work.execution.phase !== 'done';

/** Books a fill. @param round to the instrument's size grid */
export function addFill(
  work: Work,
  fill: { price: number; size: number; fee: number; time: number },
  round: (size: number) => number,
): void {
  const { price, size, fee, time } = fill;
  if (work.kind === 'order') {
    const { order } = work;
    const filled = round(order.filled_size + size);
    const { average_price: before = null, filled_size: sizeBefore } = order;
    const notional = (before ?? 0) * sizeBefore + price * size;
    order.average_price = averageAfter(before, price, notional, filled);
    order.filled_size = filled;
    order.updated_time = time;
    if (filled >= order.size) order.status = 'filled';
    return;
  }
  const { execution } = work;
  const filled = round(execution.filled_size + size);
  const { average_price: before = null, filled_size: sizeBefore } = execution;
  const notional = (before ?? 0) * sizeBefore + price * size;
  execution.average_price = averageAfter(before, price, notional, filled);
  execution.filled_size = filled;
  execution.remaining_size = round(execution.total_size - filled);
  execution.progress = filled / execution.total_size;
  execution.phase = 'working';
  execution.fees += fee;
  execution.updated_time = time;
}

/** An execution that has filled ends; its last event has the reason. */
export function endExecution(execution: ExecutionRecord, time: number): void {
  execution.status = 'completed';
  execution.phase = 'done';
  execution.reason = 'filled';
  execution.updated_time = time;
  execution.ended_time = time;
}
