import type { Dialect } from '../../contract/index.ts';
import type { Outcome } from './Admission.ts';
import { asRecord } from './bodyScopes.ts';
import type { RawRequest, RawResponse } from './RawExchange.ts';

/** Names of the service's own headers, in lower case. */
export type HeaderNames = Dialect['headers'];

export function lowerCaseNames(headers: Dialect['headers']): HeaderNames {
  const pairs = Object.entries(headers).map(([use, name]) => [use, name.toLowerCase()]);
  return Object.fromEntries(pairs) as HeaderNames;
}

/** An outcome as an HTTP response: envelope or record, and the headers of conventions §1. */
export function respond(
  raw: RawRequest,
  outcome: Outcome,
  context: { names: HeaderNames; remaining: number | null; allow: readonly string[] | null },
): RawResponse {
  const { names, remaining, allow } = context;
  const { requestId, wallet, weight, replayed, status } = outcome;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    date: httpDate(raw.wallTime),
    [names.requestId]: requestId,
  };
  if (wallet !== null) headers[names.walletResolved] = wallet;
  if (remaining !== null) {
    headers[names.weight] = String(weight);
    headers[names.weightRemaining] = String(remaining);
  }
  const idempotencyKey = raw.headers['idempotency-key'];
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  if (replayed) headers[names.idempotencyReplayed] = 'true';
  if (allow !== null) headers['allow'] = allow.join(', ');
  const retryAfter = status === 429 ? retryAfterSeconds(outcome.body) : null;
  if (retryAfter !== null) headers[names.retryAfter] = String(retryAfter);
  return { status, headers, bodyText: outcome.bodyText ?? JSON.stringify(outcome.body) };
}

/** Thousands of responses fall within one second, and the text of a second is always the same. */
let lastDate = { second: Number.NaN, text: '' };

function httpDate(wallTime: number): string {
  const second = Math.floor(wallTime / 1_000);
  if (second !== lastDate.second) {
    lastDate = { second, text: new Date(second * 1_000).toUTCString() };
  }
  return lastDate.text;
}

function retryAfterSeconds(body: unknown): number | null {
  const details = asRecord(asRecord(asRecord(body)['error'])['details']);
  const seconds = details['retry_after_seconds'];
  return typeof seconds === 'number' ? seconds : null;
}
