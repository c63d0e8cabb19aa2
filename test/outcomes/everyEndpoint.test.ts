import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ENDPOINTS,
  ERROR_CODES,
  type EndpointId,
  type Exchange,
} from '../../src/contract/index.ts';
import { classify, endsById, resolutionOf } from '../../src/outcomes/index.ts';
import { holdLaw } from '../holdLaw.ts';

/** What each answer is named by, of every endpoint that changes something. */
const NAMES: Readonly<Partial<Record<EndpointId, readonly string[]>>> = {
  'orders.place': ['order_id'],
  'orders.modify': ['order_id'],
  'orders.cancel': ['order_id'],
  'orders.bulkCancel': ['results'],
  'positions.close': ['order_id', 'execution_id'],
  'positions.attachLegs': ['legs'],
  'positions.retireLegs': ['legs'],
  'leverage.set': ['leverage'],
  'executions.launch': ['execution_id'],
  'executions.stop': ['execution_id'],
  'executions.pause': ['execution_id'],
  'executions.resume': ['execution_id'],
  'executions.completeAtMarket': ['execution_id'],
  'executions.markComplete': ['execution_id'],
  'executions.batch': ['results'],
  'monitors.create': ['monitor_id'],
  'monitors.remove': ['monitor_id'],
  'monitors.stop': ['monitor_id'],
  'monitors.pause': ['monitor_id'],
  'monitors.resume': ['monitor_id'],
  'monitors.rearm': ['monitor_id'],
  'monitors.stopAll': ['results'],
  'monitors.pauseAll': ['results'],
  'monitors.resumeAll': ['results'],
  'monitors.createGroup': ['group_id'],
  'webhooks.create': ['webhook_id'],
  'webhooks.update': ['webhook_id'],
  'webhooks.remove': ['webhook_id'],
  'webhooks.rotate': ['webhook_id'],
  'baskets.launch': ['basket_id'],
  'baskets.stop': ['basket_id'],
  'baskets.pause': ['basket_id'],
  'baskets.resume': ['basket_id'],
  'baskets.createTemplate': ['template_id'],
  'baskets.removeTemplate': ['template_id'],
};
/** Those that end or pause the one thing that their path names. */
const LATE: readonly EndpointId[] = [
  'orders.cancel',
  'executions.stop',
  'executions.pause',
  'executions.markComplete',
  'monitors.stop',
  'monitors.pause',
];
const ALL = Object.keys(ENDPOINTS) as EndpointId[];
const ALL_NAMES = [...new Set(Object.values(NAMES).flat()), 'id', 'status'];

const answered = (status: number, body: unknown): Exchange => ({
  kind: 'answered',
  response: { status, headers: {}, body },
});

/** They change settings or compute; no intent becomes one. */
const UNNAMED: readonly EndpointId[] = [
  'account.updateSettings',
  'market.evaluate',
  'webhooks.inbound',
];

test('each endpoint that changes something is known here', () => {
  const changing = ALL.filter((id) => ENDPOINTS[id].method !== 'GET' && !UNNAMED.includes(id));
  expect(Object.keys(NAMES).toSorted()).toEqual(changing.toSorted());
});

test.each(ALL)(
  '%s: how an unknown outcome is resolved, and how late it may be sent again',
  (id) => {
    expect(endsById(id)).toBe(LATE.includes(id));
    expect(resolutionOf(id)).toBe(id === 'orders.place' ? 'lookup' : 'resend');
  },
);

test('a success is a record by the names of its endpoint, and by no other', async () => {
  const drawn = fc.record({
    status: fc.integer({ min: 200, max: 299 }),
    given: fc.subarray(ALL_NAMES),
    empty: fc.constantFrom(undefined, null, ''),
    isEmpty: fc.boolean(),
  });
  await holdLaw(60, drawn, ({ status, given, empty, isEmpty }) => {
    const body = Object.fromEntries(given.map((name) => [name, isEmpty ? empty : 'one']));
    for (const [id, names] of Object.entries(NAMES)) {
      const verdict = classify(answered(status, body), id as EndpointId);
      const isRecord = !isEmpty && names.some((name) => given.includes(name));
      expect([id, verdict]).toEqual([
        id,
        isRecord
          ? { kind: 'accepted', record: body, response: { status, headers: {}, body } }
          : { kind: 'unknown', reason: `${status} without a record` },
      ]);
    }
  });
});

test.each(ALL)('%s: a text or nothing is no record, of whatever endpoint', (id) => {
  for (const body of ['ok', '', 7, true, null, undefined])
    expect(classify(answered(200, body), id).kind).toBe('unknown');
});

describe('what is no success', () => {
  const REFUSES = [400, 403, 404, 409, 422];
  const SILENT = [100, 199, 300, 302, 408, 425, 499, 500, 502, 503, 504];
  const drawn = fc.record({
    status: fc.constantFrom(...REFUSES, ...SILENT, 429),
    code: fc.constantFrom(
      ...Object.entries(ERROR_CODES).flatMap(([code, { status }]) => (status < 500 ? [code] : [])),
      'from_the_future',
    ),
    requestId: fc.constantFrom('req_1', 'req_2'),
    id: fc.constantFrom(...ALL),
  });

  test('is told with its code, its status and its request', async () => {
    await holdLaw(600, drawn, ({ status, code, requestId, id }) => {
      const body = { error: { code, message: 'no', details: {} }, request_id: requestId };
      const verdict = classify(answered(status, body), id);
      if (SILENT.includes(status)) {
        expect(verdict).toMatchObject({ kind: 'unknown' });
        const { reason } = verdict as { reason: string };
        expect(reason).toContain(String(status));
        expect(reason).toContain(`(request ${requestId})`);
        return;
      }
      if (status === 429) {
        const again = { kind: 'again', afterMs: 1_000, reason: code, rateLimited: true };
        expect(verdict).toEqual(again);
        return;
      }
      const kind =
        code === 'timestamp_out_of_window'
          ? 'clock'
          : code.startsWith('duplicate_client_')
            ? 'exists'
            : code === 'from_the_future'
              ? 'doubtful'
              : 'rejected';
      expect(verdict).toMatchObject({ kind, fault: { code } });
      if (kind === 'rejected' || kind === 'doubtful') expect(verdict).toMatchObject({ status });
    });
  });

  test('but never came, or never left, keeps its reason', () => {
    expect(classify({ kind: 'no_answer', reason: 'timeout', requestId: 'req_1' })).toEqual({
      kind: 'unknown',
      reason: 'timeout (request req_1)',
    });
    expect(classify({ kind: 'not_sent', reason: 'refused' })).toEqual({
      kind: 'again',
      afterMs: 250,
      reason: 'refused',
      rateLimited: false,
    });
  });
});
