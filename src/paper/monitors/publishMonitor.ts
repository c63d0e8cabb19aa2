import { NO_KEYS } from '../core/Engine.ts';
import type { World } from '../engine/World.ts';
import type { Monitor, MonitorFields } from './Monitor.ts';

export function monitorRecord({ record }: Monitor): MonitorFields {
  return { ...record };
}

export function publishMonitor(
  world: World,
  monitor: Monitor,
  event: 'armed' | 'fired' | 'failed' | 'stopped' | 'paused' | 'resumed',
): void {
  if (!world.heard) return;
  const { wallet } = monitor;
  const data = monitorRecord(monitor);
  world.emit({ channel: 'monitors', event, wallet, keys: NO_KEYS, data });
}
