import { test } from 'vitest';
import { createDialect, type EndpointId } from '../../src/contract/index.ts';
import { drawFeeds, drawFunding } from './drawFeeds.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';
import { NEAR_KINDS } from './nearRequests.ts';
import { playService, type ServiceCase } from './playService.ts';

/** Two hours before a UTC day ends. */
const START = 1_735_689_600_000 + 22 * 3_600_000;
/** Whose requests the service's shape has accepted most, so that its state is rich. */
const RIGHT = 0.08;

const feedsOf = (seed: string, traits: Partial<Parameters<typeof drawFeeds>[1]> = {}) =>
  drawFeeds(seed, { markets: 2, bars: 600, startTime: START, ...traits });

const LEGS: readonly EndpointId[] = [
  'orders.place',
  'positions.attachLegs',
  'positions.attachLegs',
  'positions.attachLegs',
  'positions.legs',
  'positions.retireLegs',
  'orders.modify',
  'orders.cancel',
  'orders.bulkCancel',
];
const ALGOS: readonly EndpointId[] = [
  'executions.launch',
  'executions.launch',
  'executions.stop',
  'executions.pause',
  'executions.resume',
  'executions.completeAtMarket',
  'executions.markComplete',
  'executions.batch',
  'executions.events',
  'executions.orders',
  'executions.fills',
];
const MONITORS: readonly EndpointId[] = [
  'monitors.create',
  'monitors.create',
  'monitors.createGroup',
  'monitors.pause',
  'monitors.resume',
  'monitors.rearm',
  'monitors.stopAll',
  'monitors.pauseAll',
  'monitors.resumeAll',
  'monitors.remove',
  'monitors.groups',
];
const HOOKS: readonly EndpointId[] = [
  'webhooks.create',
  'webhooks.inbound',
  'webhooks.inbound',
  'webhooks.inbound',
  'webhooks.deliveries',
  'webhooks.update',
  'webhooks.rotate',
  'webhooks.remove',
];
const BASKETS: readonly EndpointId[] = [
  'baskets.launch',
  'baskets.launch',
  'baskets.stop',
  'baskets.pause',
  'baskets.resume',
  'baskets.createTemplate',
  'baskets.removeTemplate',
  'baskets.get',
];

/** Services of all kinds; each is played with by clients of its own. */
const CASES: Record<
  string,
  (seed: string) => Omit<ServiceCase, 'seed' | 'steps'> & { steps?: number }
> = {
  plain: (seed) => ({ feeds: feedsOf(seed) }),
  gaps: (seed) => ({ feeds: feedsOf(seed, { gaps: true, markets: 3 }), makers: ALGOS }),
  wild: (seed) => ({
    feeds: feedsOf(seed, { wild: true, markets: 4 }),
    funding: drawFunding(START, 8),
    settings: { limits: 'off' },
    spoiled: RIGHT,
  }),
  legs: (seed) => ({
    feeds: feedsOf(seed, { wild: true }),
    settings: { limits: 'off' },
    spoiled: RIGHT,
    makers: LEGS,
  }),
  algos: (seed) => ({
    feeds: feedsOf(seed, { wild: true }),
    settings: { limits: 'off', balance: 50_000 },
    spoiled: RIGHT,
    makers: ALGOS,
  }),
  monitors: (seed) => ({
    feeds: feedsOf(seed, { wild: true }),
    settings: { limits: 'off' },
    spoiled: RIGHT,
    makers: MONITORS,
  }),
  webhooks: (seed) => ({ feeds: feedsOf(seed), spoiled: 0.15, makers: HOOKS }),
  baskets: (seed) => ({ feeds: feedsOf(seed, { wild: true }), spoiled: RIGHT, makers: BASKETS }),
  trades: (seed) => ({
    feeds: feedsOf(seed, { recorded: 'trades' }),
    isQuiet: true,
    spoiled: RIGHT,
    makers: LEGS,
  }),
  book: (seed) => ({
    feeds: feedsOf(seed, { recorded: 'book' }),
    isQuiet: true,
    spoiled: RIGHT,
    makers: LEGS,
  }),
  recording: (seed) => ({
    feeds: feedsOf(seed, { recorded: 'both' }),
    settings: { half_spread_bps: 3, volume_share: 0.5 },
    spoiled: RIGHT,
    steps: 130,
  }),
  late: (seed) => ({
    feeds: feedsOf(seed, { wild: true }),
    settings: {
      latency: { order_ms: { median: 400, p99: 9_000 }, cancel_ms: 250, data_ms: 1_500 },
    },
    spoiled: RIGHT,
  }),
  poor: (seed) => ({
    feeds: feedsOf(seed, { wild: true, markets: 3 }),
    settings: { balance: 400, limits: 'off' },
    spoiled: RIGHT,
    makers: ALGOS,
  }),
  'own numbers': (seed) => ({
    feeds: feedsOf(seed, { markets: 3 }),
    funding: drawFunding(START, 8),
    settings: {
      limits: 'off',
      fill_on_touch: true,
      impact_bps: 0,
      half_spread_bps: 0,
      volume_share: 1,
      retention: 3,
      fees: { venue: 'hyperliquid', service_bps: 0.1, ETH: { maker_bps: -1, taker_bps: 20 } },
      instruments: {
        BTC: { size_decimals: 3, price_decimals: 1, min_order_value: 40, max_leverage: 10 },
        ETH: { algo_min_value: 400 },
      },
    },
    spoiled: RIGHT,
  }),
  scarce: (seed) => ({
    feeds: feedsOf(seed),
    settings: { budget_clock: 'replay' },
    dialect: createDialect({
      budget: { standard: 60, elite: 20, professional: 8, venue: 40, replayWeight: 3 },
      limits: { idempotencyHours: 1, pageDefault: 2, pageMax: 5, bodyBytes: 400 },
    }),
    spoiled: 0.2,
  }),
  'another dialect': (seed) => ({
    feeds: feedsOf(seed),
    settings: { tier: 'elite' },
    dialect: createDialect({
      signing: { idempotencyConflict: 'replay', timestampToleranceSeconds: 5 },
      budget: { window: 'fixed', windowMs: 20_000, readGate: 0.2 },
      limits: { pacemakerMinSeconds: 120 },
      venue: { minOrderValue: 50, algoMinValue: 500, marketSlippageBps: 5 },
      executions: {
        transitions: {
          running: ['pause', 'stop', 'complete-at-market', 'mark-complete'],
          paused: ['resume', 'complete-at-market'],
          interrupted: ['stop'],
        },
      },
      endpoints: { 'orders.place': { weight: 7 }, 'orders.list': { scope: 'trade' } },
      headers: { wallet: 'X-Its-Wallet', requestId: 'X-Its-Request' },
      stream: { lacks: ['candles', 'orderbook'] },
    }),
    spoiled: 0.2,
  }),
};

const near = (
  traits: Partial<Parameters<typeof drawFeeds>[1]>,
  near: readonly string[],
  settings: ServiceCase['settings'] = {},
) => {
  return (seed: string): Omit<ServiceCase, 'seed' | 'steps'> => ({
    feeds: feedsOf(seed, traits),
    funding: drawFunding(START, 8),
    settings: { limits: 'off', balance: 30_000, ...settings },
    spoiled: 0.02,
    near,
  });
};

const CONTROLLED = ['order', 'launch', 'launch', 'launch', 'control', 'control', 'close'];
const EXITS = ['order', 'order', 'legs', 'legs', 'read', 'cancel', 'modify'];
const WATCHED = ['monitor', 'monitor', 'monitor', 'watch', 'watch', 'group', 'order'];
Object.assign(CASES, {
  'near all': near({ markets: 3 }, NEAR_KINDS),
  'near wild': near({ markets: 3, wild: true }, NEAR_KINDS),
  'near gaps': near({ gaps: true }, NEAR_KINDS),
  'near algos': near({}, CONTROLLED),
  'near algos wild': near({ wild: true, gaps: true }, CONTROLLED),
  'near algos recorded': near({ recorded: 'both' }, CONTROLLED),
  'near legs': near({}, EXITS),
  'near legs wild': near({ wild: true }, EXITS),
  'near legs traded': near({ recorded: 'trades' }, EXITS),
  'near legs thin': near({ thin: true }, EXITS),
  'near algos thin': near({ thin: true, wild: true }, CONTROLLED),
  'near orders changed': near({ recorded: 'changes' }, ['order', 'order', 'close', 'legs']),
  'near orders': near({}, ['order', 'modify', 'cancel', 'leverage', 'settings']),
  'near orders booked': near({ recorded: 'book' }, ['order', 'modify', 'cancel']),
  'near monitors': near({}, WATCHED),
  'near monitors wild': near({ wild: true }, WATCHED),
  'near webhooks': near({}, ['webhook', 'alert', 'alert', 'alert', 'order']),
  'near baskets': near({}, ['basket', 'basket', 'template', 'control', 'order']),
  'near ruin': near({ wild: true }, ['order', 'launch', 'leverage', 'legs'], { balance: 40 }),
} satisfies typeof CASES);

const ROUNDS = 2;
const STEPS = 320;

test.for(Object.keys(CASES))('clients of a service: %s', { timeout: 600_000 }, async (name) => {
  const outcomes = new Map<string, Outcome>();
  for (let round = 0; round < ROUNDS; round++) {
    const seed = `${name} ${round}`;
    outcomes.set(seed, playService({ steps: STEPS, ...CASES[name]!(seed), seed }));
  }
  await expectRecorded(`paperService/${name.replaceAll(' ', '-')}`, outcomes);
});
