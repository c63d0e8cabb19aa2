import { callOn, monitorTarget } from './callOn.ts';
import type { IntentMeta } from './IntentMeta.ts';
import { effect } from './IntentEffect.ts';
import type { IntentRule } from './IntentRule.ts';
import type { MonitorTarget } from './IntentTarget.ts';

/** Stop a monitor (MON-1): `POST /v1/monitors/{id}/stop`. */
export interface StopMonitorIntent extends IntentMeta {
  kind: 'stop_monitor';
  monitor: MonitorTarget;
}

/**
 * Ends a monitor (MON-1).
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   map(() => stopMonitor({ ref: 'alarm' })),
 * );
 * ```
 */
export function stopMonitor(monitor: MonitorTarget, meta: IntentMeta = {}): StopMonitorIntent {
  return { kind: 'stop_monitor', monitor, ...meta };
}

export const stopMonitorRule: IntentRule<StopMonitorIntent> = {
  fields: { monitor: monitorTarget },
  effect: () => effect({ isExit: true, isControl: true }),
  toCall: ({ monitor }, context) =>
    callOn('monitor', monitor, context, (id) => ({
      endpoint: 'monitors.stop',
      pathParams: { id },
    })),
};
