import { launchExecution } from '../algos/launch.ts';
import { ServiceError } from '../core/ServiceError.ts';
import { submitOrder } from '../engine/submitOrder.ts';
import type { World } from '../engine/World.ts';
import { endLeg } from '../legs/lifecycle.ts';
import type { Account } from '../venue/Account.ts';
import { endMonitor } from './endMonitor.ts';
import type { Monitor } from './Monitor.ts';
import { publishMonitor } from './publishMonitor.ts';
import { unwindLaunch } from './unwindLaunch.ts';

/**
 * Carries out the action. Only a successful one counts as fired: it stops the others of an `oco`
 * group (POS-4); a failed one leaves its error in `last_error`.
 */
export function fireMonitor(world: World, account: Account, monitor: Monitor, level: number): void {
  const { record } = monitor;
  try {
    act(world, account, monitor, level);
    record.fired_count++;
    record.last_fired_time = world.market.now;
    record.last_error = null;
    record.status = record.rearm ? 'armed' : 'fired';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, details } = error;
    record.last_error = { code, message, details };
    record.status = 'failed';
  }
  const failed = record.status === 'failed';
  if (!failed) stopOthers(world, account, monitor);
  if (record.status !== 'armed') endMonitor(world, account, monitor, record.status);
  publishMonitor(world, monitor, failed ? 'failed' : 'fired');
}

function act(world: World, account: Account, monitor: Monitor, level: number): void {
  const { action } = monitor.record;
  const idempotencyKey = null;
  if (monitor.unwind !== null) {
    const request = unwindLaunch(world, monitor.unwind, level);
    // Triggered first: the launch may close the position, and with it the legs that stand.
    const leg = account.liveLegs.get(monitor.unwind.legId);
    if (leg !== undefined) endLeg(world, account, leg, 'triggered');
    requireAlive(launchExecution(world, account, { request, idempotencyKey, triggered: true }));
  } else if (action.type === 'order') {
    submitOrder(world, account, { request: action.request, idempotencyKey });
  } else {
    requireAlive(launchExecution(world, account, { request: action.request, idempotencyKey }));
  }
}

/** A launch whose live checks failed is on record, but nothing was done. */
function requireAlive({ record }: ReturnType<typeof launchExecution>): void {
  if (record.status !== 'stopped' || record.filled_size > 0) return;
  const details = { execution_id: record.execution_id, reason: record.reason };
  if (record.reason === 'insufficient_margin') {
    throw new ServiceError('insufficient_margin', { details });
  }
  if (record.reason === 'nothing_to_reduce') {
    throw new ServiceError('no_position', { asPrecondition: true, details });
  }
}

function stopOthers(world: World, account: Account, monitor: Monitor): void {
  const { group_id: groupId, monitor_id: own } = monitor.record;
  const group = groupId === null ? undefined : account.monitorGroups.get(groupId);
  if (group?.mode !== 'oco') return;
  for (const id of group.monitor_ids) {
    const other = id === own ? undefined : account.monitors.get(id);
    if (other === undefined || other.record.status === 'stopped') continue;
    endMonitor(world, account, other, 'stopped');
    publishMonitor(world, other, 'stopped');
  }
}
