import { readEnvelope, readRetryAfterMs, type Exchange } from '../contract/index.ts';

/** What an answer asks of everything that would be sent next. */
export interface Hold {
  /** Milliseconds, capped; undefined if it gives no figure. */
  forMs: number | undefined;
  /** The service itself asks, in the time by which it counts its budget; a gateway counts wall time. */
  isService: boolean;
}

/** Whoever asks for a day must not keep a bot from its positions for that long. */
const LONGEST_HOLD_MS = 300_000;
/**
 * A gateway's 503 may name the time of a maintenance that ends earlier, and no budget is at stake: exits are tried no
 * less often than a growing back-off would.
 */
const LONGEST_AWAY_MS = 20_000;

/**
 * The wait that an answer asks for (LIM-2): a 429's, and a 503's if it has `Retry-After`. It is honoured whoever wrote
 * it and whether or not its body can be read, since waiting is never wrong; of two figures the longer counts. Undefined
 * for any other answer.
 *
 * @param wallNow epoch milliseconds, for a date in an answer that has no time of its own
 */
export function readHold(exchange: Exchange, wallNow?: () => number): Hold | undefined {
  if (exchange.kind === 'not_sent') return undefined;
  const response = exchange.kind === 'answered' ? exchange.response : exchange.unread;
  if (response === undefined || (response.status !== 429 && response.status !== 503)) {
    return undefined;
  }
  const { status, headers } = response;
  const byHeader = headerMs(headers, wallNow);
  if (status === 503) {
    if (byHeader === undefined) return undefined;
    return { forMs: Math.min(byHeader, LONGEST_AWAY_MS), isService: false };
  }
  const body = exchange.kind === 'answered' ? exchange.response.body : undefined;
  const figures = [readRetryAfterMs(detailsOf(body)?.['retry_after_seconds']), byHeader];
  const given = figures.filter((figure) => figure !== undefined);
  return {
    forMs: given.length === 0 ? undefined : Math.min(Math.max(...given), LONGEST_HOLD_MS),
    isService: readEnvelope(body) !== undefined,
  };
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
