import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { ExchangeHandler } from '../../src/wire/ExchangeHandler.ts';

const controller = { abort: () => {} } as unknown as Dispatcher.DispatchController;
const lost = Object.assign(new Error('reset'), { code: 'ECONNRESET' });

/** What is known of an exchange whose connection is lost after these heads, and after so much of the body. */
async function lostAfter(heads: readonly number[], body: string) {
  const handler = new ExchangeHandler(100);
  handler.onRequestStart(controller);
  for (const status of heads) {
    handler.onResponseStart(controller, status, { 'retry-after': '7', vary: ['a', 'b'] });
  }
  if (body !== '') handler.onResponseData(controller, Buffer.from(body));
  handler.onResponseError(controller, lost);
  return handler.exchange;
}

test('a connection that is lost within an answer leaves its head, and whether anything of its body came', async () => {
  const none = { kind: 'no_answer', reason: 'connection_lost', cause: lost };
  const headers = { 'retry-after': '7', vary: 'a, b' };
  expect(await lostAfter([], '')).toEqual(none);
  // An informational answer is not the head of the answer.
  expect(await lostAfter([100], '')).toEqual(none);
  expect(await lostAfter([103, 199], '')).toEqual(none);
  for (const status of [200, 429, 503]) {
    const unread = { status, headers };
    expect(await lostAfter([status], '')).toEqual({
      ...none,
      unread: { ...unread, isEmpty: true },
    });
    expect(await lostAfter([103, status], '{"a"')).toEqual({
      ...none,
      unread: { ...unread, isEmpty: false },
    });
  }
});

test('a body may be just as large as the cap', async () => {
  const answer = JSON.stringify('x'.repeat(98));
  for (const more of ['', ' ']) {
    const handler = new ExchangeHandler(answer.length);
    handler.onRequestStart(controller);
    handler.onResponseStart(controller, 200, {});
    for (const piece of [answer.slice(0, 60), answer.slice(60) + more]) {
      handler.onResponseData(controller, Buffer.from(piece));
    }
    handler.onResponseEnd();
    expect(await handler.exchange).toMatchObject(
      more === '' ? { kind: 'answered' } : { kind: 'no_answer', reason: 'body_too_large' },
    );
  }
});

test('a request that is written once more is not waited for: what became of the first is unknown', async () => {
  const aborted: string[] = [];
  const once = { abort: (error: Error) => void aborted.push(error.message) } as never;
  const handler = new ExchangeHandler(100);
  handler.onRequestStart(once);
  handler.onRequestStart(once);
  handler.onResponseStart(once, 200, {});
  handler.onResponseEnd();
  expect(await handler.exchange).toEqual({ kind: 'no_answer', reason: 'connection_lost' });
  expect(aborted).toHaveLength(1);
});
