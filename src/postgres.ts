/**
 * `trimtab/postgres`: the parts of a bot that lie in PostgreSQL, for programs of your own. It needs the package `pg`.
 * `createPostgresStore` opens an account's journal as its one writer, `createPostgresReader` reads it while a bot
 * writes, and `createPostgresLedger` with `createSharedBudget` shares the rate budget of an API key with bots and
 * other processes. Whatever is opened must be closed. Faults are `JournalFault`s; none shows a password.
 */
export { createPostgresLedger, type PostgresLedgerOptions } from './budget/createPostgresLedger.ts';
export {
  createSharedBudget,
  LANES,
  type Admission,
  type Budget,
  type BudgetLedger,
  type BudgetOptions,
  type BudgetStatus,
  type BudgetUse,
  type Lane,
  type LedgerAnswer,
  type LedgerClasses,
  type LedgerTurn,
  type SharedBudget,
  type SharedBudgetOptions,
} from './budget/index.ts';
// By file: the door of the journal also has the one in SQLite.
export type { Durability } from './journal/Durability.ts';
export { INTENT_STATES, type IntentState } from './journal/IntentState.ts';
export { JournalFault, type JournalFaultCode } from './journal/JournalFault.ts';
export type {
  IntentFilter,
  IntentLife,
  IntentPage,
  JournalReader,
  KnownIntent,
} from './journal/JournalReader.ts';
export type {
  CompactRequest,
  IntentRow,
  JournalAppend,
  JournalEntry,
  JournalStore,
  JournalUpgrade,
  Latch,
} from './journal/JournalStore.ts';
export type { ChooseJournal, KnownJournal } from './journal/KnownJournal.ts';
export {
  createPostgresReader,
  createPostgresStore,
  type PostgresReaderOptions,
  type PostgresStoreOptions,
} from './journal/postgres/index.ts';
export { createLiveEnv, type Env } from './env/index.ts';
export type {
  Cancel,
  Clock,
  Labels,
  Log,
  LogFields,
  Metrics,
  Random,
  Timers,
} from './env/index.ts';
