import {
  createPostgresReader,
  createSqliteReader,
  isPostgresUrl,
  JournalFault,
  type JournalReader,
} from '../../journal/index.ts';

/** Where a journal is, as a person names it. */
export interface JournalPlace {
  /** A SQLite file, or `postgres://…`, password included where it has one. */
  place: string;
  account?: string;
}

/** @throws JournalFault with what is wrong and what to do */
export async function openJournalReader({ place, account }: JournalPlace): Promise<JournalReader> {
  if (isPostgresUrl(place)) {
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
