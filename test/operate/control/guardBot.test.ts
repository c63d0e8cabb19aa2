import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createLiveEnv, silentLog, type Log } from '../../../src/env/index.ts';
import { createSqliteReader, createSqliteStore } from '../../../src/journal/index.ts';
import { order, readWhole, writeWhole } from '../../../src/operate/control/controlFiles.ts';
import { controlFilesOf, guardBot } from '../../../src/operate/control/index.ts';
import { openService } from '../../../src/operate/run/index.ts';
import type { Client } from '../../../src/wire/index.ts';
import { journalOn, openIntent } from '../../journal/journalRows.ts';
import { openTestServer, type TestServer } from '../../paper/server/openTestServer.ts';

let folder: string;
let server: TestServer;
let client: Client;
let closeLink: () => Promise<void>;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trimtab-guard-'));
  server = await openTestServer();
  const { baseUrl, wsUrl, keyId, secret } = server;
  const address = { baseUrl, wsUrl, keyId, secret };
  const market = 'wall' as const;
  const opened = openService(address, { dialect: defaultDialect, env: createLiveEnv(), market });
  client = opened.client;
  closeLink = () => opened.link.close();
});
afterEach(async () => {
  await closeLink();
  await server.close();
  rmSync(folder, { recursive: true });
});

const rest = (client_order_id: string): Promise<unknown> =>
  client.orders.place({
    body: {
      symbol: 'BTC',
      side: 'buy',
      size: 0.01,
      order_type: 'limit',
      price: 21_000,
      client_order_id,
    },
  });
const resting = async (): Promise<unknown[]> =>
  (await client.orders.list()).items.map((order) => order.client_order_id);

/** The watchdog's own word of what it ended. */
const logOfEnded = (tell: (ended: number) => void): Log => ({
  ...silentLog,
  error(_message, fields) {
    if (typeof fields?.['ended'] === 'number') tell(fields['ended']);
  },
});

test('it ends what the journal holds and nothing else, even where its order cannot be written', async () => {
  const path = join(folder, 'bot.sqlite');
  const store = createSqliteStore(path);
  await openIntent(journalOn(store), 'own', ['emitted', 'guarded', 'sending', 'accepted']);
  for (const id of ['own', 'somebodys']) await rest(id);
  const files = controlFilesOf(path);
  // A file that can't be replaced, as on a full or read-only disk.
  mkdirSync(files.order);

  let failures = 0;
  const acted = Promise.withResolvers<number>();
  const stopped = Promise.withResolvers<void>();
  const env = createLiveEnv({ log: logOfEnded(acted.resolve) });
  const guarding = guardBot({
    env,
    files,
    client,
    dialect: defaultDialect,
    wallets: ['main'],
    async held(keys) {
      // The database is away for a moment, and is asked again.
      if (failures++ === 0) throw new Error('the journal is away');
      const reader = createSqliteReader(path);
      const held = await reader.held(keys);
      await reader.close();
      return held;
    },
    stopped: stopped.promise,
    silenceMs: 10,
  });
  expect(await acted.promise).toBe(1);
  expect(failures).toBe(2);
  expect(await resting()).toEqual(['somebodys']);
  stopped.resolve();
  await guarding;
  await store.close();
});

test('it ends own entries on every page, and one that cannot be ended holds up no other', async () => {
  for (const id of ['own-1', 'own-2', 'own-3', 'somebodys']) await rest(id);
  const launch = { symbol: 'BTC', side: 'buy', total_size: 0.01, algo: 'pacemaker' } as const;
  for (const name of ['own-4', 'own-5']) {
    const params = { duration_seconds: 3_600 };
    const body = { ...launch, params, client_execution_id: name };
    await client.executions.launch({ body, idempotencyKey: name });
  }
  const { limits } = defaultDialect;
  const stubborn = (await client.orders.list()).items.find(
    (order) => order.client_order_id === 'own-2',
  )!.order_id;
  const refusing: Client = {
    ...client,
    orders: {
      ...client.orders,
      // The service, not this list, decides what may be cancelled: here it never may.
      cancel: (given) =>
        client.orders.cancel({ ...given, id: given.id === stubborn ? 'none' : given.id }),
    },
  };
  const acted = Promise.withResolvers<number>();
  const stopped = Promise.withResolvers<void>();
  const guarding = guardBot({
    env: createLiveEnv({ log: logOfEnded(acted.resolve) }),
    files: controlFilesOf(join(folder, 'bot.sqlite')),
    client: refusing,
    dialect: { ...defaultDialect, limits: { ...limits, pageMax: 1 } },
    wallets: ['main'],
    held: async (keys) => new Set(keys.filter((key) => key.startsWith('own'))),
    stopped: stopped.promise,
    silenceMs: 10,
  });
  expect(await acted.promise).toBe(4);
  expect((await resting()).toSorted()).toEqual(['own-2', 'somebodys']);
  const { items } = await client.executions.list();
  expect(items.map(({ status }) => status)).toEqual(['stopped', 'stopped']);
  stopped.resolve();
  await guarding;
});

test.each([
  ['L3', 'L3'],
  ['L4', 'L4'],
  ['L1', 'L2'],
  ['L0', 'L2'],
] as const)(
  'an order of a person for %s that waits for a bot that hangs becomes %s',
  async (given, left) => {
    const files = controlFilesOf(join(folder, 'bot.sqlite'));
    // By a clock that was ahead of this one.
    const time = Date.now() + 60_000;
    writeWhole(files.pulse, { pid: 1, time: 1, level: 'L0', obeyed: 1, reasons: [] });
    writeWhole(files.order, { level: given, reason: 'by hand', time });
    const acted = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const guarding = guardBot({
      env: createLiveEnv(),
      files,
      client,
      dialect: defaultDialect,
      wallets: ['main'],
      // It is asked when the order has been left.
      async held() {
        acted.resolve();
        return new Set();
      },
      stopped: stopped.promise,
      silenceMs: 10,
    });
    await acted.promise;
    stopped.resolve();
    await guarding;
    const found = readWhole(files.order, order);
    expect(found?.level).toBe(left);
    // Newer than what it replaced, or the bot would take it for obeyed.
    expect(found!.time).toBeGreaterThanOrEqual(given === left ? time : time + 1);
  },
);
