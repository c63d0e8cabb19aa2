import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../src/contract/index.ts';
import { classify, readHold } from '../../src/outcomes/index.ts';

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  ({ kind: 'answered', response: { status, headers, body } }) as const;

/** What names the record that each answers with. */
const NAMES: ReadonlyArray<readonly [EndpointId, readonly string[]]> = [
  ['orders.place', ['order_id']],
  ['orders.modify', ['order_id']],
  ['orders.bulkCancel', ['results']],
  ['executions.launch', ['execution_id']],
  ['executions.stop', ['execution_id']],
  ['positions.close', ['order_id', 'execution_id']],
  ['positions.attachLegs', ['legs']],
  ['positions.retireLegs', ['legs']],
  ['monitors.create', ['monitor_id']],
  ['monitors.createGroup', ['group_id']],
  ['baskets.launch', ['basket_id']],
  ['leverage.set', ['leverage']],
];

describe.each(NAMES)('a success of %s', (endpoint, names) => {
  test('is its record by its own name, and by each of several', () => {
    for (const name of names) {
      const body = { [name]: name === 'results' || name === 'legs' ? [] : 'id_1' };
      expect(classify(answer(200, body), endpoint).kind).toBe('accepted');
    }
  });

  test.each([undefined, null, ''])('is no record where the name is %j', (value) => {
    const body = Object.fromEntries(names.map((name) => [name, value]));
    expect(classify(answer(200, { ...body, status: 'ok' }), endpoint).kind).toBe('unknown');
  });

  test.each([null, 'ok', 7, [], {}])('is no record as %j', (body) => {
    expect(classify(answer(201, body), endpoint).kind).toBe('unknown');
  });
});

test('LIM-2: of the envelope’s wait and the header’s the longer counts', () => {
  const body = {
    error: { code: 'rate_limited', message: '', details: { retry_after_seconds: 7 } },
  };
  expect(readHold(answer(429, body, { 'retry-after': '3' }))?.forMs).toBe(7_000);
  expect(readHold(answer(429, body, { 'retry-after': '9' }))?.forMs).toBe(9_000);
  expect(readHold(answer(429, {}, { 'retry-after': '3' }))?.forMs).toBe(3_000);
  expect(readHold(answer(429, 'busy'))).toEqual({ forMs: undefined, isService: false });
  expect(readHold(answer(503, body))).toBeUndefined();
});
