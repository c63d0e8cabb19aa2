import type { ConnectionRecord, Dialect, EndpointId } from '../../contract/index.ts';
import type { Log } from '../../env/index.ts';
import type { RecordedCall, Recorder } from '../state/Change.ts';
import type { Admission, Outcome, ShellHandler } from './Admission.ts';
import { asRecord } from './bodyScopes.ts';
import type { Budgets } from './createBudgets.ts';
import type { Connections } from './createConnections.ts';
import {
  isPersisted,
  type IdempotencyStore,
  type RequestIdentity,
  type StoredAnswer,
} from './createIdempotencyStore.ts';
import type { ApiKey } from './createKeyring.ts';
import { faultOf } from './faultOf.ts';
import { performCall, requireScope } from './performCall.ts';
import { ServiceError } from './ServiceError.ts';
import { weighCall, type WeighingFacts } from './weighCall.ts';

export interface GateParts {
  dialect: Pick<Dialect, 'endpoints' | 'limits' | 'budget'>;
  connections: Connections;
  budgets: Budgets;
  idempotency: IdempotencyStore;
  /** Throws `venue_unavailable` if the layer behind it is down. */
  handlerOf: (endpoint: EndpointId) => ShellHandler | undefined;
  factsOf(wallet: string): WeighingFacts;
  nextRequestId(): string;
  /** Receives every call that changes something, before its handler runs; null: no state is persisted. */
  record: Recorder | null;
  log: Log;
}

/**
 * Takes an authenticated request through the checks in the order of conventions §1: scope, wallet,
 * content type and JSON, idempotency, budget, shape, the body's scopes, live checks.
 */
export type Gate = (admission: Admission) => Outcome;

/** A request in progress: a response reports what was known when it was given. */
interface Passage {
  readonly admission: Admission;
  readonly requestId: string;
  wallet: string | null;
  weight: number;
}

export function createGate(parts: GateParts): Gate {
  return (admission) => {
    const requestId = parts.nextRequestId();
    const passage: Passage = { admission, requestId, wallet: null, weight: 0 };
    try {
      return admission.key === null
        ? passUnsigned(parts, passage)
        : passSigned(parts, passage, admission.key);
    } catch (error) {
      return refusal(parts, passage, error);
    }
  };
}

/** AUTH-9: no key, so no scope, wallet, budget or idempotency. */
function passUnsigned(parts: GateParts, passage: Passage): Outcome {
  const body = passage.admission.readBody();
  return carryOut(parts, passage, { connection: null, body, keyed: null });
}

function passSigned(parts: GateParts, passage: Passage, key: ApiKey): Outcome {
  const { admission } = passage;
  const { endpoint, pathParams, query, wallTime } = admission;
  const spec = parts.dialect.endpoints[endpoint];
  if (spec.scope !== null) requireScope(key, spec.scope);
  const connection = findWallet(parts.connections, admission.wallet ?? key.connectionId);
  passage.wallet = connection.id;
  const body = admission.readBody();

  const keyed = keyedIdentity(parts, admission, connection.id, body);
  if (keyed === null && endpoint === 'executions.launch') {
    throw new ServiceError('idempotency_key_required');
  }
  const first = keyed && parts.idempotency.find(key.keyId, keyed.key, keyed.identity, wallTime);
  if (first) return replay(parts, passage, key, first);

  const weight = weighCall(
    { endpoint, spec, pathParams, query, body },
    parts.factsOf(connection.id),
  );
  passage.weight = parts.budgets.charge(key, weight.key);
  parts.budgets.chargeVenueRead(weight.venue);

  return carryOut(parts, passage, { connection, body, keyed });
}

/** The outcome of a call that passed the budget. */
interface Work {
  connection: ConnectionRecord | null;
  body: unknown;
  keyed: Keyed | null;
}

/** Everything after the budget: its refusals are charged and stored under the idempotency key. */
function carryOut(parts: GateParts, passage: Passage, work: Work): Outcome {
  const { key, wallTime } = passage.admission;
  const { keyed } = work;
  let reached = false;
  const outcome = evaluate(parts, passage, work, () => {
    reached = true;
    recordCall(parts, passage, work.body);
  });
  if (key === null || keyed === null || !isPersisted(outcome.status)) return outcome;
  const stored = storedAnswer(passage, outcome);
  // A call that reached its handler was recorded, and a repetition gives the same response.
  if (!reached && parts.record !== null) {
    const { exact, meaning } = keyed.identity;
    const of = { keyId: key.keyId, idempotencyKey: keyed.key, exact, meaning: [...meaning] };
    const { status, bodyText } = stored;
    parts.record({ answer: { ...of, status, bodyText, storedAt: wallTime } });
  }
  parts.idempotency.keep(key.keyId, keyed.key, keyed.identity, stored, wallTime);
  return passage.admission.inProcess === true ? outcome : { ...outcome, bodyText: stored.bodyText };
}

/** A caller in the same process reads no text, but a repetition must return the first response. */
function storedAnswer({ admission }: Passage, { status, body }: Outcome): StoredAnswer {
  if (admission.inProcess !== true) return { status, bodyText: JSON.stringify(body) };
  return new LazyAnswer(status, body);
}

class LazyAnswer implements StoredAnswer {
  readonly status: number;
  readonly #body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.#body = body;
  }

  get bodyText(): string {
    return JSON.stringify(this.#body);
  }
}

function recordCall(parts: GateParts, passage: Passage, body: unknown): void {
  if (parts.record === null) return;
  const { admission, requestId, wallet } = passage;
  const { endpoint, pathParams, query, key, idempotencyKey, exact, wallTime } = admission;
  const { method, scope } = parts.dialect.endpoints[endpoint];
  if (method === 'GET' || scope === 'read') return;
  const call: RecordedCall = {
    endpoint,
    pathParams: { ...pathParams },
    query: { ...query },
    ...(body === undefined ? {} : { body }),
    wallet,
    keyId: key?.keyId ?? null,
    idempotencyKey,
    // Only an idempotent replay needs it, and it is as long as the body.
    exact: idempotencyKey === null ? null : exact,
    wallTime,
    requestId,
  };
  parts.record({ call });
}

/**
 * Carries out a recorded call again: same state, same effect, same response under its key. Scope,
 * signature, budget and shape were checked when it arrived.
 */
export function repeatCall(parts: GateParts, call: RecordedCall, key: ApiKey | null): void {
  const { wallet, body, requestId, ...rest } = call;
  const admission: Admission = {
    ...rest,
    endpoint: call.endpoint as EndpointId,
    key,
    wallet: wallet ?? undefined,
    readBody: () => body,
    isShaped: true,
  };
  const passage: Passage = { admission, requestId, wallet, weight: 0 };
  const connection = wallet === null ? null : findWallet(parts.connections, wallet);
  const keyed = connection && keyedIdentity(parts, admission, connection.id, body);
  carryOut(parts, passage, { connection, body, keyed });
}

function evaluate(
  parts: GateParts,
  passage: Passage,
  { connection, body }: Work,
  onReached: () => void,
): Outcome {
  const { admission } = passage;
  const { dialect, handlerOf } = parts;
  const spec = dialect.endpoints[admission.endpoint];
  try {
    const reply = performCall(admission, { dialect, connection, body, handlerOf, onReached });
    return answer(passage, spec.success, reply.body);
  } catch (error) {
    return refusal(parts, passage, error);
  }
}

/** Returns the first response again, without a second effect; never 429. */
function replay(
  parts: GateParts,
  passage: Passage,
  key: ApiKey,
  first: { status: number; bodyText: string },
): Outcome {
  passage.weight = parts.budgets.chargeAlways(key, parts.dialect.budget.replayWeight);
  return { ...answer(passage, first.status, null), bodyText: first.bodyText, replayed: true };
}

function answer(passage: Passage, status: number, body: unknown): Outcome {
  const { requestId, wallet, weight } = passage;
  return { status, body, bodyText: null, requestId, wallet, weight, replayed: false };
}

function refusal(parts: GateParts, passage: Passage, error: unknown): Outcome {
  const { status, fault } = faultOf(error, parts.log, passage.admission.endpoint);
  return answer(passage, status, { error: fault, request_id: passage.requestId });
}

function findWallet(connections: Connections, id: string): ConnectionRecord {
  const connection = connections.find(id);
  if (connection === undefined) throw new ServiceError('unknown_wallet');
  return connection;
}

const KEYED_METHODS: ReadonlySet<string> = new Set(['POST', 'PATCH', 'DELETE']);

interface Keyed {
  key: string;
  identity: RequestIdentity;
}

/** null if no key was sent, or if keys don't apply: reads, and `PUT`, which is idempotent already. */
function keyedIdentity(
  parts: GateParts,
  admission: Admission,
  wallet: string,
  body: unknown,
): Keyed | null {
  const { endpoint, pathParams, query, exact, idempotencyKey } = admission;
  if (idempotencyKey === null || !KEYED_METHODS.has(parts.dialect.endpoints[endpoint].method))
    return null;
  const identity = new LazyIdentity(exact, { wallet, endpoint, pathParams, query, body });
  return { key: idempotencyKey, identity };
}

interface Parts {
  wallet: string;
  endpoint: EndpointId;
  pathParams: object;
  query: object;
  body: unknown;
}

/** Its meaning is put together when two requests are compared: most keys come once. */
class LazyIdentity implements RequestIdentity {
  readonly exact: string | null;
  readonly #parts: Parts;

  constructor(exact: string | null, parts: Parts) {
    this.exact = exact;
    this.#parts = parts;
  }

  get meaning(): readonly unknown[] {
    const { wallet, endpoint, pathParams, query, body } = this.#parts;
    return [wallet, endpoint, pathParams, { ...query, ...asRecord(body) }];
  }
}
