/** Everything that a configuration says reaches the bot: each value here differs from its default. */
import { expect, test } from 'vitest';
import { checkConfig, type LoadOptions } from '../../src/config/index.ts';
import { everyGuard } from './everyGuard.ts';

const DIRECTORY = '/bots';

async function configOf(value: unknown, options: LoadOptions = {}) {
  const result = await checkConfig(value, { file: 'bot.yaml', directory: DIRECTORY }, options);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.config;
}

const feeds = [
  { symbol: 'BTC', interval: '1m', path: './btc.csv', book: './book.csv', snapshot: './snap.csv' },
  { symbol: 'ETH', interval: '1m', path: 'eth.csv', trades: 'trades.csv' },
  { symbol: 'SOL', interval: '5m', path: '/data/sol.csv' },
];

const rest = {
  guards: everyGuard,
  protection: 'reattach',
  stop_policy: 'flatten',
  stop_seconds: 1.5,
  report: './out/report.html',
  record: '/var/run.jsonl',
  dialect: { headers: { wallet: 'X-Wallet' } },
  dialect_module: './dialect.ts',
  watchdog: { key_id: 'vk_watch', secret: { env: 'WATCH' }, silence_seconds: 33 },
  sweep: { params: { period: [1, 2] }, objective: 'pnl', random: 5 },
  seed: 77,
};

const expected = {
  file: 'bot.yaml',
  directory: DIRECTORY,
  guards: everyGuard,
  protection: 'reattach',
  stopPolicy: 'flatten',
  stopMs: 1_500,
  report: '/bots/out/report.html',
  record: '/var/run.jsonl',
  dialect: rest.dialect,
  dialectModule: '/bots/dialect.ts',
  watchdog: rest.watchdog,
  operate: null,
  sweep: rest.sweep,
  seed: 77,
};

test('of a bot on the embedded paper service', async () => {
  const config = await configOf({
    name: 'whole',
    link: { kind: 'paper' },
    paper: {
      feeds,
      speed: 'max',
      connections: [{ label: 'Side' }],
      funding: { BTC: './funding.csv', ETH: { rate_bps: 0.5, interval: '8h' } },
      state: './state.json',
    },
    strategies: [
      {
        use: './one.ts',
        name: 'one',
        symbols: ['BTC'],
        capital_share: 0.4,
        restart: { max: 3, backoff_seconds: 4, within_seconds: 5 },
        isolation: 'none',
        params: { period: 6 },
        shadow: { use: './two.ts', params: { period: 8 }, canary: '25 %', isolation: 'none' },
      },
      { use: 'package/two', name: 'two', symbols: ['ETH', 'BTC'], wallet: 'side' },
    ],
    isolation: { worker: { turn_deadline_seconds: 2.5, memory_mb: 99 } },
    budget: { share: 0.5, reserve_share: 0.1, weight_per_minute: 600 },
    journal: { path: './bot.sqlite', durability: 'process', keep_days: 3 },
    ...rest,
  });
  const { link, ...others } = config;
  expect(link).toMatchObject({
    kind: 'paper',
    paper: {
      feeds: [
        { path: '/bots/btc.csv', book: '/bots/book.csv', snapshot: '/bots/snap.csv' },
        { path: '/bots/eth.csv', trades: '/bots/trades.csv' },
        { path: '/data/sol.csv' },
      ],
      speed: 'max',
      connections: [{ label: 'Side' }],
      funding: { BTC: '/bots/funding.csv', ETH: { rate_bps: 0.5, interval: '8h' } },
      state: '/bots/state.json',
    },
  });
  expect(others).toEqual({
    ...expected,
    name: 'whole',
    strategies: [
      {
        use: '/bots/one.ts',
        name: 'one',
        symbols: ['BTC'],
        wallet: 'main',
        capitalShare: 0.4,
        restart: { max: 3, backoffMs: 4_000, withinMs: 5_000 },
        isolation: null,
        params: { period: 6 },
        shadow: { use: '/bots/two.ts', params: { period: 8 }, canary: 0.25, isolation: null },
      },
      {
        use: 'package/two',
        name: 'two',
        symbols: ['ETH', 'BTC'],
        wallet: 'side',
        capitalShare: 1,
        restart: undefined,
        isolation: { turnDeadlineMs: 2_500, memoryMb: 99 },
        params: {},
        shadow: undefined,
      },
    ],
    budget: { share: 0.5, reserve_share: 0.1, weight_per_minute: 600, shared: null },
    journal: { path: '/bots/bot.sqlite', durability: 'process', keep_days: 3 },
  });
});

const KEYS = {
  KEY: 'vk_1',
  SECRET: 'vs_1',
  DATABASE: 'postgres://me:pass@db/bots?sslmode=verify-full',
};

test.each([
  ['live', undefined, 'wall'],
  ['paper_service', 'wall', 'wall'],
  ['paper_service', 'replay', 'replay'],
])('of a bot on a service: %s, %s', async (kind, clock, budgetClock) => {
  const value = {
    name: 'whole',
    link: {
      kind,
      base_url: 'https://service.example///',
      key_id: { env: 'KEY' },
      secret: { env: 'SECRET' },
      start_retry_seconds: 21,
      auth_retry_seconds: 22,
      ...(clock !== undefined && { budget_clock: clock }),
    },
    strategies: [{ use: './one.ts', name: 'one', symbols: ['BTC'], wallet: 'w1' }],
    journal: { url: { env: 'DATABASE' }, account: 'mine', control_directory: './control' },
    ...rest,
  };
  const config = await configOf(value, { env: KEYS, allowLive: true });
  expect(config).toMatchObject(expected);
  expect(config.link).toMatchObject({
    kind,
    baseUrl: 'https://service.example',
    wsUrl: 'wss://service.example/v1/stream',
    keyId: 'vk_1',
    budgetClock,
    startRetrySeconds: 21,
    authRetrySeconds: 22,
  });
  expect(config.journal).toMatchObject({ account: 'mine', control_directory: '/bots/control' });
  expect(config.journal.url?.reveal()).toBe(KEYS.DATABASE);
  // Processes share the minute of wall time, each replay has its own.
  const shared = config.budget.shared?.reveal();
  expect(shared).toBe(budgetClock === 'wall' ? KEYS.DATABASE : undefined);
  const alone = await configOf(
    { ...value, budget: { shared: false } },
    { env: KEYS, allowLive: true },
  );
  expect(alone.budget.shared).toBeNull();
});
