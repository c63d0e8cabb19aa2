import { expect, test } from 'vitest';
import type { Exchange } from '../../src/contract/index.ts';
import { retryAfterMs } from '../../src/streams/retryAfterMs.ts';

const headers = { 'retry-after': '20' };
const body = { error: { code: 'rate_limited', message: '', details: { retry_after_seconds: 9 } } };
const unread = { status: 429, headers, isEmpty: false };

test.each<[string, Exchange, number]>([
  ['what was not sent', { kind: 'not_sent', reason: 'not_connected' }, 1_000],
  ['a lost answer', { kind: 'no_answer', reason: 'timeout' }, 1_000],
  ['a page that can’t be read', { kind: 'no_answer', reason: 'unreadable_body', unread }, 20_000],
  ['a header', { kind: 'answered', response: { status: 429, headers, body: '' } }, 20_000],
  ['an envelope', { kind: 'answered', response: { status: 429, headers, body } }, 9_000],
  ['neither', { kind: 'answered', response: { status: 500, headers: {}, body: null } }, 1_000],
])('LIM-2: a read waits as long as it is asked to: %s', (_what, exchange, ms) => {
  expect(retryAfterMs(exchange)).toBe(ms);
});
