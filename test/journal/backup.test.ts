import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createVirtualEnv, silentLog } from '../../src/env/index.ts';
import {
  convertToFirst,
  createSqliteReader,
  createSqliteStore,
  type JournalStore,
} from '../../src/journal/index.ts';
import { backupJournal } from '../../src/operate/journal/index.ts';
import { checkpointJournal } from '../../src/operate/journal/checkpointJournal.ts';
import { journalOn, openIntent } from './journalRows.ts';
import { spawnScript } from './spawnScript.ts';

let folder: string;
let path: string;
let copy: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-backup-'));
  path = join(folder, 'bot.sqlite');
  copy = join(folder, 'copy.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true }));

const problemsOf = async (file: string): Promise<string[]> => {
  const reader = createSqliteReader(file);
  try {
    return await reader.problems();
  } finally {
    await reader.close();
  }
};
const heldIn = async (file: string, keys: readonly string[]): Promise<string[]> => {
  const reader = createSqliteReader(file);
  try {
    return [...(await reader.held(keys))];
  } finally {
    await reader.close();
  }
};
const fill = (store: JournalStore, ...keys: string[]): Promise<unknown> =>
  Promise.all(
    keys.map((key) => openIntent(journalOn(store), key, ['emitted', 'guarded', 'sending'])),
  );
const modes = (): string[] =>
  readdirSync(folder)
    .filter((name) => name.includes('.sqlite'))
    .map((name) => (statSync(join(folder, name)).mode & 0o777).toString(8));

describe('a backup', () => {
  test('of a journal in use has every durable append, and starts a bot', async () => {
    const writer = spawnScript('journal/writeForever.ts', [path]);
    await writer.said(50);
    const said = writer.lines.slice(1);
    const made = await backupJournal({ place: path }, copy, process.pid);
    expect(made).toMatchObject({ ok: true, found: { problems: [] } });
    expect((await heldIn(copy, said)).toSorted()).toEqual(said.toSorted());
    // One file, with no part left behind, for its user's eyes.
    expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.sqlite']);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    await writer.end('SIGKILL');

    const store = createSqliteStore(copy);
    for (const key of said) expect(store.stateOf(key), key).toBe('sending');
    await store.close();
  });

  test('overwrites no file, and leaves nothing if it fails', async () => {
    const store = createSqliteStore(path);
    await fill(store, 'a');
    copyFileSync(path, copy);
    const before = statSync(copy).mtimeMs;
    const refused = await backupJournal({ place: path }, copy, process.pid);
    expect(refused).toMatchObject({ ok: false, reason: expect.stringContaining('exists already') });
    expect(statSync(copy).mtimeMs).toBe(before);
    const nowhere = await backupJournal({ place: path }, join(folder, 'no/where/b'), process.pid);
    expect(nowhere).toMatchObject({
      ok: false,
      reason: expect.stringContaining('there is no folder'),
    });
    await store.close();
  });

  test('of a journal in a database is refused with a pointer to the database’s tools', async () => {
    const made = await backupJournal({ place: 'postgres://user@host/db' }, copy, process.pid);
    expect(made).toMatchObject({ ok: false, reason: expect.stringContaining('pg_dump') });
    expect(existsSync(copy)).toBe(false);
  });
});

// A folder where SQLite would write beside the copy stands for a full or read-only disk of the copy's.
describe('a copy that can’t be written is no fault of the journal', () => {
  beforeEach(async () => {
    const store = createSqliteStore(path);
    await fill(store, 'a');
    await store.close();
    mkdirSync(join(folder, 'copy.sqlite.7.part-journal'));
  });

  test('in a backup', async () => {
    const made = await backupJournal({ place: path }, copy, 7);
    expect(made).toMatchObject({ ok: false, code: 'TRIMTAB_OUTPUT_UNWRITABLE' });
    expect(made).toHaveProperty('reason', expect.stringContaining(`${copy} can't be written`));
  });

  test('in a downgrade', () => {
    mkdirSync(`${copy}-journal`);
    expect(() => convertToFirst(path, copy)).toThrow('unable to open database file');
  });

  test('a damaged source is one all the same', async () => {
    rmdirSync(join(folder, 'copy.sqlite.7.part-journal'));
    const { size } = statSync(path);
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(size - 4_096, 0xff), 0, size - 4_096, 4_096);
    closeSync(file);
    const fault = { code: 'damaged' };
    await expect(backupJournal({ place: path }, copy, 7)).rejects.toMatchObject(fault);
    expect(() => convertToFirst(path, copy)).toThrow(expect.objectContaining(fault));
  });
});

describe('a copy without its log', () => {
  test('is reported by verify each time, and starts no bot; with its log it is intact', async () => {
    const store = createSqliteStore(path);
    await fill(store, 'a', 'b');
    copyFileSync(path, copy);
    for (const _ of [1, 2])
      expect(await problemsOf(copy)).toEqual([expect.stringMatching(/copy.sqlite-wal is missing/)]);
    expect(() => createSqliteStore(copy)).toThrow(/copy.sqlite-wal is missing/);
    // Of no length: as a copying tool leaves it that was ended.
    writeFileSync(`${copy}-wal`, '');
    expect(() => createSqliteStore(copy)).toThrow(/damaged/);
    const again = await backupJournal({ place: copy }, join(folder, 'of-copy.sqlite'), 1).catch(
      String,
    );
    expect(again).toContain('copy.sqlite-wal is missing');

    const both = join(folder, 'both.sqlite');
    copyFileSync(path, both);
    copyFileSync(`${path}-wal`, `${both}-wal`);
    expect(await problemsOf(both)).toEqual([]);
    expect(await heldIn(both, ['a', 'b'])).toEqual(['a', 'b']);
    await store.close();
    // Closed in order, it has everything in one file.
    const alone = join(folder, 'alone.sqlite');
    copyFileSync(path, alone);
    expect(await problemsOf(alone)).toEqual([]);
    expect(await heldIn(alone, ['a', 'b'])).toEqual(['a', 'b']);
  });

  test('is not confused with the files of a killed process, nor with a failed last write', async () => {
    const writer = spawnScript('journal/writeForever.ts', [path]);
    await writer.said(5);
    await writer.end('SIGKILL');
    expect(await problemsOf(path)).toEqual([]);
    const store = createSqliteStore(path);
    // As on a full disk: nothing is written any more, and the log is taken into the file all the same.

    const db = new DatabaseSync(path);
    db.exec(`CREATE TRIGGER full BEFORE UPDATE ON meta BEGIN SELECT RAISE(FAIL, 'full'); END`);
    db.close();
    await store.close();
    expect(await problemsOf(path)).toEqual([]);
    const fixed = new DatabaseSync(path);
    fixed.exec('DROP TRIGGER full');
    fixed.close();
  });
});

test('the file alone is never more than a minute behind', async () => {
  const env = createVirtualEnv({ startTime: 0 });
  const store = createSqliteStore(path);
  const stop = checkpointJournal({ store, env });
  await fill(store, 'a');
  copyFileSync(path, copy);
  expect(await heldIn(copy, ['a'])).toEqual([]);
  env.queue.advanceTo(60_000);
  const later = join(folder, 'later.sqlite');
  copyFileSync(path, later);
  expect(await heldIn(later, ['a'])).toEqual(['a']);
  stop();
  await store.close();
});

test('a failed checkpoint is reported once, and retried', () => {
  const warned: string[] = [];
  const log = { ...silentLog, warn: (text: string) => void warned.push(text) };
  const env = createVirtualEnv({ startTime: 0, log });
  let tries = 0;
  const store = {
    checkpoint() {
      tries++;
      throw new Error('the disk is full');
    },
  };
  const stop = checkpointJournal({ store, env });
  env.queue.advanceTo(180_000);
  expect(tries).toBeGreaterThan(2);
  expect(warned).toEqual(['The journal could not be checkpointed: the disk is full']);
  stop();
});

test('a checkpoint that fails again after one that was made, or for another reason, is reported again', () => {
  const warned: string[] = [];
  const log = { ...silentLog, warn: (text: string) => void warned.push(text) };
  const env = createVirtualEnv({ startTime: 0, log });
  const results = ['full', 'full', null, 'full', 'busy', 'busy', null, null, 'busy'];
  const reported = ['full', 'full', 'busy', 'busy'];
  const left = [...results];
  const store = {
    checkpoint() {
      const reason = left.shift() ?? null;
      if (reason !== null) throw new Error(reason);
    },
  };
  const stop = checkpointJournal({ store, env });
  env.queue.advanceTo((results.length + 1) * 30_000);
  expect(left).toEqual([]);
  expect(warned).toEqual(reported.map((one) => `The journal could not be checkpointed: ${one}`));
  stop();
});

test('a journal and its files are readable by its owner only, older ones from the next start', async () => {
  const mask = process.umask(0);
  try {
    const store = createSqliteStore(path);
    await fill(store, 'a');
    expect(new Set(modes())).toEqual(new Set(['600']));
    await store.close();
    for (const ending of ['', '.lock']) chmodSync(`${path}${ending}`, 0o664);
    const next = createSqliteStore(path);
    await fill(next, 'b');
    expect(new Set(modes())).toEqual(new Set(['600']));
    await next.close();
  } finally {
    process.umask(mask);
  }
});

test('verifying five times as much takes no more memory', () => {
  const node = (script: string, ...args: string[]): string => {
    const ran = spawnSync(process.execPath, [join(import.meta.dirname, script), ...args]);
    expect(ran.stderr.toString()).toBe('');
    return ran.stdout.toString();
  };
  const measure = (count: number): { intents: number; problems: string[]; mb: number } => {
    const file = join(folder, `${count}.sqlite`);
    node('writeLargeJournal.ts', file, String(count));
    return JSON.parse(node('measureVerify.ts', file)) as ReturnType<typeof measure>;
  };
  const few = measure(4_000);
  const many = measure(20_000);
  expect({ few: few.intents, many: many.intents }).toEqual({ few: 4_000, many: 20_000 });
  expect([...few.problems, ...many.problems]).toEqual([]);
  expect(many.mb - few.mb).toBeLessThan(20);
}, 120_000);
