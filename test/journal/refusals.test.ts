/** Refusals of one turn of the event loop become durable together, and before anything that is written after them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createSqliteStore, JournalFault, type JournalStore } from '../../src/journal/index.ts';
import { alwaysPresent } from '../../src/journal/sqlite/createPresence.ts';
import { createWriter } from '../../src/journal/sqlite/createWriter.ts';
import { holdLaw, Tried } from '../holdLaw.ts';
import { journalOn, rowOf } from './journalRows.ts';

const directory = mkdtempSync(join(tmpdir(), 'trimtab-refusals-'));
afterAll(() => rmSync(directory, { recursive: true }));
let files = 0;

/** What the system may do to a commit. */
type Trouble = 'none' | 'fails';

function openCounted() {
  const path = join(directory, `journal-${files++}.sqlite`);
  const counted = { commits: 0, trouble: 'none' as Trouble };
  const store = createSqliteStore(path, 'power', () => {
    counted.commits++;
    if (counted.trouble === 'fails') throw new Error('no room');
  });
  const reader = new DatabaseSync(path, { readOnly: true });
  onTestFinished(async () => {
    reader.close();
    await store.close();
  });
  const durable = (): string[] =>
    reader
      .prepare('SELECT key FROM intents ORDER BY id')
      .all()
      .map(({ key }) => String(key));
  return { store, path, counted, durable, journal: journalOn(store) };
}

const createStatementsOf = (db: DatabaseSync) => ({
  begin: db.prepare('BEGIN'),
  commit: db.prepare('COMMIT'),
  savepoint: db.prepare('SAVEPOINT change'),
  release: db.prepare('RELEASE change'),
});

const refuse = (journal: ReturnType<typeof journalOn>, key: string) =>
  journal.open(rowOf(key), [{ state: 'emitted' }, { state: 'denied', data: { reason: 'late' } }]);
const send = (journal: ReturnType<typeof journalOn>, key: string) =>
  journal.open(rowOf(key), [{ state: 'emitted' }, { state: 'guarded' }, { state: 'sending' }]);

test('a thousand refusals of one turn take one commit, and can be read before it', async () => {
  const { journal, store, counted, durable } = openCounted();
  const before = counted.commits;
  const written = Array.from({ length: 1_000 }, (_none, at) => refuse(journal, `k${at}`));
  expect([counted.commits - before, durable().length]).toEqual([0, 0]);
  expect([journal.holds('k7'), journal.stateOf('k7')]).toEqual([true, 'denied']);
  expect(store.entries('k999').map(({ state }) => state)).toEqual(['emitted', 'denied']);
  await Promise.resolve();
  expect([counted.commits - before, durable().length]).toEqual([1, 1_000]);
  await Promise.all(written);
});

test('so do a thousand that waited and are too late', async () => {
  const { journal, counted } = openCounted();
  const keys = Array.from({ length: 1_000 }, (_none, at) => `k${at}`);
  for (const key of keys)
    void journal.open(rowOf(key), [{ state: 'emitted' }, { state: 'guarded' }]);
  const before = counted.commits;
  for (const key of keys) void journal.record(key, [{ state: 'deferred' }, { state: 'expired' }]);
  expect([counted.commits - before, journal.stateOf('k3')]).toEqual([0, 'expired']);
  await Promise.resolve();
  expect(counted.commits - before).toBe(1);
});

test('what is sent is durable at once, with the refusals before it', () => {
  const { journal, counted, durable } = openCounted();
  const before = counted.commits;
  void refuse(journal, 'refused');
  expect(durable()).toEqual([]);
  expect(send(journal, 'sent')).toBeUndefined();
  expect([durable(), counted.commits - before]).toEqual([['refused', 'sent'], 1]);
});

test('a write that fails by itself leaves the refusals that wait', async () => {
  const { journal, store, durable } = openCounted();
  void send(journal, 'sent');
  const written = refuse(journal, 'refused');
  const again = { intent: rowOf('sent'), entries: [] };
  expect(() => store.append(again)).toThrow('holds sent already');
  expect(() => store.append({ ...again, mayWait: true })).toThrow('holds sent already');
  await written;
  expect(durable()).toEqual(['sent', 'refused']);
});

test('whoever waits learns that the disk is full, and the journal goes on when there is room', async () => {
  const { journal, counted, durable } = openCounted();
  counted.trouble = 'fails';
  const alone = refuse(journal, 'alone');
  await expect(alone).rejects.toThrow('no room');
  const first = refuse(journal, 'first');
  expect(() => send(journal, 'sent')).toThrow('no room');
  await expect(first).rejects.toThrow('no room');
  expect(['alone', 'first', 'sent'].map((key) => journal.holds(key))).toEqual([
    false,
    false,
    false,
  ]);
  counted.trouble = 'none';
  await refuse(journal, 'alone');
  void send(journal, 'sent');
  expect(durable()).toEqual(['alone', 'sent']);
});

test('a damaged file takes nothing more, and whoever waits learns it', async () => {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE notes (text TEXT)');
  const { write, writeSoon } = createWriter(db, {
    path: 'notes',
    run: createStatementsOf(db),
    presence: alwaysPresent,
    onUncommitted: () => {},
  });
  const first = writeSoon(() => db.exec("INSERT INTO notes VALUES ('first')"));
  const damaged = (): never => {
    throw Object.assign(new Error('malformed'), { errcode: 11 });
  };
  expect(() => write(damaged)).toThrow(JournalFault);
  await expect(first).rejects.toThrow(JournalFault);
  expect(() => write(() => {})).toThrow('failed before');
  expect(db.prepare('SELECT * FROM notes').all()).toEqual([]);
  db.close();
});

test('a copy of the file, and its close, include what waits', async () => {
  const { journal, store, durable } = openCounted();
  void refuse(journal, 'copied');
  store.checkpoint!();
  expect(durable()).toEqual(['copied']);
  const path = join(directory, `journal-${files++}.sqlite`);
  const closing = createSqliteStore(path);
  void refuse(journalOn(closing), 'closed');
  void closing.close();
  const reopened = createSqliteStore(path);
  onTestFinished(() => reopened.close());
  expect(reopened.stateOf('closed')).toBe('denied');
});

test('in whatever order they come, with commits that fail, the journal holds what a simple list does', async () => {
  const step = fc.constantFrom('refuse', 'send', 'turn', 'full', 'room', 'repeat', 'state');
  const tried = new Tried();
  await holdLaw(200, fc.array(step, { maxLength: 30, size: 'max' }), async (steps) => {
    const { journal, store, counted } = openCounted();
    // By definition: what waits is lost with a commit that fails, and durable with one that does not.
    let durable: string[] = [];
    let waiting: string[] = [];
    const ended: Array<Promise<void>> = [];
    const commit = (): void => {
      if (counted.trouble === 'none') durable = [...durable, ...waiting];
      else if (waiting.length > 0) tried.take('lost');
      waiting = [];
    };
    for (const [at, one] of steps.entries()) {
      const key = `k${at}`;
      if (one === 'refuse') {
        ended.push(Promise.resolve(refuse(journal, key)).catch(() => {}));
        waiting.push(key);
      } else if (one === 'send') {
        if (waiting.length > 0) tried.take('together');
        waiting.push(key);
        attempt(() => send(journal, key));
        commit();
      } else if (one === 'state') {
        attempt(() => store.writeState('a', key));
        commit();
      } else if (one === 'repeat' && durable.length > 0)
        attempt(() => store.append({ intent: rowOf(durable[0]!), entries: [] }));
      else if (one === 'turn') {
        await Promise.resolve();
        commit();
      } else if (one === 'full') {
        await Promise.resolve();
        commit();
        counted.trouble = 'fails';
      } else if (one === 'room') {
        await Promise.resolve();
        commit();
        counted.trouble = 'none';
      }
      expect(keysOf(store)).toEqual([...durable, ...waiting]);
    }
    await Promise.all(ended);
    commit();
    expect(keysOf(store)).toEqual(durable);
    counted.trouble = 'none';
  });
  expect(tried.rare(['lost', 'together'], 5)).toEqual([]);
});

const keysOf = (store: JournalStore): string[] => store.intents().map(({ key }) => key);

function attempt(act: () => unknown): void {
  try {
    void act();
  } catch {
    // The list shows what became of it.
  }
}
