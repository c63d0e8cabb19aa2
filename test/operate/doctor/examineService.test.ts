import { expect, test } from 'vitest';
import type { BotConfig } from '../../../src/config/index.ts';
import { defaultDialect } from '../../../src/contract/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { examineService, type Finding } from '../../../src/operate/doctor/index.ts';
import { connectService } from '../../../src/service/index.ts';
import { startPaper } from '../../wire/startPaper.ts';

type Paper = Awaited<ReturnType<typeof startPaper>>;

/** What is found of a real paper service by a machine whose clock is wrong by so much. */
async function examine(
  wrongByMs: number,
  {
    secret,
    prepare = async () => {},
  }: { secret?: string; prepare?: (paper: Paper) => unknown } = {},
) {
  const paper = await startPaper();
  const { server } = paper;
  await prepare(paper);
  const live = createLiveEnv();
  const clock = { ...live.clock, wallNow: () => live.clock.wallNow() + wrongByMs };
  const env = { ...live, clock };
  const address = { ...server, secret: secret ?? server.secret };
  const { client, clockOffset, http } = connectService(address, { env });
  const config = {
    link: { kind: 'paper_service', baseUrl: server.baseUrl, keyId: server.keyId },
    strategies: [{ name: 'own', wallet: 'main', symbols: ['BTC'] }],
    watchdog: null,
  } as unknown as BotConfig;
  const found = await examineService({
    config,
    client,
    clockOffset,
    dialect: defaultDialect,
    now: env.clock.wallNow(),
    read: () => Promise.reject(new Error('no journal')),
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
