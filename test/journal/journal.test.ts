import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { createVirtualEnv } from '../../src/env/index.ts';
import {
  createJournal,
  createMemoryStore,
  createSqliteStore,
  idempotencyKeyOf,
  INTENT_STATES,
  isLegalTransition,
  type JournalStore,
} from '../../src/journal/index.ts';
import { uuidv5 } from '../../src/journal/uuidv5.ts';

const directory = mkdtempSync(join(tmpdir(), 'trimtab-journal-'));
afterAll(() => rmSync(directory, { recursive: true }));
let files = 0;
const freshPath = () => join(directory, `journal-${files++}.sqlite`);

const clocks = () => {
  const env = createVirtualEnv({ startTime: 1_000 });
  return { clock: env.clock, market: env.queue };
};
const row = (key: string, decisionKey = `decision ${key}`) => ({
  key,
  decisionKey,
  generation: 0,
  instance: 'ema',
  wallet: 'main',
  kind: 'launch',
  intent: '{}',
});

const stores: Array<[string, () => JournalStore]> = [
  ['SQLite', () => createSqliteStore(freshPath())],
  ['memory', createMemoryStore],
];

describe.each(stores)('a journal in %s', (_name, open) => {
  test('keeps the steps of an intent in their order', async () => {
    const journal = createJournal(open(), clocks());
    await journal.open(row('a'), [{ state: 'emitted' }, { state: 'guarded' }]);
    await journal.record('a', [{ state: 'sending', data: { attempt: 1 } }]);
    await journal.record('a', [{ state: 'accepted', data: { order_id: 'ord_1' } }]);
    const steps = journal.store.entries('a');
    expect(steps.map((step) => step.state)).toEqual(['emitted', 'guarded', 'sending', 'accepted']);
    expect(JSON.parse(steps[3]!.data)).toEqual({ order_id: 'ord_1' });
    expect(journal.store.openIntents()).toEqual([]);
    expect(journal.holds('a')).toBe(true);
    expect(journal.holds('b')).toBe(false);
  });

  test('refuses a step that the life of an intent does not have', async () => {
    const journal = createJournal(open(), clocks());
    await journal.open(row('a'), [{ state: 'emitted' }, { state: 'denied' }]);
    await expect(journal.record('a', [{ state: 'sending' }])).rejects.toThrow('denied → sending');
    await expect(journal.open(row('b'), [{ state: 'sending' }])).rejects.toThrow('none → sending');
  });

  test('holds a key once, and a decision once a generation', async () => {
    const journal = createJournal(open(), clocks());
    await journal.open(row('a', 'same'), [{ state: 'emitted' }]);
    await expect(journal.open(row('a'), [{ state: 'emitted' }])).rejects.toThrow();
    await expect(journal.open(row('b', 'same'), [{ state: 'emitted' }])).rejects.toThrow();
    expect(journal.store.intents()).toHaveLength(1);
  });

  test('lists what is not final, with its last state', async () => {
    const journal = createJournal(open(), clocks());
    await journal.open(row('a'), [{ state: 'emitted' }, { state: 'guarded' }]);
    await journal.open(row('b'), [{ state: 'emitted' }, { state: 'denied' }]);
    expect(journal.store.openIntents().map((item) => [item.key, item.state])).toEqual([
      ['a', 'guarded'],
    ]);
  });

  test('keeps the state of a strategy', () => {
    const store = open();
    expect(store.readState('ema')).toBeUndefined();
    void store.writeState('ema', '{"n":1}');
    void store.writeState('ema', '{"n":2}');
    expect(store.readState('ema')).toBe('{"n":2}');
  });
});

test('what was appended is there after the file is opened anew', async () => {
  const path = freshPath();
  const first = createJournal(createSqliteStore(path), clocks());
  await first.open(row('a'), [{ state: 'emitted' }, { state: 'guarded' }, { state: 'sending' }]);
  await first.store.close();
  const second = createJournal(createSqliteStore(path), clocks());
  expect(second.stateOf('a')).toBe('sending');
  await second.record('a', [{ state: 'unknown' }]);
  await second.store.close();
});

test('an append that fails leaves nothing of itself', async () => {
  const store = createSqliteStore(freshPath());
  const journal = createJournal(store, clocks());
  await journal.open(row('a'), [{ state: 'emitted' }]);
  const entry = { key: 'c', state: 'emitted' as const, wallTime: 0, marketTime: 0, data: '{}' };
  expect(() => store.append({ intent: row('a'), entries: [entry] })).toThrow();
  expect(store.entries('c')).toEqual([]);
});

test('a journal has one writer at a time', async () => {
  const path = freshPath();
  const store = createSqliteStore(path);
  expect(() => createSqliteStore(path)).toThrow('in use by another process');
  await store.close();
  await createSqliteStore(path).close();
});

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
