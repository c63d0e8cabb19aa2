import type { Budget } from '../../budget/index.ts';
import type { Exchange } from '../../contract/index.ts';
import { retryAfterMs } from '../../outcomes/index.ts';

/**
 * Reads the key's budget from an answer: the remaining weight, and how long to wait after a 429 (LIM-2). Every
 * answer counts, whatever the request was: a query's 429 also binds the next order.
 *
 * @param remainingHeader name of the header with the remaining weight, in lower case
 * @returns the exchange
 */
export function learnBudget(budget: Budget, exchange: Exchange, remainingHeader: string): Exchange {
  if (exchange.kind !== 'answered') return exchange;
  const text = exchange.response.headers[remainingHeader];
  const remaining = text === undefined ? Number.NaN : Number(text);
  if (Number.isFinite(remaining)) budget.learnRemaining(remaining);
  const holdMs = retryAfterMs(exchange);
  if (holdMs === undefined) budget.served();
  else if (!isReadGate(exchange.response.body)) budget.holdFor(holdMs);
  return exchange;
}

/** The venue's headroom limit stops market reads only (MKT-5). */
function isReadGate(body: unknown): boolean {
  const { error } = (body ?? {}) as { error?: { details?: Record<string, unknown> } };
  return error?.details?.['bucket_exceeded'] === 'read_headroom_gate';
}
