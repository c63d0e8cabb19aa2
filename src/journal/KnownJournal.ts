/** A journal in a database: the account under which its rows are, and the one whose it is by now. */
export interface KnownJournal {
  key: string;
  account: string;
}

/** Which of a database's journals an account writes: the key of its rows, a new one where none is its own. */
export type ChooseJournal = (known: readonly KnownJournal[]) => string;

/** The journal of a name: of whose it is by now, or of the key of its rows, which is a former name. */
export function journalNamed(
  known: readonly KnownJournal[],
  name: string | undefined,
): KnownJournal | undefined {
  return known.find(({ account }) => account === name) ?? known.find(({ key }) => key === name);
}
