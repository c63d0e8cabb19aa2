import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idempotencyKeyOf, INTENT_STATES, isLegalTransition } from '../../src/journal/index.ts';
import { uuidv5 } from '../../src/journal/uuidv5.ts';

test('the states form a life: from emitted, and never back to it', () => {
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

  test('one decision has one key, another decision or generation another', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(5), (a, b, generation) => {
        expect(idempotencyKeyOf(a, generation)).toBe(idempotencyKeyOf(a, generation));
        expect(idempotencyKeyOf(a, generation)).not.toBe(idempotencyKeyOf(a, generation + 1));
        if (a !== b) expect(idempotencyKeyOf(a, 0)).not.toBe(idempotencyKeyOf(b, 0));
      }),
    );
  });
});
