import type { IntentState } from './IntentState.ts';

/** The data of an intent, written once when it is emitted. */
export interface IntentRow {
  /** The idempotency key: unique in the journal. */
  key: string;
  decisionKey: string;
  generation: number;
  instance: string;
  wallet: string;
  kind: string;
  /** The intent and what it was decided on, as JSON. */
  intent: string;
}

/** One step in an intent's life. */
export interface JournalEntry {
  key: string;
  state: IntentState;
  wallTime: number;
  marketTime: number;
  /** What an operator or recovery needs of the step, as JSON: reason, verdicts, bytes, answer. */
  data: string;
}

/** What is appended together is durable together. */
export interface JournalAppend {
  intent?: IntentRow;
  entries: readonly JournalEntry[];
  /**
   * It ends an intent, and nothing is sent upon it: it may become durable with the next append, which is durable no
   * earlier than this one, or when this turn of the event loop is over. It can be read at once.
   */
  mayWait?: boolean;
}

/** Something that persists until an operator changes it: a kill level, a quarantine. */
export interface Latch {
  value: string;
  /** For display: why it was set, or who released it. */
  reason: string;
  /** Epoch milliseconds. */
  time: number;
}

/** A change of a journal's format at its opening; the journal has it as a fact, `upgrade 2`. */
export interface JournalUpgrade {
  /** Formats before and after. */
  from: number;
  to: number;
  /** Wall time, epoch milliseconds. */
  time: number;
  /** Of this package. */
  version: string;
  /** The file that holds the journal as it was, in its former format. */
  backup: string;
}

/** Which intents may be permanently removed from the journal. */
export interface CompactRequest {
  /** Epoch milliseconds of wall time: final intents whose last step is older. */
  olderThan: number;
  /** Maximum per call, so that no call delays an append for long. Default 1,000. */
  limit?: number;
}

/**
 * Where the journal is stored. When `append` (or `writeState`, `setMeta`, `setLatch`) returns, or its promise
 * resolves, everything in it survives a power cut; when it fails, nothing of it was written. Reads are
 * synchronous: what a store can't read from its own memory, it loads when it is opened.
 */
export interface JournalStore {
  /** False if the data of a step can never be read, so that no text needs to be built for it. */
  readonly keepsTexts?: false;
  /** Present if this opening changed the journal's format. */
  readonly upgraded?: JournalUpgrade;
  append(append: JournalAppend): void | Promise<void>;
  /**
   * True for every key that the journal ever held, compacted ones included: a decision is made once. A remote store knows
   * the newest of them, and what it has learned.
   */
  holds(key: string): boolean;
  /**
   * Looks for keys that a remote store no longer has in its memory; those that the journal ever held it holds from then
   * on. Absent where none is ever dropped.
   */
  learn?(keys: readonly string[]): Promise<void>;
  /** The last state of an intent, compacted ones included. */
  stateOf(key: string): IntentState | undefined;
  /** An intent that has not been compacted. */
  intent(key: string): (IntentRow & { state: IntentState }) | undefined;
  /**
   * Steps of an intent, oldest first. Of an intent that was final already when the store was opened, a remote
   * store may hold the last step only.
   */
  entries(key: string): JournalEntry[];
  /** The last state of every intent that is not final, oldest first. */
  openIntents(): Array<IntentRow & { state: IntentState }>;
  /** All intents, oldest first; a remote store holds only the newest of the final ones, and those that stay whole. */
  intents(): Array<IntentRow & { state: IntentState }>;
  /**
   * The same, newest first, and read as far as they are taken: of a hundred thousand a start and an operator's command
   * need the last few, and a bot that reads them all stands still for seconds.
   */
  newestIntents(): Iterable<IntentRow & { state: IntentState }>;
  /** Those that stay whole however old they are, newest first: the monitors that were accepted. */
  standingIntents(): Array<IntentRow & { state: IntentState }>;
  readState(instance: string): string | undefined;
  writeState(instance: string, state: string): void | Promise<void>;
  /** A fact about the journal itself, such as the account that it belongs to. */
  meta(key: string): string | undefined;
  setMeta(key: string, value: string): void | Promise<void>;
  latch(name: string): Latch | undefined;
  /** Every change is recorded; the last one counts. */
  setLatch(name: string, latch: Latch): void | Promise<void>;
  /** The present latches, by name. */
  latches(): Array<Latch & { name: string }>;
  /**
   * Retires final intents with their steps, oldest first; open ones are never touched, nor are the newest 10,000 that armed
   * a monitor, and a retired key is still held. Call it again until it returns 0.
   *
   * @returns how many were retired
   */
  compact(request: CompactRequest): number | Promise<number>;
  /**
   * Moves what is durable in a log into the file itself, before the file is copied. Absent if there is no such
   * log.
   */
  checkpoint?(): void;
  /** @param withinMs how long what is being written may take; without it, as long as a write waits for its database */
  close(withinMs?: number): void | Promise<void>;
}
