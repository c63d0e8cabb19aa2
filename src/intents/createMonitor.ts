import {
  monitorRequest,
  type MonitorAction,
  type MonitorRequest,
} from '../contract/automationRequests.ts';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type { IntentMeta } from './IntentMeta.ts';
import { type Entry, requestEffect } from './IntentEffect.ts';
import { made, type IntentRule } from './IntentRule.ts';

/**
 * Arm a monitor (MON-1): `POST /v1/monitors`; its action counts as exposure from now on. The key is used as its
 * name and as the client id of what it fires, if the strategy gave none: this identifies both as the bot's. A
 * monitor that re-arms fires more than once, and a client id can be used only once.
 */
export interface CreateMonitorIntent extends IntentMeta {
  kind: 'create_monitor';
  request: MonitorRequest;
}

/**
 * Arms a monitor: the service acts by itself once its trigger is reached (MON-1).
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   map(() => createMonitor({
 *       trigger: { type: 'price_level', symbol: ctx.symbol, price: 120, direction: 'above' },
 *       action: {
 *         type: 'execute',
 *         request: { algo: 'pacemaker', symbol: ctx.symbol, side: 'buy', total_size: 0.5, params: { duration_seconds: 600 } },
 *       },
 *     })),
 * );
 * ```
 */
export function createMonitor(request: MonitorRequest, meta: IntentMeta = {}): CreateMonitorIntent {
  return { kind: 'create_monitor', request, ...meta };
}

export const createMonitorRule: IntentRule<CreateMonitorIntent> = {
  fields: { request: monitorRequest },
  effect: ({ request }) => {
    const { trigger } = request;
    const action = requestEffect(request.action.request);
    const triggeredAt =
      trigger.type === 'price_level' && action.symbols.includes(trigger.symbol)
        ? trigger.price
        : null;
    return {
      ...action,
      symbols: [...new Set([...action.symbols, trigger.symbol])],
      entries: action.entries.map((entry) => waiting(entry, triggeredAt, request.rearm === true)),
      reductions: action.reductions.map((one) => ({ ...one, isArmed: true })),
    };
  },
  toCall: ({ request }, { idempotencyKey }) => {
    const name = request.name ?? idempotencyKey;
    const action =
      request.rearm === true ? request.action : withClientId(request.action, idempotencyKey);
    return made({ endpoint: 'monitors.create', body: { ...request, name, action } });
  },
};

/**
 * What it opens once its trigger is reached, and not at once, though by a market order. A sweep that it launches waits
 * for its own.
 */
function waiting(entry: Entry, trigger: number | null, isRepeated: boolean): Entry {
  const triggeredAt = entry.triggeredAt ?? trigger;
  const after: Entry = { ...entry, triggeredAt, ...(isRepeated && { isRepeated }) };
  delete after.isAtOnce;
  return after;
}

function withClientId({ type, request }: MonitorAction, key: string): object {
  const field = type === 'order' ? 'client_order_id' : 'client_execution_id';
  // A client id that is undefined is none.
  return { type, request: { [field]: key, ...withoutUndefined(request) } };
}
