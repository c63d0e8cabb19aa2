import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { checksumOf } from '../../src/journal/checksumOf.ts';
import {
  copySqlite,
  createSqliteReader,
  createSqliteStore,
  followLink,
  JournalFault,
} from '../../src/journal/index.ts';
import { toFirstFormat } from './formerFormat.ts';
import { contentOf, journalOn, openIntent, rowOf } from './journalRows.ts';
import { spawnScript } from './spawnScript.ts';

const directory = mkdtempSync(join(tmpdir(), 'trimtab-sqlite-'));
afterAll(() => rmSync(directory, { recursive: true }));
let files = 0;
const freshPath = () => join(directory, `journal-${files++}.sqlite`);

function faultOf(act: () => unknown): JournalFault {
  try {
    act();
  } catch (error) {
    if (error instanceof JournalFault) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

async function filledPath(): Promise<string> {
  const path = freshPath();
  const store = createSqliteStore(path);
  const journal = journalOn(store);
  await openIntent(journal, 'a', ['emitted', 'guarded', 'sending', 'accepted']);
  await openIntent(journal, 'b', ['emitted', 'guarded']);
  await store.close();
  return path;
}

/** Modifies a closed journal. */
function tamper(path: string, sql: string): void {
  const db = new DatabaseSync(path);
  db.exec(sql);
  db.close();
}

test.each([
  ['of another user', 0o755],
  ['in a folder of another user', 0o700],
])('a journal %s is no missing one: reading it says what to do', async (_what, mode) => {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-other-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bot.sqlite');
  await createSqliteStore(path).close();
  // Whoever has every right is another user while it reads; anybody else takes the right to read from himself.
  const isRoot = process.getuid!() === 0;
  const pulse = `${path}.pulse.json`;
  writeFileSync(pulse, '{}');
  for (const file of [path, pulse]) chmodSync(file, isRoot ? 0o600 : 0o000);
  chmodSync(folder, isRoot || mode === 0o755 ? mode : 0o000);
  const script = spawnScript('journal/readAsOther.ts', [path]);
  await script.said(3);
  chmodSync(folder, 0o700);
  const refused = `unopened The journal ${path} can't be read by this user.`;
  expect(script.lines).toEqual([
    refused,
    refused,
    expect.stringContaining('this user may not read its pulse'),
  ]);
});

describe('refused at opening, with a remedy', () => {
  test.each([
    ['an entry', "UPDATE entries SET data = '{}' WHERE seq = 2"],
    ['an intent', "UPDATE intents SET intent = '{}' WHERE key = 'b'"],
    ['a final intent', "UPDATE intents SET intent = '{}' WHERE key = 'a'"],
    ['a lost step', "DELETE FROM entries WHERE key = 'b' AND state = 'emitted'"],
    ['a lost life', "DELETE FROM entries WHERE key = 'b'"],
    ['a state that no step says', "UPDATE intents SET state = 'sending' WHERE key = 'b'"],
    ['a latch', "INSERT INTO latches VALUES (1, 'kill', 'L0', '', 0, 1)"],
    ['a fact', "INSERT INTO meta VALUES ('account', 'other', 1)"],
    ['a missing table', 'DROP TABLE entries'],
  ])('%s that is not what was written', async (_name, sql) => {
    const path = await filledPath();
    tamper(path, sql);
    const before = readFileSync(path);
    const fault = faultOf(() => createSqliteStore(path));
    expect(fault.code).toBe('damaged');
    expect(fault.message).toContain(path);
    expect(fault.message).toContain('start again');
    expect(readFileSync(path).equals(before), 'the file is left for inspection').toBe(true);
  });

  test('a step of what is open that was not what was written, however many came after it', async () => {
    const path = await filledPath();
    const db = new DatabaseSync(path);
    const fields = ['a', 'accepted', 1, 1, ''];
    db.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50001)
       INSERT INTO entries (key, state, wall_time, market_time, data, sum) SELECT ?, ?, ?, ?, ?, ? FROM n`,
    ).run(...fields, checksumOf(...fields));
    db.close();
    await createSqliteStore(path).close();
    tamper(path, "UPDATE entries SET data = '{}' WHERE key = 'b' AND state = 'guarded'");
    expect(faultOf(() => createSqliteStore(path))).toMatchObject({
      code: 'damaged',
      message: expect.stringContaining('a record of entries is not what was written (b)'),
    });
  });

  test('an empty file, and a log without its database: both are lost journals', async () => {
    const path = await filledPath();
    truncateSync(path, 0);
    expect(faultOf(() => createSqliteStore(path))).toMatchObject({
      code: 'damaged',
      // What keeps levels and intents comes before what forgets them.
      message: expect.stringMatching(/Restore a backup: trimtab journal restore[^]*Only without a/),
    });
    rmSync(path);
    writeFileSync(`${path}-wal`, 'x');
    expect(faultOf(() => createSqliteStore(path))).toMatchObject({ code: 'damaged' });
  });

  test('a file that is not a journal is left unchanged, byte for byte', () => {
    const text = freshPath();
    writeFileSync(text, 'name: my-bot\n'.repeat(10));
    expect(faultOf(() => createSqliteStore(text)).code).toBe('foreign');
    expect(readFileSync(text, 'utf8')).toBe('name: my-bot\n'.repeat(10));

    // Another program numbers its formats from one, too.
    for (const content of [
      'CREATE TABLE intents (a)',
      'CREATE TABLE notes (a); PRAGMA user_version = 1',
      'CREATE TABLE intents (a); CREATE TABLE entries (a); PRAGMA user_version = 1',
    ]) {
      const other = freshPath();
      tamper(other, content);
      const before = readFileSync(other);
      for (const opened of [createSqliteStore, createSqliteReader])
        expect(faultOf(() => opened(other)).code).toBe('foreign');
      expect(readFileSync(other).equals(before)).toBe(true);
    }
  });

  test('a journal of a later version', async () => {
    const path = await filledPath();
    tamper(path, 'PRAGMA user_version = 99');
    for (const open of [createSqliteStore, createSqliteReader]) {
      const fault = faultOf(() => open(path));
      expect(fault.code).toBe('version');
      expect(fault.message).toContain('format 99');
      expect(fault.message).toContain('Run the version of trimtab that wrote it');
    }
  });

  test('a missing directory', () => {
    const fault = faultOf(() => createSqliteStore(join(directory, 'none', 'j.sqlite')));
    expect(fault.code).toBe('missing');
    expect(fault.message).toContain('directory');
  });

  test('a path that is too long for SQLite, and not the folder, which is there', async () => {
    let folder = directory;
    while (folder.length < 400) folder = join(folder, 'deeper'.repeat(10));
    mkdirSync(folder, { recursive: true });
    const pathOf = (bytes: number): string =>
      join(folder, 'j'.repeat(bytes - Buffer.byteLength(folder) - 1));
    const fault = faultOf(() => createSqliteStore(pathOf(500)));
    expect(fault.code).toBe('unopened');
    expect(fault.message).toContain('its path has 500 bytes, and SQLite takes 499 at most');
    await createSqliteStore(pathOf(499)).close();
  });
});

test('a program that holds a lock is named by what it does, and what it kept out is written later', async () => {
  const path = freshPath();
  const store = createSqliteStore(path);
  const shell = new DatabaseSync(path);
  shell.exec('BEGIN IMMEDIATE');
  const fault = faultOf(() => store.setMeta('a', 'b'));
  expect(fault.code).toBe('in_use');
  expect(fault.message).toContain(`The journal ${path} is locked by another program`);
  shell.exec('ROLLBACK');
  shell.close();
  expect(store.meta('a')).toBeUndefined();
  await store.setMeta('a', 'b');
  expect(store.meta('a')).toBe('b');
  await store.close();
});

test('a program that holds a lock for a moment is waited for', async () => {
  const path = freshPath();
  const store = createSqliteStore(path);
  const shell = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     const db = new (require('node:sqlite').DatabaseSync)(workerData);
     db.exec('BEGIN IMMEDIATE');
     parentPort.postMessage('locked');
     Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
     db.exec('ROLLBACK');
     db.close();`,
    { eval: true, workerData: path },
  );
  const ended = once(shell, 'exit');
  await once(shell, 'message');
  await openIntent(journalOn(store), 'a', ['emitted', 'guarded']);
  await ended;
  expect(store.stateOf('a')).toBe('guarded');
  await store.close();
});

test('a crash during creation leaves no journal, and the next start creates it', () => {
  const path = freshPath();
  writeFileSync(`${path}.new`, 'half of it');
  const store = createSqliteStore(path);
  expect(store.intents()).toEqual([]);
  void store.close();
  expect(existsSync(`${path}.new`)).toBe(false);
});

test('a journal of the first version is migrated without a change of content', async () => {
  const path = await filledPath();
  const store = createSqliteStore(path);
  const before = contentOf(store);
  await store.close();
  toFirstFormat(path);
  expect(faultOf(() => createSqliteReader(path)).message).toContain('Start its bot once');
  const upgraded = createSqliteStore(path);
  expect(contentOf(upgraded)).toEqual(before);
  await upgraded.close();
  await createSqliteStore(path).close();
});

describe('the writer', () => {
  test('excludes another process, names itself, and releases the lock however it dies', async () => {
    const path = freshPath();
    const writer = spawnScript('journal/writeForever.ts', [path]);
    await writer.said(20);
    const fault = faultOf(() => createSqliteStore(path));
    expect(fault.code).toBe('in_use');
    expect(fault.message).toContain(`pid ${writer.child.pid}`);
    await writer.end('SIGKILL');

    const store = createSqliteStore(path);
    const said = writer.lines.slice(1);
    const held = new Set(store.intents().map(({ key }) => key));
    for (const key of said) expect(held.has(key), key).toBe(true);
    await store.close();
  });

  test('allows readers, which see whole appends only', async () => {
    // Paced: each reading is of all that was written, and on a slow machine it would never get to the end.
    const path = freshPath();
    const writer = spawnScript('journal/writeForever.ts', [path, '5']);
    await writer.said(2);
    const reader = createSqliteReader(path);
    for (let round = 1; round <= 20; round++) {
      await writer.said(writer.lines.length + 2);
      let lives = 0;
      for await (const { entries } of reader.lives()) {
        lives++;
        expect(entries.map(({ state }) => state)).toEqual(['emitted', 'guarded', 'sending']);
      }
      expect(lives).toBeGreaterThanOrEqual(round);
    }
    expect(await reader.problems()).toEqual([]);
    await reader.close();
  });
});

describe('the locks of a process, which the first closed descriptor of a file takes off,', () => {
  /** Those of the journal's own file, which keep others from deleting its log. */
  const locksOn = (path: string): number => {
    const { ino } = statSync(path);
    const lines = readFileSync('/proc/locks', 'utf8').split('\n');
    return lines.filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `))
      .length;
  };
  const inAnotherProcess = async (path: string): Promise<string> => {
    const script = spawnScript('journal/openOnce.ts', [path]);
    await script.said(1);
    return script.lines[0]!;
  };

  test.skipIf(process.platform !== 'linux')(
    'are still there once a reader, or a second writer, was opened beside the writer',
    async () => {
      const path = freshPath();
      const store = createSqliteStore(path);
      const before = locksOn(path);
      expect(before).toBeGreaterThan(0);
      const reader = createSqliteReader(path);
      expect(locksOn(path)).toBe(before);
      await reader.close();
      expect(locksOn(path)).toBe(before);
      expect(faultOf(() => createSqliteStore(path)).code).toBe('in_use');
      expect(locksOn(path)).toBe(before);
      await store.close();
    },
  );

  const isShellThere = spawnSync('sqlite3', ['-version']).status === 0;
  test.skipIf(!isShellThere)('keep the log from a shell that opens and closes it', async () => {
    const path = freshPath();
    const store = createSqliteStore(path);
    await openIntent(journalOn(store), 'a', ['emitted', 'guarded']);
    await createSqliteReader(path).close();
    execFileSync('sqlite3', [path, `.backup ${freshPath()}`]);
    await openIntent(journalOn(store), 'b', ['emitted', 'guarded']);
    await store.close();
    const reopened = createSqliteStore(path);
    expect(reopened.intents().map(({ key }) => key)).toEqual(['a', 'b']);
    await reopened.close();
  });

  test('keep a second writer away after one in the same process was refused', async () => {
    const path = freshPath();
    const store = createSqliteStore(path);
    expect(await inAnotherProcess(path)).toBe('in_use');
    const fault = faultOf(() => createSqliteStore(path));
    expect([fault.code, fault.message]).toEqual(['in_use', expect.stringMatching(/this process/)]);
    expect(await inAnotherProcess(path)).toBe('in_use');
    // A thread has modules of its own, and the locks of the same process.
    const file = join(import.meta.dirname, 'openOnce.ts');
    const thread = new Worker(file, { argv: [path], stdout: true });
    expect(await text(thread.stdout)).toBe('in_use\n');
    expect(await inAnotherProcess(path)).toBe('in_use');
    await store.close();
    expect(await inAnotherProcess(path)).toBe('opened');
  });

  test('are missed neither through another name of the folder nor without their file', async () => {
    const path = freshPath();
    const store = createSqliteStore(path);
    const link = join(directory, `link-${files++}`);
    symlinkSync(directory, link);
    rmSync(`${path}.lock`);
    for (const name of [path, join(link, basename(path))]) {
      expect(faultOf(() => createSqliteStore(name)).code).toBe('in_use');
    }
    await store.close();
  });

  test('are not missed through a link to the file, whichever of both names came first', async () => {
    for (const isThere of [true, false]) {
      const path = isThere ? await filledPath() : freshPath();
      const link = join(directory, `link-${files++}.sqlite`);
      const further = join(directory, `link-${files++}.sqlite`);
      symlinkSync(basename(path), link);
      symlinkSync(link, further);
      for (const [first, second] of [
        [link, path],
        [path, further],
      ] as const) {
        const store = createSqliteStore(first);
        expect(faultOf(() => createSqliteStore(second)).code).toBe('in_use');
        expect(await inAnotherProcess(second)).toBe('in_use');
        await store.close();
      }
      expect(statSync(path).isFile()).toBe(true);
      for (const name of [link, further]) {
        expect(lstatSync(name).isSymbolicLink()).toBe(true);
        expect(existsSync(`${name}.lock`)).toBe(false);
      }
    }
  });
});

test('a link whose file is not there yet leads where the file system has it, through linked folders too', () => {
  const place = join(directory, `linked-${files++}`);
  mkdirSync(join(place, 'releases/5'), { recursive: true });
  mkdirSync(join(place, 'releases/shared'));
  symlinkSync(join(place, 'releases/5'), join(place, 'current'));
  const link = join(place, 'current/journal.sqlite');
  symlinkSync('../shared/journal.sqlite', link);
  const before = followLink(link);
  writeFileSync(link, '');
  expect(followLink(link)).toBe(before);
  expect(before).toBe(realpathSync(link));
});

test('a journal is found whole through a link to it after its writer was killed', async () => {
  const path = await filledPath();
  const link = join(directory, `link-${files++}.sqlite`);
  symlinkSync(path, link);
  const writer = spawnScript('journal/writeForever.ts', [link]);
  await writer.said(4);
  await writer.end('SIGKILL');
  const keys = writer.lines.slice(1);
  const reader = createSqliteReader(link);
  expect(await reader.problems()).toEqual([]);
  expect((await reader.held(keys)).size).toBe(keys.length);
  await reader.close();
  const copy = freshPath();
  await copySqlite(link, copy);
  expect(existsSync(copy)).toBe(true);
  const store = createSqliteStore(link);
  expect(keys.every((key) => store.holds(key))).toBe(true);
  await store.close();
});

test('a record corrupted under a running bot is not used', async () => {
  const path = freshPath();
  const store = createSqliteStore(path);
  await openIntent(journalOn(store), 'a', ['emitted', 'guarded']);
  await store.writeState('one', '{"kept":1}');
  await store.setMeta('fact', 'true');
  await store.setLatch('kill', { value: 'L2', reason: 'a test', time: 1 });
  tamper(
    path,
    `UPDATE entries SET data = 'x'; UPDATE intents SET wallet = 'other';
     UPDATE strategy_states SET state = '{}'; UPDATE meta SET value = 'false' WHERE key = 'fact';
     UPDATE latches SET value = 'L0'`,
  );
  expect(faultOf(() => store.entries('a')).code).toBe('damaged');
  expect(faultOf(() => store.intent('a')).code).toBe('damaged');
  expect(faultOf(() => store.readState('one')).code).toBe('damaged');
  expect(faultOf(() => store.meta('fact')).code).toBe('damaged');
  expect(faultOf(() => store.latch('kill')).code).toBe('damaged');
  await store.close();
});

test('steps whose intent is gone are a problem of the file', async () => {
  const path = await filledPath();
  tamper(path, "PRAGMA foreign_keys = OFF; DELETE FROM intents WHERE key = 'b'");
  const reader = createSqliteReader(path);
  expect(await reader.problems()).toEqual(['steps of b have no intent']);
  await reader.close();
});

test('a failed append leaves no trace, and the next one works', async () => {
  const store = createSqliteStore(freshPath());
  const journal = journalOn(store);
  await openIntent(journal, 'a', ['emitted']);
  const entry = { key: 'c', state: 'emitted' as const, wallTime: 0, marketTime: 0, data: '{}' };
  const stray = { ...entry, key: 'nowhere' };
  expect(() => store.append({ intent: rowOf('c'), entries: [entry, stray] })).toThrow('nowhere');
  expect(store.holds('c')).toBe(false);
  expect(store.entries('c')).toEqual([]);
  await openIntent(journal, 'c', ['emitted']);
  await store.close();
});

test('of more than 10,000 accepted monitors a compaction takes the oldest, found by an index', async () => {
  const path = freshPath();
  const store = createSqliteStore(path);
  const db = new DatabaseSync(path);
  onTestFinished(() => db.close());
  db.exec(`WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 10006)
    INSERT INTO intents (key, decision_key, generation, instance, wallet, kind, intent, sum, state, final, opened, updated)
    SELECT 'k' || n, 'd' || n, 0, 'ema', 'main', CASE WHEN n = 9 THEN 'launch' ELSE 'create_monitor' END, '{}', 0,
      'accepted', 1, n, n FROM n`);
  expect(store.compact({ olderThan: 3, limit: 100 })).toBe(2);
  expect([store.compact({ olderThan: 20_000 }), store.compact({ olderThan: 20_000 })]).toEqual([
    4, 0,
  ]);
  const left = db.prepare('SELECT min(id) AS oldest, count(*) AS n FROM intents').get();
  expect({ ...left }).toEqual({ oldest: 6, n: 10_000 });
  await store.close();
});

test('a journal of an earlier program gets its index at its next start', async () => {
  const path = await filledPath();
  const change = new DatabaseSync(path);
  change.exec('DROP INDEX standing_intents');
  change.close();
  await createSqliteStore(path).close();
  const db = new DatabaseSync(path);
  onTestFinished(() => db.close());
  const names = db.prepare("SELECT name FROM sqlite_master WHERE name = 'standing_intents'").all();
  expect(names).toHaveLength(1);
});
