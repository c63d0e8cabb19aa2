import { ServiceError } from '../core/ServiceError.ts';
import type { World } from '../engine/World.ts';
import { rearmLeg } from '../legs/rearmLeg.ts';
import type { Account } from '../venue/Account.ts';
import { armMonitor } from './armMonitor.ts';
import { endMonitor } from './endMonitor.ts';
import type { Monitor, MonitorGroup, MonitorStatus } from './Monitor.ts';
import { publishMonitor } from './publishMonitor.ts';

export type MonitorAction = 'stop' | 'pause' | 'resume' | 'rearm';

/** What each status allows (conventions §4); everything else is 409. */
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
 * Rearming resolves nothing anew: side, size and level are frozen (POS-5).
 */
export function controlMonitor(
  world: World,
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
    endMonitor(world, account, monitor, status);
    publishMonitor(world, monitor, status);
    return;
  }
  if (action === 'rearm' && monitor.unwind !== null) {
    rearmLeg(world, account, monitor.unwind.legId);
  }
  armMonitor(world, account, monitor);
  publishMonitor(world, monitor, action === 'rearm' ? 'armed' : 'resumed');
}

/** Joins monitors; in an `oco` group the first to fire successfully stops the others (MON-1). */
export function groupMonitors(
  world: World,
  account: Account,
  { mode, monitors }: { mode: 'none' | 'oco'; monitors: readonly Monitor[] },
): MonitorGroup {
  const group: MonitorGroup = {
    group_id: world.nextId('grp'),
    mode,
    monitor_ids: monitors.map(({ record }) => record.monitor_id),
  };
  account.monitorGroups.add(group.group_id, group);
  for (const { record } of monitors) record.group_id = group.group_id;
  return group;
}

/** A group stands as its liveliest member does. */
export function groupRecord(account: Account, group: MonitorGroup) {
  const statuses = group.monitor_ids.map((id) => account.monitors.get(id)?.record.status);
  const order: readonly MonitorStatus[] = ['armed', 'paused', 'fired', 'failed'];
  const status = order.find((each) => statuses.includes(each)) ?? 'stopped';
  return { ...group, monitor_ids: [...group.monitor_ids], status };
}
