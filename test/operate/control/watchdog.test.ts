import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createLiveEnv, createVirtualEnv, silentLog, type Log } from '../../../src/env/index.ts';
import { createSqliteReader, createSqliteStore } from '../../../src/journal/index.ts';
import {
  killCommand,
  readWhole,
  writeWhole,
  type ControlFiles,
  type Pulse,
} from '../../../src/operate/control/controlFiles.ts';
import { controlFilesOf, runWatchdog } from '../../../src/operate/control/index.ts';
import { openService } from '../../../src/operate/run/index.ts';
import { RateLimitedError, type Client } from '../../../src/wire/index.ts';
import { journalOn, openIntent, rowOf } from '../../journal/journalRows.ts';
import { openTestServer, type TestServer } from '../../paper/server/openTestServer.ts';
import { holdLaw } from '../../holdLaw.ts';
import { createQuickEnv } from '../../env/createQuickEnv.ts';

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

/** Which of the keys the journal of a bot holds. */
async function heldIn(path: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
  const reader = createSqliteReader(path);
  const held = await reader.held(keys);
  await reader.close();
  return held;
}

/** The watchdog's report of what it ended. */
const logOfEnded = (reportProblems: (ended: number) => void): Log => ({
  ...silentLog,
  error(_message, fields) {
    if (typeof fields?.['ended'] === 'number') reportProblems(fields['ended']);
  },
});

test('it ends what the journal holds and nothing else, even if its command cannot be written', async () => {
  const path = join(folder, 'bot.sqlite');
  const store = createSqliteStore(path);
  await openIntent(journalOn(store), 'own', ['emitted', 'guarded', 'sending', 'accepted']);
  for (const id of ['own', 'somebodys']) await rest(id);
  const files = controlFilesOf(path);
  // A file that can't be replaced, as on a full or read-only disk.
  mkdirSync(files.command);

  let failures = 0;
  const acted = Promise.withResolvers<number>();
  const stopped = Promise.withResolvers<void>();
  const env = createQuickEnv(10, { log: logOfEnded(acted.resolve) });
  const guarding = runWatchdog({
    env,
    files,
    client,
    dialect: defaultDialect,
    wallets: ['main'],
    async held(keys) {
      // The database is briefly unreachable, and queried again.
      if (failures++ === 0) throw new Error('the journal is away');
      return heldIn(path, keys);
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

test('it ends a monitor of the bot’s that has a name of its own, and nobody else’s', async () => {
  const path = join(folder, 'bot.sqlite');
  const store = createSqliteStore(path);
  const monitorOf = (name: string, client_order_id: string) =>
    client.monitors.create({
      body: {
        name,
        trigger: { type: 'price_level', symbol: 'BTC', price: 21_000, direction: 'below' },
        action: {
          type: 'order',
          request: {
            symbol: 'BTC',
            side: 'buy',
            size: 0.01,
            order_type: 'market',
            client_order_id,
          },
        },
      },
    });
  const record = await monitorOf('dip', 'chosen');
  await monitorOf('another', 'another');
  const at = { key: 'key', wallTime: 1, marketTime: 1 };
  const data = JSON.stringify({ record });
  void store.append({
    intent: { ...rowOf('key'), kind: 'create_monitor' },
    entries: [
      { ...at, state: 'emitted', data: '{}' },
      { ...at, state: 'accepted', data },
    ],
  });
  const acted = Promise.withResolvers<number>();
  const stopped = Promise.withResolvers<void>();
  const guarding = runWatchdog({
    env: createQuickEnv(10, { log: logOfEnded(acted.resolve) }),
    files: controlFilesOf(path),
    client,
    dialect: defaultDialect,
    wallets: ['main'],
    held: (keys) => heldIn(path, keys),
    stopped: stopped.promise,
    silenceMs: 10,
  });
  expect(await acted.promise).toBe(1);
  const { items } = await client.monitors.list();
  expect(items.map(({ name, status }) => [name, status]).toSorted()).toEqual([
    ['another', 'armed'],
    ['dip', 'stopped'],
  ]);
  stopped.resolve();
  await guarding;
  await store.close();
});

test('it ends the bot’s entries on every page, and one that cannot be ended is left, and does not block the others', async () => {
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
  const { log, lines, line } = hear();
  const stopped = Promise.withResolvers<void>();
  const guarding = runWatchdog({
    env: createQuickEnv(10, { log }),
    files: controlFilesOf(join(folder, 'bot.sqlite')),
    client: refusing,
    dialect: { ...defaultDialect, limits: { ...limits, pageMax: 1 } },
    wallets: ['main'],
    held: async (keys) => new Set(keys.filter((key) => key.startsWith('own'))),
    stopped: stopped.promise,
    silenceMs: 10,
  });
  await line(/The watchdog could not end/);
  expect(lines.filter((one) => /ended \d/.test(one))).toEqual([
    expect.stringContaining('ended 4 of its entries'),
  ]);
  const remaining = `main: ${stubborn}, limit buy 0.01 BTC at 21000`;
  expect(lines.filter((one) => one.includes('could not end'))).toEqual([
    `error: The watchdog could not end: ${remaining}`,
  ]);
  expect((await resting()).toSorted()).toEqual(['own-2', 'somebodys']);
  const { items } = await client.executions.list();
  expect(items.map(({ status }) => status)).toEqual(['stopped', 'stopped']);
  stopped.resolve();
  expect(await guarding).toEqual([remaining]);
});

test.each([
  ['L3', 'L3'],
  ['L4', 'L4'],
  ['L1', 'L2'],
  ['L0', 'L2'],
] as const)(
  'an operator’s command %s waiting for a hanging bot becomes %s',
  async (given, left) => {
    const files = controlFilesOf(join(folder, 'bot.sqlite'));
    // By a clock that was ahead of this one.
    const time = Date.now() + 60_000;
    writeWhole(files.pulse, { pid: 1, time: 1, level: 'L0', obeyed: 1, reasons: [] });
    writeWhole(files.command, { level: given, reason: 'by hand', time });
    const acted = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const guarding = runWatchdog({
      env: createQuickEnv(10),
      files,
      // It is queried after the command was written.
      client: watched(acted.resolve),
      dialect: defaultDialect,
      wallets: ['main'],
      held: nobodys,
      stopped: stopped.promise,
      silenceMs: 10,
    });
    await acted.promise;
    stopped.resolve();
    await guarding;
    const found = readWhole(files.command, killCommand);
    expect(found?.level).toBe(left);
    // Newer than the replaced one, or the bot would consider it executed.
    expect(found!.time).toBeGreaterThanOrEqual(given === left ? time : time + 1);
  },
);

test('every wallet of the bot is looked after, also one behind a wallet that cannot be read', async () => {
  await rest('own-1');
  const received = hear();
  const stopped = Promise.withResolvers<void>();
  const guarding = runWatchdog({
    env: createQuickEnv(10, { log: received.log }),
    files: controlFilesOf(join(folder, 'bot.sqlite')),
    client,
    dialect: defaultDialect,
    wallets: ['nobodys', 'main'],
    held: async (keys) => new Set(keys.filter((key) => key.startsWith('own'))),
    stopped: stopped.promise,
    silenceMs: 10,
  });
  await received.line(/ended 1 of its entries/);
  stopped.resolve();
  const left = await guarding;
  expect(left.map((line) => line.replace(/:[^:]*$/, ''))).toEqual(
    ['orders', 'executions', 'monitors'].map(
      (part) => `nobodys: ${part} can't be read: unknown_wallet`,
    ),
  );
  expect(await resting()).toEqual([]);
});

test.each(['orders', 'executions', 'monitors'] as const)(
  'a list of %s that cannot be read keeps nothing else at work, and history is not read',
  async (broken) => {
    await rest('own-1');
    const body = { symbol: 'BTC', side: 'buy', total_size: 0.01, algo: 'pacemaker' } as const;
    const params = { duration_seconds: 3_600 };
    await client.executions.launch({
      body: { ...body, params, client_execution_id: 'own-2' },
      idempotencyKey: 'own-2',
    });
    const trigger = {
      type: 'price_level',
      symbol: 'BTC',
      price: 100_000,
      direction: 'above',
    } as const;
    const request = { symbol: 'BTC', side: 'buy', size: 0.01, order_type: 'market' } as const;
    await client.monitors.create({
      body: { name: 'own-3', trigger, action: { type: 'order', request } },
    });
    const statuses = new Set<unknown>();
    const { orders, executions, monitors } = client;
    const away: Client = {
      ...client,
      orders: { ...orders },
      executions: {
        ...executions,
        list: (given) => (statuses.add(given?.query?.status), executions.list(given)),
      },
      monitors: {
        ...monitors,
        list: (given) => (statuses.add(given?.query?.status), monitors.list(given)),
      },
    };
    Object.assign(away[broken], { list: () => Promise.reject(new Error('the list is away')) });
    const received = hear();
    const stopped = Promise.withResolvers<void>();
    const guarding = runWatchdog({
      env: createQuickEnv(10, { log: received.log }),
      files: controlFilesOf(join(folder, 'bot.sqlite')),
      client: away,
      dialect: defaultDialect,
      wallets: ['main'],
      held: async (keys) => new Set(keys.filter((key) => key.startsWith('own'))),
      stopped: stopped.promise,
      silenceMs: 10,
    });
    await received.line(/ended 2 of its entries/);
    stopped.resolve();
    expect(await guarding).toEqual([`main: ${broken} can't be read: the list is away`]);
    const left = {
      orders: (await resting()).length,
      executions: (await client.executions.list({ query: { status: 'running' } })).items.length,
      monitors: (await client.monitors.list({ query: { status: 'armed' } })).items.length,
    };
    expect(left).toEqual({ orders: 0, executions: 0, monitors: 0, [broken]: 1 });
    expect(statuses).not.toContain(undefined);
  },
);

/** Lines of the watchdog, and one of a kind as soon as it is written. */
function hear() {
  const lines: string[] = [];
  const waiting: Array<{ words: RegExp; resolve: () => void }> = [];
  const write = (level: string) => (message: string) => {
    lines.push(`${level}: ${message}`);
    for (const { words, resolve } of waiting) if (words.test(message)) resolve();
  };
  const log: Log = { ...silentLog, warn: write('warn'), error: write('error') };
  const line = (words: RegExp): Promise<void> =>
    new Promise((resolve) => {
      if (lines.some((text) => words.test(text))) resolve();
      else waiting.push({ words, resolve });
    });
  return { log, lines, line };
}

/** Calls back at each look at the service. */
const watched = (onLook: () => void): Client => ({
  ...client,
  orders: {
    ...client.orders,
    list(given) {
      onLook();
      return client.orders.list(given);
    },
  },
});
const nobodys = async (): Promise<Set<string>> => new Set();

/** A watchdog over an account where nothing is running. */
function watchIdle(log: Log, isBeating = false) {
  const files = controlFilesOf(join(folder, 'bot.sqlite'));
  // A watchdog that looks before the first beat may call the bot silent before it has begun.
  if (isBeating) beat(files, 0);
  const stopped = Promise.withResolvers<void>();
  let looks = 0;
  const guarding = runWatchdog({
    env: createQuickEnv(10, { log }),
    files,
    client: watched(() => looks++),
    dialect: defaultDialect,
    wallets: ['main'],
    held: nobodys,
    stopped: stopped.promise,
    silenceMs: 10,
  });
  const stop = async (): Promise<void> => {
    stopped.resolve();
    await guarding;
  };
  return { files, stop, looks: () => looks };
}

const beat = (files: ControlFiles, time: number, more: Partial<Pulse> = {}): void =>
  writeWhole(files.pulse, { pid: 1, time, level: 'L0', obeyed: 0, reasons: [], ...more });

test('each silence and each return is reported once, even with nothing to end', async () => {
  const received = hear();
  const { files, stop, looks } = watchIdle(received.log, true);
  for (const round of [1, 2]) {
    await expect.poll(() => received.lines.length, { timeout: 20_000 }).toBe(2 * round - 1);
    expect(received.lines.at(-1)).toMatch(/^error: The bot is silent for \d+ s .*L2 is requested/);
    // It keeps acting without further reports.
    const before = looks();
    await expect.poll(looks, { timeout: 20_000 }).toBeGreaterThan(before);
    expect(received.lines).toHaveLength(2 * round - 1);
    beat(files, round);
    await expect.poll(() => received.lines[2 * round - 1], { timeout: 20_000 }).toBeDefined();
    expect(received.lines[2 * round - 1]).toMatch(/^warn: The bot is back after \d+ s of silence/);
  }
  await stop();
}, 60_000);

test('a failed bot counts as silent until it is stopped cleanly', async () => {
  const received = hear();
  const { files, stop } = watchIdle(received.log);
  beat(files, 1, { ended: 'failed' });
  await received.line(/silent for \d+ s \(its process was 1, which failed\)/);
  await expect
    .poll(() => readWhole(files.command, killCommand)?.level, { timeout: 20_000 })
    .toBe('L2');
  // The same heartbeat, and nothing else.
  beat(files, 1, { ended: 'in_order' });
  await received.line(/The bot was stopped cleanly after/);
  await stop();
}, 60_000);

test('a cleanly stopped bot is left alone, however long ago', async () => {
  const received = hear();
  const files = controlFilesOf(join(folder, 'bot.sqlite'));
  beat(files, 1, { ended: 'in_order' });
  const env = createVirtualEnv({ startTime: 5_000, log: received.log });
  const stopped = Promise.withResolvers<void>();
  let looks = 0;
  const about = {
    files,
    client: watched(() => looks++),
    dialect: defaultDialect,
    wallets: ['main'],
    held: nobodys,
  };
  const guarding = runWatchdog({ env, ...about, stopped: stopped.promise, silenceMs: 45_000 });
  const pass = async (seconds: number): Promise<void> => {
    for (let at = 0; at < seconds; at++) {
      env.queue.advanceTo(env.queue.now() + 1_000);
      await Promise.resolve();
    }
  };
  await pass(3_600);
  expect({ looks, lines: received.lines, order: readWhole(files.command, killCommand) }).toEqual({
    looks: 0,
    lines: [],
    order: undefined,
  });
  // After a restart it is watched from its first heartbeat on.
  beat(files, 2);
  await pass(44);
  expect(received.lines).toEqual([]);
  await pass(3);
  expect(received.lines).toHaveLength(1);
  stopped.resolve();
  let isOver = false;
  void guarding.then(() => (isOver = true));
  // It queries the service before it ends.
  while (!isOver) {
    await pass(1);
    await setImmediate();
  }
  expect(looks).toBe(1);
}, 60_000);

test('a rearm of the stopped bot supersedes the earlier silence', async () => {
  const received = hear();
  const { files, stop, looks } = watchIdle(received.log);
  beat(files, 1);
  await expect
    .poll(() => readWhole(files.command, killCommand)?.level, { timeout: 20_000 })
    .toBe('L2');
  const { time } = readWhole(files.command, killCommand)!;
  writeWhole(files.command, { level: 'L0', reason: 'by hand', time: time + 1 });
  beat(files, 1, { obeyed: time + 1 });
  const before = looks();
  await expect.poll(looks, { timeout: 10_000 }).toBeGreaterThan(before + 1);
  expect(readWhole(files.command, killCommand)?.level).toBe('L0');
  await stop();
}, 20_000);

const rateLimited = (retry_after_seconds: number): RateLimitedError =>
  new RateLimitedError({
    code: 'rate_limited',
    message: 'wait',
    status: 429,
    details: { retry_after_seconds },
    requestId: null,
  });

test('a bot that stays silent costs the key little, and a 429 is waited out and said once (LIM-2)', async () => {
  const received = hear();
  const env = createVirtualEnv({ startTime: 5_000, log: received.log });
  const wallets = ['main', 'second', 'third'];
  const reads: number[] = [];
  let refusedUntil = 0;
  const list = async () => {
    reads.push(env.queue.now());
    if (env.queue.now() < refusedUntil) throw rateLimited(20);
    return { items: [], next_cursor: null };
  };
  const client = { orders: { list }, executions: { list }, monitors: { list } };
  const stopped = Promise.withResolvers<void>();
  const guarding = runWatchdog({
    env,
    files: controlFilesOf(join(folder, 'bot.sqlite')),
    client: client as never,
    dialect: defaultDialect,
    wallets,
    held: nobodys,
    stopped: stopped.promise,
    silenceMs: 10_000,
  });
  const pass = async (seconds: number): Promise<number> => {
    const before = reads.length;
    for (let at = 0; at < seconds; at++) {
      env.queue.advanceTo(env.queue.now() + 1_000);
      await setImmediate();
    }
    return reads.length - before;
  };
  await pass(11);
  const onePass = reads.length;
  expect(onePass).toBeGreaterThanOrEqual(9);
  expect(await pass(60)).toBe(12 * onePass);
  refusedUntil = env.queue.now() + 30_000;
  const [first] = [reads.length, await pass(30)];
  const times = [...new Set(reads.slice(first))];
  expect(times).toHaveLength(2);
  expect(times[1]! - times[0]!).toBe(20_000);
  const said = received.lines.filter((line) => line.includes('could not act on'));
  expect(said).toHaveLength(9);
  stopped.resolve();
  await pass(40);
  await guarding;
});

test('a 429 for an hour holds the watchdog off for a minute (LIM-2)', async () => {
  const env = createVirtualEnv({ startTime: 5_000 });
  const reads: number[] = [];
  const list = async () => {
    reads.push(env.queue.now());
    throw rateLimited(3_600);
  };
  const stopped = Promise.withResolvers<void>();
  const guarding = runWatchdog({
    env,
    files: controlFilesOf(join(folder, 'bot.sqlite')),
    client: { orders: { list }, executions: { list }, monitors: { list } } as never,
    dialect: defaultDialect,
    wallets: ['main'],
    held: nobodys,
    stopped: stopped.promise,
    silenceMs: 10_000,
  });
  for (let at = 0; at < 140; at++) {
    env.queue.advanceTo(env.queue.now() + 1_000);
    await setImmediate();
  }
  const times = [...new Set(reads)];
  expect(times.slice(1).map((time, at) => time - times[at]!)).toEqual([60_000, 60_000]);
  stopped.resolve();
  env.queue.advanceTo(env.queue.now() + 1_000);
  await guarding;
});

test.each([
  ['what can not be read is tried again each second for each wallet', ['main'], 'away', 1_000],
  [
    'what can not be read is tried again each second for each wallet',
    ['a', 'b', 'c'],
    'away',
    3_000,
  ],
  ['where one part can not be read, all are looked at as often', ['main'], 'one part', 1_000],
  ['where there is nothing to end, each five seconds', ['main'], 'nothing', 5_000],
])('%s: %j, %s', async (_what, wallets, how, stepMs) => {
  const env = createVirtualEnv({ startTime: 5_000 });
  const reads: number[] = [];
  const list = async () => {
    reads.push(env.queue.now());
    return { items: [], next_cursor: null };
  };
  const fail = async () => {
    reads.push(env.queue.now());
    throw new Error('the service is away');
  };
  const stopped = Promise.withResolvers<void>();
  const guarding = runWatchdog({
    env,
    files: controlFilesOf(join(folder, 'bot.sqlite')),
    client: {
      orders: { list: how === 'nothing' ? list : fail },
      executions: { list: how === 'away' ? fail : list },
      monitors: { list: how === 'away' ? fail : list },
    } as never,
    dialect: defaultDialect,
    wallets,
    held: nobodys,
    stopped: stopped.promise,
    silenceMs: 10_000,
  });
  for (let at = 0; at < 40; at++) {
    env.queue.advanceTo(env.queue.now() + 1_000);
    await setImmediate();
  }
  const times = [...new Set(reads)];
  const steps = times.slice(1).map((time, at) => time - times[at]!);
  expect(steps.length).toBeGreaterThan(3);
  expect(new Set(steps)).toEqual(new Set([stepMs]));
  stopped.resolve();
  env.queue.advanceTo(env.queue.now() + 1_000);
  await guarding;
});

/** A watchdog in virtual time: what it said after so many seconds more. */
function watchVirtually() {
  const received = hear();
  const files = controlFilesOf(join(folder, 'bot.sqlite'));
  const env = createVirtualEnv({ startTime: 5_000, log: received.log });
  const stopped = Promise.withResolvers<void>();
  const about = { files, client, dialect: defaultDialect, wallets: [], held: nobodys };
  const guarding = runWatchdog({ env, ...about, stopped: stopped.promise, silenceMs: 45_000 });
  const pass = async (seconds: number): Promise<void> => {
    for (let at = 0; at < seconds; at++) {
      env.queue.advanceTo(env.queue.now() + 1_000);
      await setImmediate();
    }
  };
  const stop = async (): Promise<void> => {
    stopped.resolve();
    await pass(1);
    await guarding;
  };
  return { files, lines: received.lines, pass, stop };
}

test('a pulse that cannot be read is no heartbeat', async () => {
  const { files, lines, pass, stop } = watchVirtually();
  beat(files, 1);
  await pass(50);
  expect(lines).toHaveLength(1);
  const text = readFileSync(files.pulse);
  rmSync(files.pulse);
  await pass(5);
  writeFileSync(files.pulse, text);
  await pass(5);
  expect(lines).toHaveLength(1);
  beat(files, 2);
  await pass(2);
  expect(lines.at(-1)).toMatch(/The bot is back after 6\d s/);
  await stop();
});

test('a rearm is not undone while the pulse cannot be read', async () => {
  const { files, pass, stop } = watchVirtually();
  beat(files, 1);
  await pass(50);
  const { time } = readWhole(files.command, killCommand)!;
  writeWhole(files.command, { level: 'L0', reason: 'by hand', time: time + 1 });
  beat(files, 1, { obeyed: time + 1 });
  await pass(1);
  rmSync(files.pulse);
  await pass(5);
  expect(readWhole(files.command, killCommand)?.level).toBe('L0');
  await stop();
});

test('a heartbeat counts though the machine’s clock was set back', async () => {
  const { files, lines, pass, stop } = watchVirtually();
  for (let second = 0; second < 60; second++) {
    beat(files, 10_000 - second);
    await pass(1);
  }
  expect(lines).toEqual([]);
  await stop();
});

test('the longest wait of all lists of all wallets is kept, whichever asks for it (LIM-2)', async () => {
  const places = ['orders', 'executions', 'monitors'].flatMap((part) =>
    ['main', 'second'].map((wallet) => `${part} ${wallet}`),
  );
  const waits = fc.tuple(...places.map(() => fc.constantFrom(0, 0, 10, 20, 40)));
  await holdLaw(20, waits, async (drawn) => {
    const env = createVirtualEnv({ startTime: 5_000 });
    const waitOf = new Map(places.map((place, at) => [place, drawn[at]!]));
    const reads: number[] = [];
    const listOf = (part: string) => ({
      async list({ wallet = '' }: { wallet?: string } = {}) {
        reads.push(env.queue.now());
        const seconds = waitOf.get(`${part} ${wallet}`)!;
        if (seconds > 0) throw rateLimited(seconds);
        return { items: [], next_cursor: null };
      },
    });
    const stopped = Promise.withResolvers<void>();
    const guarding = runWatchdog({
      env,
      files: controlFilesOf(join(folder, 'none.sqlite')),
      client: {
        orders: listOf('orders'),
        executions: listOf('executions'),
        monitors: listOf('monitors'),
      } as never,
      dialect: defaultDialect,
      wallets: ['main', 'second'],
      held: nobodys,
      stopped: stopped.promise,
      silenceMs: 10_000,
    });
    for (let at = 0; at < 60; at++) {
      env.queue.advanceTo(env.queue.now() + 1_000);
      await setImmediate();
    }
    const times = [...new Set(reads)];
    const seconds = Math.max(...drawn);
    expect(times[1]! - times[0]!).toBe(seconds === 0 ? 5_000 : seconds * 1_000);
    stopped.resolve();
    env.queue.advanceTo(env.queue.now() + 1_000);
    await guarding;
  });
});

test.each(['L1', 'L2', 'L3', 'L4'] as const)(
  'a pending %s of an operator stays unless the watchdog’s level is higher, and what waits is written once',
  async (level) => {
    const { files, pass, stop } = watchVirtually();
    beat(files, 1);
    const asked = { level, reason: 'by hand', time: 100 };
    writeWhole(files.command, asked);
    await pass(50);
    const waiting = readWhole(files.command, killCommand);
    if (level === 'L1') expect(waiting).toMatchObject({ level: 'L2', reason: 'silent for 45 s' });
    else expect(waiting).toEqual(asked);
    await pass(20);
    expect(readWhole(files.command, killCommand)).toEqual(waiting);
    await stop();
  },
);
