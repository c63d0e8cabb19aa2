import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createMemoryStore,
  createPassingStore,
  INTENT_STATES,
  isFinal,
  type JournalStore,
} from '../../src/journal/index.ts';
import { journalOn, openIntent, rowOf } from './journalRows.ts';

const KEYS = ['a', 'b', 'c'];
const step = fc.record({
  key: fc.constantFrom(...KEYS),
  opens: fc.boolean(),
  states: fc.array(fc.constantFrom(...INTENT_STATES), { minLength: 1, maxLength: 4 }),
});

/** What a runtime may ask while it runs; texts are no part of it. */
function stateOf(store: JournalStore) {
  const open = store.openIntents().map(({ key, decisionKey, state }) => [key, decisionKey, state]);
  return { open, known: KEYS.map((key) => [store.holds(key), store.stateOf(key)]) };
}

function act(
  store: JournalStore,
  { key, opens, states }: typeof step extends fc.Arbitrary<infer T> ? T : never,
) {
  const entries = states.map((state) => ({ key, state, wallTime: 1, marketTime: 1, data: '' }));
  try {
    void store.append(opens ? { intent: rowOf(key), entries } : { entries });
    return 'taken';
  } catch {
    return 'refused';
  }
}

test('a passing store accepts, refuses and knows the same as a full one', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const [whole, passing] = [createMemoryStore(), createPassingStore()];
      for (const each of steps) {
        const state = whole.stateOf(each.key);
        // No intent continues after its end: the journal refuses that before it calls its store.
        if (!each.opens && state !== undefined && isFinal(state)) continue;
        const ends = each.states.findIndex((one) => isFinal(one));
        const lived = ends === -1 ? each : { ...each, states: each.states.slice(0, ends + 1) };
        expect(act(passing, lived)).toBe(act(whole, lived));
        expect(stateOf(passing)).toEqual(stateOf(whole));
      }
    }),
  );
});

test('it retains no text, and no finished intent', async () => {
  const store = createPassingStore();
  const journal = journalOn(store);
  expect(journal.keepsTexts).toBe(false);
  await openIntent(journal, 'a', ['emitted', 'guarded', 'sending']);
  expect(store.intents()).toHaveLength(1);
  await journal.record('a', [{ state: 'accepted' }]);
  expect([store.intents(), store.entries('a')]).toEqual([[], []]);
  expect([store.holds('a'), store.stateOf('a')]).toEqual([true, 'accepted']);
  await expect(async () => openIntent(journal, 'a', ['emitted'])).rejects.toThrow('already');
});

test('states, facts and latches are there as long as it is, each under its own name', async () => {
  for (const store of [createMemoryStore(), createPassingStore()]) {
    await store.writeState('ema', '{"seen":1}');
    await store.writeState('pair', '{"seen":7}');
    await store.writeState('ema', '{"seen":2}');
    await store.setMeta('account', 'main');
    await store.setLatch('kill', { value: 'L2', reason: 'test', time: 5 });
    await store.setLatch('kill', { value: 'L0', reason: 'rearmed', time: 9 });
    await store.setLatch('api key', { value: 'vk_1', reason: 'at the start', time: 3 });
    expect(['ema', 'pair', 'other'].map((name) => store.readState(name))).toEqual([
      '{"seen":2}',
      '{"seen":7}',
      undefined,
    ]);
    expect([store.meta('account'), store.meta('other')]).toEqual(['main', undefined]);
    expect(store.latch('kill')).toMatchObject({ value: 'L0', reason: 'rearmed', time: 9 });
    expect(store.latches().map(({ name, value }) => [name, value])).toEqual([
      ['api key', 'vk_1'],
      ['kill', 'L0'],
    ]);
  }
});
