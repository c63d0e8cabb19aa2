import { afterAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from './openTestDatabase.ts';

export interface FoundDatabase {
  /** Undefined without a server. */
  database: TestDatabase | undefined;
  /** For the name of what is skipped then; empty with a database. */
  missing: string;
}

/**
 * A database for the tests of a file, which drops it at their end. Without a server they are to be skipped; where
 * everything is tested (`CI=true`) that is a failure.
 */
export async function findTestDatabase(): Promise<FoundDatabase> {
  const opened = await openTestDatabase();
  if (!('reason' in opened)) {
    afterAll(() => opened.drop());
    return { database: opened, missing: '' };
  }
  const { reason } = opened;
  if (process.env.CI === 'true') {
    test('the PostgreSQL that these tests need', () => expect.fail(reason));
  }
  return { database: undefined, missing: `: ${reason}` };
}
