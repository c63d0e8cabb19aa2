import { afterEach, expect, test } from 'vitest';
import { Secret } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { createPostgresStore } from '../../../src/journal/postgres/index.ts';
import { openOperator, type Operator } from '../../../src/operate/serve/index.ts';
import { journalOn, openIntent } from '../../journal/journalRows.ts';
import { useTestDatabase } from '../../journal/useTestDatabase.ts';
import { openTestBot } from '../../runtime/openTestBot.ts';
import { configOf, openTwoWallets, STRATEGIES } from '../watchedBot.ts';

const open: Array<{ close(): unknown }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const database = useTestDatabase();

test('in a database with several journals the page reads the bot’s own', async () => {
  const { url } = database();
  const env = createLiveEnv();
  for (const account of ['paper/watched', 'paper/another']) {
    const store = await createPostgresStore({ url, account, env });
    await openIntent(journalOn(store, 1_000), `key-of-${account}`, ['emitted', 'guarded']);
    await store.close();
  }
  const server = await openTwoWallets();
  open.push(server);
  const operators: Operator[] = [];
  const bot = await openTestBot(server, {
    strategies: STRATEGIES,
    async onBot(created, plan) {
      const journal = {
        path: 'postgres',
        url: new Secret(url),
        durability: 'power',
        keep_days: 90,
      };
      const operate = {
        hosts: [],
        readToken: null,
        controlToken: null,
        notify: null,
        listen: { host: '127.0.0.1', port: 0 },
      };
      const config = configOf(plan, { operate, journal: journal as never });
      const from = { bot: created, plan, config, env, now: (): number => created.instant };
      operators.push((await openOperator({ ...from, service: null, takesCommands: false }))!);
    },
  });
  open.push(bot, operators[0]!);
  const read = async (key: string): Promise<number> =>
    (await fetch(new URL(`/api/intents/${encodeURIComponent(key)}`, operators[0]!.address!)))
      .status;
  expect(await read('key-of-paper/watched')).toBe(200);
  expect(await read('key-of-paper/another')).toBe(404);
});
