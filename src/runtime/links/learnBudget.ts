import type { Budget } from '../../budget/index.ts';
import type { Exchange } from '../../contract/index.ts';
import { retryAfterMs } from '../../outcomes/index.ts';

/**
 * What an answer says of the key's budget: what is left of it, and how long to wait after a 429
 * (LIM-2). Every answer counts, whatever was asked: a look-up's 429 binds the next order too.
 *
 * @param remainingHeader name of the header that tells the remaining weight, in lower case
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

/** The venue's headroom gate stops market reads only (MKT-5). */
function isReadGate(body: unknown): boolean {
  const { error } = (body ?? {}) as { error?: { details?: Record<string, unknown> } };
  return error?.details?.['bucket_exceeded'] === 'read_headroom_gate';
}
