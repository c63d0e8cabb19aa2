import { describe, expect, test } from 'vitest';
import type { IntentState, JournalReader, JournalStore } from '../../src/journal/index.ts';
import { journalOn, openIntent, rowOf } from './journalRows.ts';

export interface ReaderKind {
  name: string;
  /** A store, and a reader of the same journal. */
  open(): Promise<{ store: JournalStore; openReader(): Promise<JournalReader> }>;
}

/** Contract of every reader. */
export function testReader({ name, open }: ReaderKind): void {
  describe(`a reader of ${name}`, () => {
    test('finds intents by state, instance, kind and time, newest first, page by page', async () => {
      const { store, openReader } = await open();
      for (let n = 0; n < 7; n++) {
        const states =
          n % 2 === 0 ? (['emitted', 'denied'] as const) : (['emitted', 'guarded'] as const);
        await openIntent(journalOn(store, 1_000 * n), `key-${n}`, states);
      }
      const reader = await openReader();
      const keys = async (filter: object) =>
        (await reader.find({ limit: 10, ...filter })).items.map(({ key }) => key);
      expect(await keys({ states: ['denied'] })).toEqual(['key-6', 'key-4', 'key-2', 'key-0']);
      expect(await keys({ states: ['guarded', 'denied'], since: 5_000 })).toEqual([
        'key-6',
        'key-5',
      ]);
      expect(await keys({ since: 2_000, until: 4_000 })).toEqual(['key-3', 'key-2']);
      expect(await keys({ until: 0 })).toEqual([]);
      expect(await keys({ instance: 'other' })).toEqual([]);
      expect(await keys({ kind: 'launch', wallet: 'main', since: 6_000 })).toEqual(['key-6']);

      const seen: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = await reader.find({ limit: 3, ...(cursor === undefined ? {} : { cursor }) });
        seen.push(...page.items.map(({ key }) => key));
        cursor = page.next;
      }
      expect(seen).toEqual(Array.from({ length: 7 }, (_, n) => `key-${6 - n}`));
      await Promise.all([reader.close(), store.close()]);
    });

    test('has each intent open since its own first step, whatever came with it', async () => {
      const { store, openReader } = await open();
      const step = (key: string, wallTime: number) =>
        ({ key, state: 'emitted', wallTime, marketTime: 1, data: '{}' }) as const;
      await store.append({ intent: rowOf('a'), entries: [step('a', 1)] });
      const guarded = { ...step('a', 5), state: 'guarded' } as const;
      await store.append({ intent: rowOf('b'), entries: [guarded, step('b', 9)] });
      const reader = await openReader();
      const { items } = await reader.find({ limit: 5 });
      expect(items.map(({ key, opened, updated }) => [key, opened, updated])).toEqual([
        ['b', 9, 9],
        ['a', 1, 5],
      ]);
      await Promise.all([reader.close(), store.close()]);
    });

    test('holds the monitors that it had accepted by the ids of the service, beside its keys', async () => {
      const { store, openReader } = await open();
      const add = async (key: string, kind: string, state: IntentState, data: string) => {
        const at = { key, wallTime: 1, marketTime: 1 };
        const intent = { ...rowOf(key), kind };
        const emitted = { ...at, state: 'emitted', data: '{}' } as const;
        await store.append({ intent, entries: [emitted, { ...at, state, data }] });
      };
      const answer = (id: string) => JSON.stringify({ record: { monitor_id: id, name: 'own' } });
      await add('a', 'create_monitor', 'accepted', answer('mon-a'));
      await add('b', 'create_monitor', 'accepted', answer('mon-b'));
      await add('c', 'create_monitor', 'rejected', answer('mon-c'));
      await add('d', 'stop_monitor', 'accepted', answer('mon-d'));
      await add('e', 'create_monitor', 'accepted', '');
      await add('f', 'create_monitor', 'accepted', '{"record":null}');
      await add('g', 'create_monitor', 'accepted', 'spoiled');
      const reader = await openReader();
      const keys = ['a', 'mon-a', 'mon-b', 'mon-c', 'mon-d', 'never'];
      expect([...(await reader.held(keys))].toSorted()).toEqual(['a', 'mon-a', 'mon-b']);
      expect([...(await reader.held(['a', 'e']))]).toEqual(['a', 'e']);
      await Promise.all([reader.close(), store.close()]);
    });

    // It may stand armed for longer than a journal keeps what ended, and no key of the bot's is on it: a kill level and the
    // watchdog would leave an entry armed that nobody knows any more.
    test('holds the monitors that it had accepted after a compaction, too', async () => {
      const { store, openReader } = await open();
      const add = async (key: string, kind: string, state: IntentState) => {
        const at = { key, wallTime: 1, marketTime: 1 };
        const data = JSON.stringify({ record: { monitor_id: `mon-${key}`, name: 'own' } });
        const emitted = { ...at, state: 'emitted', data: '{}' } as const;
        const entries = [emitted, { ...at, state, data }];
        await store.append({ intent: { ...rowOf(key), kind }, entries });
      };
      await add('a', 'create_monitor', 'accepted');
      await add('b', 'create_monitor', 'rejected');
      await add('c', 'place_order', 'accepted');
      expect(await store.compact({ olderThan: 1_000, limit: 10 })).toBe(2);
      expect(await store.compact({ olderThan: 1_000, limit: 10 })).toBe(0);
      const reader = await openReader();
      const held = await reader.held(['a', 'mon-a', 'b', 'mon-b', 'c', 'mon-c']);
      expect([...held].toSorted()).toEqual(['a', 'b', 'c', 'mon-a']);
      const left = store.intents().filter(({ kind }) => kind === 'create_monitor');
      expect(left.map(({ key }) => key)).toEqual(['a']);
      expect(store.standingIntents()).toEqual(left);
      expect(store.entries('a').at(-1)?.data).toContain('mon-a');
      await Promise.all([reader.close(), store.close()]);
    });

    test('reads one life, all lives, keys by their start, latches and facts', async () => {
      const { store, openReader } = await open();
      const journal = journalOn(store);
      for (const key of ['abc', 'abd', 'b']) await openIntent(journal, key, ['emitted', 'guarded']);
      await journal.record('b', [{ state: 'sending' }]);
      const latched = [
        ['pause two', 'on'],
        ['kill', 'L1'],
        ['pause two', 'off'],
        ['kill', 'L0'],
      ] as const;
      for (const [name, value] of latched) {
        await store.setLatch(name, { value, reason: 'why', time: 2 });
      }
      await store.setMeta('account', 'one');
      const reader = await openReader();
      expect((await reader.life('b'))?.entries.map(({ state }) => state)).toEqual([
        'emitted',
        'guarded',
        'sending',
      ]);
      expect((await reader.life('b'))?.intent).toMatchObject({
        key: 'b',
        state: 'sending',
        opened: 1_000,
        updated: 1_000,
      });
      expect(await reader.life('c')).toBeUndefined();
      expect((await reader.keysLike('ab', 5)).sort()).toEqual(['abc', 'abd']);
      expect(await reader.keysLike('a%', 5)).toEqual([]);
      const lives: string[] = [];
      for await (const { intent, entries } of reader.lives()) {
        lives.push(`${intent.key} ${entries.length}`);
      }
      expect(lives).toEqual(['abc 2', 'abd 2', 'b 3']);
      const changes = await reader.latchChanges();
      expect(changes.map(({ name, value }) => [name, value])).toEqual(latched);
      expect(await reader.facts()).toMatchObject({ account: 'one' });
      expect(await reader.problems()).toEqual([]);

      // Live: later writes are read.
      await openIntent(journalOn(store), 'later', ['emitted', 'denied']);
      expect((await reader.life('later'))?.intent.state).toBe('denied');
      expect(await reader.hasRetired()).toBe(false);
      expect(await store.compact({ olderThan: 5_000 })).toBe(1);
      expect(await reader.life('later')).toBeUndefined();
      expect([await reader.retired(), await reader.hasRetired()]).toEqual([1, true]);
      // An order may rest for longer than its intent stays: its key is the bot's own still.
      const held = await reader.held(['b', 'ab', 'later', 'c']);
      expect([...held].sort()).toEqual(['b', 'later']);
      expect(await reader.held([])).toEqual(new Set());
      await Promise.all([reader.close(), store.close()]);
    });
  });
}
