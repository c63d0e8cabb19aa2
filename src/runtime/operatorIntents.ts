import type {
  ExecutionRecord,
  MonitorRecord,
  OrderRecord,
  PositionRecord,
} from '../contract/index.ts';
import type { MarketClock } from '../env/index.ts';
import {
  cancelOrder,
  closePosition,
  controlExecution,
  pauseMonitor,
  placeOrder,
  stopMonitor,
  type Intent,
} from '../intents/index.ts';
import type { Emission } from '../strategy/index.ts';
import { actionOf, openMonitors, STANDING } from './openMonitors.ts';

/** Name under which the runtime itself acts: kill levels and the stop policy. It owns every symbol. */
export const OPERATOR = 'operator';

/** What of a wallet is at work: the part that these actions are about. */
export interface AtWork {
  wallet: string;
  orders: readonly OrderRecord[];
  executions: readonly ExecutionRecord[];
  positions: readonly PositionRecord[];
  monitors: readonly MonitorRecord[];
  /** Spot that the bot bought and can sell; base units. */
  holdings?: ReadonlyArray<{ symbol: string; size: number }>;
  /** Whether a client id, an idempotency key or a record's id is one of ours: others are left alone. */
  isOwn(key: string): boolean;
}

/** What becomes of what is at work when the bot ends. */
export type StopPolicy = 'leave' | 'pause' | 'stop' | 'flatten';

/** Statuses of an execution that may still trade. */
export const LIVE: readonly string[] = ['running', 'paused', 'interrupted'];
const ENDED_ORDERS: readonly string[] = ['filled', 'cancelled', 'rejected', 'expired'];

/** Whether a record of this status is over: it can neither trade nor fire any more. */
export function isEnded(kind: 'order' | 'execution' | 'monitor', status: string): boolean {
  if (kind === 'order') return ENDED_ORDERS.includes(status);
  return !(kind === 'execution' ? LIVE : STANDING).includes(status);
}

/**
 * Own entries that may still add exposure, now or when a monitor fires, as intents that end them; exits
 * and protection stay.
 */
export function endEntries(work: AtWork): Intent[] {
  const orders = ownEntryOrders(work).map(({ order_id }) => cancelOrder({ order_id }));
  const executions = ownEntries(work).map(({ execution_id }) =>
    controlExecution.stop({ execution_id }),
  );
  // Before what they could fire into its place.
  const monitors = ownEntryMonitors(work).map(({ monitor_id }) => stopMonitor({ monitor_id }));
  return [...monitors, ...executions, ...orders];
}

/** Own monitors that may add exposure when they fire. */
export function ownEntryMonitors(work: AtWork): MonitorRecord[] {
  return openMonitors(work.monitors).filter((monitor) => isOwnMonitor(work, monitor));
}

/** Own resting orders that may add exposure, without those of an execution. */
export function ownEntryOrders(work: AtWork): OrderRecord[] {
  return work.orders.filter(
    (order) => order.execution_id == null && !order.reduce_only && isOwn(work, order),
  );
}

/** Own entries that can stand still, now or when a monitor fires, as intents that pause them. */
export function pauseEntries(work: AtWork): Intent[] {
  const monitors = ownEntryMonitors(work)
    .filter(({ status }) => status === 'armed')
    .map(({ monitor_id }) => pauseMonitor({ monitor_id }));
  const executions = ownEntries(work)
    .filter(({ status }) => status === 'running')
    .map(({ execution_id }) => controlExecution.pause({ execution_id }));
  // Before what they could launch.
  return [...monitors, ...executions];
}

/**
 * Every position of the symbols that the bot's strategies own, as intents that close it; of spot what the
 * bot bought, since a close would sell what others have in the wallet, too.
 */
export function flatten(work: AtWork, symbols: readonly string[]): Intent[] {
  const positions = work.positions
    .filter(({ symbol, size }) => size > 0 && symbols.includes(symbol))
    .map(({ symbol }) => closePosition.atMarket(symbol));
  const holdings = (work.holdings ?? []).filter(({ symbol }) => symbols.includes(symbol));
  return [...positions, ...holdings.map(sellHolding)];
}

export const sellHolding = ({ symbol, size }: { symbol: string; size: number }): Intent =>
  placeOrder.market({ symbol, side: 'sell', size, reduce_only: true });

/** What a bot still asks for before it ends. */
export function stopIntents(
  policy: StopPolicy,
  work: AtWork,
  symbols: readonly string[],
): Intent[] {
  switch (policy) {
    case 'leave':
      return [];
    case 'pause':
      return pauseEntries(work);
    case 'stop':
      return endEntries(work);
    case 'flatten':
      return [...endEntries(work), ...flatten(work, symbols)];
  }
}

function ownEntries(work: AtWork): ExecutionRecord[] {
  return work.executions.filter(
    (execution) =>
      LIVE.includes(execution.status) && !execution.reduce_only && isOwn(work, execution),
  );
}

/** Whether one of its keys stands in the bot's journal. */
export function isOwn(work: AtWork, record: OrderRecord | ExecutionRecord): boolean {
  return keysOf(record).some((key) => work.isOwn(key));
}

/** Known by its id, by its name, or by the client id that its action bears. */
function isOwnMonitor(work: AtWork, monitor: MonitorRecord): boolean {
  return monitorKeysOf(monitor).some((key) => work.isOwn(key));
}

/** What a monitor may be known by as the bot's. */
export function monitorKeysOf(monitor: MonitorRecord): string[] {
  const { client_order_id: orderId, client_execution_id: executionId } = actionOf(monitor);
  const keys = [monitor.monitor_id, monitor.name, orderId, executionId];
  return keys.filter((key) => typeof key === 'string');
}

/** Client ids, idempotency keys and ids by which the service knows a record; any may be one of ours. */
export function keysOf(record: OrderRecord | ExecutionRecord): string[] {
  const clientId = 'client_order_id' in record ? record.client_order_id : undefined;
  const executionId = 'client_execution_id' in record ? record.client_execution_id : undefined;
  // An order's execution_id is that of its parent.
  const id = 'order_id' in record ? record.order_id : record.execution_id;
  const keys = [clientId, executionId, record.idempotency_key, id];
  return keys.filter((key) => typeof key === 'string');
}

/** An operator's intents as emissions: one decision a target, so that repeating one changes nothing. */
export function toEmissions(
  intents: readonly Intent[],
  why: { wallet: string; cause: string; market: MarketClock },
): Emission[] {
  const { wallet, cause, market } = why;
  return intents.map((intent, ordinal) => ({
    intent,
    instance: OPERATOR,
    wallet,
    decisionKey: `${wallet}/${OPERATOR}/${cause}#${ordinal}`,
    cause,
    ordinal,
    marketTime: market.now(),
    trigger: { operator: cause },
  }));
}
