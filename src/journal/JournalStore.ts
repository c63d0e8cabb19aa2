import type { IntentState } from './IntentState.ts';

/** What an intent is, written once when it is emitted. */
export interface IntentRow {
  /** The idempotency key: unique in the journal. */
  key: string;
  decisionKey: string;
  generation: number;
  instance: string;
  wallet: string;
  kind: string;
  /** The intent and what it was decided upon, as JSON. */
  intent: string;
}

/** One step in an intent's life. */
export interface JournalEntry {
  key: string;
  state: IntentState;
  wallTime: number;
  marketTime: number;
  /** What a person or recovery needs of the step, as JSON: reason, verdicts, bytes, answer. */
  data: string;
}

/** What is appended together is durable together. */
export interface JournalAppend {
  intent?: IntentRow;
  entries: readonly JournalEntry[];
}

/**
 * Where the journal lives. When `append` returns (or its promise resolves), everything in it survives
 * a power cut, or nothing of it was written.
 */
export interface JournalStore {
  append(append: JournalAppend): void | Promise<void>;
  intent(key: string): IntentRow | undefined;
  entries(key: string): JournalEntry[];
  /** The last state of every intent that is not final, oldest first. */
  openIntents(): Array<IntentRow & { state: IntentState }>;
  /** All intents, oldest first. */
  intents(): Array<IntentRow & { state: IntentState }>;
  readState(instance: string): string | undefined;
  writeState(instance: string, state: string): void | Promise<void>;
  close(): void | Promise<void>;
}
