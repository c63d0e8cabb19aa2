import type { Execution } from '../algos/Execution.ts';
import { launchExecution } from '../algos/launch.ts';
import { ServiceError } from '../core/ServiceError.ts';
import { actionFault, type ActionFault } from '../engine/actionFault.ts';
import { submitOrder } from '../engine/submitOrder.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { endLeg } from '../legs/lifecycle.ts';
import type { Account } from '../venue/Account.ts';
import type { Order } from '../venue/Order.ts';
import { endMonitor } from './endMonitor.ts';
import type { Monitor } from './Monitor.ts';
import { publishMonitor } from './publishMonitor.ts';
import { unwindLaunch } from './unwindLaunch.ts';

/**
 * Carries out the action. Only a successful one counts as fired: it stops the others of an `oco`
 * group (POS-4); a failed one, also one that ended at once without a fill, leaves its error in `last_error`.
 */
export function fireMonitor(
  engine: EngineState,
  account: Account,
  monitor: Monitor,
  level: number,
): void {
  const { record } = monitor;
  record.last_error = faultOf(engine, account, monitor, level);
  const failed = record.last_error !== null;
  if (failed) record.status = 'failed';
  else {
    record.fired_count++;
    record.last_fired_time = engine.market.now;
    record.status = record.rearm ? 'armed' : 'fired';
  }
  if (!failed) stopOthers(engine, account, monitor);
  if (record.status !== 'armed') endMonitor(engine, account, monitor, record.status);
  publishMonitor(engine, monitor, failed ? 'failed' : 'fired');
}

/** null: the action was refused by nothing, and what it started has filled or still may. */
function faultOf(
  engine: EngineState,
  account: Account,
  monitor: Monitor,
  level: number,
): ActionFault | null {
  try {
    return actionFault(act(engine, account, monitor, level).record);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, details } = error;
    return { code, message, details };
  }
}

function act(
  engine: EngineState,
  account: Account,
  monitor: Monitor,
  level: number,
): Execution | Order {
  const { action } = monitor.record;
  const idempotencyKey = null;
  if (monitor.unwind !== null) {
    const request = unwindLaunch(engine, monitor.unwind, level);
    // The leg is triggered first, because the launch may close the position and with it the live legs.
    const leg = account.liveLegs.get(monitor.unwind.legId);
    if (leg !== undefined) endLeg(engine, account, leg, 'triggered');
    return launchExecution(engine, account, { request, idempotencyKey, triggered: true });
  }
  return action.type === 'order'
    ? submitOrder(engine, account, { request: action.request, idempotencyKey })
    : launchExecution(engine, account, { request: action.request, idempotencyKey });
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
