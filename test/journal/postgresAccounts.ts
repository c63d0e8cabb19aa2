import { createLiveEnv } from '../../src/env/index.ts';
import { JournalFault } from '../../src/journal/index.ts';
import { createPostgresStore } from '../../src/journal/postgres/index.ts';
import { findTestDatabase } from './findTestDatabase.ts';

/** The database of the file of tests that loads this; its tests are skipped where there is no server. */
export const { database, missing } = await findTestDatabase();
export const env = createLiveEnv();
let accounts = 0;
export const freshAccount = () => `account-${accounts++}`;

export const open = (account: string, more: { url?: string; onLost?: () => void } = {}) =>
  createPostgresStore({ url: database!.url, account, env, ...more });

export async function faultOf(act: () => unknown): Promise<JournalFault> {
  try {
    await act();
  } catch (error) {
    if (error instanceof JournalFault) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
