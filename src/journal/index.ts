/** The durable record of every intent's life: nothing is sent that is not journaled first. */
export { compareAccounts, goesOnIn } from './compareAccounts.ts';
export { createJournal, type Journal, type Step } from './createJournal.ts';
export { createMemoryStore } from './createMemoryStore.ts';
export { createPassingStore } from './createPassingStore.ts';
export type { Durability } from './Durability.ts';
export { describeDatabase, isPostgresUrl, withoutPassword } from './describeDatabase.ts';
export { isCursor } from './isCursor.ts';
export { journalNamed, type ChooseJournal, type KnownJournal } from './KnownJournal.ts';
export { idempotencyKeyOf, keyOfRemainder } from './idempotencyKeyOf.ts';
export {
  INTENT_STATES,
  isFinal,
  isLegalTransition,
  isUnsent,
  type IntentState,
} from './IntentState.ts';
export type {
  IntentFilter,
  IntentLife,
  IntentPage,
  JournalReader,
  KnownIntent,
} from './JournalReader.ts';
export { journalFailureCode, JournalFault } from './JournalFault.ts';
export type {
  IntentRow,
  JournalAppend,
  JournalEntry,
  JournalStore,
  JournalUpgrade,
  Latch,
} from './JournalStore.ts';
export { ACCOUNT, requireAccount } from './requireAccount.ts';
export { foreignJournal } from './foreignJournal.ts';
export { copySqlite } from './sqlite/copySqlite.ts';
export { convertToFirst, type Converted } from './sqlite/convertToFirst.ts';
export { createSqliteReader } from './sqlite/createSqliteReader.ts';
export { createSqliteStore } from './sqlite/createSqliteStore.ts';
export { FORMAT, formatOf, readUpgrades } from './sqlite/formatOf.ts';
export { readSurviving, type Surviving } from './sqlite/readSurviving.ts';
export { findNewest } from './findNewest.ts';
export { followLink } from './sqlite/followLink.ts';
export { lockWriter } from './sqlite/lockWriter.ts';
export { syncFolder } from './sqlite/syncPath.ts';
export { staysWhole } from './staysWhole.ts';
export { writeOrFail } from './writeOrFail.ts';
