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

export interface MortalStoreOptions {
  path: string;
  durability: Durability;
  reach: Reach;
  /** Whether the process was asked to end. */
  isDraining(): boolean;
}

/** A journal whose process may die in the middle of a write, after it, or between two. */
export function createMortalStore(options: MortalStoreOptions): JournalStore {
  const { path, durability, reach } = options;
  /** Boundaries that the write under way passes before its commit. */
  let uncommitted: readonly Boundary[] = [];
  const store = createSqliteStore(path, durability, () => {
    for (const boundary of uncommitted) {
      if (!reach.arrives(boundary)) continue;
      tear(`${path}-wal`);
      reach.die(boundary);
    }
  });
  function write<T>(before: readonly Boundary[], after: readonly Boundary[], run: () => T): T {
    uncommitted = before;
    const result = run();
    uncommitted = [];
    for (const boundary of after) reach.reach(boundary);
    if (options.isDraining()) reach.reach('SIGTERM drain');
    return result;
  }
  return {
    ...store,
    append(append) {
      const { before, after } = boundariesOf(append, durability);
      return write(before, after, () => store.append(append));
    },
    setLatch(name, latch) {
      const boundary: Boundary[] = name === 'kill' ? ['latch write'] : [];
      return write(boundary, boundary, () => store.setLatch(name, latch));
    },
    compact: (request) => write(['compaction'], ['compaction'], () => store.compact(request)),
  };
}

function boundariesOf(
  { intent, entries }: JournalAppend,
  durability: Durability,
): { before: Boundary[]; after: Boundary[] } {
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
