/** `trimtab doctor`: everything that can be known of a bot before it matters; a finding a row. */
export type { Finding } from './Finding.ts';
export { examineJournal } from './examineJournal.ts';
export { examinePlaces } from './examinePlaces.ts';
export { examineService } from './examineService.ts';
