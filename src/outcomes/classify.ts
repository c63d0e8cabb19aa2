import {
  readEnvelope,
  readRefusal,
  showNoAnswer,
  showNotSent,
  type EndpointId,
  type Exchange,
  type ServiceFault,
  type ServiceResponse,
} from '../contract/index.ts';
import { isRecordOf } from './isRecordOf.ts';
import { readHold } from './readHold.ts';

/**
 * What an exchange means for an intent (reliability: the table under *Budget*).
 *
 * - `accepted`, `rejected`: the service answered so, in its own record or envelope.
 * - `doubtful`: its envelope with an unknown code; evidence decides if there is any.
 * - `again`: certain that nothing was executed; the same key and bytes may go out after `afterMs`.
 * - `clock`: the signature's time was refused; learn the offset, sign once more.
 * - `exists`: the client id is taken: an earlier attempt went through, or another request has it; a query shows which.
 * - `unknown`: sent, with unknown outcome. Never a rejection.
 */
export type Verdict =
  | { kind: 'accepted'; record: unknown; response: ServiceResponse }
  | { kind: 'rejected'; fault: ServiceFault; status: number }
  | { kind: 'doubtful'; fault: ServiceFault; status: number }
  | { kind: 'again'; afterMs: number; reason: string; rateLimited: boolean }
  | { kind: 'clock'; fault: ServiceFault }
  | { kind: 'exists'; fault: ServiceFault }
  | { kind: 'unknown'; reason: string };

/** How an unknown intent of an endpoint is resolved. */
export type Resolution =
  /** The idempotency key makes the same bytes safe to send again. */
  | 'resend'
  /** The client id finds it, or proves with time that it is absent. */
  | 'lookup';

/** Only an order is queried: the spec makes no promise about keys there, and a duplicate costs money. */
export function resolutionOf(endpoint: EndpointId): Resolution {
  return endpoint === 'orders.place' ? 'lookup' : 'resend';
}

/**
 * Requests that mean the same however late they arrive: each can only end or pause the one thing that its path
 * names by its id. Everything else is valid for the resend time only: a close, a bulk cancel, a pair of legs or
 * a leverage names a symbol, which may have another position or other orders by then; a modify sets a price of
 * its time; and what opens (a launch, a basket, a monitor, a resume, a completion at the market) opens twice
 * once the service has forgotten its key.
 */
const ENDS_BY_ID: readonly EndpointId[] = [
  'orders.cancel',
  'executions.stop',
  'executions.pause',
  'executions.markComplete',
  'monitors.pause',
  'monitors.stop',
];

/** Whether a request may be sent again however long ago it was sent first. */
export function endsById(endpoint: EndpointId): boolean {
  return ENDS_BY_ID.includes(endpoint);
}

/** Requests that each time open another thing, which no read shows by the bot's own id. */
const OPENS_ANEW: readonly EndpointId[] = ['baskets.launch', 'monitors.create'];

/** Whether a second one would open a second thing, and nothing can be asked for the first. */
export function opensAnew(endpoint: EndpointId): boolean {
  return OPENS_ANEW.includes(endpoint);
}

/** How long to wait if a 429 has no figure. */
const DEFAULT_RETRY_MS = 1_000;
const RETRY_NOT_SENT_MS = 250;

function classifyConflict(fault: ServiceFault, status: number): Verdict {
  const exists =
    fault.code === 'duplicate_client_order_id' || fault.code === 'duplicate_client_execution_id';
  return exists ? { kind: 'exists', fault } : { kind: 'rejected', fault, status };
}

/** A support desk asks for the request id to find out what became of a request (AUTH-7). */
const withRequestId = (reason: string, requestId: string | undefined): string =>
  requestId === undefined ? reason : `${reason} (request ${requestId})`;

function classifyResponse(response: ServiceResponse, endpoint: EndpointId | undefined): Verdict {
  const { status, body } = response;
  if (status >= 200 && status < 300) {
    const isTheirs = endpoint === undefined || isRecordOf(endpoint, body);
    if (isTheirs) return { kind: 'accepted', record: body, response };
    return { kind: 'unknown', reason: `${status} without a record` };
  }
  const refusal = readRefusal(status, body);
  if (refusal.kind === 'silent') {
    const requestId = readEnvelope(body)?.request_id;
    return { kind: 'unknown', reason: withRequestId(`${status} ${refusal.code}`, requestId) };
  }
  const { fault } = refusal;
  if (status === 429) {
    const afterMs = readHold({ kind: 'answered', response })?.forMs ?? DEFAULT_RETRY_MS;
    return { kind: 'again', afterMs, reason: fault.code, rateLimited: true };
  }
  if (refusal.kind === 'doubtful') return { kind: 'doubtful', fault, status };
  if (fault.code === 'timestamp_out_of_window') return { kind: 'clock', fault };
  return classifyConflict(fault, status);
}

/** @param endpoint the requested endpoint: the answer must be its record; absent, any success is one */
export function classify(exchange: Exchange, endpoint?: EndpointId): Verdict {
  switch (exchange.kind) {
    case 'answered':
      return classifyResponse(exchange.response, endpoint);
    case 'not_sent':
      return {
        kind: 'again',
        afterMs: RETRY_NOT_SENT_MS,
        reason: showNotSent(exchange),
        rateLimited: false,
      };
    case 'no_answer':
      return { kind: 'unknown', reason: withRequestId(showNoAnswer(exchange), exchange.requestId) };
  }
}
