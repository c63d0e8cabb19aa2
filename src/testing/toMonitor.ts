import type { MonitorRecord } from '../contract/index.ts';
import type { TestedIntent } from './TestedIntent.ts';
import type { WorkContext } from './Work.ts';

/** What the service makes of a monitor that it accepts. */
export function toMonitor(
  intent: TestedIntent<'create_monitor'>,
  context: Pick<WorkContext, 'now' | 'nextId'>,
): MonitorRecord {
  const { request } = intent;
  return {
    monitor_id: context.nextId('mon'),
    name: request.name ?? intent.decisionKey,
    trigger: { ...request.trigger },
    action: { ...request.action },
    status: 'armed',
    rearm: request.rearm ?? false,
    fired_count: 0,
    created_time: context.now,
    request,
  };
}
