import { MOST_KEY_CHARACTERS, type Dialect, type EndpointId } from '../../contract/index.ts';
import type { Log } from '../../env/index.ts';
import type { Admission, Outcome } from './Admission.ts';
import { authenticate } from './authenticate.ts';
import type { Budgets } from './createBudgets.ts';
import type { Gate } from './createGate.ts';
import type { ApiKey, Keyring } from './createKeyring.ts';
import { createRouter, type Router } from './createRouter.ts';
import { faultOf } from './faultOf.ts';
import { parseSseChannels, protectColons } from './parseSseChannels.ts';
import type { RawRequest, RawResponse, StreamGrant } from './RawExchange.ts';
import { requireExactNumbers } from './exactNumbers.ts';
import { readJson, type JsonRead } from './readJson.ts';
import type { FieldPath } from './repeatedFields.ts';
import { requireFieldsOnce } from './requireFieldsOnce.ts';
import { lowerCaseNames, respond, type HeaderNames } from './respond.ts';
import { ServiceError } from './ServiceError.ts';

export interface HttpDoorParts {
  dialect: Dialect;
  keyring: Keyring;
  budgets: Budgets;
  gate: Gate;
  nextRequestId(): string;
  log: Log;
}

export interface HttpDoor {
  handle(raw: RawRequest): RawResponse;
  refuse(raw: RawRequest, error: ServiceError): RawResponse;
  /** The endpoint of a request; undefined if there is none. */
  endpointOf(method: string, target: string): EndpointId | undefined;
}

/** What is known of a request before the gate. */
interface Arrival {
  admission: Admission | null;
  key: ApiKey | null;
  allow: readonly string[] | null;
}

/**
 * HTTP's own refusals (path, method, size, credentials), then the gate. Nothing under `/api/` exists
 * (VER-1): every path outside the endpoint table is 404.
 */
export function createHttpDoor(parts: HttpDoorParts): HttpDoor {
  const { dialect, budgets, gate, log } = parts;
  const route = createRouter(dialect.endpoints);
  const names = lowerCaseNames(dialect.headers);
  const handle: HttpDoor['handle'] = (raw) => {
    const arrival: Arrival = { admission: null, key: null, allow: null };
    let outcome: Outcome;
    try {
      arrival.admission = arrive(parts, { route, names }, raw, arrival);
      outcome = gate(arrival.admission);
    } catch (error) {
      outcome = refusedEarly(error, parts.nextRequestId(), log);
    }
    const { admission, key, allow } = arrival;
    const remaining = key === null ? null : budgets.remaining(key);
    const response = respond(raw, outcome, { names, remaining, allow });
    const grant = admission === null ? null : grantOf(admission, outcome);
    return grant === null ? response : { ...response, grant };
  };
  const refuse: HttpDoor['refuse'] = (raw, error) => {
    const outcome = refusedEarly(error, parts.nextRequestId(), log);
    return respond(raw, outcome, { names, remaining: null, allow: null });
  };
  const endpointOf: HttpDoor['endpointOf'] = (method, target) => {
    const found = route(method, splitTarget(target)[0]);
    return 'endpoint' in found ? found.endpoint : undefined;
  };
  return { handle, refuse, endpointOf };
}

/** @throws ServiceError the refusals of path, method, size and credentials, in this order */
function arrive(
  parts: HttpDoorParts,
  made: { route: Router; names: HeaderNames },
  raw: RawRequest,
  arrival: Arrival,
): Admission {
  const { dialect } = parts;
  const [path, queryText] = splitTarget(raw.target);
  const route = made.route(raw.method, path);
  if (route.kind === 'unknown_path') throw new ServiceError('not_found');
  if (route.kind === 'wrong_method') {
    arrival.allow = route.allow;
    throw new ServiceError('method_not_allowed', { details: { allow: route.allow } });
  }
  const bytes = raw.bodyBytes?.length ?? Buffer.byteLength(raw.bodyText);
  if (raw.bodyTooLarge === true || bytes > dialect.limits.bodyBytes) {
    throw new ServiceError('payload_too_large', { details: { limit: dialect.limits.bodyBytes } });
  }
  const { endpoint, pathParams } = route;
  const unsigned = dialect.endpoints[endpoint].scope === null;
  const key = unsigned ? null : authenticate(raw, parts.keyring, dialect.signing);
  arrival.key = key;
  let repeated: readonly FieldPath[] = [];
  return {
    endpoint,
    pathParams,
    query: queryOf(endpoint === 'streams.sse' ? protectColons(queryText) : queryText),
    key,
    // An alert is a text or an object, and no shape of it is refused: each is delivered, and listed (WHK-1).
    isShaped: unsigned && raw.method !== 'GET',
    wallet: raw.headers[made.names.wallet],
    idempotencyKey: raw.headers['idempotency-key'] || null,
    readBody() {
      if (unsigned) return looseBody(raw);
      const read = strictBody(raw);
      repeated = read?.repeated ?? [];
      return read?.value;
    },
    checkShape() {
      requireUpgrade(endpoint, raw);
      requireKeyLength(raw);
      requireFieldsOnce(repeated);
      if (!unsigned) requireExactNumbers(raw.bodyText);
    },
    exact: `${raw.method} ${raw.target}\n${raw.bodyText}`,
    wallTime: raw.wallTime,
  };
}

function splitTarget(target: string): [path: string, query: string] {
  const mark = target.indexOf('?');
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)];
}

/**
 * A name that occurs twice becomes a list, which no schema accepts: the request is refused rather than
 * half read.
 */
function queryOf(text: string): Record<string, unknown> {
  if (text === '') return {};
  const all = new URLSearchParams(text);
  const names = [...new Set(all.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const values = all.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

/** @throws ServiceError `unsupported_media_type`, `invalid_json` (AUTH-2) */
function strictBody(raw: RawRequest): JsonRead | undefined {
  if (raw.bodyText === '') return undefined;
  const type = (raw.headers['content-type'] ?? '').split(';')[0] ?? '';
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new ServiceError('unsupported_media_type');
  }
  if (raw.bodyBytes !== undefined) {
    throw new ServiceError('invalid_json', { message: 'The body is not UTF-8.' });
  }
  return readJson(raw.bodyText);
}

/** An alert is JSON if it parses as an object, else plain text, regardless of its content type (WHK-1). */
function looseBody(raw: RawRequest): unknown {
  if (raw.method === 'GET') return undefined;
  if (!raw.bodyText.trimStart().startsWith('{')) return raw.bodyText;
  try {
    return readJson(raw.bodyText).value;
  } catch {
    return raw.bodyText;
  }
}

function requireUpgrade(endpoint: EndpointId, raw: RawRequest): void {
  if (endpoint !== 'streams.websocket' || raw.upgrade === true) return;
  const message = 'Open this endpoint as a WebSocket.';
  const fields = [{ path: '', code: 'upgrade_required', message }];
  throw new ServiceError('validation_failed', { message, details: { fields } });
}

/** A key of a read is ignored, whatever it is. */
function requireKeyLength({ method, headers }: RawRequest): void {
  const { length } = headers['idempotency-key'] ?? '';
  if (method === 'GET' || length <= MOST_KEY_CHARACTERS) return;
  const path = 'Idempotency-Key';
  const message = `${path} has at most ${MOST_KEY_CHARACTERS} characters; this one has ${length}.`;
  const fields = [{ path, code: 'too_big', message }];
  throw new ServiceError('validation_failed', { message, details: { fields } });
}

function refusedEarly(error: unknown, requestId: string, log: Log): Outcome {
  const { status, fault } = faultOf(error, log, 'http');
  const body = { error: fault, request_id: requestId };
  return { status, body, bodyText: null, requestId, wallet: null, weight: 0, replayed: false };
}

/** A stream's request is checked like any other; its result is permission to open a session. */
function grantOf({ endpoint, key, query }: Admission, outcome: Outcome): StreamGrant | null {
  if (key === null || outcome.wallet === null || outcome.status !== 200) return null;
  const head = { keyId: key.keyId, wallet: outcome.wallet };
  if (endpoint === 'streams.websocket') return { ...head, kind: 'websocket', subscriptions: [] };
  if (endpoint !== 'streams.sse') return null;
  return { ...head, kind: 'sse', subscriptions: parseSseChannels(String(query['channels'])) };
}
