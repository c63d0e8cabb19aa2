import { describe, test } from 'vitest';
import { createLiveEnv, createRandom } from '../../src/env/index.ts';
import type { JournalStore } from '../../src/journal/index.ts';
import { createPostgresReader, createPostgresStore } from '../../src/journal/postgres/index.ts';
import { findTestDatabase } from '../journal/findTestDatabase.ts';
import { laterLine } from './answerLine.ts';
import { createJournalWalk, readJournal, readStore } from './drawJournal.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';

const { database, missing } = await findTestDatabase();
const env = createLiveEnv();

/** What differs from machine to machine, or from run to run. */
const clean = (line: string): string =>
  line
    .replaceAll(/postgres:\/\/[^\s"]*/g, 'postgres://DATABASE')
    .replaceAll(/in use by [^\n]*/g, 'in use by HOLDER');

describe.skipIf(database === undefined)(`PostgreSQL${missing}`, () => {
  // The same walks as of journals in files, over restarts, then what an operator reads.
  test('a drawn journal in a database says what it said before', async () => {
    const { url, run } = database!;
    const outcomes = new Map<string, Outcome>();
    const open = (account: string): Promise<JournalStore> =>
      createPostgresStore({ url, account, env });
    for (let seed = 0; seed < 4; seed++) {
      const account = `account ${seed}`;
      const sections = new Map<string, string[]>();
      let section: string[] = [];
      const note = (line: string): void => void section.push(clean(line));
      const { walk } = createJournalWalk(createRandom(`database ${seed}`), note);
      for (let life = 1; life <= 3; life++) {
        sections.set(`life ${life}`, (section = []));
        const store = await open(account);
        await readStore(store, note);
        await walk(store, 40);
        note(`closes: ${await laterLine(() => store.close())}`);
      }
      sections.set('read', (section = []));
      const reader = await createPostgresReader({ url, account });
      await readJournal(reader, note);
      await reader.close();
      outcomes.set(account, sections);
    }

    const lines: string[] = [];
    const say = async (about: string, act: () => unknown): Promise<void> =>
      void lines.push(clean(`${about}: ${await laterLine(act)}`));
    const reading = (account?: string) => async (): Promise<unknown> => {
      const reader = await createPostgresReader(account === undefined ? { url } : { url, account });
      const found = await reader.retired();
      await reader.close();
      return found;
    };
    await say('any account', reading());
    await say('no such account', reading('none'));
    await say('a name', reading('account 2'));
    const store = await open('account 0');
    await say('a second writer', () => open('account 0'));
    await run(`DELETE FROM trimtab.intents WHERE account = 'account 0' AND id % 2 = 0`);
    await run(`UPDATE trimtab.entries SET data = '{' WHERE account = 'account 0' AND seq % 3 = 0`);
    const damagedReader = await createPostgresReader({ url, account: 'account 0' });
    await readJournal(damagedReader, (line) => void lines.push(clean(line)));
    await damagedReader.close();
    await store.close();
    await say('chosen', async () => {
      const choose = (known: unknown): string => {
        lines.push(JSON.stringify(known));
        return 'account 1';
      };
      const chosen = await createPostgresStore({ url, account: 'x', env, choose });
      const found = chosen.intents().length;
      await chosen.close();
      return found;
    });
    await run('UPDATE trimtab.schema_version SET version = 99');
    await say('a later version', () => open('account 1'));
    await say('a later version', reading('account 1'));
    await run('UPDATE trimtab.schema_version SET version = 1');
    outcomes.set('said', new Map([['all', lines]]));
    await expectRecorded('postgresJournals', outcomes);
  }, 120_000);
});
