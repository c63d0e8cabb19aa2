import type {
  ExecutionRecord,
  MonitorRecord,
  OrderRecord,
  PositionRecord,
} from '../../contract/index.ts';
import type { Intent } from '../../intents/index.ts';
import type { AtWork } from '../wallet/index.ts';

/** A price or size for display: no binary tail, no more digits than a venue has. */
const shown = (value: number): string => String(Number(value.toPrecision(12)));

export function describeOrder({
  order_id,
  order_type,
  side,
  size,
  symbol,
  price,
}: OrderRecord): string {
  const at = price == null ? '' : ` at ${shown(price)}`;
  return `${order_id}, ${order_type} ${side} ${shown(size)} ${symbol}${at}`;
}

export function describeExecution(execution: ExecutionRecord): string {
  const { execution_id, algo, side, total_size, symbol, status } = execution;
  return `${execution_id}, ${algo} ${side} ${shown(total_size)} ${symbol}, ${status}`;
}

export function describeMonitor({ monitor_id, name, status }: MonitorRecord): string {
  return `monitor ${monitor_id}${name == null ? '' : ` (${name})`}, ${status}`;
}

export function describePosition({ side, size, symbol, entry_price }: PositionRecord): string {
  return `position ${side} ${shown(size)} ${symbol} at ${shown(entry_price)}`;
}

/** Of spot, what the bot bought. */
export function describeHolding({ size, symbol }: { size: number; symbol: string }): string {
  return `holding ${shown(size)} of ${symbol}`;
}

/** What an operator's intent is about, as a line; the id if no record is available. */
export function describeTarget(work: AtWork, intent: Intent): string {
  switch (intent.kind) {
    case 'cancel_order': {
      const id = intent.order.order_id ?? '';
      const order = work.orders.find(({ order_id }) => order_id === id);
      return order === undefined ? id : describeOrder(order);
    }
    case 'control_execution': {
      const id = intent.execution.execution_id ?? '';
      const execution = work.executions.find(({ execution_id }) => execution_id === id);
      return execution === undefined ? id : describeExecution(execution);
    }
    case 'pause_monitor':
    case 'stop_monitor': {
      const id = intent.monitor.monitor_id ?? '';
      const monitor = work.monitors.find(({ monitor_id }) => monitor_id === id);
      return monitor === undefined ? id : describeMonitor(monitor);
    }
    case 'close_position': {
      const position = work.positions.find(({ symbol }) => symbol === intent.symbol);
      return position === undefined ? `position ${intent.symbol}` : describePosition(position);
    }
    case 'place_order':
      return `holding ${'size' in intent.request ? shown(intent.request.size) : ''} of ${intent.request.symbol}`;
    default:
      return intent.kind;
  }
}
