import type { MonitorAction, MonitorRequest, MonitorTrigger } from '../../contract/index.ts';
import type { World } from '../engine/World.ts';
import type { Account } from '../venue/Account.ts';
import { checkPrice, checkSize } from '../venue/checkGrid.ts';
import { armMonitor, levelOf } from './armMonitor.ts';
import type { Monitor, Unwind } from './Monitor.ts';
import { publishMonitor } from './publishMonitor.ts';

/** `POST /v1/monitors` (MON-1): what could never work is refused now, the rest when it fires. */
export function createMonitor(world: World, account: Account, request: MonitorRequest): Monitor {
  const { trigger, action } = request;
  const { instrument } = world.market.at(trigger.symbol);
  if (trigger.type === 'price_level') checkPrice('trigger.price', trigger.price, instrument);
  checkAction(world, action);
  const monitor = recordMonitor(world, { ...request, account, request, unwind: null });
  levelOf(world, monitor);
  return startMonitor(world, account, monitor);
}

function checkAction(world: World, { type, request }: MonitorAction): void {
  const { instrument } = world.market.at(request.symbol);
  if (type === 'order') checkSize('action.request.size', request.size, instrument);
  else checkSize('action.request.total_size', request.total_size, instrument);
}

/** Puts a monitor on record and arms it. */
export function startMonitor(world: World, account: Account, monitor: Monitor): Monitor {
  account.monitors.add(monitor.record.monitor_id, monitor);
  armMonitor(world, account, monitor);
  publishMonitor(world, monitor, 'armed');
  return monitor;
}

export function recordMonitor(
  world: World,
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
    hook: null,
    record: {
      monitor_id: world.nextId('mon'),
      group_id: null,
      name: made.name ?? null,
      trigger: made.trigger,
      action: made.action,
      status: 'armed',
      rearm: made.rearm ?? false,
      fired_count: 0,
      last_fired_time: null,
      last_error: null,
      created_time: world.market.now,
      request: made.request,
    },
  };
}
