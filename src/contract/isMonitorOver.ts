import type { MonitorRecord } from './records.ts';

/** Whether a monitor fires no more of itself: one that arms itself again does. */
export function isMonitorOver({ status, rearm }: Pick<MonitorRecord, 'status' | 'rearm'>): boolean {
  if (status === 'fired') return !rearm;
  return status === 'stopped' || status === 'failed';
}
