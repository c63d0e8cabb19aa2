import type { z } from 'zod';
import type { EndpointId } from '../contract/endpoints.ts';
import type { Exchange } from '../contract/exchange.ts';
import { toServiceError } from './errors/toServiceError.ts';
import { NoAnswerError, NotSentError, UnexpectedResponseError } from './errors/transportErrors.ts';

/** The endpoint that was called, and the idempotency key. */
interface Call {
  endpoint: EndpointId;
  idempotencyKey?: string | undefined;
}

/**
 * The record of an exchange, by either transport, or the typed error of the answer (ERR-1). The record is
 * returned as it was sent, unknown fields included (ERR-2).
 *
 * @throws ServiceFaultError the service refused the request
 * @throws NotSentError | NoAnswerError the exchange failed on the wire
 * @throws UnexpectedResponseError a success in another shape
 */
export function readRecord(call: Call, exchange: Exchange, schema: z.ZodType): unknown {
  const { endpoint } = call;
  if (exchange.kind === 'not_sent') {
    throw new NotSentError(endpoint, exchange.reason, exchange.cause);
  }
  if (exchange.kind === 'no_answer') throw new NoAnswerError(call, exchange);
  const { status, body } = exchange.response;
  if (status < 200 || status > 299) throw toServiceError(exchange.response);
  const parsed = schema.safeParse(body);
  if (parsed.success) return body;
  const paths = parsed.error.issues.map((issue) => issue.path.join('.') || '(whole)');
  throw new UnexpectedResponseError({ endpoint, status, body, paths });
}
