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
import type { Client } from '../../src/wire/index.ts';
import { openTestDatabase, type TestDatabase } from '../journal/openTestDatabase.ts';
import { rotated } from '../tiers.ts';
import { openClient } from './openClient.ts';
import { longEntry } from './plugins.ts';
import {
  openWorkshop,
  remoteBot,
  type Service,
  type Started,
  type Workshop,
} from './startProcess.ts';
import { inTurn } from '../inTurn.ts';

const it = inTurn(2);

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

describe.each(rotated([inFile, inDatabase], 1))(
  'a bot whose journal is in $name',
  ({ written, files }) => {
    let workshop: Workshop;
    let service: Service;
    let client: Client;
    let bot: Started;
    let closeClient: () => Promise<void>;

    const environment = () => ({
      TRIMTAB_TEST_SECRET: service.secret,
      TRIMTAB_TEST_DATABASE: withPassword,
    });
    /** Another user's terminal: access to the journal, not to the bot's key. */
    const elsewhere = () => ({ TRIMTAB_TEST_DATABASE: withPassword });
    const statuses = async (): Promise<string[]> =>
      (await client.executions.list()).items.map(({ status }) => status);
    async function report(...args: string[]): Promise<{ code: number | null; text: string }> {
      const reported = workshop.start(args, elsewhere());
      const [code] = (await once(reported.child, 'close')) as [number | null];
      return { code, text: reported.text() };
    }

    beforeEach(async () => {
      workshop = openWorkshop('control');
      service = await workshop.startPaper(300);
      ({ client, close: closeClient } = openClient(service));
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

    it('is ended by kill, and trades again after rearm', async () => {
      // Its neighbour in the folder has the same journal, name and service, and is not running.
      expect((await report('kill', 'L4', 'other.yaml')).text).toContain('remote is not running');
      expect(await report('kill', 'L2', 'bot.yaml', '--reason', 'a test')).toMatchObject({
        code: 0,
        text: 'remote is at L2.\n',
      });
      await expect.poll(statuses, { timeout: 30_000 }).toEqual(['stopped']);
      expect(await report('rearm', 'bot.yaml')).toMatchObject({
        code: 0,
        text: 'remote is at L0.\n',
      });
      expect((await report('journal', 'latches', 'bot.yaml')).text).toMatch(/L2 +a test/);
      const names = readdirSync(workshop.folder).filter((name) => name.endsWith('.json'));
      expect(names.sort()).toEqual([`${files}.order.json`, `${files}.pulse.json`]);

      bot.child.kill('SIGTERM');
      await once(bot.child, 'exit');
      const pulse = readFileSync(`${workshop.folder}/${files}.pulse.json`, 'utf8');
      expect(JSON.parse(pulse)).toMatchObject({ level: 'L0', ended: 'in_order' });
      // A level for its next start; until then it has no effect on the service.
      const stopped = await report('kill', 'L2', 'bot.yaml');
      expect(stopped.code).toBe(1);
      expect(stopped.text).toContain(
        'remote is not running; its next start is at L2. Nothing was cancelled',
      );
      expect((await report('kill', 'L1', 'bot.yaml')).text).toContain('at L2 already');
      expect(await report('rearm', 'bot.yaml')).toEqual({
        code: 0,
        text: 'remote is not running; it was at L2, and starts at L0.\n',
      });
      expect(await report('kill', 'L1', 'bot.yaml')).toEqual({
        code: 0,
        text: 'remote is not running; its next start is at L1.\n',
      });
      const again = workshop.start(['run', 'bot.yaml', '--log-level', 'info'], environment());
      await expect.poll(again.text, { timeout: 30_000 }).toContain('Kill level L1');
      expect(bot.text()).not.toContain(PASSWORD);
    }, 120_000);

    it('has its entries ended by a watchdog when its main loop hangs', async () => {
      const own = { ...elsewhere(), TRIMTAB_TEST_WATCHDOG: service.secret };
      const watchdog = workshop.start(['watchdog', 'bot.yaml'], own);
      bot.child.kill('SIGSTOP');
      await expect.poll(statuses, { timeout: 30_000 }).toEqual(['stopped']);
      // It is reported after it is done.
      await expect.poll(() => watchdog.text()).toMatch(/silent for \d+ s: ended 1 of its entries/);

      // Back again, it finds the order and does not continue as if nothing had happened.
      bot.child.kill('SIGCONT');
      await expect.poll(() => bot.text(), { timeout: 30_000 }).toContain('Kill level L2');
      for (const hidden of [service.secret, PASSWORD]) {
        expect(watchdog.text() + bot.text()).not.toContain(hidden);
      }
    }, 120_000);
  },
);

test.each(
  rotated(
    [
      [
        'postgres://postgres@127.0.0.1:1/none',
        "The database postgres://postgres@127.0.0.1:1/none can't",
      ],
      ['./bot.yaml', 'is not a journal: it is not a SQLite file'],
    ] as const,
    1,
  ),
)('a watchdog that cannot read the journal %s reports it at once', async (written, words) => {
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

describe('a watchdog with an unusable key', () => {
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

  test('reports it at the start, not when it is needed', async () => {
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
    expect(blind.text).toContain("The watchdog can't read main: insufficient_scope");
    expect(blind.text).toContain('the scopes read, trade and algo');
    expect(blind.code).toBe(1);
    const wrong = await start(`${key.secret}x`);
    expect(wrong.text).toContain("The watchdog can't read main: invalid_signature");
    expect(wrong.code).toBe(1);
  }, 60_000);
});
