import type { EngineState } from '../engine/EngineState.ts';
import type { Monitor } from './Monitor.ts';

/** Nothing of it acts on the market any more. */
export function disarmMonitor(engine: EngineState, monitor: Monitor): void {
  unwatchLevel(engine, monitor);
  if (monitor.hook !== null) engine.barHooks.remove(monitor.hook);
  monitor.hook = null;
}

/** Removes its watch, or takes it out of those that share one. */
export function unwatchLevel(engine: EngineState, monitor: Monitor): void {
  if (monitor.watch !== null) engine.market.unwatch(monitor.watch);
  monitor.watch = null;
  monitor.bundle?.leave(monitor);
}
