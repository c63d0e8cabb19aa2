import { expect, test } from 'vitest';
import { createMemoryStore, type JournalStore } from '../../../src/journal/index.ts';
import { openTestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot } from '../openTestBot.ts';

/** A write of the journal's facts fails, at once as SQLite's do or later as a server's do. */
const failing: ReadonlyArray<[string, () => Promise<void>]> = [
  [
    'at once',
    () => {
      throw new Error('ENOSPC: no space left on device');
    },
  ],
  ['later', () => Promise.reject(new Error('ENOSPC: no space left on device'))],
];

test.each(failing)(
  'a day whose start cannot be persisted ends the bot: %s',
  async (_when, fail) => {
    const server = await openTestServer();
    const memory = createMemoryStore();
    const setMeta: JournalStore['setMeta'] = (name, value) =>
      name.startsWith('day:') ? fail() : memory.setMeta(name, value);
    const store = { ...memory, setMeta };
    const failures: string[] = [];
    const reported = await openTestBot(server, {
      store,
      onFatal: (error) => failures.push(String(error)),
    });
    await reported.step(2);
    expect(failures).toEqual(['Error: ENOSPC: no space left on device']);
    await reported.close();
    await server.close();
  },
);
