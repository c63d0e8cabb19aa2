import type { MonitorGroupRequest, MonitorRequest } from '../../../contract/index.ts';
import { requireActionScopes } from '../../core/bodyScopes.ts';
import type { Call, Handler, HandlerTable } from '../../core/Engine.ts';
import { ServiceError } from '../../core/ServiceError.ts';
import {
  allows,
  controlMonitor,
  groupMonitors,
  groupRecord,
  type MonitorAction,
} from '../../monitors/controlMonitor.ts';
import { createMonitor } from '../../monitors/createMonitor.ts';
import type { Monitor } from '../../monitors/Monitor.ts';
import { monitorRecord, publishMonitor } from '../../monitors/publishMonitor.ts';
import type { Account } from '../../venue/Account.ts';
import { fieldFault } from '../fieldFault.ts';
import { accountOf } from '../snapshotOf.ts';
import type { EngineState } from '../EngineState.ts';
import { pageOfLedger } from './pageOf.ts';
import { resultOf } from './resultOf.ts';

/** The others only keep a monitor from acting. */
const LETS_ACT: ReadonlySet<MonitorAction> = new Set(['resume', 'rearm']);

/** Monitors and their groups (MON-1). */
export function monitorRoutes(engine: EngineState): HandlerTable {
  const of = (call: Call): Account => accountOf(engine, call.wallet);
  const named = (call: Call): Monitor => findMonitor(of(call), call.pathParams['id']!);
  const control =
    (action: MonitorAction): Handler =>
    (call) => {
      const monitor = named(call);
      if (LETS_ACT.has(action)) requireActionScopes(call, monitor.record.action);
      controlMonitor(engine, of(call), monitor, action);
      return { body: monitorRecord(monitor) };
    };
  const controlAll =
    (action: MonitorAction): Handler =>
    (call) => ({ body: controlEvery(engine, call, of(call), action) });
  return {
    'monitors.list': (call) => ({
      body: pageOfLedger(engine, call, {
        ledger: of(call).monitors,
        filterable: ({ record }) => ({
          symbol: record.trigger.symbol,
          status: record.status,
          time: record.created_time,
        }),
        show: monitorRecord,
      }),
    }),
    'monitors.create': (call) => {
      const request = call.body as MonitorRequest;
      if (request.action.type === 'order') call.requireScope('trade');
      return { body: monitorRecord(createMonitor(engine, of(call), request)) };
    },
    'monitors.get': (call) => ({ body: monitorRecord(named(call)) }),
    'monitors.remove': (call) => {
      const monitor = named(call);
      if (allows(monitor, 'stop')) controlMonitor(engine, of(call), monitor, 'stop');
      of(call).monitors.remove(monitor.record.monitor_id);
      return { body: monitorRecord(monitor) };
    },
    'monitors.stop': control('stop'),
    'monitors.pause': control('pause'),
    'monitors.resume': control('resume'),
    'monitors.rearm': control('rearm'),
    'monitors.stopAll': controlAll('stop'),
    'monitors.pauseAll': controlAll('pause'),
    'monitors.resumeAll': controlAll('resume'),
    'monitors.groups': (call) => ({
      body: pageOfLedger(engine, call, {
        ledger: of(call).monitorGroups,
        filterable: (group) => ({
          status: groupRecord(of(call), group).status,
          time: group.createdTime,
        }),
        show: (group) => groupRecord(of(call), group),
      }),
    }),
    'monitors.createGroup': (call) => ({ body: createGroup(engine, call, of(call)) }),
  };
}

function findMonitor(account: Account, id: string): Monitor {
  const monitor = account.monitors.get(id);
  if (monitor === undefined) throw new ServiceError('not_found', { details: { id } });
  return monitor;
}

/** Every monitor that allows the action; the others are skipped. A refusal does not affect the rest. */
function controlEvery(engine: EngineState, call: Call, account: Account, action: MonitorAction) {
  const open = [...account.monitors.newest()].map(({ item }) => item).toReversed();
  const results = [];
  for (const monitor of open) {
    if (!allows(monitor, action)) continue;
    const { monitor_id: id, action: made } = monitor.record;
    results.push(
      resultOf(id, () => {
        if (LETS_ACT.has(action)) requireActionScopes(call, made);
        controlMonitor(engine, account, monitor, action);
      }),
    );
  }
  return { results };
}

/**
 * What can act is published again, so that frames show the group. There is no event for that, and `fired` or `failed` would
 * say that it happened again; the next frame of such a monitor has the group.
 */
function createGroup(engine: EngineState, call: Call, account: Account) {
  const { mode, monitor_ids: ids } = call.body as MonitorGroupRequest;
  const monitors = ids.map((id) => findMonitor(account, id));
  const grouped = monitors.find(({ record }) => record.group_id !== null);
  if (grouped !== undefined) {
    const { monitor_id: id, group_id: group } = grouped.record;
    throw fieldFault('monitor_ids', 'grouped_already', `${id} is in the group ${group}.`);
  }
  const group = groupMonitors(engine, account, { mode, monitors });
  for (const monitor of monitors) {
    const { status } = monitor.record;
    if (status === 'armed' || status === 'paused') publishMonitor(engine, monitor, status);
  }
  return groupRecord(account, group);
}
