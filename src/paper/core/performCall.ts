import {
  checkRequest,
  checkShape,
  type ConnectionRecord,
  type Dialect,
  type EndpointId,
  type EndpointSpec,
  type Scope,
  type ShapeResult,
} from '../../contract/index.ts';
import { isMap } from '../../contract/isMap.ts';
import type { Admission, ShellHandler } from './Admission.ts';
import { bodyScopes } from './bodyScopes.ts';
import type { ApiKey } from './createKeyring.ts';
import type { Reply } from './Engine.ts';
import { requireFilters } from './listFilters.ts';
import { ServiceError } from './ServiceError.ts';

/**
 * Shape, the scopes that a body needs, then the handler and its live checks: the last refusals of
 * conventions §1, in that order.
 *
 * @throws ServiceError
 */
export function performCall(
  admission: Admission,
  known: {
    dialect: Pick<Dialect, 'endpoints' | 'limits'>;
    connection: ConnectionRecord | null;
    body: unknown;
    handlerOf: (endpoint: EndpointId) => ShellHandler | undefined;
    /** Called once every check that does not need the live state has passed. */
    onReached: () => void;
  },
): Reply {
  const { endpoint, pathParams, idempotencyKey, key, wallTime } = admission;
  const { dialect, connection } = known;
  const spec = dialect.endpoints[endpoint];
  admission.checkShape?.();
  const query = shaped(spec.query, admission.query) as Record<string, unknown>;
  requireFilters(endpoint, query);
  // Only an absent body stands for an empty one: `null` was sent, and says nothing (RULE-2).
  const sent = known.body === undefined ? {} : known.body;
  const body = spec.body === null ? noBody(known.body) : sent;
  if (spec.body !== null && admission.isShaped !== true) {
    passed(checkRequest(endpoint, body, dialect));
  }
  if (key !== null) {
    for (const scope of bodyScopes(endpoint, body)) requireScope(key, scope);
  }
  if (connection !== null) requireLinked(connection, spec);
  const handler = known.handlerOf(endpoint);
  if (handler === undefined) throw new ServiceError('not_found');
  known.onReached();
  return handler({
    endpoint,
    pathParams,
    query,
    body,
    wallet: connection?.id ?? '',
    idempotencyKey,
    key,
    wallTime,
    requireScope: (scope) => requireScope(key, scope),
  });
}

/** @throws ServiceError `insufficient_scope` (AUTH-4) */
export function requireScope(key: ApiKey | null, scope: Scope): void {
  if (key === null || key.scopes.includes(scope)) return;
  throw new ServiceError('insufficient_scope', {
    message: `The key lacks the scope \`${scope}\`.`,
    details: { required_scope: scope },
  });
}

/** The value as the schema reads it: queries arrive as text. @throws ServiceError the shape's fault */
export function shaped(schema: EndpointSpec['query'], value: unknown): unknown {
  return passed(checkShape<unknown>(schema, value));
}

/** @throws ServiceError the shape's fault */
export function passed<T>(result: ShapeResult<T>): T {
  if (result.ok) return result.value;
  const { code, message, details } = result.fault;
  throw new ServiceError(code, { message, details: { ...details } });
}

/**
 * If an endpoint takes no body, a field in one would be dropped silently (RULE-1); an empty object counts
 * as no body.
 */
function noBody(body: unknown): undefined {
  const names = isMap(body) ? Object.keys(body) : [];
  if (body === undefined || (isMap(body) && names.length === 0)) return undefined;
  const unknown = names.map((path) => ({
    path,
    code: 'unknown_field',
    message: `Unknown field \`${path}\`.`,
  }));
  const fields = isMap(body)
    ? unknown
    : [{ path: '', code: 'unexpected_body', message: 'No body.' }];
  throw new ServiceError('validation_failed', {
    message: 'This endpoint takes no body.',
    details: { fields },
  });
}

/** Only trading needs the wallet's link; reads work without it. */
function requireLinked(connection: ConnectionRecord, spec: EndpointSpec): void {
  if (spec.scope !== 'read' && connection.status === 'unlinked') {
    throw new ServiceError('wallet_not_linked');
  }
}
