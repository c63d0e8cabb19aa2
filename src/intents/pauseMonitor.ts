import { callOn, monitorTarget } from './callOn.ts';
import type { IntentMeta } from './IntentMeta.ts';
import { effect } from './IntentEffect.ts';
import type { IntentRule } from './IntentRule.ts';
import type { MonitorTarget } from './IntentTarget.ts';

/** Keep a monitor from firing until it is resumed (MON-1): `POST /v1/monitors/{id}/pause`. */
export interface PauseMonitorIntent extends IntentMeta {
  kind: 'pause_monitor';
  monitor: MonitorTarget;
}

/**
 * Pauses a monitor (MON-1).
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   map(() => pauseMonitor({ ref: 'alarm' })),
 * );
 * ```
 */
export function pauseMonitor(monitor: MonitorTarget, meta: IntentMeta = {}): PauseMonitorIntent {
  return { kind: 'pause_monitor', monitor, ...meta };
}

export const pauseMonitorRule: IntentRule<PauseMonitorIntent> = {
  fields: { monitor: monitorTarget },
  effect: () => effect({ isExit: true, isControl: true }),
  toCall: ({ monitor }, context) =>
    callOn('monitor', monitor, context, (id) => ({
      endpoint: 'monitors.pause',
      pathParams: { id },
    })),
};
