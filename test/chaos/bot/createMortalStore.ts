import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import {
  createSqliteStore,
  type Durability,
  type IntentState,
  type JournalAppend,
  type JournalStore,
} from '../../../src/journal/index.ts';
import type { Boundary } from '../boundaries.ts';
import type { Reach } from './createReach.ts';

const OUTCOMES: readonly IntentState[] = ['accepted', 'rejected', 'unknown', 'absent', 'deferred'];
/** A page of the log with its header. */
const FRAME = 4_096 + 24;

export interface MortalOptions {
  durability: Durability;
  reach: Reach;
  /** Whether the process was asked to end. */
  isDraining(): boolean;
}

/** A journal whose process may die in the middle of a write, after it, or between two. */
export interface MortalStore {
  store: JournalStore;
  /** Whether the newest step that is durable says that the intent is being sent. */
  isSending(key: string): boolean;
}

/** Journals in a file: a write that is cut short leaves half a page in the log. */
export function createMortalFile(path: string, options: MortalOptions): MortalStore {
  const { durability, reach } = options;
  /** Boundaries that the write under way passes before its commit. */
  let uncommitted: readonly Boundary[] = [];
  const store = createSqliteStore(path, durability, () => {
    for (const boundary of uncommitted) {
      if (!reach.arrives(boundary)) continue;
      tear(`${path}-wal`);
      reach.die(boundary);
    }
  });
  function write<T>({ before, after }: Passed, run: () => T): T {
    uncommitted = before;
    const result = run();
    uncommitted = [];
    pass(after, options);
    return result;
  }
  return {
    store: {
      ...store,
      append: (append) => write(boundariesOf(append, durability), () => store.append(append)),
      setLatch: (name, latch) => write(ofLatch(name), () => store.setLatch(name, latch)),
      compact: (request) => write(OF_COMPACTION, () => store.compact(request)),
    },
    isSending: (key) => store.stateOf(key) === 'sending',
  };
}

/** Journals in a database: a write that is cut short is on its way to the server, which may commit it. */
export function createMortalDatabase(store: JournalStore, options: MortalOptions): MortalStore {
  const { durability, reach } = options;
  const durable = new Map(store.openIntents().map(({ key, state }) => [key, state]));
  async function write<T>({ before, after }: Passed, run: () => T | Promise<T>): Promise<T> {
    const written = run();
    const last = before.filter((boundary) => reach.arrives(boundary))[0];
    if (last !== undefined) {
      await afterTurns(TURNS_UNDER_WAY);
      reach.die(last);
    }
    const result = await written;
    pass(after, options);
    return result;
  }
  return {
    store: {
      ...store,
      append: (append) =>
        write(boundariesOf(append, durability), async () => {
          await store.append(append);
          for (const { key, state } of append.entries) durable.set(key, state);
        }),
      setLatch: (name, latch) => write(ofLatch(name), () => store.setLatch(name, latch)),
      compact: (request) => write(OF_COMPACTION, () => store.compact(request)),
    },
    isSending: (key) => durable.get(key) === 'sending',
  };
}

/** Until the client has given the statement to the system, and the server may have begun with it. */
const TURNS_UNDER_WAY = 3;

async function afterTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}

function pass(boundaries: readonly Boundary[], { reach, isDraining }: MortalOptions): void {
  for (const boundary of boundaries) reach.reach(boundary);
  if (isDraining()) reach.reach('SIGTERM drain');
}

/** Boundaries that a write passes before it is durable, and after. */
interface Passed {
  before: readonly Boundary[];
  after: readonly Boundary[];
}

const OF_COMPACTION: Passed = { before: ['compaction'], after: ['compaction'] };

const ofLatch = (name: string): Passed =>
  name === 'kill' ? { before: ['latch write'], after: ['latch write'] } : { before: [], after: [] };

function boundariesOf({ intent, entries }: JournalAppend, durability: Durability): Passed {
  const last = entries.at(-1)?.state;
  const isOutcome = last !== undefined && OUTCOMES.includes(last);
  const before: Boundary[] = [isOutcome ? 'mid-outcome record' : 'mid-write'];
  const after: Boundary[] = [durability === 'power' ? 'synced' : 'written'];
  if (last === 'sending') after.push('sending recorded');
  if (isOutcome) after.push('outcome before publish');
  // Intents of an earlier process are marked unknown before any request.
  const isTakenUp = intent === undefined && last === 'unknown';
  if (isTakenUp && entries.at(-1)!.data.includes('found in the journal')) after.push('reconciling');
  return { before, after };
}

/** The first half of a page after the log's last one, as an interrupted write leaves it. */
function tear(log: string): void {
  const file = openSync(log, 'r');
  const half = Buffer.alloc(FRAME / 2);
  try {
    readSync(file, half, 0, half.length, Math.max(0, fstatSync(file).size - FRAME));
  } finally {
    closeSync(file);
  }
  appendFileSync(log, half);
}
