import { writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { checksumOf } from '../checksumOf.ts';
import type { Durability } from '../Durability.ts';
import { isFinal, type IntentState } from '../IntentState.ts';
import { JournalFault } from '../JournalFault.ts';
import type {
  IntentRow,
  JournalAppend,
  JournalEntry,
  JournalStore,
  Latch,
} from '../JournalStore.ts';
import { MOST_STANDING } from '../staysWhole.ts';
import { withStorableTexts } from '../withStorableTexts.ts';
import { checkIntegrity } from './checkIntegrity.ts';
import { alwaysPresent, createPresence, type Presence } from './createPresence.ts';
import { createStatements, type Statements } from './createStatements.ts';
import { createWriter } from './createWriter.ts';
import { followLink } from './followLink.ts';
import { lockWriter } from './lockWriter.ts';
import { hasLog, openDatabase, requireWritable } from './openDatabase.ts';
import { OWNER_ONLY } from './ownerOnly.ts';
import { entryFields, intentFields } from './recordFields.ts';
import { syncPath } from './syncPath.ts';
import { changedRecord, toJournalFault } from './toJournalFault.ts';
import { writeWriter } from './writerRow.ts';

type Row = IntentRow & { state: IntentState };
type Summed<T> = T & { sum: number };
/** A row of `intents`; its id, where it is read page by page. */
type IntentValues = [
  key: string,
  decisionKey: string,
  generation: number,
  instance: string,
  wallet: string,
  kind: Row['kind'],
  intent: string,
  state: IntentState,
  sum: number,
  id?: number,
];

const COMPACT_LIMIT = 1_000;
const NEWEST_PAGE = 100;
/** A log's header without its magic number: SQLite reads no page of it. */
const EMPTY_LOG_BYTES = 32;
/** As far as no reader blocks it: it does not wait. */
const CHECKPOINT = 'PRAGMA wal_checkpoint(PASSIVE)';

/**
 * The journal in a SQLite file (WAL). One writer per file: a second process is refused, and the lock ends with
 * the process, however it dies. Readers are allowed at any time.
 *
 * @param place a file path, or `:memory:`
 * @param onUncommitted called in each write when its rows are written and nothing is durable yet: the one point
 *   of a write that passes no port, for tests that end the process there
 * @throws JournalFault when the file is in use, damaged, foreign, of another version or read-only
 */
export function createSqliteStore(
  place: string,
  durability: Durability = 'power',
  onUncommitted: () => void = () => {},
): JournalStore {
  const path = followLink(place);
  try {
    if (path !== ':memory:') requireWritable(path);
    const unlock = path === ':memory:' ? () => {} : lockWriter(path);
    try {
      return openStore({ path, durability, unlock, onUncommitted });
    } catch (error) {
      unlock();
      throw error;
    }
  } catch (error) {
    throw toJournalFault(error, path);
  }
}

interface Opening {
  path: string;
  durability: Durability;
  unlock(): void;
  onUncommitted(): void;
}

function openStore(opening: Opening): JournalStore {
  const { path, durability } = opening;
  const { db, upgraded } = openDatabase(path, { durability, onUncommitted: opening.onUncommitted });
  try {
    checkIntegrity(db, path);
    writeWriter(db, true);
    // Into the file itself, so that a copy without its log is recognized as one.
    db.exec(CHECKPOINT);
    // Of the folder in which it has created the log SQLite does not say that it could not sync it.
    if (path !== ':memory:' && durability === 'power') syncPath(dirname(resolve(path)));
    const presence = path === ':memory:' ? alwaysPresent : createPresence(path);
    const store = withStorableTexts(createStore(db, { ...opening, presence }));
    return upgraded === undefined ? store : { ...store, upgraded };
  } catch (error) {
    closeMerged(db, path);
    throw error;
  }
}

interface Opened extends Opening {
  presence: Presence;
}

function createStore(db: DatabaseSync, opening: Opened): JournalStore {
  const { path, unlock, presence } = opening;
  const run = createStatements(db);
  const { write, writeSoon, settle } = createWriter(db, { ...opening, run });

  /** What was read, once its checksum matches. */
  const checked = <T extends object>(
    row: unknown,
    fields: (row: T) => Array<string | number>,
  ): T => {
    const { sum, ...rest } = row as Summed<T>;
    if (checksumOf(...fields(rest as unknown as T)) === sum) return rest as unknown as T;
    throw changedRecord(path, fields(rest as unknown as T)[0]!);
  };
  const toRow = (values: unknown): Row => {
    const row = values as IntentValues;
    const [key, decisionKey, generation, instance, wallet, kind, intent, state, sum] = row;
    const summed = [key, decisionKey, generation, instance, wallet, kind, intent];
    if (checksumOf(...summed) !== sum) throw changedRecord(path, key);
    return { key, decisionKey, generation, instance, wallet, kind, intent, state };
  };
  const maybe = <T>(row: unknown, map: (row: unknown) => T): T | undefined =>
    row === undefined ? undefined : map(row);

  return {
    append(append) {
      const change = (): void => appendRows(run, append);
      return append.mayWait === true ? writeSoon(change) : write(change);
    },
    holds: (key) => run.state.get(key, key) !== undefined,
    stateOf: (key) => run.state.get(key, key)?.['state'] as IntentState | undefined,
    intent: (key) => maybe(run.intent.get(key), toRow),
    entries: (key) => run.entries.all(key).map((row) => checked<JournalEntry>(row, entryFields)),
    openIntents() {
      presence.require();
      return run.openIntents.all().map(toRow);
    },
    intents: () => Array.from(run.intents.iterate(), toRow),
    newestIntents,
    standingIntents: () => run.standing.all(MOST_STANDING).map(toRow),
    readState: (instance) =>
      maybe(run.readState.get(instance), (row) =>
        checked<{ state: string }>(row, ({ state }) => [instance, state]),
      )?.state,
    writeState: (instance, state) =>
      void write(() => run.writeState.run(instance, state, checksumOf(instance, state))),
    meta: (key) =>
      maybe(run.meta.get(key), (row) =>
        checked<{ value: string }>(row, ({ value }) => [key, value]),
      )?.value,
    setMeta: (key, value) => void write(() => run.setMeta.run(key, value, checksumOf(key, value))),
    latch(name) {
      const { value, reason, time } = maybe(run.latch.get(name), toLatch) ?? {};
      return value === undefined ? undefined : { value, reason: reason!, time: time! };
    },
    setLatch: (name, { value, reason, time }) =>
      void write(() =>
        run.setLatch.run(name, value, reason, time, checksumOf(name, value, reason, time)),
      ),
    latches: () => run.latches.all().map(toLatch),
    compact: ({ olderThan, limit = COMPACT_LIMIT }) =>
      write(() => {
        const keys = run.old.all(olderThan, limit);
        for (const { key } of keys) {
          run.retire.run(key!);
          run.dropEntries.run(key!);
          run.dropIntent.run(key!);
        }
        return keys.length;
      }),
    checkpoint() {
      settle();
      try {
        db.exec(CHECKPOINT);
      } catch (error) {
        throw toJournalFault(error, path);
      }
    },
    close() {
      try {
        closeFile(db, opening, write);
      } finally {
        unlock();
      }
    },
  };

  /** Page by page: an open cursor would keep what is written meanwhile out of the file. */
  function* newestIntents(): Iterable<Row> {
    for (let below: unknown = Number.MAX_SAFE_INTEGER; below !== undefined;) {
      const page: unknown[] = run.newest.all(below as number, NEWEST_PAGE);
      for (const row of page) yield toRow(row);
      below = page.length < NEWEST_PAGE ? undefined : (page.at(-1) as IntentValues)[9];
    }
  }

  function toLatch(row: unknown): Latch & { name: string } {
    return checked<Latch & { name: string }>(row, ({ name, value, reason, time }) => [
      name,
      value,
      reason,
      time,
    ]);
  }
}

/** The last close merges the log into the file and deletes it; the file's own mark must agree. */
function closeFile(
  db: DatabaseSync,
  { path, presence }: Opened,
  write: (change: () => void) => void,
): void {
  try {
    write(() => writeWriter(db, false));
  } catch {
    // What stands at the path may be another's.
    if (!presence.isWhole()) return db.close();
    // A full disk, or one that failed before.
    return closeMerged(db, path);
  }
  db.close();
}

/** Closes a file that its mark still calls open: the next start must not take the log, which is merged, for lost. */
function closeMerged(db: DatabaseSync, path: string): void {
  db.close();
  if (path === ':memory:' || hasLog(path)) return;
  writeFileSync(`${path}-wal`, Buffer.alloc(EMPTY_LOG_BYTES), { mode: OWNER_ONLY });
}

function appendRows(run: Statements, { intent, entries }: JournalAppend): void {
  if (intent !== undefined) {
    if (run.state.get(intent.key, intent.key) !== undefined) {
      throw new JournalFault('duplicate', `The journal holds ${intent.key} already.`);
    }
    const fields = intentFields(intent);
    const opened = entries.find(({ key }) => key === intent.key)?.wallTime ?? 0;
    // A row is written with the state that it has at the end: the steps between are never visible.
    const { state, wallTime } = entries.findLast(({ key }) => key === intent.key) ?? {
      state: 'emitted' as const,
      wallTime: opened,
    };
    run.addIntent.run(...fields, checksumOf(...fields), state, finalOf(state), opened, wallTime);
  }
  for (const [index, entry] of entries.entries()) {
    const fields = entryFields(entry);
    run.addEntry.run(...fields, checksumOf(...fields));
    const { key, state, wallTime } = entry;
    if (key === intent?.key || entries[index + 1]?.key === key) continue;
    const moved = run.setState.run(state, finalOf(state), wallTime, key);
    if (moved.changes === 0) throw new Error(`The journal does not hold ${key}.`);
  }
}

const finalOf = (state: IntentState): number => (isFinal(state) ? 1 : 0);
