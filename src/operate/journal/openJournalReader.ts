import {
  createSqliteReader,
  isPostgresUrl,
  JournalFault,
  type JournalReader,
} from '../../journal/index.ts';

/** The location of a journal, as an operator gives it. */
export interface JournalPlace {
  /** A SQLite file, or `postgres://…`, including the password if there is one. */
  place: string;
  account?: string;
}

/** @throws JournalFault with the problem and the remedy */
export async function openJournalReader({ place, account }: JournalPlace): Promise<JournalReader> {
  if (isPostgresUrl(place)) {
    const { createPostgresReader } = await import('../../journal/postgres/index.ts');
    return createPostgresReader({ url: place, ...(account === undefined ? {} : { account }) });
  }
  if (place === 'memory') {
    throw new JournalFault(
      'missing',
      'A journal in memory ends with its bot; there is nothing to read.',
    );
  }
  return createSqliteReader(place);
}
