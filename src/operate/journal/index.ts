/**
 * The operator's view of a journal: its location → a reader → lists, lives, narratives, checks, exports.
 */
export { accountOf } from './accountOf.ts';
export { backupJournal } from './backupJournal.ts';
export { downgradeJournal, FORMER_FORMATS } from './downgradeJournal.ts';
export { explainLife } from './explainLife.ts';
export { restoreJournal } from './restoreJournal.ts';
export { writeBackupNote } from './backupNote.ts';
export {
  EXPORT_FORMATS,
  exportJournal,
  toIntentRecord,
  type ExportFormat,
} from './exportJournal.ts';
export { findLife, placeWord } from './findLife.ts';
export { formatDay, type WalletDay } from './formatDay.ts';
export { dayOf, isDay, readDay, type DayReport } from './readDay.ts';
export { formatIntents } from './formatIntents.ts';
export { formatLatches } from './formatLatches.ts';
export { formatLife } from './formatLife.ts';
export { openJournalReader, type JournalPlace } from './openJournalReader.ts';
export { commandOf, type CommandTarget } from './commandOf.ts';
export { settleCommand } from './settleCommand.ts';
export { settleInJournal } from './settleInJournal.ts';
export {
  countProblems,
  formatVerification,
  verifyJournal,
  type Verification,
} from './verifyJournal.ts';
