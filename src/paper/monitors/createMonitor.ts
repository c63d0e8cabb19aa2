import type { MonitorAction, MonitorRequest, MonitorTrigger } from '../../contract/index.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { withinField } from '../engine/withinField.ts';
import type { Account } from '../venue/Account.ts';
import { checkPrice } from '../venue/checkGrid.ts';
import { armMonitor, levelOf } from './armMonitor.ts';
import { checkActionGrid } from './checkActionGrid.ts';
import type { Monitor, Unwind } from './Monitor.ts';
import { publishMonitor } from './publishMonitor.ts';

/**
 * `POST /v1/monitors` (MON-1): an action that can never work is refused now, all else is checked when it
 * fires.
 */
export function createMonitor(
  engine: EngineState,
  account: Account,
  request: MonitorRequest,
): Monitor {
  const { trigger, action } = request;
  const { instrument } = engine.market.at(trigger.symbol);
  if (trigger.type === 'price_level') checkPrice('trigger.price', trigger.price, instrument);
  checkActionGrid(engine, action);
  const monitor = recordMonitor(engine, { ...request, account, request, unwind: null });
  withinField('trigger', () => levelOf(engine, monitor.record.trigger));
  return startMonitor(engine, account, monitor);
}

/** Records a monitor and arms it. */
export function startMonitor(engine: EngineState, account: Account, monitor: Monitor): Monitor {
  account.monitors.add(monitor.record.monitor_id, monitor);
  armMonitor(engine, account, monitor);
  publishMonitor(engine, monitor, 'armed');
  return monitor;
}

export function recordMonitor(
  engine: EngineState,
  made: {
    account: Account;
    name?: string | undefined;
    trigger: MonitorTrigger;
    action: MonitorAction;
    rearm?: boolean | undefined;
    request: unknown;
    unwind: Unwind | null;
  },
): Monitor {
  return {
    wallet: made.account.wallet,
    unwind: made.unwind,
    ready: false,
    watch: null,
    bundle: null,
    hook: null,
    record: {
      monitor_id: engine.nextId('mon'),
      group_id: null,
      name: made.name ?? null,
      trigger: made.trigger,
      action: made.action,
      status: 'armed',
      rearm: made.rearm ?? false,
      fired_count: 0,
      last_fired_time: null,
      last_error: null,
      created_time: engine.market.now,
      request: made.request,
    },
  };
}
