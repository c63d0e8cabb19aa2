import { journalFailureCode, JournalFault } from '../journal/index.ts';
import { CommandFailure } from './CommandFailure.ts';

/** A journal's fault as a failure of the command, by its own message; other errors are thrown on. */
export function journalFailure(error: unknown): never {
  if (!(error instanceof JournalFault)) throw error;
  throw new CommandFailure(journalFailureCode(error.code), error.message, 1, { cause: error });
}
