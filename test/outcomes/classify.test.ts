import { describe, expect, test } from 'vitest';
import { ERROR_CODES, type Exchange } from '../../src/contract/index.ts';
import { createRandom } from '../../src/env/index.ts';
import { GATEWAY_BODIES, STATUSES, WRITES } from '../runtime/gateways.ts';
import { backoffMs, classify, readHold, resolutionOf } from '../../src/outcomes/index.ts';

const answered = (
  status: number,
  body: unknown = {},
  headers: Record<string, string> = {},
): Exchange => ({ kind: 'answered', response: { status, headers, body } });
const refused = (status: number, code: string, details: object = {}) =>
  answered(status, { error: { code, message: 'no', details }, request_id: 'req_1' });

test('a 2xx is accepted with its record', () => {
  expect(classify(answered(201, { order_id: 'ord_1' }))).toMatchObject({
    kind: 'accepted',
    record: { order_id: 'ord_1' },
  });
});

test('ERR-1: every code of the table is rejected, retried, or unknown, by its status', () => {
  for (const [code, { status }] of Object.entries(ERROR_CODES)) {
    const { kind } = classify(refused(status, code));
    if (status >= 500) expect(kind, code).toBe('unknown');
    else if (status === 429) expect(kind, code).toBe('again');
    else expect(['rejected', 'clock', 'exists'], code).toContain(kind);
  }
});

describe('AUTH-7: the answer of an intermediary is not the service’s', () => {
  test.each(Object.entries(GATEWAY_BODIES))('%s is unknown at every status', (_name, body) => {
    for (const endpoint of WRITES) {
      for (const status of STATUSES) {
        const { kind } = classify(answered(status, body), endpoint);
        expect([endpoint, status, kind]).toEqual([endpoint, status, 'unknown']);
      }
    }
  });

  test('a known code is conclusive with a refusal status, not with an inconclusive one', () => {
    for (const status of [400, 403, 404, 409, 422]) {
      expect(classify(refused(status, 'validation_failed')).kind).toBe('rejected');
    }
    for (const status of [302, 408, 425, 499, 500, 502, 503, 504]) {
      expect(classify(refused(status, 'validation_failed')).kind).toBe('unknown');
    }
    expect(classify(refused(400, 'internal')).kind).toBe('unknown');
  });
});

describe('silence is never a rejection', () => {
  test('no answer is unknown', () => {
    expect(classify({ kind: 'no_answer', reason: 'timeout' })).toEqual({
      kind: 'unknown',
      reason: 'timeout',
    });
  });
  test('a 5xx is unknown, with or without an envelope', () => {
    expect(classify(answered(502, '<html>'))).toMatchObject({ kind: 'unknown' });
    expect(classify(refused(500, 'internal'))).toMatchObject({ kind: 'unknown' });
  });
  test('only a request that was certainly not sent is resent without reconciliation', () => {
    expect(classify({ kind: 'not_sent', reason: 'ECONNREFUSED' })).toMatchObject({
      kind: 'again',
      rateLimited: false,
    });
  });
  test('what was not sent says why, with the code of the connection’s error', () => {
    const reasonOf = (code: unknown): unknown => {
      const cause = Object.assign(new Error('certificate has expired'), { code });
      return classify({ kind: 'not_sent', reason: 'not_connected', cause });
    };
    expect(reasonOf('CERT_HAS_EXPIRED')).toMatchObject({
      reason: 'not_connected (CERT_HAS_EXPIRED)',
    });
    // Of a plugin's link it may be anything.
    for (const code of [undefined, 7, '', 'two\nlines', 'x'.repeat(61)])
      expect(reasonOf(code)).toMatchObject({ reason: 'not_connected' });
  });
});

test('LIM-2: a 429 waits as long as stated: details first, then the header', () => {
  const details = { retry_after_seconds: 7 };
  expect(classify(refused(429, 'rate_limited', details))).toMatchObject({ afterMs: 7_000 });
  expect(classify(refused(429, 'rate_limited'))).toMatchObject({ kind: 'again', afterMs: 1_000 });
});

describe('LIM-2: the wait that an answer asks for', () => {
  const byGateway = (forMs: number | undefined) => ({ forMs, isService: false });
  const day = { 'retry-after': '86400' };

  test.each<[string, Exchange, unknown]>([
    ['a gateway’s 429', answered(429, '<html>', { 'retry-after': '3' }), byGateway(3_000)],
    ['a 429 without a figure', answered(429, {}), byGateway(undefined)],
    ['a figure that is none', answered(429, {}, { 'retry-after': 'soon' }), byGateway(undefined)],
    [
      'the service’s own',
      refused(429, 'rate_limited', { retry_after_seconds: 7 }),
      { forMs: 7_000, isService: true },
    ],
    [
      'the service’s own for a month',
      refused(429, 'rate_limited', { retry_after_seconds: 2_592_000 }),
      { forMs: 3_600_000, isService: true },
    ],
    ['a 503 with a figure', answered(503, {}, { 'retry-after': '3' }), undefined],
    ['another refusal', answered(502, {}, { 'retry-after': '3' }), undefined],
    ['a 429 for a day', answered(429, {}, day), byGateway(300_000)],
    ['what never left', { kind: 'not_sent', reason: 'closed' }, undefined],
    ['silence', { kind: 'no_answer', reason: 'timeout' }, undefined],
    [
      'a 429 that can’t be read',
      {
        kind: 'no_answer',
        reason: 'unreadable_body',
        unread: { status: 429, headers: { 'retry-after': '3' }, isEmpty: true },
      },
      byGateway(3_000),
    ],
  ])('%s', (_name, exchange, hold) => {
    expect(readHold(exchange, () => 0)).toEqual(hold);
  });

  test('a date counts from the answer’s own time, else from this machine’s', () => {
    const date = 'Thu, 01 Jan 1970 00:10:30 GMT';
    const own = answered(429, {}, { 'retry-after': date, date: 'Thu, 01 Jan 1970 00:10:00 GMT' });
    expect(readHold(own, () => 0)).toEqual(byGateway(30_000));
    const without = answered(429, {}, { 'retry-after': date });
    expect(readHold(without, () => 600_000)).toEqual(byGateway(30_000));
    expect(readHold(without, () => 700_000)).toEqual(byGateway(0));
  });
});

test('our own client id already in use means that an earlier attempt succeeded', () => {
  expect(classify(refused(409, 'duplicate_client_order_id')).kind).toBe('exists');
  expect(classify(refused(409, 'duplicate_client_execution_id')).kind).toBe('exists');
  expect(classify(refused(409, 'tracked_entry_immutable')).kind).toBe('rejected');
});

test('ERR-2: an unknown code is kept and passed on', () => {
  expect(classify(refused(422, 'from_the_future', { hint: 1 }))).toMatchObject({
    kind: 'doubtful',
    fault: { code: 'from_the_future', details: { hint: 1 } },
  });
});

test('an order is never resent blindly; a launch may be, under its key', () => {
  expect(resolutionOf('orders.place')).toBe('lookup');
  expect(resolutionOf('executions.launch')).toBe('resend');
});

test('backoff stays between 0.25 s and 20 s and grows', () => {
  const random = createRandom(1);
  for (let attempt = 1; attempt < 40; attempt++) {
    const delayMs = backoffMs(attempt, random);
    expect(delayMs).toBeGreaterThanOrEqual(250);
    expect(delayMs).toBeLessThanOrEqual(20_000);
    if (attempt === 1) expect(delayMs).toBeLessThanOrEqual(500);
  }
});
