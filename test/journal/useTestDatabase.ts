import { afterAll, beforeAll } from 'vitest';
import { openTestDatabase, type TestDatabase } from './openTestDatabase.ts';

/** A database for the tests of a file, which fail without one; a call returns the current connection. */
export function useTestDatabase(): () => TestDatabase {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    const opened = await openTestDatabase();
    if ('reason' in opened) throw new Error(opened.reason);
    database = opened;
  });
  afterAll(() => database?.drop());
  return () => database!;
}
