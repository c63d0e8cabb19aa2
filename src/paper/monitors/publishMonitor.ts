import { NO_KEYS } from '../core/Engine.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { Monitor, MonitorFields } from './Monitor.ts';

export function monitorRecord({ record }: Monitor): MonitorFields {
  return { ...record };
}

export function publishMonitor(
  engine: EngineState,
  monitor: Monitor,
  event: 'armed' | 'fired' | 'failed' | 'stopped' | 'paused' | 'resumed',
): void {
  if (!engine.hasListener) return;
  const { wallet } = monitor;
  const data = monitorRecord(monitor);
  engine.emit({ channel: 'monitors', event, wallet, keys: NO_KEYS, data });
}
