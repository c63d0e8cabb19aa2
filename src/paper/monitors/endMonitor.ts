import type { EngineState } from '../engine/EngineState.ts';
import { endLeg } from '../legs/lifecycle.ts';
import type { Leg } from '../legs/Leg.ts';
import type { Account } from '../venue/Account.ts';
import { disarmMonitor } from './disarmMonitor.ts';
import type { Monitor, MonitorStatus } from './Monitor.ts';
import { publishMonitor } from './publishMonitor.ts';

/** Removes a monitor from the market; a compiled leg whose monitor stops retires with it. */
export function endMonitor(
  engine: EngineState,
  account: Account,
  monitor: Monitor,
  status: Exclude<MonitorStatus, 'armed'>,
): void {
  disarmMonitor(engine, monitor);
  monitor.record.status = status;
  const legId = monitor.unwind?.legId;
  const leg = legId === undefined ? undefined : account.liveLegs.get(legId);
  if (leg !== undefined && status === 'stopped') endLeg(engine, account, leg, 'retired');
}

/** Stops the monitor of a compiled leg that retires, including a monitor whose action had failed. */
export function stopWithLeg(engine: EngineState, account: Account, leg: Leg): void {
  const { monitor_id: id, status } = leg.record;
  const monitor = id === null ? undefined : account.monitors.get(id);
  if (monitor === undefined || status !== 'retired') return;
  if (monitor.record.status === 'stopped' || monitor.record.status === 'fired') return;
  endMonitor(engine, account, monitor, 'stopped');
  publishMonitor(engine, monitor, 'stopped');
}
