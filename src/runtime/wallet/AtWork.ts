import {
  ENDED_ORDERS,
  LIVE_EXECUTIONS as LIVE,
  type ExecutionRecord,
  type MonitorRecord,
  type OrderRecord,
  type PositionRecord,
} from '../../contract/index.ts';
import { actionOf, openMonitors, STANDING } from './openMonitors.ts';

/** The part of a wallet's work on which these actions operate. */
export interface AtWork {
  wallet: string;
  orders: readonly OrderRecord[];
  executions: readonly ExecutionRecord[];
  positions: readonly PositionRecord[];
  monitors: readonly MonitorRecord[];
  /** Spot that the bot bought and can sell; base units. */
  holdings?: ReadonlyArray<{ symbol: string; size: number }>;
  /** Whether a client id, an idempotency key or a record's id is the bot's: others are left alone. */
  isOwn(key: string): boolean;
}

export { LIVE };

/** Whether a record of this status has ended: it can neither trade nor fire any more. */
export function isEnded(kind: 'order' | 'execution' | 'monitor', status: string): boolean {
  if (kind === 'order') return ENDED_ORDERS.includes(status);
  return !(kind === 'execution' ? LIVE : STANDING).includes(status);
}

/** The bot's monitors that may add exposure when they fire. */
export function ownEntryMonitors(work: AtWork): MonitorRecord[] {
  return openMonitors(work.monitors).filter((monitor) => isOwnMonitor(work, monitor));
}

/** The bot's resting orders that may add exposure, without those of an execution. */
export function ownEntryOrders(work: AtWork): OrderRecord[] {
  return work.orders.filter(
    (order) => order.execution_id == null && !order.reduce_only && isOwn(work, order),
  );
}

/** The bot's executions that may still add exposure. */
export function ownEntries(work: AtWork): ExecutionRecord[] {
  return work.executions.filter(
    (execution) =>
      LIVE.includes(execution.status) && !execution.reduce_only && isOwn(work, execution),
  );
}

/** The bot's resting orders that only reduce, without those of an execution. */
export function ownExitOrders(work: AtWork): OrderRecord[] {
  return work.orders.filter(
    (order) =>
      order.execution_id == null &&
      order.reduce_only &&
      // One at the market is on its way, and rests nowhere.
      order.order_type !== 'market' &&
      isOwn(work, order),
  );
}

/** The bot's executions that only reduce, and may still trade. */
export function ownExits(work: AtWork): ExecutionRecord[] {
  return work.executions.filter(
    (execution) =>
      LIVE.includes(execution.status) && execution.reduce_only && isOwn(work, execution),
  );
}

/** Whether one of its keys is in the bot's journal. */
export function isOwn(work: AtWork, record: OrderRecord | ExecutionRecord): boolean {
  return keysOf(record).some((key) => work.isOwn(key));
}

/** Known by its id, by its name, or by the client id of its action. */
function isOwnMonitor(work: AtWork, monitor: MonitorRecord): boolean {
  return monitorKeysOf(monitor).some((key) => work.isOwn(key));
}

/** The keys of all that is open, by which it may be the bot's. */
export function openKeys({
  orders,
  executions,
  monitors,
}: Pick<AtWork, 'orders' | 'executions' | 'monitors'>): string[] {
  return [...[...orders, ...executions].flatMap(keysOf), ...monitors.flatMap(monitorKeysOf)];
}

/** The keys by which a monitor may be identified as the bot's. */
export function monitorKeysOf(monitor: MonitorRecord): string[] {
  const { client_order_id: orderId, client_execution_id: executionId } = actionOf(monitor);
  const keys = [monitor.monitor_id, monitor.name, orderId, executionId];
  return keys.filter((key) => typeof key === 'string');
}

/** Client ids, idempotency keys and ids by which the service knows a record; any may be the bot's. */
export function keysOf(record: OrderRecord | ExecutionRecord): string[] {
  const clientId = 'client_order_id' in record ? record.client_order_id : undefined;
  const executionId = 'client_execution_id' in record ? record.client_execution_id : undefined;
  // An order's execution_id is that of its parent.
  const id = 'order_id' in record ? record.order_id : record.execution_id;
  const keys = [clientId, executionId, record.idempotency_key, id];
  return keys.filter((key) => typeof key === 'string');
}
