import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest';
import { defaultDialect } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { openService } from '../../src/operate/run/index.ts';
import type { Client } from '../../src/wire/index.ts';
import { openTestDatabase, type TestDatabase } from '../journal/openTestDatabase.ts';
import {
  openWorkshop,
  remoteBot,
  type Service,
  type Started,
  type Workshop,
} from './startProcess.ts';

/** Its first entries may be denied, while the bot is starting up. */
const longEntry = `import { defineStrategy, launch } from 'trimtab';
import { filter, ignoreElements, map, merge, tap } from 'rxjs';
import { z } from 'zod';
export default defineStrategy({
  name: 'long', contract: 1, description: 'One long entry.', scopes: ['algo'],
  params: z.object({}),
  setup: (ctx) => {
    let isMade = false;
    const entry$ = ctx.every('1m').pipe(
      filter(() => !isMade),
      tap(() => (isMade = true)),
      map(() => launch.pacemaker({
        symbol: ctx.symbol, side: 'buy', total_size: 0.01, params: { duration_seconds: 86400 },
      })),
    );
    const denied$ = ctx.outcomes$.pipe(
      filter(({ state }) => state === 'denied'),
      tap(() => (isMade = false)),
      ignoreElements(),
    );
    return merge(entry$, denied$);
  },
});
`;

const PASSWORD = 'a-password-that-no-name-holds';

let database: TestDatabase;
let withPassword: string;
beforeAll(async () => {
  const opened = await openTestDatabase();
  if ('reason' in opened) throw new Error(opened.reason);
  database = opened;
  const url = new URL(database.url);
  url.password ||= PASSWORD;
  withPassword = url.href;
});
afterAll(() => database.drop());

const inFile = { name: 'a file', written: './bot.sqlite', files: 'bot.sqlite' };
const inDatabase = {
  name: 'PostgreSQL',
  written: '{ url: { env: TRIMTAB_TEST_DATABASE } }',
  files: 'bot.yaml',
};

describe.each([inFile, inDatabase])('a bot whose journal is in $name', ({ written, files }) => {
  let workshop: Workshop;
  let service: Service;
  let client: Client;
  let bot: Started;
  let closeClient: () => Promise<void>;

  const environment = () => ({
    TRIMTAB_TEST_SECRET: service.secret,
    TRIMTAB_TEST_DATABASE: withPassword,
  });
  /** A terminal of another person's: what the journal needs, and nothing of the bot's key. */
  const elsewhere = () => ({ TRIMTAB_TEST_DATABASE: withPassword });
  const statuses = async (): Promise<string[]> =>
    (await client.executions.list()).items.map(({ status }) => status);
  async function tell(...args: string[]): Promise<{ code: number | null; text: string }> {
    const told = workshop.start(args, elsewhere());
    const [code] = (await once(told.child, 'close')) as [number | null];
    return { code, text: told.text() };
  }

  beforeEach(async () => {
    workshop = openWorkshop('control');
    service = await workshop.startPaper(300);
    const env = createLiveEnv();
    const address = {
      baseUrl: service.base_url,
      wsUrl: service.ws_url,
      keyId: service.key_id,
      secret: service.secret,
    };
    const opened = openService(address, { dialect: defaultDialect, env, market: 'frames' });
    client = opened.client;
    closeClient = () => opened.link.close();
    workshop.write('own.ts', longEntry);
    const watchdog = `watchdog:
  key_id: ${service.key_id}
  secret: { env: TRIMTAB_TEST_WATCHDOG }
  silence_seconds: 5
`;
    const config = remoteBot(service, watchdog).replace('./bot.sqlite', written);
    workshop.write('bot.yaml', config);
    workshop.write('other.yaml', config.replace('bot.sqlite', 'other.sqlite'));
    bot = workshop.start(['run', 'bot.yaml', '--log-level', 'info'], environment());
    await expect.poll(statuses, { timeout: 30_000 }).toEqual(['running']);
  }, 120_000);

  afterEach(async () => {
    await closeClient();
    workshop.close();
  });

  test('is ended by kill, and trades again after rearm', async () => {
    // Its neighbour in the folder has the same journal, name and service, and is not running.
    expect((await tell('kill', 'L4', 'other.yaml')).text).toContain('remote does not run');
    expect(await tell('kill', 'L2', 'bot.yaml', '--reason', 'a test')).toMatchObject({
      code: 0,
      text: 'remote is at L2.\n',
    });
    await expect.poll(statuses, { timeout: 30_000 }).toEqual(['stopped']);
    expect(await tell('rearm', 'bot.yaml')).toMatchObject({ code: 0, text: 'remote is at L0.\n' });
    expect((await tell('journal', 'latches', 'bot.yaml')).text).toMatch(/L2 +a test/);
    const names = readdirSync(workshop.folder).filter((name) => name.endsWith('.json'));
    expect(names.sort()).toEqual([`${files}.order.json`, `${files}.pulse.json`]);

    bot.child.kill('SIGTERM');
    await once(bot.child, 'exit');
    const pulse = readFileSync(`${workshop.folder}/${files}.pulse.json`, 'utf8');
    expect(JSON.parse(pulse)).toMatchObject({ level: 'L0', ended: 'in_order' });
    // A level for its next start, which nothing on the service hears of before.
    const stopped = await tell('kill', 'L2', 'bot.yaml');
    expect(stopped.code).toBe(1);
    expect(stopped.text).toContain(
      'remote does not run; its next start is at L2. Nothing was ended',
    );
    expect((await tell('kill', 'L1', 'bot.yaml')).text).toContain('at L2 already');
    expect(await tell('rearm', 'bot.yaml')).toEqual({
      code: 0,
      text: 'remote does not run; it was at L2, and starts at L0.\n',
    });
    expect(await tell('kill', 'L1', 'bot.yaml')).toEqual({
      code: 0,
      text: 'remote does not run; its next start is at L1.\n',
    });
    const again = workshop.start(['run', 'bot.yaml', '--log-level', 'info'], environment());
    await expect.poll(again.text, { timeout: 30_000 }).toContain('Kill level L1');
    expect(bot.text()).not.toContain(PASSWORD);
  }, 120_000);

  test('loses its entries to a watchdog when its main loop hangs', async () => {
    const own = { ...elsewhere(), TRIMTAB_TEST_WATCHDOG: service.secret };
    const watchdog = workshop.start(['watchdog', 'bot.yaml'], own);
    bot.child.kill('SIGSTOP');
    await expect.poll(statuses, { timeout: 30_000 }).toEqual(['stopped']);
    // It is said after it is done.
    await expect.poll(() => watchdog.text()).toMatch(/silent for \d+ s: ended 1 of its entries/);

    // Back again, it finds the order and does not go on as if nothing had happened.
    bot.child.kill('SIGCONT');
    await expect.poll(() => bot.text(), { timeout: 30_000 }).toContain('Kill level L2');
    for (const hidden of [service.secret, PASSWORD]) {
      expect(watchdog.text() + bot.text()).not.toContain(hidden);
    }
  }, 120_000);
});

test.each([
  ['./none.sqlite', 'remote has no journal in'],
  ['{ url: { env: TRIMTAB_TEST_DATABASE }, account: nobody }', 'remote has no journal in postgres'],
  [
    'postgres://postgres@127.0.0.1:1/none',
    "The database postgres://postgres@127.0.0.1:1/none can't",
  ],
  ['./bot.yaml', 'is not a journal: it is not a SQLite file'],
])('a watchdog that cannot read the journal %s says so at once', async (written, words) => {
  const workshop = openWorkshop('control');
  onTestFinished(() => workshop.close());
  const address = 'http://127.0.0.1:1';
  const service = { base_url: address, ws_url: 'ws://127.0.0.1:1', key_id: 'vk_a', secret: 'vs_a' };
  const watchdog = 'watchdog: { key_id: vk_a, secret: { env: TRIMTAB_TEST_SECRET } }\n';
  workshop.write('bot.yaml', remoteBot(service, watchdog).replace('./bot.sqlite', written));
  const environment = { TRIMTAB_TEST_SECRET: 'vs_a', TRIMTAB_TEST_DATABASE: withPassword };
  const { child, text } = workshop.start(['watchdog', 'bot.yaml'], environment);
  const [code] = (await once(child, 'close')) as [number | null];
  expect(text()).toContain(words);
  expect(text()).not.toContain(PASSWORD);
  expect(code).toBe(1);
});

describe('a watchdog whose key is of no use', () => {
  let workshop: Workshop;
  let service: Service;
  beforeEach(async () => {
    workshop = openWorkshop('control');
    service = await workshop.startPaper(300);
    workshop.write('own.ts', longEntry);
  }, 60_000);
  afterEach(() => workshop.close());

  /** A key of the service's with these scopes. */
  async function makeKey(scopes: readonly string[]): Promise<Pick<Service, 'key_id' | 'secret'>> {
    const answer = await fetch(`${service.base_url}/paper/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ label: 'watchdog', scopes }),
    });
    return (await answer.json()) as Pick<Service, 'key_id' | 'secret'>;
  }

  test('says so when it is started, and not in the night that it is for', async () => {
    const key = await makeKey(['trade', 'algo']);
    const watchdog = `watchdog: { key_id: ${key.key_id}, secret: { env: TRIMTAB_TEST_WATCHDOG } }\n`;
    workshop.write('bot.yaml', remoteBot(service, watchdog));
    const bot = workshop.start(['run', 'bot.yaml'], { TRIMTAB_TEST_SECRET: service.secret });
    await expect.poll(() => bot.text(), { timeout: 30_000 }).toContain('strategies own');

    const start = async (secret: string) => {
      const own = { TRIMTAB_TEST_WATCHDOG: secret };
      const { child, text } = workshop.start(['watchdog', 'bot.yaml'], own);
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, text: text() };
    };
    const blind = await start(key.secret);
    expect(blind.text).toContain("The watchdog can't look at main: insufficient_scope");
    expect(blind.text).toContain('the scopes read, trade and algo');
    expect(blind.code).toBe(1);
    const wrong = await start(`${key.secret}x`);
    expect(wrong.text).toContain("The watchdog can't look at main: invalid_signature");
    expect(wrong.code).toBe(1);
  }, 60_000);
});

test('a bot that was started with --journal is reached with the same', async () => {
  const workshop = openWorkshop('control');
  onTestFinished(() => workshop.close());
  const service = await workshop.startPaper(300);
  workshop.write('own.ts', longEntry);
  workshop.write('bot.yaml', remoteBot(service));
  const flags = ['run', 'bot.yaml', '--journal', 'other.sqlite'];
  const bot = workshop.start(flags, { TRIMTAB_TEST_SECRET: service.secret });
  await expect.poll(() => bot.text(), { timeout: 30_000 }).toContain('strategies own');
  const kill = async (...more: string[]) => {
    const { child, text } = workshop.start(['kill', 'L2', 'bot.yaml', ...more]);
    await once(child, 'close');
    return text();
  };
  expect(await kill()).toMatch(/or not with this journal[^]*--journal\? Name it here as well/);
  expect(await kill('--journal', 'other.sqlite')).toBe('remote is at L2.\n');
}, 60_000);
