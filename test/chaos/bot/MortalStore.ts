import type {
  Durability,
  IntentState,
  JournalAppend,
  JournalStore,
} from '../../../src/journal/index.ts';
import type { Boundary } from '../boundaries.ts';
import type { Reach } from './createReach.ts';

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

/** Boundaries that a write passes before it is durable, and after. */
export interface Passed {
  before: readonly Boundary[];
  after: readonly Boundary[];
}

/** Carries a write out, and dies where it passes the boundary that the process is armed for. */
export type MortalWrite = <T>(passed: Passed, run: () => T | Promise<T>) => T | Promise<T>;

const OUTCOMES: readonly IntentState[] = ['accepted', 'rejected', 'unknown', 'absent', 'deferred'];
const OF_COMPACTION: Passed = { before: ['compaction'], after: ['compaction'] };

const ofLatch = (name: string): Passed =>
  name === 'kill' ? { before: ['latch write'], after: ['latch write'] } : { before: [], after: [] };

/** The same store, of which each write that a boundary is about goes this way. */
export const throughBoundaries = (
  store: JournalStore,
  durability: Durability,
  write: MortalWrite,
): JournalStore => ({
  ...store,
  append: (append) => write(boundariesOf(append, durability), () => store.append(append)),
  setLatch: (name, latch) => write(ofLatch(name), () => store.setLatch(name, latch)),
  compact: (request) => write(OF_COMPACTION, () => store.compact(request)),
});

/** Dies at the first of these that the process is armed for, or while it drains. */
export function pass(boundaries: readonly Boundary[], { reach, isDraining }: MortalOptions): void {
  for (const boundary of boundaries) reach.reach(boundary);
  if (isDraining()) reach.reach('SIGTERM drain');
}

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
