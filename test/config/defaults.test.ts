/** What a bot risks where its configuration is silent, and where each setting ends. */
import { expect, test } from 'vitest';
import { checkConfig, type BotConfig } from '../../src/config/index.ts';

const ENV = { HOOK: 'https://hooks.example.org/T/x', SECRET: 'vs_a', DB: 'postgres://127.0.0.1/x' };

async function check(rest: object = {}): Promise<BotConfig | string> {
  const bot = {
    name: 'silent',
    link: {
      kind: 'paper_service',
      base_url: 'https://service.example',
      key_id: 'vk_a',
      secret: { env: 'SECRET' },
    },
    strategies: [{ name: 'one', use: './one.ts', symbols: ['BTC'] }],
    ...rest,
  };
  const result = await checkConfig(bot, { file: 'bot.yaml', directory: '/bots' }, { env: ENV });
  if (result.ok) return result.config;
  return result.faults.map(({ path, reason }) => `${path} ${reason}`).join('\n');
}

test('a configuration that says nothing is cautious', async () => {
  const config = (await check({
    journal: './bot.sqlite',
    watchdog: { key_id: 'vk_b', secret: { env: 'SECRET' } },
    operate: { notify: [{ kind: 'webhook', url: { env: 'HOOK' } }] },
  })) as BotConfig;
  expect(config.guards).toEqual({
    max_order_size: {},
    max_leverage: 5,
    max_intents_per_minute: 120,
    max_concurrent_executions: 10,
    // What is at work is never cancelled to make room, unless that is asked for.
    maintained_rows_policy: 'refuse',
    price_collar_bps: 500,
    max_data_age_seconds: 10,
  });
  expect(config.protection).toBe('off');
  expect(config.budget).toEqual({ share: 0.9, reserve_share: 0.3, shared: null });
  expect(config.journal).toMatchObject({ durability: 'power', keep_days: 90 });
  expect(config.watchdog).toMatchObject({ silence_seconds: 60 });
  expect(config.link).toMatchObject({
    budgetClock: 'wall',
    startRetrySeconds: 120,
    authRetrySeconds: 60,
  });
  expect(config.operate).toMatchObject({
    listen: { host: '127.0.0.1', port: 9464 },
    readToken: null,
    controlToken: null,
    notify: { channels: [{ min: 'page', digestMs: 0, repeatMs: 3_600_000, quiet: null }] },
  });
});

/** A setting, the last value that it takes, and the first that it does not. */
const ENDS: readonly (readonly [string, (value: unknown) => object, unknown, unknown])[] = [
  ['guards.max_leverage', (max_leverage) => ({ guards: { max_leverage } }), 1_000, 1_001],
  ['guards.max_order_notional', (value) => ({ guards: { max_order_notional: value } }), 0.01, 0],
  [
    'guards.price_collar_bps',
    (price_collar_bps) => ({ guards: { price_collar_bps } }),
    10_000,
    10_001,
  ],
  ['budget.share', (share) => ({ budget: { share } }), 1, 1.01],
  ['budget.reserve_share', (reserve_share) => ({ budget: { reserve_share } }), 0.9, 0.91],
  [
    'strategies[0].capital_share',
    (capital_share) => ({
      strategies: [{ name: 'one', use: './one.ts', symbols: ['BTC'], capital_share }],
    }),
    1,
    1.5,
  ],
  [
    'watchdog.silence_seconds',
    (silence_seconds) => ({
      watchdog: { key_id: 'vk_b', secret: { env: 'SECRET' }, silence_seconds },
    }),
    3_600,
    3_601,
  ],
  ['operate.listen', (listen) => ({ operate: { listen } }), '127.0.0.1:65535', '127.0.0.1:65536'],
  [
    'link.base_url',
    (base_url) => ({
      link: { kind: 'paper_service', base_url, key_id: 'vk_a', secret: { env: 'SECRET' } },
    }),
    'http://127.0.0.1:1',
    'http://service.example',
  ],
  [
    'link.base_url',
    (base_url) => ({
      link: { kind: 'paper_service', base_url, key_id: 'vk_a', secret: { env: 'SECRET' } },
    }),
    'https://service.example',
    'https://:password@service.example',
  ],
  ['journal', (url) => ({ journal: { url } }), 'postgres://a@127.0.0.1/x', 'postgres://a@db/x'],
  [
    'journal',
    (url) => ({ journal: { url } }),
    'postgres://a@db/x?sslmode=verify-full',
    'postgres://a@db/x?sslmode=verify-full&password=b',
  ],
  ['journal', (journal) => ({ journal }), { path: 'a.sqlite' }, { path: 'a', url: { env: 'DB' } }],
];

test.each(ENDS)('%s ends where it should', async (name, settingOf, last, beyond) => {
  const taken = await check(settingOf(last));
  expect(typeof taken === 'string' ? taken : 'taken').toBe('taken');
  const refused = await check(settingOf(beyond));
  expect(typeof refused === 'string' ? refused : 'taken').toContain(name);
});

test('quiet hours, the sender of a mail and its recipients reach the channel', async () => {
  const quiet = { from: '22:00', until: '07:00', tz: 'Europe/Berlin' };
  const mail = { kind: 'email', url: { env: 'MAIL' }, to: ['a@example.org', 'b@example.org'] };
  const result = await checkConfig(
    {
      name: 'mails',
      link: { kind: 'paper' },
      paper: { feeds: [{ symbol: 'BTC', interval: '1m', generate: {} }] },
      strategies: [{ name: 'one', use: './one.ts', symbols: ['BTC'] }],
      operate: {
        notify: [
          { ...mail, from: 'bot@example.org', quiet_hours: quiet, repeat_minutes: 5 },
          { ...mail, min: 'error' },
        ],
      },
    },
    { file: 'bot.yaml', directory: '/bots' },
    { env: { MAIL: 'smtps://u:p@mail.example.org' } },
  );
  expect(result).toMatchObject({
    ok: true,
    config: {
      operate: {
        notify: {
          channels: [
            { to: mail.to, from: 'bot@example.org', quiet, repeatMs: 300_000, min: 'page' },
            { to: mail.to, from: undefined, quiet: null, repeatMs: 3_600_000, min: 'ticket' },
          ],
        },
      },
    },
  });
});
