import type { IntentState } from './IntentState.ts';
import type { IntentRow, JournalEntry, Latch } from './JournalStore.ts';

/** An intent as an operator queries it. */
export interface KnownIntent extends IntentRow {
  state: IntentState;
  /** Wall time of its first and of its last step, epoch milliseconds. */
  opened: number;
  updated: number;
  /** Market time of its first step, epoch milliseconds: a replay's own time. Null if that step is lost. */
  marketOpened: number | null;
}

/** All conditions must hold; an absent one always does. */
export interface IntentFilter {
  states?: readonly IntentState[];
  instance?: string;
  wallet?: string;
  kind?: string;
  /** Wall time of the first step, epoch milliseconds, at or after. */
  since?: number;
  /** Wall time of the first step, epoch milliseconds, before. */
  until?: number;
  /** Opaque: `next` of the previous page. */
  cursor?: string;
  limit: number;
}

export interface IntentPage {
  /** Newest first. */
  items: KnownIntent[];
  /** Null on the last page. */
  next: string | null;
}

/** An intent with all its steps, oldest first. */
export interface IntentLife {
  intent: KnownIntent;
  entries: JournalEntry[];
}

/**
 * Reads a journal, also while a bot writes it, and never changes it.
 *
 * @throws JournalFault `damaged` if a record is not what was written
 */
export interface JournalReader {
  find(filter: IntentFilter): Promise<IntentPage>;
  /** Keys that start with `prefix`, up to `limit`. */
  keysLike(prefix: string, limit: number): Promise<string[]>;
  life(key: string): Promise<IntentLife | undefined>;
  /**
   * Those of these keys that the journal ever held, compacted ones included; and those that are ids of monitors which it
   * had accepted.
   */
  held(keys: readonly string[]): Promise<Set<string>>;
  /** Every change of a latch, oldest first. */
  latchChanges(): Promise<Array<Latch & { name: string }>>;
  facts(): Promise<Record<string, string>>;
  /** Every intent that has not been compacted, oldest first, from one snapshot. */
  lives(): AsyncIterable<IntentLife>;
  /** Problems that the storage itself reports, as sentences; steps without an intent among them. */
  problems(): Promise<string[]>;
  /** How many intents were compacted; of years it takes a while to count them. */
  retired(): Promise<number>;
  /** Whether any was, at once. */
  hasRetired(): Promise<boolean>;
  close(): Promise<void>;
}
