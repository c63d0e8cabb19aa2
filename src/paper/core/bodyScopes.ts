import type { EndpointId, Scope } from '../../contract/index.ts';
import type { Call } from './Engine.ts';

/**
 * Scopes that a body needs beyond those of its endpoint (AUTH-4, conventions §2): an unwinding leg and a
 * close by algorithm need `algo`; a monitor or webhook needs the scopes of its action.
 */
export function bodyScopes(endpoint: EndpointId, body: unknown): Scope[] {
  const fields = asRecord(body);
  switch (endpoint) {
    case 'positions.attachLegs':
      return hasUnwindingLeg(fields) ? ['algo'] : [];
    case 'positions.close':
      return fields['algo'] === undefined ? [] : ['algo'];
    case 'monitors.create':
    case 'webhooks.create':
    case 'webhooks.update':
      return actionScopes(asRecord(fields['action']));
    default:
      return [];
  }
}

function hasUnwindingLeg(fields: Readonly<Record<string, unknown>>): boolean {
  return ['take_profit', 'stop_loss'].some(
    (kind) => asRecord(fields[kind])['exit_style'] === 'algo_unwind',
  );
}

/**
 * A monitor or webhook that may act from now on, or by a token that is new, needs the scopes of its action from
 * whoever lets it act, not only from who created it (AUTH-4, conventions §2).
 *
 * @throws ServiceError `insufficient_scope`
 */
export function requireActionScopes(call: Pick<Call, 'requireScope'>, action: object): void {
  for (const scope of actionScopes(asRecord(action))) call.requireScope(scope);
}

function actionScopes(action: Readonly<Record<string, unknown>>): Scope[] {
  const request = asRecord(action['request']);
  if (action['type'] === 'order') return ['trade'];
  if (action['type'] === 'execute') return ['algo'];
  if (action['type'] !== 'close') return [];
  return request['algo'] === undefined ? ['trade'] : ['trade', 'algo'];
}

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
