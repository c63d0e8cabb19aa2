import type { EndpointId } from '../../src/contract/index.ts';

/** Every status that HTTP names for a final answer, but for the one that has no body. */
export const STATUSES: readonly number[] = [
  200, 201, 202, 203, 206, 300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 406, 407,
  408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 418, 421, 422, 423, 424, 425, 426, 428, 429,
  431, 444, 451, 460, 494, 497, 499, 500, 501, 502, 503, 504, 505, 507, 508, 511, 520, 521, 522,
  523, 524, 525, 530, 599,
];

/** JSON that something between the client and the service answers with. */
export const GATEWAY_BODIES: Readonly<Record<string, unknown>> = {
  'a gateway without a route': { message: 'no Route matched with those values' },
  'the same with a request id': { message: 'no Route matched', request_id: 'a1b2c3' },
  'a load balancer': { status: 404, error: 'Not Found', path: '/v1/order' },
  'a cloud’s gateway': { error: { code: 404, message: 'Not found', status: 'NOT_FOUND' } },
  'an envelope without a request id': { error: { code: 'not_found', message: 'no route' } },
  'one with an empty request id': { error: { code: 'not_found', message: '' }, request_id: '' },
  'one without a message': { error: { code: 'validation_failed' }, request_id: 'a1' },
  'a duplicate without a request id': {
    error: { code: 'duplicate_client_order_id', message: 'conflict' },
  },
  'a problem document': { type: 'about:blank', title: 'Forbidden', status: 403, code: 'not_found' },
  'a list of errors': { errors: [{ code: 'not_found', message: 'no' }], request_id: 'a1' },
  'a status line': { ok: false, status: 'maintenance' },
  'an empty object': {},
  'an empty list': [],
  null: null,
  'a text': 'Not Found',
  'a number': 404,
  false: false,
};

/** Endpoints that an intent becomes. */
export const WRITES: readonly EndpointId[] = [
  'orders.place',
  'orders.modify',
  'orders.cancel',
  'orders.bulkCancel',
  'positions.close',
  'positions.attachLegs',
  'positions.retireLegs',
  'leverage.set',
  'executions.launch',
  'executions.stop',
  'executions.pause',
  'executions.resume',
  'executions.completeAtMarket',
  'executions.markComplete',
  'monitors.create',
  'monitors.stop',
  'monitors.pause',
  'monitors.resume',
  'monitors.rearm',
  'baskets.launch',
];
