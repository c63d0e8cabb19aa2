import { describe, expect, test } from 'vitest';
import { JournalFault, type IntentState, type JournalStore } from '../../src/journal/index.ts';
import { contentOf, journalOn, openIntent, rowOf } from './journalRows.ts';

/** One place for a journal: opened again, it is the same journal. */
export interface StorePlace {
  open(): Promise<JournalStore>;
}

export interface StoreKind {
  name: string;
  /** Whether it survives its process. */
  isDurable: boolean;
  createPlace(): Promise<StorePlace>;
}

async function faultOf(act: () => unknown): Promise<JournalFault> {
  try {
    await act();
  } catch (error) {
    if (error instanceof JournalFault) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** Contract of every journal store. */
export function testStore({ name, isDurable, createPlace }: StoreKind): void {
  describe(`a journal in ${name}`, () => {
    test('stores the steps of an intent in order', async () => {
      const store = await (await createPlace()).open();
      const journal = journalOn(store);
      await journal.open(rowOf('a'), [{ state: 'emitted' }, { state: 'guarded' }]);
      await journal.record('a', [{ state: 'sending', data: { attempt: 1 } }]);
      await journal.record('a', [{ state: 'accepted', data: { order_id: 'ord_1' } }]);
      const steps = store.entries('a');
      expect(steps.map(({ state }) => state)).toEqual([
        'emitted',
        'guarded',
        'sending',
        'accepted',
      ]);
      expect(JSON.parse(steps[3]!.data)).toEqual({ order_id: 'ord_1' });
      expect(store.intent('a')).toEqual({ ...rowOf('a'), state: 'accepted' });
      expect(store.openIntents()).toEqual([]);
      expect([journal.holds('a'), journal.holds('b')]).toEqual([true, false]);
      expect([journal.stateOf('a'), journal.stateOf('b')]).toEqual(['accepted', undefined]);
      await store.close();
    });

    test('counts a step at once, before its store has confirmed', async () => {
      const store = await (await createPlace()).open();
      const journal = journalOn(store);
      const opened = openIntent(journal, 'a', ['emitted', 'guarded']);
      expect(journal.holds('a')).toBe(true);
      const sent = journal.record('a', [{ state: 'sending' }]);
      const done = journal.record('a', [{ state: 'accepted' }]);
      expect(journal.stateOf('a')).toBe('accepted');
      await Promise.all([opened, sent, done]);
      expect(store.entries('a').map(({ state }) => state)).toEqual([
        'emitted',
        'guarded',
        'sending',
        'accepted',
      ]);
      await store.close();
    });

    test('refuses an invalid transition', async () => {
      const store = await (await createPlace()).open();
      const journal = journalOn(store);
      await openIntent(journal, 'a', ['emitted', 'denied']);
      const record = async () => journal.record('a', [{ state: 'sending' }]);
      await expect(record()).rejects.toThrow('denied → sending');
      await expect(openIntent(journal, 'b', ['sending'])).rejects.toThrow('none → sending');
      await store.close();
    });

    test('stores a key once, and a decision once per generation', async () => {
      const store = await (await createPlace()).open();
      const entry = { state: 'emitted' as const, wallTime: 1, marketTime: 1, data: '{}' };
      const append = (key: string, decision: string) =>
        store.append({ intent: rowOf(key, decision), entries: [{ ...entry, key }] });
      await append('a', 'same');
      expect((await faultOf(() => append('a', 'other'))).code).toBe('duplicate');
      expect((await faultOf(() => append('b', 'same'))).code).toBe('duplicate');
      expect(store.intents().map(({ key }) => key)).toEqual(['a']);
      expect(store.entries('a')).toHaveLength(1);
      await append('b', 'another');
      expect(store.intents().map(({ key }) => key)).toEqual(['a', 'b']);
      // What is proven absent is sent again as the decision's next generation, once.
      const again = (key: string) =>
        store.append({
          intent: { ...rowOf(key, 'same'), generation: 1 },
          entries: [{ ...entry, key }],
        });
      await again('c');
      expect((await faultOf(() => again('d'))).code).toBe('duplicate');
      expect(store.intents().map(({ key }) => key)).toEqual(['a', 'b', 'c']);
      await store.close();
    });

    test('writes steps of several intents in one append', async () => {
      const place = await createPlace();
      let store = await place.open();
      const step = (key: string, state: IntentState, at: number) => ({
        key,
        state,
        wallTime: at,
        marketTime: at,
        data: '{}',
      });
      for (const key of ['a', 'b', 'c'])
        await store.append({ intent: rowOf(key), entries: [step(key, 'emitted', 1)] });
      const entries = [
        step('a', 'guarded', 2),
        step('new', 'emitted', 3),
        step('b', 'denied', 4),
        step('new', 'guarded', 5),
        step('a', 'sending', 6),
        step('c', 'guarded', 7),
        step('c', 'sending', 7),
      ];
      await store.append({ intent: rowOf('new'), entries });
      const states = () =>
        ['a', 'b', 'c', 'new'].map((key) => [key, store.stateOf(key), store.intent(key)?.state]);
      const wanted = [
        ['a', 'sending', 'sending'],
        ['b', 'denied', 'denied'],
        ['c', 'sending', 'sending'],
        ['new', 'guarded', 'guarded'],
      ];
      expect(states()).toEqual(wanted);
      expect(store.entries('a').map(({ wallTime }) => wallTime)).toEqual([1, 2, 6]);
      expect(store.openIntents().map(({ key }) => key)).toEqual(['a', 'c', 'new']);
      if (!isDurable) return void (await store.close());
      await store.close();
      store = await place.open();
      expect(states()).toEqual(wanted);
      expect(store.entries('new').map(({ wallTime }) => wallTime)).toEqual([3, 5]);
      // Of two that are final since 4, the younger one stays.
      await store.append({ entries: [step('c', 'unknown', 8), step('a', 'accepted', 9)] });
      expect(await store.compact({ olderThan: 9 })).toBe(1);
      expect(store.intents().map(({ key }) => key)).toEqual(['a', 'c', 'new']);
      await store.close();
    });

    test('lists open intents with their last state, oldest first', async () => {
      const store = await (await createPlace()).open();
      const journal = journalOn(store);
      await openIntent(journal, 'c', ['emitted', 'guarded']);
      await openIntent(journal, 'b', ['emitted', 'denied']);
      await openIntent(journal, 'a', ['emitted', 'guarded', 'sending', 'unknown']);
      expect(store.openIntents().map(({ key, state }) => [key, state])).toEqual([
        ['c', 'guarded'],
        ['a', 'unknown'],
      ]);
      await store.close();
    });

    test('has the accepted monitors among its intents by themselves, newest first', async () => {
      const store = await (await createPlace()).open();
      const kinds = ['create_monitor', 'launch', 'create_monitor', 'create_monitor'];
      for (const [at, kind] of kinds.entries()) {
        const step = { key: `k${at}`, wallTime: 1, marketTime: 1, data: '{}' };
        const last = { ...step, state: at === 2 ? 'rejected' : 'accepted' } as const;
        const intent = { ...rowOf(`k${at}`), kind };
        await store.append({ intent, entries: [{ ...step, state: 'emitted' }, last] });
      }
      expect(store.standingIntents().map(({ key }) => key)).toEqual(['k3', 'k0']);
      expect(store.standingIntents()[1]).toEqual(store.intents()[0]);
      await store.close();
    });

    test('shows its intents newest first, as far as they are taken, while others are written', async () => {
      const store = await (await createPlace()).open();
      const journal = journalOn(store);
      const keys = Array.from({ length: 250 }, (_none, at) => `k${at}`);
      for (const key of keys) await openIntent(journal, key, ['emitted', 'guarded']);
      expect([...store.newestIntents()]).toEqual(store.intents().toReversed());
      const [last] = store.newestIntents();
      expect(last).toEqual({ ...rowOf('k249'), state: 'guarded' });
      const seen: string[] = [];
      for (const { key } of store.newestIntents()) {
        if (seen.push(key) === 1) await openIntent(journal, 'later', ['emitted', 'denied']);
      }
      expect(seen).toEqual(keys.toReversed());
      expect([...store.newestIntents()].map(({ key }) => key)).toEqual([
        'later',
        ...keys.toReversed(),
      ]);
      await store.close();
    });

    test('stores states, facts and latches; the last change of a latch counts', async () => {
      const place = await createPlace();
      let store = await place.open();
      expect([store.readState('ema'), store.meta('account'), store.latch('kill')]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      for (const n of [1, 2]) {
        await store.writeState('ema', `{"n":${n}}`);
        await store.setMeta('account', `account ${n}`);
        await store.setLatch('kill', { value: `L${n}`, reason: `reason ${n}`, time: n + 0.5 });
      }
      await store.setLatch('a quarantine', { value: 'on', reason: 'it threw', time: 5 });
      expect(store.readState('ema')).toBe('{"n":2}');
      expect(store.meta('account')).toBe('account 2');
      expect(store.latch('kill')).toEqual({ value: 'L2', reason: 'reason 2', time: 2.5 });
      expect(store.latches()).toEqual([
        { name: 'a quarantine', value: 'on', reason: 'it threw', time: 5 },
        { name: 'kill', value: 'L2', reason: 'reason 2', time: 2.5 },
      ]);
      // And for the processes after it, whichever of them changed it.
      for (const n of isDurable ? [3, 4] : []) {
        const { value, reason, time } = store.latch('kill')!;
        await store.close();
        store = await place.open();
        expect(store.latch('kill')).toEqual({ value, reason, time });
        expect([store.readState('ema'), store.meta('account')]).toEqual(['{"n":2}', 'account 2']);
        await store.setLatch('kill', { value: `L${n % 4}`, reason: `reason ${n}`, time: n });
      }
      await store.close();
    });

    test('stores any text unchanged', async () => {
      const store = await (await createPlace()).open();
      const text = JSON.stringify({ quote: `'";--\\`, nul: '\u0000', emoji: '🪝', lone: '\ud800' });
      await store.append({
        intent: { ...rowOf('a'), intent: text },
        entries: [{ key: 'a', state: 'emitted', wallTime: 1.25, marketTime: -1, data: text }],
      });
      expect(store.intent('a')?.intent).toBe(text);
      expect(store.entries('a')).toEqual([
        { key: 'a', state: 'emitted', wallTime: 1.25, marketTime: -1, data: text },
      ]);
      await store.close();
    });

    test('retires old final intents; never an open one', async () => {
      const place = await createPlace();
      let store = await place.open();
      const journal = journalOn(store, 1_000);
      for (const key of ['a', 'b', 'c']) await openIntent(journal, key, ['emitted', 'denied']);
      await openIntent(journal, 'open', ['emitted', 'guarded']);
      await openIntent(journalOn(store, 5_000), 'young', ['emitted', 'denied']);

      expect(await store.compact({ olderThan: 1_000 })).toBe(0);
      expect(await store.compact({ olderThan: 2_000, limit: 2 })).toBe(2);
      expect(store.intents().map(({ key }) => key)).toEqual(['c', 'open', 'young']);
      expect(await store.compact({ olderThan: 2_000, limit: 2 })).toBe(1);
      expect(await store.compact({ olderThan: 2_000, limit: 2 })).toBe(0);
      if (isDurable) {
        await store.close();
        store = await place.open();
      }
      expect(store.intents().map(({ key }) => key)).toEqual(['open', 'young']);
      expect(store.entries('a')).toEqual([]);
      expect(store.intent('a')).toBeUndefined();
      // The decision exists, and is never repeated.
      expect([store.holds('a'), store.stateOf('a')]).toEqual([true, 'denied']);
      const entries = [
        { key: 'a', state: 'emitted' as const, wallTime: 1, marketTime: 1, data: '{}' },
      ];
      const again = { ...rowOf('a'), generation: 1 };
      expect((await faultOf(() => store.append({ intent: again, entries }))).code).toBe(
        'duplicate',
      );
      expect(await store.compact({ olderThan: 10_000 })).toBe(1);
      expect(store.openIntents().map(({ key }) => key)).toEqual(['open']);
      await store.close();
    });

    if (!isDurable) return;
    // An error of `JSON.parse` names half of an emoji, or the NUL of a file that a power cut left full of zeros.
    test('stores a raw text that a database can’t hold as what it can, and opens again', async () => {
      const place = await createPlace();
      const first = await place.open();
      const raw = 'half \ud83d, nul \0.';
      const stored = 'half \ufffd, nul \u2400.';
      const step = { state: 'emitted' as const, wallTime: 1, marketTime: 1, data: raw };
      await first.append({
        intent: { ...rowOf('a'), decisionKey: raw, instance: raw, intent: raw },
        entries: [{ ...step, key: 'a' }],
      });
      await first.writeState('ema', raw);
      await first.setMeta('account', raw);
      await first.setLatch(raw, { value: raw, reason: raw, time: 1 });
      const expected = {
        latches: [{ name: stored, value: stored, reason: stored, time: 1 }],
        account: stored,
        state: stored,
        intents: [
          {
            ...rowOf('a'),
            decisionKey: stored,
            instance: stored,
            intent: stored,
            state: 'emitted',
            steps: [{ ...step, key: 'a', data: stored }],
          },
        ],
      };
      expect(contentOf(first)).toEqual(expected);
      await first.close();
      const second = await place.open();
      expect(contentOf(second)).toEqual(expected);
      await second.close();
    });

    test('is the same journal when reopened', async () => {
      const place = await createPlace();
      const first = await place.open();
      const journal = journalOn(first);
      for (const key of ['a', 'b']) {
        await openIntent(journal, key, ['emitted', 'guarded', 'sending']);
        await journal.record(key, [{ state: 'unknown', data: { reason: 'timeout' } }]);
      }
      await openIntent(journal, 'c', ['emitted', 'denied']);
      await first.setMeta('account', 'one');
      await first.setLatch('kill', { value: 'L1', reason: 'why', time: 3 });
      await first.writeState('ema', '{"n":1}');
      const before = contentOf(first) as { intents: Array<{ key: string }> };
      await first.close();

      const second = await place.open();
      const after = contentOf(second) as { intents: Array<{ key: string }> };
      const open = ({ key }: { key: string }) => key !== 'c';
      expect(after.intents.filter(open)).toEqual(before.intents.filter(open));
      expect({ ...after, intents: [] }).toEqual({ ...before, intents: [] });
      expect(second.entries('c').at(-1)).toEqual(lastStep('c'));
      const later = journalOn(second);
      expect(later.stateOf('a')).toBe('unknown');
      await later.record('a', [{ state: 'accepted' }]);
      await second.close();
    });
  });
}

const lastStep = (key: string) => ({
  key,
  state: 'denied',
  wallTime: 1_000,
  marketTime: 1_000,
  data: JSON.stringify({ key }),
});
