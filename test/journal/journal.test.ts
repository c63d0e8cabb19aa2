import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idempotencyKeyOf, INTENT_STATES, isLegalTransition } from '../../src/journal/index.ts';
import { uuidv5 } from '../../src/journal/uuidv5.ts';

test('the states form a life cycle: from emitted, and never back to it', () => {
  for (const state of INTENT_STATES) {
    expect(isLegalTransition(state, 'emitted')).toBe(false);
    expect(isLegalTransition(undefined, state)).toBe(state === 'emitted');
  }
  expect(isLegalTransition('unknown', 'accepted')).toBe(true);
  expect(isLegalTransition('accepted', 'sending')).toBe(false);
});

describe('identity', () => {
  test('UUIDv5 gives the published value', () => {
    // RFC 9562, appendix A.4.
    const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
    expect(uuidv5(dns, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  test('UUIDv5 equals another library’s for names of any length', () => {
    const space = '6f0d3a52-7a0e-4a55-9c0e-8f5a1f6f3c41';
    const names = fc.oneof(fc.string({ maxLength: 200 }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(names, fc.nat(40), (name, times) => {
        const text = name.repeat(times);
        const bytes = Buffer.from(
          space.replaceAll('-', '') + Buffer.from(text).toString('hex'),
          'hex',
        );
        const hex = createHash('sha1').update(bytes).digest('hex');
        const variant = '89ab'[Number.parseInt(hex[16]!, 16) & 3]!;
        const digits = `${hex.slice(0, 12)}5${hex.slice(13, 16)}${variant}${hex.slice(17, 32)}`;
        expect(uuidv5(space, text).replaceAll('-', '')).toBe(digits);
        expect(uuidv5(space, text)).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      }),
    );
  });

  test('each decision and generation has its own key', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(5), (a, b, generation) => {
        expect(idempotencyKeyOf(a, generation)).toBe(idempotencyKeyOf(a, generation));
        expect(idempotencyKeyOf(a, generation)).not.toBe(idempotencyKeyOf(a, generation + 1));
        if (a !== b) expect(idempotencyKeyOf(a, 0)).not.toBe(idempotencyKeyOf(b, 0));
      }),
    );
  });
});
