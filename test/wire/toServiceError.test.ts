import { describe, expect, test } from 'vitest';
import { ERROR_CODES, type ErrorCode } from '../../src/contract/errorCodes.ts';
import {
  ConflictError,
  InsufficientScopeError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
  ServiceFaultError,
  toServiceError,
} from '../../src/wire/errors/index.ts';

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body,
});
const envelope = (code: string, details?: object) => ({
  error: { code, message: 'because', ...(details ? { details } : {}) },
  request_id: 'req_9',
});

describe('ERR-1: each error maps to a typed exception', () => {
  test.each(Object.entries(ERROR_CODES))('%s', (code, { status }) => {
    const response = answer(status, envelope(code, { hint: 1 }));
    const error = toServiceError(response);
    expect(error).toBeInstanceOf(ServiceFaultError);
    expect(error.constructor).not.toBe(ServiceFaultError);
    expect(error.name).toBe(error.constructor.name);
    expect(error).toMatchObject({ code, status, details: { hint: 1 }, requestId: 'req_9' });
    expect(error.cause).toBe(response);
  });

  test('RULE-2, MKT-5: the class exposes the details', () => {
    const missing = envelope('insufficient_scope', { required_scope: 'algo' });
    const scope = toServiceError(answer(403, missing));
    expect(scope).toBeInstanceOf(InsufficientScopeError);
    expect(scope).toMatchObject({ requiredScope: 'algo' });
    const details = { bucket_exceeded: 'read_headroom_gate', retry_after_seconds: 7 };
    const limited = toServiceError(answer(429, envelope('rate_limited', details)));
    expect(limited).toBeInstanceOf(RateLimitedError);
    expect(limited).toMatchObject({ retryAfterSeconds: 7, bucketExceeded: 'read_headroom_gate' });
    const fields = [{ path: 'stop_loss.at', code: 'x', message: 'y' }];
    const invalid = toServiceError(answer(422, envelope('validation_failed', { fields })));
    expect(invalid).toMatchObject({ fields });
    const unread = [
      null,
      'x',
      { path: ['size'], code: 'x' },
      { path: 'size', code: 'x', message: null },
    ];
    const odd = toServiceError(answer(422, envelope('validation_failed', { fields: unread })));
    expect(odd).toMatchObject({ fields: [{ path: 'size', code: 'x', message: '' }] });
    const keyed = { fields: { size: ['off grid'] } };
    expect(toServiceError(answer(422, envelope('validation_failed', keyed)))).toMatchObject({
      fields: [],
    });
  });

  test('LEG-8: a leg on the wrong side is an invalid request with the resolved value', () => {
    const details = { resolved_value: 61_000, anchor_price: 60_000, leg: 'stop_loss' };
    const { status } = ERROR_CODES.wrong_side_trigger;
    const error = toServiceError(answer(status, envelope('wrong_side_trigger', details)));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ details });
  });

  test('no_position is a missing resource or a failed precondition, by its status', () => {
    expect(toServiceError(answer(404, envelope('no_position')))).toBeInstanceOf(NotFoundError);
    expect(toServiceError(answer(422, envelope('no_position')))).toBeInstanceOf(
      InvalidRequestError,
    );
  });
});

describe('ERR-2: unknown values of a newer service are preserved', () => {
  test('an unknown code', () => {
    const error = toServiceError(answer(409, envelope('moon_phase', { phase: 'full' })));
    expect(error.constructor).toBe(ServiceFaultError);
    expect(error).toMatchObject({ code: 'moon_phase', status: 409, details: { phase: 'full' } });
  });

  test('a known code under a status that the table does not know', () => {
    const error = toServiceError(answer(418, envelope('duplicate_client_order_id')));
    expect(error).toBeInstanceOf(ConflictError);
    expect(error.status).toBe(418);
  });

  test.each([null, [], 'text', { error: 'x' }, { error: { code: 4 } }])(
    'a body without an envelope: %j',
    (body) => {
      const error = toServiceError(answer(503, body, { 'x-request-id': 'req_h' }));
      expect(error).toMatchObject({ code: 'unknown', status: 503, requestId: 'req_h' });
    },
  );

  test('an envelope without a request id takes the one of the header', () => {
    const body = { error: { code: 'internal' satisfies ErrorCode, message: 'm' } };
    expect(toServiceError(answer(500, body, { 'x-request-id': 'r' })).requestId).toBe('r');
  });
});
