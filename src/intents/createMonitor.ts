import { monitorRequest, type MonitorRequest } from '../contract/automationRequests.ts';
import type { IntentMeta } from './IntentMeta.ts';
import { requestEffect } from './IntentEffect.ts';
import { made, type IntentRule } from './IntentRule.ts';

/** Arm a monitor (MON-1): `POST /v1/monitors`; its action counts as exposure from now on. */
export interface CreateMonitorIntent extends IntentMeta {
  kind: 'create_monitor';
  request: MonitorRequest;
}

export function createMonitor(request: MonitorRequest, meta: IntentMeta = {}): CreateMonitorIntent {
  return { kind: 'create_monitor', request, ...meta };
}

export const createMonitorRule: IntentRule<CreateMonitorIntent> = {
  fields: { request: monitorRequest },
  effect: ({ request }) => {
    const action = requestEffect(request.action.request);
    return { ...action, symbols: [...new Set([...action.symbols, request.trigger.symbol])] };
  },
  toCall: ({ request }) => made({ endpoint: 'monitors.create', body: request }),
};
