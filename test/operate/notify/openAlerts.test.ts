import { afterEach, describe, expect, test } from 'vitest';
import { Secret, type BotConfig, type ChannelConfig } from '../../../src/config/index.ts';
import { createLiveEnv } from '../../../src/env/index.ts';
import { placeOrder, setLeverage } from '../../../src/intents/index.ts';
import { createMemoryStore } from '../../../src/journal/index.ts';
import { openAlerts, type OpenedAlerts } from '../../../src/operate/notify/index.ts';
import { createBotState } from '../../../src/operate/state/index.ts';
import { drawTape, still } from '../../e2e/flows/drawTape.ts';
import { openTestServer, type TestServer } from '../../paper/server/openTestServer.ts';
import { openTestBot, type TestBot, type TestBotOptions } from '../../runtime/openTestBot.ts';
import { configOf, loseAnswers } from '../watchedBot.ts';
import { createFastEnv, openLog, RULES } from './fixtures.ts';
import { openMailServer, openReceiver, type Receiver } from './receivers.ts';

const open: Array<{ close(): unknown }> = [];
afterEach(async () => {
  for (const item of open.splice(0).toReversed()) await item.close();
});

const buy = placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.02 });
const resting = placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 0.01, price: 20_000 });
const ONE = [{ name: 'first', symbols: ['BTC'] }];

interface Sent {
  key: string;
  state: string;
  severity: string;
  title: string;
  text: string;
  todo: string;
}

interface Watched {
  bot: TestBot;
  alerts: OpenedAlerts;
  receiver: Receiver;
  sent(): Sent[];
  /** The alert of a key that begins so, once it has arrived. */
  arrived(key: string, state?: string): Promise<Sent>;
  lines: string[];
}

/** A bot on a paper service whose alerts go to a real receiver; its minute is half a second. */
async function openWatched(
  server: TestServer,
  {
    rest = {},
    more = [],
    ...options
  }: TestBotOptions & Partial<{ rest: Partial<BotConfig>; more: ChannelConfig[] }> = {},
): Promise<Watched> {
  const receiver = await openReceiver();
  open.push(receiver);
  const { log, lines } = openLog();
  const url = new Secret(receiver.url);
  const channels: ChannelConfig[] = [
    { kind: 'webhook', url, template: 'plain', ...RULES },
    ...more,
  ];
  const opened: OpenedAlerts[] = [];
  const bot = await openTestBot(server, {
    strategies: ONE,
    ...options,
    onBot(created, plan) {
      const operate: BotConfig['operate'] = {
        listen: null,
        hosts: [],
        readToken: null,
        controlToken: null,
        notify: { channels, uncoveredSeconds: 60 },
      };
      const config = configOf(plan, { operate, stopPolicy: 'leave', stopMs: 8_000, ...rest });
      const now = (): number => created.instant;
      const from = { bot: created, plan, config };
      const state = createBotState({ ...from, env: createLiveEnv(), now, service: null });
      opened.push(openAlerts({ bot: created, state, config, env: createFastEnv(log, 120) })!);
    },
  });
  open.push(bot, opened[0]!);
  const sent = (): Sent[] => receiver.got.flatMap(({ body }) => body['alerts'] as Sent[]);
  return {
    bot,
    alerts: opened[0]!,
    receiver,
    sent,
    lines,
    async arrived(key, state = 'begun') {
      const find = () => sent().find((one) => one.key.startsWith(key) && one.state === state);
      await expect.poll(find, { timeout: 8_000, message: `${state} ${key}` }).toBeDefined();
      return find()!;
    },
  };
}

async function serve(...given: Parameters<typeof openTestServer>): Promise<TestServer> {
  const server = await openTestServer(...given);
  open.push(server);
  return server;
}

describe('a page', () => {
  test('kill level: begun, replaced by a higher one, over', async () => {
    const { bot, arrived, sent } = await openWatched(await serve());
    await bot.step(1);
    await bot.bot.kill('L1', 'the feed <looks> wrong');
    expect(await arrived('kill/L1')).toMatchObject({
      severity: 'page',
      text: 'the feed <looks> wrong',
    });
    await bot.bot.kill('L2', 'worse');
    const second = await arrived('kill/L2');
    expect(second.todo).toContain('trimtab rearm watched.yaml');
    await bot.bot.rearm('mended');
    await arrived('kill/L2', 'over');
    expect(sent().filter(({ key }) => key.startsWith('kill'))).toHaveLength(3);
  });

  test('a position without a stop, until it is closed', async () => {
    const { bot, arrived, sent } = await openWatched(await serve());
    await bot.step(2);
    bot.propose(buy);
    await bot.step(3);
    const alert = await arrived('uncovered/main/BTC');
    expect(alert.title).toBe('PAGE: BTC is uncovered');
    expect(alert.text).toContain('long 0.02 BTC on main');
    bot.propose(placeOrder.market({ symbol: 'BTC', side: 'sell', size: 0.02, reduce_only: true }));
    await bot.step(2);
    await arrived('uncovered/main/BTC', 'over');
    expect(sent().filter(({ key }) => key.startsWith('uncovered'))).toHaveLength(2);
  });

  test('an intent without an answer, with the command that settles it', async () => {
    const { wire, release } = loseAnswers();
    const { bot, arrived } = await openWatched(await serve(), { wire });
    await bot.step(2);
    bot.propose(buy);
    const stepped = bot.step(1);
    const alert = await arrived('unanswered/');
    expect(alert.todo).toContain('trimtab settle watched.yaml');
    release();
    await stepped;
    await arrived('unanswered/', 'over');
  });

  test('an exit that can’t be sent, while the stream goes on', async () => {
    let isCut = false;
    const cause = Object.assign(new Error('certificate has expired'), { code: 'CERT_HAS_EXPIRED' });
    const { bot, arrived, sent } = await openWatched(await serve(), {
      wire: async (_request, send) =>
        isCut ? { kind: 'not_sent', reason: 'not_connected', cause } : send(),
    });
    await bot.step(2);
    bot.propose(buy);
    await bot.step(2);
    isCut = true;
    bot.propose(placeOrder.market({ symbol: 'BTC', side: 'sell', size: 0.02, reduce_only: true }));
    const stepped = bot.step(1);
    const alert = await arrived('waiting/main/BTC');
    expect(alert).toMatchObject({ severity: 'page', title: "PAGE: exits of BTC can't be sent" });
    expect(alert.text).toContain('not_connected (CERT_HAS_EXPIRED)');
    expect(sent().filter(({ key }) => key === 'stream')).toEqual([]);
    isCut = false;
    await stepped;
    await arrived('waiting/main/BTC', 'over');
  });

  test('a position that no strategy owns, and orders that are not the bot’s', async () => {
    const server = await serve();
    const store = createMemoryStore();
    const first = await openTestBot(server, {
      strategies: [{ name: 'old', symbols: ['BTC'] }],
      store,
    });
    await first.step(2);
    first.propose(buy);
    await first.step(1);
    await first.client.orders.place({
      body: { symbol: 'BTC', side: 'buy', size: 0.01, order_type: 'limit', price: 20_000 },
    });
    await first.close();
    const { bot, arrived } = await openWatched(server, { store });
    await bot.step(2);
    expect((await arrived('orphan/main/BTC')).todo).toContain('--adopt BTC=STRATEGY');
    expect(await arrived('foreign/main', 'once')).toMatchObject({ severity: 'ticket' });
  });

  test('a liquidation', async () => {
    const prices = [...still(60_000, 5), 57_000, ...still(57_000, 5)];
    const feeds = [drawTape(prices, { quiet: 100 })];
    const server = await serve({ balance: 2_000, warmup: 100 }, { feeds });
    const { bot, arrived } = await openWatched(server);
    await bot.step(1);
    bot.propose(setLeverage('BTC', { leverage: 40 }));
    bot.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 }));
    await bot.step(8);
    const alert = await arrived('liquidation/main/BTC', 'once');
    expect(alert).toMatchObject({ severity: 'page', title: 'PAGE: BTC on main was liquidated' });
  });

  test('a loss near the day’s limit, and at it', async () => {
    const prices = [...still(60_000, 5), 59_100, ...still(59_100, 5), 58_500, ...still(58_500, 4)];
    const feeds = [drawTape(prices, { quiet: 100 })];
    const server = await serve({ balance: 100_000, warmup: 100 }, { feeds });
    const { bot, arrived, sent } = await openWatched(server, {
      guards: { daily_loss_limit: 1_080 },
    });
    await bot.step(1);
    bot.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 }));
    await bot.step(6);
    const near = await arrived('loss/main/near');
    expect(near.text).toMatch(/of 1080 are lost since 00:00 UTC \([89]\d %\)/);
    await bot.step(7);
    expect((await arrived('loss/main/limit')).text).toContain('No new exposure');
    expect(sent().filter(({ key, state }) => key.startsWith('loss') && state === 'over')).toEqual(
      [],
    );
  });

  test('the stream is down for a minute', async () => {
    const server = await openTestServer();
    const { bot, arrived } = await openWatched(server);
    await bot.step(1);
    await server.close();
    const alert = await arrived('stream');
    expect(alert.title).toBe('PAGE: the stream is down');
  });

  test('the service refuses the key', async () => {
    const server = await serve();
    const { bot, arrived } = await openWatched(server);
    await bot.step(2);
    expect((await server.control('DELETE', `/paper/keys/${server.keyId}`)).status).toBeLessThan(
      300,
    );
    bot.propose(buy);
    await bot.step(1).catch(() => {});
    const alert = await arrived('key_refused');
    expect(alert.todo).toContain('link.key_id');
  });

  test('a key that is not replaced, until its files name the one in use', async () => {
    const { bot, arrived, sent } = await openWatched(await serve());
    await bot.step(1);
    bot.bot.keyRotationRefused(null);
    bot.bot.keyRotationRefused('vk_2 can’t be used: it has no wallet main');
    const alert = await arrived('rotation');
    expect(alert).toMatchObject({ severity: 'page', text: expect.stringContaining('no wallet') });
    bot.bot.keyRotationRefused(null);
    bot.bot.keyRotationRefused(null);
    await arrived('rotation', 'over');
    expect(sent().filter(({ key }) => key === 'rotation')).toHaveLength(2);
  });

  test('a strategy that ended by its own fault', async () => {
    const { bot, arrived } = await openWatched(await serve(), {
      setup() {
        throw new Error('my plugin\nis broken');
      },
    });
    await bot.step(1);
    const alert = await arrived('quarantined/first');
    expect(alert.text).toContain('my plugin is broken');
  });

  test('an end that nobody asked for', async () => {
    const { bot, alerts, arrived, sent } = await openWatched(await serve());
    await bot.step(1);
    await alerts.close();
    expect(await arrived('failed', 'once')).toMatchObject({ severity: 'page' });
    expect(sent().map(({ key }) => key)).not.toContain('stop');
  });
});

describe('a ticket', () => {
  test('what the service rejects, once for all of a kind', async () => {
    const { bot, arrived, sent } = await openWatched(await serve());
    await bot.step(2);
    for (let at = 0; at < 3; at++) {
      bot.propose(placeOrder.market({ symbol: 'BTC', side: 'buy', size: 900 }));
      await bot.step(1);
    }
    const alert = await arrived('rejected/first/main/place_order', 'once');
    expect(alert.severity).toBe('ticket');
    expect(sent().filter(({ key }) => key.startsWith('rejected'))).toHaveLength(1);
  });

  test('a strategy that enters too often, and one that is paused', async () => {
    const { bot, arrived } = await openWatched(await serve(), {
      guards: { max_entries_per_hour: 1 },
    });
    await bot.step(2);
    for (let at = 0; at < 3; at++) {
      bot.propose(resting);
      await bot.step(1);
    }
    await arrived('throttled/first');
    await bot.bot.pauseStrategy('first', 'looks wrong');
    expect((await arrived('paused/first')).todo).toBe('trimtab resume watched.yaml first');
    await bot.bot.resumeStrategy('first', 'looked at');
    await arrived('paused/first', 'over');
  });
});

test('what a stop in order leaves open is a page, beside the report of the stop', async () => {
  const { bot, alerts, sent } = await openWatched(await serve());
  await bot.step(1);
  alerts.ending(undefined);
  alerts.leaves(['NOT ENDED: main: ord_1', 'UNKNOWN: main: place_order']);
  await alerts.close();
  expect(sent().find(({ key }) => key === 'left')).toMatchObject({
    severity: 'page',
    title: 'PAGE: the bot has stopped, and leaves open: 2',
    text: 'NOT ENDED: main: ord_1; UNKNOWN: main: place_order',
    todo: expect.stringContaining('trimtab run watched.yaml'),
  });
  expect(sent().filter(({ key }) => key === 'stop')).toHaveLength(1);
});

test('the commands for a live bot that was moved by --journal are complete', async () => {
  const link = { kind: 'live', secret: new Secret('vs_x') };
  const { bot, alerts, arrived } = await openWatched(await serve(), {
    rest: { link, journalFlag: '/var/a.sqlite' } as unknown as Partial<BotConfig>,
  });
  await bot.step(1);
  await bot.bot.kill('L1', 'a test');
  expect((await arrived('kill/L1')).todo).toContain(
    'trimtab rearm watched.yaml --reason TEXT --journal /var/a.sqlite',
  );
  alerts.ending('it threw');
  expect((await arrived('failed', 'once')).todo).toContain(
    'trimtab run watched.yaml --live --journal /var/a.sqlite',
  );
});

test('reports: the start, the day’s figures after midnight, the stop', async () => {
  const server = await serve({ warmup: 1_437 });
  const { bot, alerts, arrived, sent } = await openWatched(server);
  await bot.step(1);
  await arrived('start', 'once');
  await expect.poll(() => bot.bot.instant, { timeout: 10_000 }).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await bot.step(4);
  const day = await arrived('day/2025-01-01', 'once');
  expect(day.text).toMatch(/main: \d+\.\d\d, [+-]\d+\.\d\d/);
  alerts.ending(undefined);
  await alerts.close();
  expect(await arrived('stop', 'once')).toMatchObject({ severity: 'report' });
  expect(sent().map(({ key }) => key)).not.toContain('failed');
});

test('no secret is in a message or in the log, whatever a reason says', async () => {
  const mail = await openMailServer();
  open.push(mail);
  const token = '123456789:AAH-secret_token_of_the_test_bot_1234';
  const more: ChannelConfig[] = [
    {
      kind: 'email',
      url: new Secret(mail.url),
      to: ['ops@example.org'],
      from: undefined,
      ...RULES,
    },
  ];
  const { bot, receiver, alerts, arrived, lines } = await openWatched(await serve(), {
    more,
    rest: {
      link: { kind: 'live', secret: new Secret('vs_the-secret-of-the-link') },
    } as unknown as Partial<BotConfig>,
  });
  await bot.step(1);
  const secrets = [receiver.url, 'vs_the-secret-of-the-link', 'mail-pass-word', mail.url];
  await bot.bot.kill('L1', `it said ${secrets.join(' and ')}`);
  expect((await arrived('kill/L1')).text).toContain('[secret]');
  await alerts.close();
  const all = [
    ...receiver.got.map(({ text }) => text),
    ...mail.mails.map(({ data }) => data),
    ...lines,
  ];
  expect(all.length).toBeGreaterThan(2);
  for (const secret of [...secrets, token, 'very-secret-path', 'also-very-secret'])
    expect(all.join('\n')).not.toContain(secret);
});

test('a receiver that is down changes nothing of what the bot sends', async () => {
  const asked: string[][] = [];
  for (const isDown of [true, false]) {
    const requests: string[] = [];
    asked.push(requests);
    const { bot, receiver } = await openWatched(await serve(), {
      wire(request, send) {
        requests.push(`${request.endpoint} ${request.body}`);
        return send();
      },
    });
    if (isDown) await receiver.close();
    await bot.step(2);
    for (const intent of [buy, resting, buy]) {
      bot.propose(intent);
      await bot.step(2);
    }
  }
  expect(asked[0]).toEqual(asked[1]);
  expect(asked[0]!.length).toBeGreaterThan(2);
});
