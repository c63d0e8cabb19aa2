import { describe, expect, test } from 'vitest';
import type { EndpointId } from '../../../src/contract/index.ts';
import { silentLog } from '../../../src/env/index.ts';
import {
  createEngine,
  createPaperService,
  generateFeed,
  loadMarketData,
  paperSettings,
} from '../../../src/paper/index.ts';
import { feedOf, walk } from '../engine/bench.ts';

const BTC = { symbol: 'BTC', interval: '1m', generate: {} };

/** The smallest settings there are, with one value set; a name with dots leads into a section. */
function withValue(path: string, value: unknown): object {
  const settings: Record<string, unknown> = { feeds: [structuredClone(BTC)] };
  const names = path.split('.');
  let at = settings;
  for (const name of names.slice(0, -1)) at = (at[name] ??= {}) as Record<string, unknown>;
  at[names.at(-1)!] = value;
  return settings;
}

test('what is left out has the value that its description states', () => {
  expect(paperSettings.parse({ feeds: [BTC], connections: [{ label: 'second' }] })).toEqual({
    feeds: [
      {
        symbol: 'BTC',
        interval: '1m',
        generate: {
          seed: 'trimtab',
          bars: 20_000,
          start_price: 60_000,
          start_time: Date.UTC(2025, 0, 1),
          volatility_bps: 8,
          volume: 40,
          outage_every_bars: 0,
        },
      },
    ],
    balance: 10_000,
    connections: [{ label: 'second', balance: 10_000, status: 'active' }],
    speed: 1,
    paused: false,
    warmup: 500,
    port: 8_730,
    budget_clock: 'wall',
    limits: 'on',
    tier: 'standard',
    retention: 100_000,
    instruments: {},
    fees: {},
    half_spread_bps: 1,
    impact_bps: 10,
    volume_share: 0.1,
    fill_on_touch: false,
    latency: { order_ms: 0, cancel_ms: 0, data_ms: 0 },
    funding: {},
  });
});

const DELAYS = [
  [0, 0.5, 600_000, { median: 3, p99: 3 }, { median: 0.5, p99: 600_000 }],
  [-1, 600_001, { median: 4, p99: 3 }, { median: 0, p99: 3 }, { median: 3 }],
] as const;

describe('of each number the last one that makes sense is taken, and the next is refused', () => {
  test.each<[string, readonly unknown[], readonly unknown[]]>([
    ['balance', [0, 0.5], [-0.01]],
    ['speed', [0, 'max', 1e6], [-1, 'fast']],
    ['warmup', [0], [-1, 1.5]],
    ['port', [0, 65_535], [-1, 65_536, 8.5]],
    ['retention', [1], [0, 1.5]],
    ['half_spread_bps', [0, 1_000], [-1, 1_001]],
    ['impact_bps', [0, 10_000], [-1, 10_001]],
    ['volume_share', [1e-9, 1], [0, 1.01]],
    ['latency.order_ms', ...DELAYS],
    ['latency.cancel_ms', ...DELAYS],
    ['latency.data_ms', ...DELAYS],
    ['instruments.BTC.min_order_value', [0], [-1]],
    ['instruments.BTC.algo_min_value', [0], [-1]],
    ['instruments.BTC.max_leverage', [1, 1_000], [0.5, 1_001]],
    ['fees.maker_bps', [-100, 1_000], [-101, 1_001]],
    ['fees.taker_bps', [0, 1_000], [-1, 1_001]],
    ['fees.service_bps', [0, 1_000], [-1, 1_001]],
    ['fees.ETH.maker_bps', [-100, 1_000], [-101, 1_001]],
    ['fees.ETH.taker_bps', [0, 1_000], [-1, 1_001]],
    [
      'funding.BTC',
      [{ rate_bps: -1_000 }, { rate_bps: 1_000, interval: '1d' }],
      [{ rate_bps: -1_001 }, { rate_bps: 1_001 }, { rate_bps: 1, interval: '30m' }, ''],
    ],
    ['feeds.0.generate.bars', [2, 10_000_000], [1, 10_000_001, 2.5]],
    ['feeds.0.generate.start_price', [1e-9], [0]],
    ['feeds.0.generate.start_time', [0], [-1, 0.5]],
    ['feeds.0.generate.volatility_bps', [1e-9, 500], [0, 501]],
    ['feeds.0.generate.volume', [1e-9], [0]],
    ['feeds.0.generate.outage_every_bars', [0, 1_000_000], [-1, 1_000_001]],
    [
      'connections',
      [[{ label: 'x'.repeat(64), balance: 0 }]],
      [
        [{ label: '' }],
        [{ label: 'x'.repeat(65) }],
        [{ label: 'a', balance: -1 }],
        [{ label: 'a', status: 'gone' }],
      ],
    ],
  ])('%s', (path, taken, refused) => {
    for (const value of taken)
      expect(
        paperSettings.safeParse(withValue(path, value)).error,
        JSON.stringify(value),
      ).toBeUndefined();
    for (const value of refused)
      expect(paperSettings.safeParse(withValue(path, value)).success, JSON.stringify(value)).toBe(
        false,
      );
  });

  test('a name that no section has is refused', () => {
    for (const path of [
      'another',
      'latency.another',
      'instruments.BTC.another',
      'fees.ETH.another',
      'feeds.0.another',
      'feeds.0.generate.another',
    ])
      expect(paperSettings.safeParse(withValue(path, 1)).success, path).toBe(false);
  });
});

test('the time from a decision, that of a cancel and that of an event are three settings', () => {
  const latency = { order_ms: 1, cancel_ms: { median: 2, p99: 20 }, data_ms: 3.5 };
  expect(paperSettings.parse({ feeds: [BTC], latency }).latency).toEqual(latency);
});

test('a generated feed has what its settings say, each value at its own place', async () => {
  const generate = {
    seed: 7,
    bars: 30,
    start_price: 250,
    start_time: 90_000,
    volatility_bps: 3,
    volume: 9,
    outage_every_bars: 10,
  };
  const settings = paperSettings.parse({ feeds: [{ ...BTC, generate }] });
  const loaded = await loadMarketData(settings);
  if (!loaded.ok) throw new Error(loaded.problem.message);
  const [feed] = loaded.value.feeds;
  const meant = { seed: 7, bars: 30, startPrice: 250, startTime: 90_000, volatilityBps: 3 };
  const made = { symbol: 'BTC', interval: '1m', volume: 9, outageEveryBars: 10 } as const;
  expect(feed).toEqual(generateFeed({ ...meant, ...made }));
  // The open time of the first bar is aligned down to its interval.
  expect(feed!.time[0]).toBe(60_000);
});

test('what fills are made of has each value of its own setting', () => {
  const settings = {
    half_spread_bps: 7,
    impact_bps: 90,
    volume_share: 0.3,
    fill_on_touch: true,
    retention: 2,
    fees: { maker_bps: 2, taker_bps: 6, service_bps: 3, ETH: { taker_bps: 11 } },
    instruments: { BTC: { price_decimals: 2 }, ETH: { price_decimals: 3 } },
    funding: { BTC: { rate_bps: 5 } },
  };
  const feeds = [feedOf(walk('settings', 90)), feedOf(walk('set', 90), { symbol: 'ETH' })];
  const funding = { BTC: { constantRate: 0.0005, intervalMs: 3_600_000 } };
  const startTime = feeds[0]!.time[5]!;
  const service = createPaperService(
    {
      settings: paperSettings.parse({ feeds: [BTC], ...settings, warmup: 5 }),
      data: { feeds, funding },
    },
    { clock: { wallNow: () => 0, monotonicNow: () => 0 }, log: silentLog },
  );
  const engine = createEngine({
    feeds,
    startTime,
    halfSpreadBps: 7,
    impactBps: 90,
    volumeShare: 0.3,
    touchFills: true,
    retention: 2,
    fees: {
      all: { maker_bps: 2, taker_bps: 6, service_bps: 3 },
      symbols: { ETH: { taker_bps: 11 } },
    },
    instruments: settings.instruments,
    fundingRates: funding,
  });
  engine.addAccount('main', 10_000);
  const seen = [service.engine, engine].map((one) => {
    const call = (endpoint: EndpointId, body: unknown = null): unknown =>
      one.handlers[endpoint]!({
        endpoint,
        pathParams: {},
        query: {},
        body,
        wallet: 'main',
        idempotencyKey: null,
        requireScope: () => {},
      }).body;
    for (const symbol of ['BTC', 'ETH', 'BTC']) {
      const head = { symbol, side: 'buy', size: 3 };
      call('orders.place', { ...head, order_type: 'market' });
      const price = Math.round(one.market.quote(symbol).bid * 0.998 * 100) / 100;
      call('orders.place', { ...head, order_type: 'limit', price });
      one.advanceTo(one.now + 5 * 60_000);
    }
    one.advanceTo(one.endTime);
    return [one.startTime, call('orders.history'), call('orders.fills'), call('account.get')];
  });
  expect(seen[0]).toEqual(seen[1]);
  expect(seen[0]![1]).toMatchObject({ items: [{}, {}] });
});
