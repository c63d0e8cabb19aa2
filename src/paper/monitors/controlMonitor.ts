import { ServiceError } from '../core/ServiceError.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { rearmLeg } from '../legs/rearmLeg.ts';
import type { Account } from '../venue/Account.ts';
import { armMonitor } from './armMonitor.ts';
import { endMonitor } from './endMonitor.ts';
import type { Monitor, MonitorGroup, MonitorStatus } from './Monitor.ts';
import { publishMonitor } from './publishMonitor.ts';

export type MonitorAction = 'stop' | 'pause' | 'resume' | 'rearm';

/** The actions that each status allows (conventions §4); all others return 409. */
const ALLOWED: Readonly<Record<MonitorStatus, readonly MonitorAction[]>> = {
  armed: ['pause', 'stop'],
  paused: ['resume', 'stop'],
  fired: ['rearm', 'stop'],
  failed: ['rearm', 'stop'],
  stopped: [],
};

export const allows = ({ record }: Monitor, action: MonitorAction): boolean =>
  ALLOWED[record.status].includes(action);

/**
 * Throws `invalid_transition`, and `no_position` for a leg's monitor with no position left to close.
 * Rearming resolves nothing again: side, size and level are frozen (POS-5).
 */
export function controlMonitor(
  engine: EngineState,
  account: Account,
  monitor: Monitor,
  action: MonitorAction,
): void {
  const { status: from } = monitor.record;
  if (!allows(monitor, action)) {
    const details = { from, action, allowed: ALLOWED[from] };
    throw new ServiceError('invalid_transition', { details });
  }
  if (action === 'stop' || action === 'pause') {
    const status = action === 'stop' ? 'stopped' : 'paused';
    endMonitor(engine, account, monitor, status);
    publishMonitor(engine, monitor, status);
    return;
  }
  if (action === 'rearm' && monitor.unwind !== null) {
    rearmLeg(engine, account, monitor.unwind.legId);
  }
  armMonitor(engine, account, monitor);
  publishMonitor(engine, monitor, action === 'rearm' ? 'armed' : 'resumed');
}

/** Joins monitors; in an `oco` group the first to fire successfully stops the others (MON-1). */
export function groupMonitors(
  engine: EngineState,
  account: Account,
  { mode, monitors }: { mode: 'none' | 'oco'; monitors: readonly Monitor[] },
): MonitorGroup {
  const group: MonitorGroup = {
    group_id: engine.nextId('grp'),
    mode,
    monitor_ids: monitors.map(({ record }) => record.monitor_id),
    createdTime: engine.market.now,
  };
  account.monitorGroups.add(group.group_id, group);
  for (const { record } of monitors) record.group_id = group.group_id;
  return group;
}

/** The status of a group is that of its most active member. */
export function groupRecord(account: Account, group: MonitorGroup) {
  const statuses = group.monitor_ids.map((id) => account.monitors.get(id)?.record.status);
  const order: readonly MonitorStatus[] = ['armed', 'paused', 'fired', 'failed'];
  const status = order.find((each) => statuses.includes(each)) ?? 'stopped';
  const { group_id, mode, monitor_ids } = group;
  return { group_id, mode, monitor_ids: [...monitor_ids], status };
}
