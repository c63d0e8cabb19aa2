import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMemoryStore, isUnsent, type IntentState } from '../../src/journal/index.ts';
import { checksumOf } from '../../src/journal/checksumOf.ts';
import { idempotencyKeyOf } from '../../src/journal/idempotencyKeyOf.ts';
import { isLegalTransition } from '../../src/journal/IntentState.ts';
import { requireAccount } from '../../src/journal/requireAccount.ts';
import { writeOrFail } from '../../src/journal/writeOrFail.ts';
import { holdLaw } from '../holdLaw.ts';

const decision = fc.tuple(fc.string({ maxLength: 12 }), fc.nat(30));

test('a decision has one key, and no other decision or generation has it', async () => {
  await holdLaw(500, fc.tuple(decision, decision), ([one, two]) => {
    const isSame = one[0] === two[0] && one[1] === two[1];
    expect(idempotencyKeyOf(...one) === idempotencyKeyOf(...two)).toBe(isSame);
  });
  // Kept by journals that were written before: it may never change.
  expect(idempotencyKeyOf('ema:BTC:1700000000000:0', 0)).toBe(
    '773380eb-62ea-5f04-a40c-1c6f82469c6f',
  );
});

test('records whose fields are cut at other places have other checksums', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', '1', ',', '"'), minLength: 2, maxLength: 8 });
  await holdLaw(500, fc.tuple(text, fc.nat(7), fc.nat(7)), ([whole, first, second]) => {
    const cutAt = (at: number) => [whole.slice(0, at), whole.slice(at)] as const;
    const [one, two] = [cutAt(first % whole.length), cutAt(second % whole.length)];
    expect(checksumOf(...one) === checksumOf(...two)).toBe(one[0] === two[0]);
  });
});

test('unsent is what has never been sent, or was put back unprocessed', () => {
  const all: IntentState[] = [
    'emitted',
    'guarded',
    'denied',
    'deferred',
    'sending',
    'unknown',
    'accepted',
    'rejected',
    'absent',
    'unresolved',
    'expired',
  ];
  expect(all.filter(isUnsent)).toEqual(['emitted', 'guarded', 'deferred']);
  // Only these may still be denied or expire without an answer of the service.
  for (const state of all) {
    if (isLegalTransition(state, 'denied')) expect(isUnsent(state), state).toBe(true);
  }
});

describe('a journal belongs to one account', () => {
  const on = (account: string) => ({ account, place: 'var/bot.sqlite', grows: true });

  test('the first that opens it, durably before anything else is done', async () => {
    const store = createMemoryStore();
    const written = Promise.withResolvers<void>();
    const { setMeta } = store;
    store.setMeta = async (key, value) => {
      await written.promise;
      await setMeta(key, value);
    };
    let isAssigned = false;
    const assigned = requireAccount(store, on('one')).then(() => (isAssigned = true));
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    expect(isAssigned).toBe(false);
    written.resolve();
    await assigned;
    await requireAccount(store, on('one'));
    await expect(requireAccount(store, on('two'))).rejects.toMatchObject({ code: 'foreign' });
  });

  test('without a write there is no account', async () => {
    const store = createMemoryStore();
    store.setMeta = () => Promise.reject(new Error('full'));
    await expect(requireAccount(store, on('one'))).rejects.toThrow('full');
  });
});

test('a write that fails ends the bot, whether at once or later', async () => {
  const faults: unknown[] = [];
  const onFatal = (error: unknown): void => void faults.push(error);
  writeOrFail(() => {
    throw new Error('at once');
  }, onFatal);
  writeOrFail(() => Promise.reject(new Error('later')), onFatal);
  writeOrFail(() => Promise.resolve(), onFatal);
  writeOrFail(() => {}, onFatal);
  await Promise.resolve();
  await Promise.resolve();
  expect(faults.map((fault) => (fault as Error).message)).toEqual(['at once', 'later']);
});
