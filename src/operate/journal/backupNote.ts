import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { replaceFile } from '../../env/index.ts';
import { followLink } from '../../journal/index.ts';

/** When a journal was backed up last, beside it. */
const backupNote = z.object({
  /** Wall time, epoch milliseconds. */
  time: z.number(),
  file: z.string(),
});
export type BackupNote = z.infer<typeof backupNote>;

const pathOf = (journal: string): string => `${followLink(journal)}.backup.json`;

/** Undefined if none was made, or nobody could note it. */
export function readBackupNote(journal: string): BackupNote | undefined {
  try {
    return backupNote.parse(JSON.parse(readFileSync(pathOf(journal), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Whoever makes a backup may lack the right to write beside the journal; the backup is none the worse. */
export function writeBackupNote(journal: string, made: BackupNote): void {
  try {
    replaceFile(pathOf(journal), `${JSON.stringify(made)}\n`);
  } catch {
    // `trimtab doctor` will say that none is known.
  }
}
