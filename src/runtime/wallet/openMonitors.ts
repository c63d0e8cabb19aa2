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

const isStanding = ({ status }: MonitorRecord): boolean => STANDING.includes(status);
const isReducing = (monitor: MonitorRecord): boolean => actionOf(monitor).reduce_only === true;

/** What a monitor trades each time that it fires. */
export function entryOf(monitor: MonitorRecord): Entry {
  const { symbol, side, size, total_size: total, price } = actionOf(monitor);
  return {
    symbol: String(symbol),
    side: side as Side,
    size: Number(total ?? size ?? 0),
    ...(typeof price === 'number' ? { price } : {}),
  };
}
