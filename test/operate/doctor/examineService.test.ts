import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { BotConfig } from '../../../src/config/index.ts';
import { defaultDialect, type Scope } from '../../../src/contract/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { examineService, type Finding } from '../../../src/operate/doctor/index.ts';
import { connectService } from '../../../src/service/index.ts';
import { startPaper } from '../../wire/startPaper.ts';

type Paper = Awaited<ReturnType<typeof startPaper>>;

interface Key {
  key_id: string;
  secret: string | undefined;
}

/** What is found of a real paper service by a machine whose clock is wrong by so much. */
async function examine(
  wrongByMs: number,
  {
    secret,
    prepare = async () => {},
    watchdog,
    facts,
    baseUrl,
    streamPath,
    strategies = [{ name: 'own', wallet: 'main', symbols: ['BTC'] }],
  }: {
    secret?: string;
    prepare?: (paper: Paper) => unknown;
    /** The key of the section watchdog, by environment variables. */
    watchdog?: (paper: Paper) => Promise<Key> | Key;
    /** Of the journal; without them there is none. */
    facts?: Record<string, string>;
    /** Another service than the paper service, of which only the way to it is examined. */
    baseUrl?: string;
    /** Where the stream is looked for, instead of `/v1/stream`. */
    streamPath?: string;
    strategies?: { name: string; wallet: string; symbols: string[] }[];
  } = {},
) {
  const paper = await startPaper();
  const { server } = paper;
  await prepare(paper);
  const live = createLiveEnv();
  const clock = { ...live.clock, wallNow: () => live.clock.wallNow() + wrongByMs };
  const env = { ...live, clock };
  const wsUrl = streamPath === undefined ? server.wsUrl : new URL(streamPath, server.wsUrl).href;
  const address = { ...server, wsUrl, secret: secret ?? server.secret };
  const { client, socket, clockOffset, http } = connectService(address, { env });
  const ofWatchdog = await watchdog?.(paper);
  const config = {
    directory: '/',
    link: { kind: 'paper_service', baseUrl: baseUrl ?? server.baseUrl, wsUrl, keyId: server.keyId },
    strategies,
    watchdog:
      ofWatchdog === undefined
        ? null
        : { key_id: { env: 'KEY' }, secret: { env: 'SECRET' }, silence_seconds: 5 },
  } as unknown as BotConfig;
  const found = await examineService({
    config,
    environment: { KEY: ofWatchdog?.key_id, SECRET: ofWatchdog?.secret },
    async withKey(key, use) {
      const own = { ...server, keyId: key.keyId, secret: key.secret.reveal() };
      const service = connectService(own, { env });
      return use(service.client).finally(() => service.http.close());
    },
    client,
    socket,
    clockOffset,
    dialect: defaultDialect,
    now: env.clock.wallNow(),
    read: (use) =>
      facts === undefined
        ? Promise.reject(new Error('no journal'))
        : use({
            facts: async () => facts,
            latchChanges: async () => [],
            held: async () => new Set(),
          } as never),
  });
  await http.close();
  return (check: string): Finding | undefined => found.find((one) => one.check === check);
}

const TEN_MINUTES = 600_000;

test.each([
  [TEN_MINUTES, 'ahead of'],
  [-TEN_MINUTES, 'behind'],
])('a clock that is %i ms wrong is a fault of this machine, not of its key', async (by, side) => {
  const of = await examine(by);
  expect(of('clock')).toMatchObject({ state: 'bad', remedy: expect.stringContaining('NTP') });
  expect(of('clock')!.text).toMatch(
    new RegExp(`^(599|600)\\.\\d s ${side} the service's, which accepts 30 s either way$`),
  );
  expect(of('key')).toBeUndefined();
  // As in a bot, signatures follow the service's time from there on.
  expect(of('scopes')).toMatchObject({ state: 'well' });
});

test('a clock that is right is in step, and a wrong secret is the key’s fault', async () => {
  expect((await examine(0))('clock')).toMatchObject({ state: 'well' });
  const of = await examine(0, { secret: 'vs_another' });
  expect(of('clock')).toMatchObject({ state: 'well' });
  expect(of('key')).toMatchObject({ state: 'bad', remedy: expect.stringContaining('link.secret') });
});

test('where both are wrong, both are named', async () => {
  const of = await examine(TEN_MINUTES, { secret: 'vs_another' });
  expect(of('clock')).toMatchObject({ state: 'bad', remedy: expect.stringContaining('NTP') });
  expect(of('key')).toMatchObject({ state: 'bad', remedy: expect.stringContaining('link.secret') });
});

test('a stream that is looked for at a wrong address is bad, with the setting and the address it would have', async () => {
  expect((await examine(0))('stream')).toMatchObject({ state: 'well' });
  const of = await examine(0, { streamPath: '/' });
  expect(of('stream')).toMatchObject({
    state: 'bad',
    text: expect.stringMatching(/^the stream at ws:\/\/127.0.0.1:\d+\/ is refused \(404\)$/),
    remedy: expect.stringMatching(
      /^Is link.ws_url right\? Left out, it is ws:\/\/127.0.0.1:\d+\/v1\/stream$/,
    ),
  });
});

/** Long of two market orders, of which the first has a stop; what it covers is its own size. */
async function buyTwice({ client, controls }: Paper, more: number): Promise<void> {
  const buy = (size: number, rest: object) =>
    client.orders.place({
      body: { symbol: 'BTC', side: 'buy', size, order_type: 'market', ...rest },
    });
  await buy(0.01, { stop_loss: { price: 10_000 } });
  if (more > 0) await buy(more, {});
  await controls.advance({ bars: 1, interval: '1m' });
}

test('a position that is larger than its stop is said to be without one, by the difference', async () => {
  const of = await examine(0, { prepare: (paper) => buyTwice(paper, 0.09) });
  expect(of('positions')).toMatchObject({ text: expect.stringContaining('1 open') });
  expect(of('no stop')).toMatchObject({
    state: 'note',
    text: 'main: 0.09 of 0.1 BTC have no acknowledged stop',
  });
});

test('a position whose entry brought a stop of its size has one', async () => {
  const of = await examine(0, { prepare: (paper) => buyTwice(paper, 0) });
  expect(of('positions')).toMatchObject({ text: expect.stringContaining('1 open') });
  expect(of('no stop')).toBeUndefined();
});

const keyWith =
  (scopes: readonly Scope[]) =>
  ({ controls }: Paper): Promise<Key> =>
    controls.createKey({ label: 'watchdog', scopes });

describe('the key of the watchdog, named by environment variables', () => {
  test('is the key of the bot, whatever it is called there', async () => {
    const watchdog = ({ server }: Paper): Key => ({ key_id: server.keyId, secret: server.secret });
    const of = await examine(0, { watchdog });
    expect(of('watchdog')).toMatchObject({ state: 'bad', text: 'it has the key of the bot' });
  });

  test.each<[Scope[], string, string]>([
    [
      ['read', 'trade', 'algo'],
      'well',
      'with a key of its own, with the scopes read, trade and algo',
    ],
    [['read'], 'bad', "it can't end what is open: its key lacks trade and algo"],
    [['read', 'trade'], 'bad', "it can't end what is open: its key lacks algo"],
    [['trade', 'algo'], 'bad', "it can't read main: insufficient_scope"],
  ])('with the scopes %j is %s (AUTH-4)', async (scopes, state, text) => {
    const of = await examine(0, { watchdog: keyWith(scopes) });
    expect(of('watchdog')).toMatchObject({ state, text: expect.stringContaining(text) });
  });

  test('is of no use with a wrong secret, and is not examined where it cannot be read', async () => {
    const wrong = await examine(0, { watchdog: () => ({ key_id: 'vk_none', secret: 'vs_none' }) });
    expect(wrong('watchdog')).toMatchObject({ state: 'bad' });
    const unread = await examine(0, { watchdog: () => ({ key_id: 'vk_a', secret: undefined }) });
    expect(unread('watchdog')).toMatchObject({
      state: 'note',
      text: expect.stringContaining("its key can't be examined here"),
    });
  });
});

test('a position of a strategy that is renamed, or lost its symbol to another, has no owner', async () => {
  const prepare = (paper: Paper) => buyTwice(paper, 0);
  const renamed = await examine(0, { prepare, facts: { 'owner:main:BTC': 'trend' } });
  expect(renamed('orphan')).toMatchObject({
    state: 'bad',
    text: "main: long 0.01 BTC, which no strategy owns; it was trend's",
    remedy: expect.stringContaining('--adopt BTC=STRATEGY'),
  });
  for (const facts of [{ 'owner:main:BTC': 'own' }, { 'owner:second:BTC': 'trend' }, {}])
    expect((await examine(0, { prepare, facts }))('orphan')).toBeUndefined();
  // Its symbol on another wallet is another position.
  const strategies = [
    { name: 'other', wallet: 'second', symbols: ['BTC'] },
    { name: 'own', wallet: 'main', symbols: ['HYPE/USDC'] },
  ];
  expect((await examine(0, { prepare, facts: {}, strategies }))('orphan')).toMatchObject({
    text: 'main: long 0.01 BTC, which no strategy owns',
  });
});

const folder = mkdtempSync(join(tmpdir(), 'trimtab-doctor-tls-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.skipIf(spawnSync('openssl', ['version']).status !== 0).each([
  [10, 'note', 9],
  [60, 'well', 59],
])('a certificate that ends in %i days is %s', async (days, state, left) => {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const asked = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ${key} -out ${cert} -days ${days} -subj /CN=localhost`;
  expect(spawnSync('openssl', asked.split(' ')).status).toBe(0);
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  // No authority of this machine has signed it.
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  onTestFinished(() => void delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']);
  const { port } = server.address() as AddressInfo;
  const of = await examine(1, { baseUrl: `https://localhost:${port}` });
  expect(of('service')).toMatchObject({
    state,
    text: `localhost, certificate valid for ${left} days`,
  });
});
