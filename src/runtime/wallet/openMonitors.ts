import type { MonitorRecord, Side } from '../../contract/index.ts';
import type { Entry } from '../../guards/index.ts';

/** Statuses of a monitor that may still act; a paused one goes on when an operator resumes it. */
export const STANDING: readonly string[] = ['armed', 'paused'];

/** An order or a launch in the form in which a monitor's action holds it. */
export interface MonitorAction {
  symbol?: unknown;
  side?: unknown;
  size?: unknown;
  total_size?: unknown;
  price?: unknown;
  params?: unknown;
  reduce_only?: unknown;
  client_order_id?: unknown;
  client_execution_id?: unknown;
}

/** What a monitor does when it fires, as it was requested. */
export function actionOf({ action }: MonitorRecord): MonitorAction {
  return (action as { request?: MonitorAction }).request ?? {};
}

/** Monitors that may still add exposure when they fire; what only reduces is protection. */
export function openMonitors(monitors: Iterable<MonitorRecord>): MonitorRecord[] {
  return [...monitors].filter(isStanding).filter((monitor) => !isReducing(monitor));
}

/** Monitors that close when they fire, and add nothing. */
export function reducingMonitors(monitors: Iterable<MonitorRecord>): MonitorRecord[] {
  return [...monitors].filter(isStanding).filter(isReducing);
}

export const isStanding = ({ status }: MonitorRecord): boolean => STANDING.includes(status);
const isReducing = (monitor: MonitorRecord): boolean => actionOf(monitor).reduce_only === true;

/** What a monitor trades each time that it fires. */
export function entryOf(monitor: MonitorRecord): Entry {
  const action = actionOf(monitor);
  const { symbol, side, size, total_size: total, price } = action;
  const triggeredAt = triggerOf(action) ?? levelOf(monitor.trigger, symbol);
  return {
    symbol: String(symbol),
    side: side as Side,
    size: Number(total ?? size ?? 0),
    ...(typeof price === 'number' ? { price } : {}),
    ...(triggeredAt === undefined ? {} : { triggeredAt }),
  };
}

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' ? value : undefined;

/** The price for which a launch waits, as it was requested; undefined if it names none. */
export function triggerOf(launch: unknown): number | undefined {
  const { params } = (launch ?? {}) as { params?: { trigger_price?: unknown } | null };
  return numberOf(params?.trigger_price);
}

/** The price at which a monitor acts on a symbol, if that is known. */
function levelOf(trigger: MonitorRecord['trigger'], symbol: unknown): number | undefined {
  const isOfSymbol = trigger.type === 'price_level' && trigger['symbol'] === symbol;
  return isOfSymbol ? numberOf(trigger['price']) : undefined;
}
