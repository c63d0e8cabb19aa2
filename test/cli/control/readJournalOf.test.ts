import { describe, expect, test } from 'vitest';
import { readJournalOf } from '../../../src/cli/control/readJournalOf.ts';
import { Secret, type BotConfig } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { createPostgresStore } from '../../../src/journal/postgres/index.ts';
import { findTestDatabase } from '../../journal/findTestDatabase.ts';

const { database, missing } = await findTestDatabase();

describe.skipIf(database === undefined)(`a journal in a database${missing}`, () => {
  test('is left without a connection, be it read or not: a watchdog reads it every second', async () => {
    const url = new Secret(database!.url);
    const config = {
      journal: { path: 'the database', url, account: 'bot' },
      strategies: [],
    } as unknown as BotConfig;
    const store = await createPostgresStore({
      url: database!.url,
      account: 'bot',
      env: createLiveEnv(),
    });
    await store.close();
    const open = () =>
      database!.run(`SELECT count(*)::int AS open FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'trimtab journal'`);
    expect(await readJournalOf(config, open)).toEqual([{ open: 1 }]);
    await expect.poll(open).toEqual([{ open: 0 }]);
    const away = () => Promise.reject(new Error('can not be read'));
    await expect(readJournalOf(config, away)).rejects.toThrow('can not be read');
    await expect.poll(open).toEqual([{ open: 0 }]);
  });
});
