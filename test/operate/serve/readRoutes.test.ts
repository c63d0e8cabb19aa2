import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Secret } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { createSqliteReader, createSqliteStore } from '../../../src/journal/index.ts';
import { createAdmission } from '../../../src/operate/serve/createAdmission.ts';
import {
  addressOf,
  closeServer,
  createRouteServer,
  listen,
} from '../../../src/operate/serve/createRouteServer.ts';
import { readRoutes } from '../../../src/operate/serve/readRoutes.ts';
import { journalOn, rowOf } from '../../journal/journalRows.ts';

const READ = 'read-token-of-the-test';

/** The routes of a bot that trades on two wallets, over a socket; what it has is the test's. */
async function openRoutes() {
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-read-routes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bot.sqlite');
  const at = { host: '127.0.0.1', port: 0 };
  const rules = { listen: at, hosts: [], controlToken: null, notify: null };
  const admission = createAdmission({ ...rules, readToken: new Secret(READ) }, () => 0);
  const env = createLiveEnv();
  const blocks = {
    connection: { state: 'open' },
    wallets: [{ wallet: 'main' }, { wallet: 'second' }],
    bot: { key_refused: null as string | null },
  };
  const routes = readRoutes({
    state: { view: () => ({ blocks }) } as never,
    streams: {} as never,
    control: false,
    admission,
    metrics: {} as never,
    async read(use) {
      const reader = createSqliteReader(path);
      return use(reader).finally(() => reader.close());
    },
    name: 'bot',
    env,
    walletCount: 2,
  });
  const server = createRouteServer({ routes, admission, env });
  await listen(server, at);
  onTestFinished(() => closeServer(server));
  const ask = async (route: string, token?: string): Promise<[number, unknown]> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await fetch(new URL(route, addressOf(server, at)), { headers });
    return [answer.status, await answer.json()];
  };
  return { ask, blocks, path };
}

test('ready is who has its stream, every account and a key; only who may read learns what is missing', async () => {
  const { ask, blocks } = await openRoutes();
  const both = async (): Promise<unknown[]> => [
    await ask('/readyz'),
    await ask('/readyz', 'a-wrong-token-of-the-test'),
    await ask('/readyz', READ),
  ];
  const verdict = [200, { ready: true }];
  expect(await both()).toEqual([verdict, verdict, [200, { ready: true, reasons: [] }]]);
  const lacks = async (reasons: string[]): Promise<void> => {
    const refused = [503, { ready: false }];
    expect(await both()).toEqual([refused, refused, [503, { ready: false, reasons }]]);
  };
  const { wallets } = blocks;
  blocks.wallets = wallets.slice(0, 1);
  await lacks(['an account is not known yet']);
  blocks.wallets = wallets;
  for (const code of ['invalid_key', '']) {
    blocks.bot.key_refused = code;
    await lacks(["the service refuses the bot's key"]);
  }
  blocks.bot.key_refused = null;
  blocks.connection.state = 'lost';
  await lacks(['the stream is lost']);
});

test('intents come in pages, of the strategy and of the states that were asked for', async () => {
  const { ask, path } = await openRoutes();
  const store = createSqliteStore(path, 'process');
  const journal = journalOn(store);
  for (let at = 0; at < 6; at++) {
    const instance = at % 2 === 0 ? 'even' : 'odd';
    const state = at < 4 ? ('guarded' as const) : ('denied' as const);
    await journal.open({ ...rowOf(`key-${at}`), instance }, [{ state: 'emitted' }, { state }]);
  }
  await store.close();
  interface Page {
    items: { key: string; strategy: string; state: string }[];
    next_cursor: string | null;
  }
  const keysOf = async (query: string): Promise<string[]> => {
    const keys: string[] = [];
    for (let cursor: string | null = '', pages = 0; cursor !== null && pages < 9; pages++) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const [status, page] = (await ask(`/api/intents?${query}${more}`, READ)) as [number, Page];
      expect(status).toBe(200);
      keys.push(...page.items.map(({ key }) => key.slice(4)));
      cursor = page.next_cursor;
    }
    return keys.toSorted();
  };
  for (const limit of ['limit=200', 'limit=2', 'limit=1']) {
    expect(await keysOf(limit)).toEqual(['0', '1', '2', '3', '4', '5']);
    expect(await keysOf(`${limit}&strategy=odd`)).toEqual(['1', '3', '5']);
    expect(await keysOf(`${limit}&strategy=none`)).toEqual([]);
    expect(await keysOf(`${limit}&state=denied`)).toEqual(['4', '5']);
    expect(await keysOf(`${limit}&state=denied,guarded&strategy=even`)).toEqual(['0', '2', '4']);
  }
  for (const wrong of ['limit=0', 'limit=201', 'limit=1.5', 'limit=x', 'state=denied,done'])
    expect([wrong, (await ask(`/api/intents?${wrong}`, READ))[0]]).toEqual([wrong, 422]);
  expect((await ask('/api/intents'))[0]).toBe(401);
});
