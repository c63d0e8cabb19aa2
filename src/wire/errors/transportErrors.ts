import type { FailureCode } from '../../contract/failures/FAILURES.ts';
import { ENDPOINTS, type EndpointId } from '../../contract/endpoints.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { showNoAnswer } from '../../contract/showNoAnswer.ts';
import { showNotSent } from '../../contract/showNotSent.ts';

/** A reason is one of a fixed set; the system's message (`connect ECONNREFUSED 127.0.0.1:80`) gives the place, else its code the cause. */
function withCause(reason: string, cause: unknown): string {
  const hasWords = cause instanceof Error && cause.message !== '';
  return hasWords ? `${reason} (${cause.message})` : showNotSent({ reason, cause });
}

/**
 * The request failed before its first byte left: sending it again is safe.
 *
 * ```ts
 * const { client, close } = openService({ ...paper, base_url: 'http://127.0.0.1:1' });
 * try {
 *   await client.account.get();
 * } catch (error) {
 *   if (!(error instanceof NotSentError)) throw error;
 *   error.endpoint; // => 'account.get'
 * }
 * await close();
 * ```
 */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
  readonly code: FailureCode = 'TRIMTAB_WIRE_NOT_SENT';
  readonly endpoint: EndpointId;
  readonly reason: string;

  constructor(endpoint: EndpointId, reason: string, cause?: unknown) {
    super(`${endpoint} was not sent: ${withCause(reason, cause)}`, { cause });
    this.endpoint = endpoint;
    this.reason = reason;
  }
}

/**
 * The request left and no readable answer came: it may have been executed.
 *
 * ```ts
 * const { client, close } = openService(paper);
 * const isSafeToRepeat = (error: unknown): boolean => !(error instanceof NoAnswerError);
 * try {
 *   await client.account.get();
 * } catch (error) {
 *   if (isSafeToRepeat(error)) await client.account.get();
 *   else throw error;
 * }
 * await close();
 * ```
 */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly code: FailureCode = 'TRIMTAB_WIRE_NO_ANSWER';
  readonly endpoint: EndpointId;
  readonly reason: string;
  /** Its idempotency key: the same request under it is not executed twice. */
  readonly idempotencyKey: string | null;
  /** The request id of an answer that could not be read, such as a proxy's page; null if there was none. */
  readonly requestId: string | null;

  constructor(
    call: { endpoint: EndpointId; idempotencyKey?: string | undefined },
    lost: Omit<Extract<Exchange, { kind: 'no_answer' }>, 'kind'>,
  ) {
    const { endpoint, idempotencyKey = null } = call;
    const { reason, cause, requestId = null } = lost;
    const named = requestId === null ? '' : ` (request ${requestId})`;
    const shown = showNoAnswer(lost);
    // Where the answer is described, its cause says nothing more.
    const what = `${shown === reason ? withCause(reason, cause) : shown}${named}`;
    const doubt = ENDPOINTS[endpoint].method === 'GET' ? '' : ' and may have been executed';
    super(`${endpoint} got no answer${doubt}: ${what}`, { cause });
    this.endpoint = endpoint;
    this.reason = reason;
    this.idempotencyKey = idempotencyKey;
    this.requestId = requestId;
  }
}

/**
 * The service reported success, in a shape that v1 doesn't have. Its effect is done; `body` is the answer.
 *
 * ```ts
 * const { client, close } = openService(paper);
 * await client.account.get().catch((error: unknown) => {
 *   if (error instanceof UnexpectedResponseError) console.error(error.endpoint, error.body);
 *   throw error;
 * });
 * await close();
 * ```
 */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
  readonly code: FailureCode = 'TRIMTAB_WIRE_UNEXPECTED_RESPONSE';
  readonly endpoint: EndpointId;
  readonly status: number;
  readonly body: unknown;
  /** Dotted paths of the mismatches. */
  readonly paths: readonly string[];

  constructor(facts: {
    endpoint: EndpointId;
    status: number;
    body: unknown;
    paths: readonly string[];
  }) {
    super(
      `${facts.endpoint} answered ${facts.status} in an unexpected shape: ${facts.paths.join(', ')}`,
    );
    this.endpoint = facts.endpoint;
    this.status = facts.status;
    this.body = facts.body;
    this.paths = facts.paths;
  }
}
