import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createSqliteReader, createSqliteStore, JournalFault } from '../../src/journal/index.ts';
import { rowsOf, toFirstFormat } from '../journal/formerFormat.ts';
import { contentOf, journalOn, openIntent } from '../journal/journalRows.ts';
import { mountSmallDisk } from './mountSmallDisk.ts';

const mounted = mountSmallDisk(2_048);
const reason = 'reason' in mounted ? mounted.reason : undefined;
const disk = 'reason' in mounted ? undefined : mounted;
afterAll(() => disk?.unmount());

// A developer's machine may lack the permission to mount; the full run requires it.
if (reason !== undefined && process.env.CI === 'true') {
  test('the small disk that these tests need', () => expect.fail(reason));
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

describe.skipIf(disk === undefined)(`on a small disk${reason ? `: ${reason}` : ''}`, () => {
  const at = (name: string) => join(disk!.path, name);

  test('a full disk fails appends as a whole, loses none, and works again when there is room', async () => {
    const store = createSqliteStore(at('full.sqlite'));
    const journal = journalOn(store);
    await openIntent(journal, 'before', ['emitted', 'guarded']);
    disk!.fill();

    let written = 0;
    const fault = await faultOf(async () => {
      // The log's own file has some room left; what fits is durable, and then it is full.
      for (; ; written++) await openIntent(journal, `n${written}`, ['emitted', 'guarded']);
    });
    expect(fault.code).toBe('full');
    expect(fault.message).toContain('Free some space');
    const failed = `n${written}`;
    expect([store.holds(failed), journal.holds(failed)]).toEqual([false, false]);
    expect(store.entries(failed)).toEqual([]);
    expect(store.intents()).toHaveLength(written + 1);
    for (const again of ['x', 'y']) {
      expect((await faultOf(() => openIntent(journal, again, ['emitted']))).code).toBe('full');
    }

    const reader = createSqliteReader(at('full.sqlite'));
    expect(await reader.problems()).toEqual([]);
    await reader.close();

    disk!.free();
    await openIntent(journal, failed, ['emitted', 'guarded']);
    await journal.record('before', [{ state: 'sending' }]);
    const before = contentOf(store);
    await store.close();
    const again = createSqliteStore(at('full.sqlite'));
    expect(contentOf(again)).toEqual(before);
    await again.close();
  });

  test('a journal whose process dies on a full disk has every durable append', async () => {
    const store = createSqliteStore(at('dies.sqlite'));
    const journal = journalOn(store);
    await openIntent(journal, 'a', ['emitted', 'guarded', 'sending']);
    disk!.fill();
    const before = contentOf(store);
    await store.close();
    const found = await faultOf(() => {
      const again = createSqliteStore(at('dies.sqlite'));
      const content = contentOf(again);
      void again.close();
      expect(content).toEqual(before);
      throw new JournalFault('missing', 'it opened, and had everything');
    });
    expect(['full', 'unreachable', 'missing']).toContain(found.code);
    disk!.free();
    const again = createSqliteStore(at('dies.sqlite'));
    expect(contentOf(again)).toEqual(before);
    await again.close();
  });

  test('a journal of the former format stays as it is without room for its backup, and is upgraded with', async () => {
    const path = at('former.sqlite');
    const store = createSqliteStore(path);
    await openIntent(journalOn(store), 'before', ['emitted', 'guarded'], {
      pad: 'x'.repeat(50_000),
    });
    const content = contentOf(store);
    await store.close();
    toFirstFormat(path);
    const before = rowsOf(path);
    disk!.fill();
    const fault = await faultOf(() => createSqliteStore(path));
    expect(['full', 'read_only', 'unreachable', 'missing']).toContain(fault.code);
    disk!.free();
    expect(rowsOf(path)).toEqual(before);
    expect(readdirSync(disk!.path).filter((name) => name.includes('.v1'))).toEqual([]);
    const upgraded = createSqliteStore(path);
    expect(contentOf(upgraded)).toEqual(content);
    await upgraded.close();
  });

  test('a new journal on a full disk is refused and leaves no file', async () => {
    disk!.fill();
    const fault = await faultOf(() => createSqliteStore(at('new.sqlite')));
    expect(['full', 'unreachable', 'missing']).toContain(fault.code);
    expect(existsSync(at('new.sqlite'))).toBe(false);
    disk!.free();
    await createSqliteStore(at('new.sqlite')).close();
  });

  test('a read-only file system is refused with a remedy, and is still readable', async () => {
    const store = createSqliteStore(at('ro.sqlite'));
    await openIntent(journalOn(store), 'a', ['emitted', 'guarded']);
    await store.close();
    const files = readdirSync(disk!.path).sort();
    disk!.setReadOnly(true);
    try {
      const fault = await faultOf(() => createSqliteStore(at('ro.sqlite')));
      expect(fault.code).toBe('read_only');
      expect(fault.message).toContain('read-only');
      const fresh = await faultOf(() => createSqliteStore(at('fresh.sqlite')));
      expect(fresh.message).toContain(at('fresh.sqlite'));
      const reader = createSqliteReader(at('ro.sqlite'));
      expect((await reader.life('a'))?.entries).toHaveLength(2);
      await reader.close();
    } finally {
      disk!.setReadOnly(false);
    }
    expect(readdirSync(disk!.path).sort()).toEqual(files);
    await createSqliteStore(at('ro.sqlite')).close();
  });
});
