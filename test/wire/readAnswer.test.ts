import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readAnswer, UnreadableAnswerError } from '../../src/wire/readAnswer.ts';
import { holdLaw } from '../holdLaw.ts';

const drawn = fc.record({
  status: fc.oneof(
    fc.constantFrom(200, 299, 300, 301, 399, 400),
    fc.integer({ min: 200, max: 599 }),
  ),
  body: fc.oneof(
    fc.json().map((text) => Buffer.from(text)),
    fc
      .constantFrom(0, 493, 494, 495, 1_500)
      .map((count) => Buffer.from(`<html>${'x'.repeat(count)}`)),
    fc.constant(Buffer.alloc(0)),
    fc.constant(Buffer.from([0x22, 0xff, 0x22])),
  ),
});

function parsed(body: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return undefined;
  }
}

test('an answer is JSON; anything else is none, a redirect from 300 to 399, with the start of its text', async () => {
  await holdLaw(300, drawn, ({ status, body }) => {
    const headers = { 'content-type': 'text/x' };
    const exchange = readAnswer({ status, headers, body });
    const json = parsed(body);
    if (json !== undefined) {
      expect(exchange).toEqual({
        kind: 'answered',
        response: { status, headers, body: json.value },
      });
      return;
    }
    expect(exchange).toMatchObject({
      kind: 'no_answer',
      reason: Math.floor(status / 100) === 3 ? 'redirected' : 'unreadable_body',
      unread: { status, headers, isEmpty: body.length === 0 },
    });
    const { cause } = exchange as { cause: unknown };
    expect(cause).toBeInstanceOf(UnreadableAnswerError);
    expect(cause).toMatchObject({ status, headers });
    expect((cause as UnreadableAnswerError).text).toBe(body.toString('latin1').slice(0, 500));
  });
});
