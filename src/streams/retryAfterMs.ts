import type { Exchange } from '../contract/exchange.ts';
import { readRetryAfterMs } from '../contract/readRetryAfterMs.ts';

/** Milliseconds after which a read that failed is repeated if nothing else is asked for. */
export const RETRY_MS = 1_000;
/** Whoever asks for a day must not keep a strategy from its market data for that long. */
const LONGEST_RETRY_MS = 300_000;

/**
 * Milliseconds after which a read that failed may be repeated: what a 429 asks for (LIM-2), in the envelope or the header,
 * whoever wrote it.
 */
export function retryAfterMs(exchange: Exchange): number {
  if (exchange.kind === 'not_sent') return RETRY_MS;
  const body = exchange.kind === 'answered' ? exchange.response.body : undefined;
  const headers = (exchange.kind === 'answered' ? exchange.response : exchange.unread)?.headers;
  const error = (body as { error?: { details?: { retry_after_seconds?: unknown } } } | null)?.error;
  const asked = error?.details?.retry_after_seconds ?? headers?.['retry-after'];
  const waitMs = readRetryAfterMs(asked, Date.parse(headers?.['date'] ?? '')) ?? RETRY_MS;
  return Math.min(Math.max(RETRY_MS, waitMs), LONGEST_RETRY_MS);
}
