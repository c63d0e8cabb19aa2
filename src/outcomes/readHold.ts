import { readEnvelope, readRetryAfterMs, type Exchange } from '../contract/index.ts';

/** What an answer asks of everything that would be sent next. */
export interface Hold {
  /** Milliseconds; undefined if it gives no figure. */
  forMs: number | undefined;
  /** The service itself asks, in the time by which it counts its budget; a gateway counts wall time. */
  isService: boolean;
}

/** A gateway that asks for a day must not keep a bot from its positions for that long. */
const LONGEST_OF_GATEWAY_MS = 300_000;
/** No window of a rate limit lasts as long; exits wait too, and after this one request asks again. */
const LONGEST_OF_SERVICE_MS = 3_600_000;

/**
 * The wait that a 429 asks for (LIM-2). It is honoured whoever wrote it and whether or not its body can be read, since
 * waiting is never wrong; of two figures the longer counts. Undefined for any other answer: a 503 spends no budget, and
 * may name a maintenance that ends earlier.
 *
 * @param wallNow epoch milliseconds, for a date in an answer that has no time of its own
 */
export function readHold(exchange: Exchange, wallNow?: () => number): Hold | undefined {
  if (exchange.kind === 'not_sent') return undefined;
  const response = exchange.kind === 'answered' ? exchange.response : exchange.unread;
  if (response?.status !== 429) return undefined;
  const body = exchange.kind === 'answered' ? exchange.response.body : undefined;
  const isService = readEnvelope(body) !== undefined;
  const figures = [
    readRetryAfterMs(detailsOf(body)?.['retry_after_seconds']),
    headerMs(response.headers, wallNow),
  ];
  const given = figures.filter((figure) => figure !== undefined);
  if (given.length === 0) return { forMs: undefined, isService };
  const longest = isService ? LONGEST_OF_SERVICE_MS : LONGEST_OF_GATEWAY_MS;
  return { forMs: Math.min(Math.max(...given), longest), isService };
}

/** A date is compared with the answer's own: the clock of this machine may be wrong. */
function headerMs(
  headers: Readonly<Record<string, string>>,
  wallNow: (() => number) | undefined,
): number | undefined {
  const own = Date.parse(headers['date'] ?? '');
  return readRetryAfterMs(headers['retry-after'], Number.isNaN(own) ? wallNow?.() : own);
}

function detailsOf(body: unknown): Readonly<Record<string, unknown>> | undefined {
  const { error } = (body ?? {}) as { error?: { details?: Record<string, unknown> } | null };
  return error?.details;
}
