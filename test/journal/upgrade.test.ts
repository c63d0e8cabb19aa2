import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import {
  createSqliteReader,
  createSqliteStore,
  JournalFault,
  readUpgrades,
} from '../../src/journal/index.ts';
import { backupJournal, downgradeJournal } from '../../src/operate/journal/index.ts';
import { rowsOf, toFirstFormat } from './formerFormat.ts';
import { contentOf, journalOn, openIntent } from './journalRows.ts';
import { spawnScript } from './spawnScript.ts';

const root = mkdtempSync(join(tmpdir(), 'trimtab-upgrade-'));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;

/** A journal of the first format, alone in its folder. */
async function formerJournal(): Promise<{ path: string; folder: string; content: unknown }> {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  const path = join(folder, 'bot.sqlite');
  const store = createSqliteStore(path);
  const journal = journalOn(store);
  await openIntent(journal, 'a', ['emitted', 'guarded', 'sending', 'accepted']);
  await openIntent(journal, 'b', ['emitted', 'guarded']);
  await store.writeState('ema', '{"n":1}');
  const content = contentOf(store);
  await store.close();
  toFirstFormat(path);
  return { path, folder, content };
}

const backupOf = (path: string): string => path.replace('.sqlite', '.v1.sqlite');

function faultOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

test('an upgrade leaves the journal as it was beside it, and a fact that says so', async () => {
  const { path, content } = await formerJournal();
  const before = rowsOf(path);
  const store = createSqliteStore(path);
  expect(contentOf(store)).toEqual(content);
  const { upgraded } = store;
  expect(upgraded).toMatchObject({ from: 1, to: 2, backup: backupOf(path) });
  await store.close();
  expect(rowsOf(backupOf(path))).toEqual(before);
  expect(statSync(backupOf(path)).mode & 0o777).toBe(0o600);

  const reader = createSqliteReader(path);
  expect(readUpgrades(await reader.facts())).toEqual([upgraded]);
  expect(await reader.problems()).toEqual([]);
  await reader.close();
  const again = createSqliteStore(path);
  expect(again.upgraded).toBeUndefined();
  await again.close();
});

test('a backup is never overwritten: one of another journal stays, and the new one gets a number', async () => {
  const { path } = await formerJournal();
  const other = await formerJournal();
  const db = new DatabaseSync(other.path);
  db.exec("UPDATE intents SET wallet = 'other'; VACUUM INTO '" + backupOf(path) + "'");
  db.close();
  const foreign = rowsOf(backupOf(path));
  const before = rowsOf(path);
  const store = createSqliteStore(path);
  expect(store.upgraded?.backup).toBe(path.replace('.sqlite', '.v1.2.sqlite'));
  await store.close();
  expect(rowsOf(backupOf(path))).toEqual(foreign);
  expect(rowsOf(path.replace('.sqlite', '.v1.2.sqlite'))).toEqual(before);
});

test('reading and backing up change nothing of a journal of the former format', async () => {
  const { path, folder } = await formerJournal();
  const before = rowsOf(path);
  const files = readdirSync(folder);
  const fault = faultOf(() => createSqliteReader(path));
  expect(fault).toBeInstanceOf(JournalFault);
  expect(fault).toHaveProperty('message', expect.stringContaining('Start its bot once'));
  const copy = join(folder, 'copy.sqlite');
  await expect(backupJournal({ place: path }, copy, 1)).rejects.toBeInstanceOf(JournalFault);
  expect(rowsOf(path)).toEqual(before);
  const left = readdirSync(folder).filter((name) => !/-(wal|shm)$/.test(name));
  expect(left).toEqual(files.filter((name) => !/-(wal|shm)$/.test(name)));
});

describe('an upgrade that ends halfway leaves the former journal whole', () => {
  test('killed before its transaction is durable: the next start uses the same backup', async () => {
    const { path, folder, content } = await formerJournal();
    const before = rowsOf(path);
    const script = spawnScript('journal/dieInUpgrade.ts', [path]);
    await new Promise((resolve) => script.child.on('exit', resolve));
    expect(script.child.signalCode).toBe('SIGKILL');
    expect(rowsOf(path)).toEqual(before);
    expect(rowsOf(backupOf(path))).toEqual(before);

    const store = createSqliteStore(path);
    expect(contentOf(store)).toEqual(content);
    expect(store.upgraded?.backup).toBe(backupOf(path));
    await store.close();
    expect(readdirSync(folder).filter((name) => name.includes('.v1'))).toEqual([
      basename(backupOf(path)),
    ]);
  });

  test('killed while the backup is written: no file has the name of a backup that is not whole', async () => {
    const { path, folder } = await formerJournal();
    const db = new DatabaseSync(path);
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
      INSERT INTO entries (key, state, wall_time, market_time, data)
      SELECT 'a', 'accepted', i, i, hex(randomblob(200)) FROM n`);
    db.close();
    const before = rowsOf(path);
    const script = spawnScript('journal/dieInUpgrade.ts', [path]);
    const part = `${backupOf(path)}.part`;
    await expect
      .poll(() => existsSync(part) || script.child.signalCode !== null, {
        timeout: 10_000,
        interval: 1,
      })
      .toBe(true);
    await script.end('SIGKILL');
    expect(rowsOf(path)).toEqual(before);
    if (existsSync(backupOf(path))) expect(rowsOf(backupOf(path))).toEqual(before);

    const store = createSqliteStore(path);
    await store.close();
    expect(rowsOf(backupOf(path))).toEqual(before);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('where no backup can be written', async () => {
    const { path } = await formerJournal();
    const before = rowsOf(path);
    mkdirSync(join(`${backupOf(path)}.part`, 'in the way'), { recursive: true });
    expect(() => createSqliteStore(path)).toThrow(JournalFault);
    expect(rowsOf(path)).toEqual(before);
    expect(existsSync(backupOf(path))).toBe(false);
  });

  test('a damaged journal gets no backup that looks like a whole one', async () => {
    const { path } = await formerJournal();
    const db = new DatabaseSync(path);
    const root = db
      .prepare("SELECT rootpage FROM sqlite_master WHERE name = 'entries_by_key'")
      .get();
    const size = db.prepare('PRAGMA page_size').get();
    db.close();
    const file = openSync(path, 'r+');
    const bytes = Number(size?.['page_size']);
    writeSync(file, Buffer.alloc(bytes, 0xff), 0, bytes, (Number(root?.['rootpage']) - 1) * bytes);
    closeSync(file);
    expect(faultOf(() => createSqliteStore(path))).toHaveProperty('code', 'damaged');
    expect(existsSync(backupOf(path))).toBe(false);
  });
});

describe('the way back', () => {
  test('a journal that went on in the new format is written in the former one, and upgrades again', async () => {
    const { path, folder } = await formerJournal();
    const store = createSqliteStore(path);
    await openIntent(journalOn(store), 'c', ['emitted', 'guarded', 'sending']);
    await store.setLatch('kill', { value: 'L0', reason: 'released', time: 1 });
    await store.close();
    const out = join(folder, 'former.sqlite');
    expect(await downgradeJournal({ place: path }, out, 1)).toEqual({
      ok: true,
      wrote: { intents: 3, steps: 9 },
      leftOut: [],
    });
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(rowsOf(out)).toMatchObject({ format: { user_version: 1 } });
    // As the program of that format adds an intent: without a value for `final`.
    const db = new DatabaseSync(out);
    db.exec(`INSERT INTO intents (key, decision_key, generation, instance, wallet, kind, intent, state)
      VALUES ('d', 'decision d', 0, 'ema', 'main', 'launch', '{}', 'emitted');
      INSERT INTO entries (key, state, wall_time, market_time, data) VALUES ('d', 'emitted', 2, 2, '{}')`);
    db.close();
    const again = createSqliteStore(out);
    expect(again.upgraded).toMatchObject({ from: 1 });
    expect(again.intents().map(({ key, state }) => [key, state])).toEqual([
      ['a', 'accepted'],
      ['b', 'guarded'],
      ['c', 'sending'],
      ['d', 'emitted'],
    ]);
    expect(again.readState('ema')).toBe('{"n":1}');
    await again.close();
    const taken = await downgradeJournal({ place: path }, out, 1);
    expect(taken).toMatchObject({ ok: false, code: 'TRIMTAB_OUTPUT_EXISTS' });
  });

  test.each([
    ['kill', 'L1', true],
    ['pause ema', 'on', true],
    ['throttle ema', 'on', true],
    ['stage ema', 'canary ./next.ts', true],
    ['stage ema', 'live ./next.ts', true],
    ['version ema', './next.ts', true],
    ['kill', 'L0', false],
    ['pause ema', 'off', false],
    ['throttle ema', 'off', false],
    ['stage ema', 'shadow ./next.ts', false],
    ['api key', 'vk_1', false],
    ['operator', 'kill', false],
    ['strategy ema', 'quarantined', false],
    ['position main BTC', 'ignored', true],
    ['position main BTC', 'over', false],
    ['position main BTC', 'adopted by ema', false],
  ])('a latch %s at %s refuses it: %s', async (name, value, refuses) => {
    const { path, folder } = await formerJournal();
    const store = createSqliteStore(path);
    await store.setLatch(name, { value, reason: '', time: 1 });
    await store.close();
    const made = await downgradeJournal({ place: path }, join(folder, 'former.sqlite'), 1);
    expect(made.ok).toBe(!refuses);
    if (!made.ok) expect(made.reason).toContain(`latches that are set (1: ${name})`);
  });

  test('what the former format has no place for refuses it, counted', async () => {
    const { path, folder } = await formerJournal();
    const store = createSqliteStore(path);
    await store.setLatch('kill', { value: 'L1', reason: 'by hand', time: 1 });
    await store.compact({ olderThan: 1e15 });
    await store.close();
    const out = join(folder, 'former.sqlite');
    const refused = await downgradeJournal({ place: path }, out, 1);
    expect(refused).toMatchObject({ ok: false, code: 'TRIMTAB_JOURNAL_NOT_DOWNGRADED' });
    const { reason } = refused as { reason: string };
    expect(reason).toContain('compacted intents (1)');
    expect(reason).toContain('latches that are set (1: kill)');
    expect(existsSync(out)).toBe(false);
  });
});
