import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createSqliteStore, type JournalStore } from '../../src/journal/index.ts';
import { journalOn, openIntent } from './journalRows.ts';

const root = mkdtempSync(join(tmpdir(), 'trimtab-gone-'));
afterAll(() => rmSync(root, { recursive: true }));

interface Opened {
  path: string;
  folder: string;
  store: JournalStore;
  journal: ReturnType<typeof journalOn>;
}

/** A journal in a folder of its own, with two intents, open. */
async function openJournal(): Promise<Opened> {
  const folder = mkdtempSync(join(root, 'one-'));
  const path = join(folder, 'bot.sqlite');
  const store = createSqliteStore(path);
  const journal = journalOn(store);
  await openIntent(journal, 'a', ['emitted', 'guarded', 'sending', 'accepted']);
  await openIntent(journal, 'b', ['emitted', 'guarded']);
  return { path, folder, store, journal };
}

const WAYS: ReadonlyArray<readonly [string, (path: string, folder: string) => void]> = [
  [
    'is removed with all that belongs to it',
    (_path, folder) => readdirSync(folder).forEach((name) => rmSync(join(folder, name))),
  ],
  ['is removed', (path) => rmSync(path)],
  ['is moved', (path) => renameSync(path, `${path}.away`)],
  [
    'is replaced by a copy of itself',
    (path) => {
      copyFileSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
  ],
  ['is cut', (path) => truncateSync(path, statSync(path).size - 1)],
  ['loses its log', (path) => rmSync(`${path}-wal`)],
  [
    'gets another log',
    (path) => {
      rmSync(`${path}-wal`);
      writeFileSync(`${path}-wal`, '');
    },
  ],
  ['loses the lock that keeps another writer out', (path) => rmSync(`${path}.lock`)],
];

describe('a journal that', () => {
  test.each(WAYS)('%s under its writer takes nothing more', async (_how, act) => {
    const { path, folder, store, journal } = await openJournal();
    act(path, folder);
    const refused = { code: 'gone', message: expect.stringContaining(path) };
    expect(() => store.openIntents()).toThrow(expect.objectContaining(refused));
    await expect(openIntent(journal, 'c', ['emitted'])).rejects.toMatchObject(refused);
    // For good, even where the files come back.
    await expect(openIntent(journal, 'd', ['emitted'])).rejects.toMatchObject({
      code: 'broken',
    });
  });

  test('is untouched is used on, also after a checkpoint and a compaction', async () => {
    const { store, journal } = await openJournal();
    for (let at = 0; at < 300; at++) {
      await openIntent(journal, `k${at}`, ['emitted', 'guarded', 'sending', 'accepted']);
      if (at % 50 === 0) store.checkpoint!();
      if (at % 100 === 0) await store.compact({ olderThan: Number.MAX_SAFE_INTEGER });
    }
    expect(store.openIntents().map(({ key }) => key)).toEqual(['b']);
    await store.close();
  });

  test('another process has made anew in its place is left as it is', async () => {
    const { path, folder, store, journal } = await openJournal();
    readdirSync(folder).forEach((name) => rmSync(join(folder, name)));
    writeFileSync(path, 'made anew');
    await expect(openIntent(journal, 'c', ['emitted'])).rejects.toMatchObject({
      code: 'gone',
    });
    await store.close();
    expect(readFileSync(path, 'utf8')).toBe('made anew');
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  test('was moved away and back is whole for the next process', async () => {
    const { path, store, journal } = await openJournal();
    renameSync(path, `${path}.away`);
    await expect(openIntent(journal, 'c', ['emitted'])).rejects.toMatchObject({
      code: 'gone',
    });
    await store.close();
    renameSync(`${path}.away`, path);
    const next = createSqliteStore(path);
    expect(next.intents().map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    await next.close();
  });
});
