import { expect, test } from 'vitest';
import { NoAnswerError, NotSentError } from '../../src/wire/errors/transportErrors.ts';

const cause = new Error('connect ECONNREFUSED 127.0.0.1:80');
const unread = { status: 502, headers: {}, isEmpty: false };

test('an error says what is known of the end: the cause once, or the answer that came', () => {
  const lost = { reason: 'connection_lost', cause };
  const plain = new NoAnswerError({ endpoint: 'orders.place', idempotencyKey: 'key' }, lost);
  expect(plain.message.split(cause.message)).toHaveLength(2);
  expect(plain).toMatchObject({ idempotencyKey: 'key', requestId: null, cause });

  const page = { reason: 'unreadable_body', cause, unread, requestId: 'req_1' };
  const described = new NoAnswerError({ endpoint: 'orders.place' }, page);
  expect(described.message).toMatch(/502.*\(request req_1\)$/);
  expect(described.message).not.toContain(cause.message);
  expect(described).toMatchObject({ idempotencyKey: null, requestId: 'req_1' });

  const unsent = new NotSentError('orders.place', 'not_connected', cause);
  expect(unsent.message).toContain(cause.message);
});

test('only what may have an effect may have been executed', () => {
  const lost = { reason: 'timeout' };
  const doubt = 'may have been executed';
  expect(new NoAnswerError({ endpoint: 'orders.place' }, lost).message).toContain(doubt);
  expect(new NoAnswerError({ endpoint: 'orders.cancel' }, lost).message).toContain(doubt);
  expect(new NoAnswerError({ endpoint: 'account.get' }, lost).message).not.toContain(doubt);
});
