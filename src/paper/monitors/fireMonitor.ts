import { launchExecution } from '../algos/launch.ts';
import { ServiceError } from '../core/ServiceError.ts';
import { submitOrder } from '../engine/submitOrder.ts';
import type { EngineState } from '../engine/EngineState.ts';
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
export function fireMonitor(
  engine: EngineState,
  account: Account,
  monitor: Monitor,
  level: number,
): void {
  const { record } = monitor;
  try {
    act(engine, account, monitor, level);
    record.fired_count++;
    record.last_fired_time = engine.market.now;
    record.last_error = null;
    record.status = record.rearm ? 'armed' : 'fired';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, details } = error;
    record.last_error = { code, message, details };
    record.status = 'failed';
  }
  const failed = record.status === 'failed';
  if (!failed) stopOthers(engine, account, monitor);
  if (record.status !== 'armed') endMonitor(engine, account, monitor, record.status);
  publishMonitor(engine, monitor, failed ? 'failed' : 'fired');
}

function act(engine: EngineState, account: Account, monitor: Monitor, level: number): void {
  const { action } = monitor.record;
  const idempotencyKey = null;
  if (monitor.unwind !== null) {
    const request = unwindLaunch(engine, monitor.unwind, level);
    // The leg is triggered first, because the launch may close the position and with it the live legs.
    const leg = account.liveLegs.get(monitor.unwind.legId);
    if (leg !== undefined) endLeg(engine, account, leg, 'triggered');
    requireAlive(launchExecution(engine, account, { request, idempotencyKey, triggered: true }));
  } else if (action.type === 'order') {
    submitOrder(engine, account, { request: action.request, idempotencyKey });
  } else {
    requireAlive(launchExecution(engine, account, { request: action.request, idempotencyKey }));
  }
}

/** A launch whose live checks failed is recorded, but nothing was done. */
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

function stopOthers(engine: EngineState, account: Account, monitor: Monitor): void {
  const { group_id: groupId, monitor_id: own } = monitor.record;
  const group = groupId === null ? undefined : account.monitorGroups.get(groupId);
  if (group?.mode !== 'oco') return;
  for (const id of group.monitor_ids) {
    const other = id === own ? undefined : account.monitors.get(id);
    if (other === undefined || other.record.status === 'stopped') continue;
    endMonitor(engine, account, other, 'stopped');
    publishMonitor(engine, other, 'stopped');
  }
}
