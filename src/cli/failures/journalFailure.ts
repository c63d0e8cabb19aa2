import { journalFailureCode, JournalFault } from '../../journal/index.ts';
import { CommandFailure } from './CommandFailure.ts';
import { codeOf } from './explainFailure.ts';

/**
 * A journal's fault, or an address of its database that this shell lacks, as a failure of the command, by its own
 * message; other errors are thrown on.
 */
export function journalFailure(error: unknown): never {
  if (isUnaddressed(error)) {
    throw new CommandFailure('TRIMTAB_CONFIG_SECRET', error.message, 1, { cause: error });
  }
  if (!(error instanceof JournalFault)) throw error;
  throw new CommandFailure(journalFailureCode(error.code), error.message, 1, { cause: error });
}

/** Whether a journal could not be opened because the address of its database could not be read. */
export const isUnaddressed = (error: unknown): error is Error =>
  error instanceof Error && codeOf(error) === 'TRIMTAB_CONFIG_SECRET';
