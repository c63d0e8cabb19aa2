/** The durable record of every intent's life: nothing is sent that is not journaled first. */
export { copySqlite } from './copySqlite.ts';
export { createJournal, type Journal, type Step } from './createJournal.ts';
export { createMemoryStore } from './createMemoryStore.ts';
export { createPostgresReader, type PostgresReaderOptions } from './createPostgresReader.ts';
export { createPostgresStore, type PostgresStoreOptions } from './createPostgresStore.ts';
export { createPassingStore } from './createPassingStore.ts';
export { createSqliteReader } from './createSqliteReader.ts';
export { createSqliteStore, type Durability } from './createSqliteStore.ts';
export { connectPg } from './postgres/connectPg.ts';
export type { PgClient, PgResult } from './postgres/PgClient.ts';
export { describeDatabase, isPostgresUrl } from './postgres/describeDatabase.ts';
export { idempotencyKeyOf } from './idempotencyKeyOf.ts';
export { INTENT_STATES, isFinal, isLegalTransition, type IntentState } from './IntentState.ts';
export type {
  IntentFilter,
  IntentLife,
  IntentPage,
  JournalReader,
  KnownIntent,
} from './JournalReader.ts';
export { journalFailureCode, JournalFault, type JournalFaultCode } from './JournalFault.ts';
export type {
  CompactRequest,
  IntentRow,
  JournalAppend,
  JournalEntry,
  JournalStore,
  Latch,
} from './JournalStore.ts';
export { ACCOUNT, requireAccount } from './requireAccount.ts';
export { writeOrFail } from './writeOrFail.ts';
