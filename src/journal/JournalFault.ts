import type { FailureCode } from '../contract/index.ts';

/**
 * Why a journal can't be used, for programs:
 *
 * - `in_use`: another process writes it; `lease_lost`: another process has taken it over
 * - `damaged`: something of it is missing or wrong; `foreign`: not a journal at all; `version`: of
 *   another version of this program
 * - `read_only`, `full`, `unreachable`: the file system or the database refuses
 * - `duplicate`: the key, or the decision in that generation, is in it already
 * - `broken`: an earlier failure left its state unknown; it must be reopened
 * - `missing`: there is no journal there; `gone`: its files were taken away from their writer
 * - `unopened`: its folder can't be made, or this user may not read its file
 */
export type JournalFaultCode =
  | 'in_use'
  | 'lease_lost'
  | 'damaged'
  | 'foreign'
  | 'version'
  | 'read_only'
  | 'full'
  | 'unreachable'
  | 'duplicate'
  | 'broken'
  | 'missing'
  | 'gone'
  | 'unopened';

/**
 * The error of a journal: what is wrong, where, and what to do.
 *
 * ```ts
 * const store = await createPostgresStore({ url, account: 'paper:main', env: createLiveEnv() });
 * const second = createPostgresStore({ url, account: 'paper:main', env: createLiveEnv() });
 * await second.catch((error: unknown) => {
 *   if (!(error instanceof JournalFault)) throw error;
 *   error.code; // => 'in_use'
 * });
 * await store.close();
 * ```
 */
export class JournalFault extends Error {
  readonly code: JournalFaultCode;

  constructor(code: JournalFaultCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JournalFault';
    this.code = code;
  }
}

/** The row of FAILURES that a journal's fault belongs to; a code without a row does not compile. */
export function journalFailureCode(code: JournalFaultCode): FailureCode {
  return `TRIMTAB_JOURNAL_${code.toUpperCase() as Uppercase<JournalFaultCode>}`;
}
