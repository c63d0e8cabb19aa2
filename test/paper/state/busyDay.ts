import { generateFeed, type Feed } from '../../../src/paper/index.ts';
import { TAPE_START, type Answer, type Asked } from '../core/openTestService.ts';

/** Makes the same calls to a service in this process or another one. */
export interface Driver {
  ask(target: string, asked?: Asked): Promise<Answer>;
  advance(bars: number): Promise<void>;
}

/** Any response; tests read its fields. */
// oxlint-disable-next-line typescript/no-explicit-any -- JSON of every endpoint there is
export type Read = any;

export const MINUTE = 60_000;
export const WARMUP = 120;

/** Two markets: a perpetual, and spot. */
export const busyFeeds = (seed = 'busy'): Feed[] =>
  [
    { symbol: 'BTC', startPrice: 60_000, volume: 40 },
    { symbol: 'HYPE/USDC', startPrice: 25, volume: 5_000 },
  ].map((made) =>
    generateFeed({ ...made, seed, interval: '1m', bars: 2_200, startTime: TAPE_START }),
  );

/** Sends a call that must succeed, and returns its body. */
export async function done(driver: Driver, target: string, asked: Asked = {}): Promise<Read> {
  const { status, body } = await driver.ask(target, asked);
  if (status >= 300) throw new Error(`${target}: ${status} ${JSON.stringify(body)}`);
  return body;
}

const round = (price: number): number => Math.round(price);
/** A level that no close is below: a seller's stop. */
const farBelow = {
  indicator: 'bollinger',
  series: 'lower',
  params: { std_dev: 6 },
  interval: '1m',
} as const;
const ema = { indicator: 'ema', params: { period: 20 }, interval: '5m' } as const;
const post = (body: unknown, key?: string, headers: Record<string, string> = {}): Asked => ({
  method: 'POST',
  body,
  headers: { ...(key === undefined ? {} : { 'idempotency-key': key }), ...headers },
});
const launch = (algo: string, params: object, more: object = {}): Asked =>
  post(
    { algo, symbol: 'BTC', side: 'buy', total_size: 0.2, params, ...more },
    `launch-${algo}-${JSON.stringify(params)}`,
  );

/**
 * One of each kind: orders with legs, tracked entries, attached and unwinding legs, every algorithm,
 * monitors, groups, webhooks, baskets, templates, leverage, settings. Some are running when it ends.
 */
export async function busyMorning(driver: Driver): Promise<void> {
  const of = (target: string, asked?: Asked) => done(driver, target, asked);
  const { mark } = await of('/v1/price/BTC');
  await of('/v1/account/settings', { method: 'PATCH', body: { default_slippage_bps: 80 } });
  await of('/v1/leverage/BTC', { method: 'PUT', body: { leverage: 20, mode: 'cross' } });
  const order = { symbol: 'BTC', side: 'buy', size: 0.05, order_type: 'limit' };
  await of(
    '/v1/order',
    post(
      {
        ...order,
        order_type: 'market',
        size: 1,
        client_order_id: 'first',
        take_profit: { price: round(mark * 1.2) },
        stop_loss: { trail: { pct: 5, interval: '5m', min_move_bps: 1 } },
      },
      'first',
    ),
  );
  for (const share of [0.999, 0.998, 0.995]) {
    const legs = { stop_loss: { offset: { ...ema, indicator: 'atr', mult: 3 } } };
    await of('/v1/order', post({ ...order, price: round(mark * share), ...legs }));
  }
  for (const share of [1.002, 1.004]) {
    await of('/v1/order', post({ ...order, side: 'sell', price: round(mark * share) }));
  }
  const hype = await of('/v1/price/HYPE%2FUSDC');
  const spot = { symbol: 'HYPE/USDC', side: 'buy', size: 20, order_type: 'market' };
  await of('/v1/order', post(spot));
  const away = Number((hype.mark * 1.01).toPrecision(4));
  await of(
    '/v1/order',
    post({ ...spot, side: 'sell', size: 10, order_type: 'limit', price: away }),
  );
  await driver.advance(3);
  await track(driver, order);
  await automate(driver, mark);
  await driver.advance(60);
  await execute(driver, mark);
  await driver.advance(7);
}

/** Tracked entries on a level slightly below the market. */
async function track(driver: Driver, order: object): Promise<void> {
  const at = { indicator: 'bollinger', series: 'lower', params: { period: 20, std_dev: 4 } };
  const price_from = { ...at, interval: '5m', track: true, min_move_bps: 1 };
  await done(driver, '/v1/order', post({ ...order, price_from, client_order_id: 'tracked' }));
}

async function automate(driver: Driver, mark: number): Promise<void> {
  const of = (target: string, asked?: Asked) => done(driver, target, asked);
  const action = {
    type: 'order',
    request: { symbol: 'BTC', side: 'buy', size: 0.01, order_type: 'market' },
  };
  const level = (share: number, direction: string) => ({
    type: 'price_level',
    symbol: 'BTC',
    price: round(mark * share),
    direction,
  });
  const made = [];
  for (const trigger of [
    level(1.003, 'above'),
    level(0.997, 'below'),
    level(1.5, 'above'),
    { type: 'indicator_level', symbol: 'BTC', ...ema, direction: 'above' },
  ]) {
    made.push(await of('/v1/monitors', post({ trigger, action, rearm: true })));
  }
  const [first, second, third] = made.map(({ monitor_id: id }) => id as string);
  await of('/v1/monitors/groups', post({ mode: 'none', monitor_ids: [first, second] }));
  await of(`/v1/monitors/${third}/pause`, post({}));
  const template = { ...action.request, side: '{{side}}' };
  const hook = await of(
    '/v1/webhooks',
    post({
      name: 'chart',
      action: { type: 'order', request: template },
      cooldown_seconds: 60,
      daily_cap: 3,
      dry_run: false,
    }),
  );
  await of(`/v1/hooks/${hook.token}`, post({ side: 'buy' }));
  await of(`/v1/hooks/${hook.token}`, post({ side: 'buy' }));
  const rotated = await of(`/v1/webhooks/${hook.webhook_id}/rotate`, post({}));
  await of(`/v1/hooks/${rotated.token}`, post({ side: 'nonsense' }));
  // A chart may call a field as it likes, and the delivery is listed as it came.
  await of(`/v1/hooks/${rotated.token}`, post(JSON.parse('{"side":"buy","__proto__":{"side":1}}')));
}

async function execute(driver: Driver, mark: number): Promise<void> {
  const of = (target: string, asked?: Asked) => done(driver, target, asked);
  const stop = { stop_loss: { trail: { pct: 9, interval: '1h' } } };
  await of('/v1/execute', launch('pacemaker', { duration_seconds: 7_200, slices: 30 }, stop));
  const paused = [
    await of('/v1/execute', launch('pacemaker', { duration_seconds: 3_600, randomize: 0.4 })),
    await of('/v1/execute', launch('flowscale', { participation: 0.05 }, { total_size: 30 })),
  ];
  await of(
    '/v1/execute',
    launch('glidemaker', { strategy: 'passive', limit_price: round(mark * 1.3) }),
  );
  await of(
    '/v1/execute',
    launch('flowband', { band_low: round(mark * 0.9), band_high: round(mark * 1.1) }),
  );
  await of('/v1/execute', launch('ghostsweep', { trigger_price: round(mark * 1.06) }));
  await of(
    '/v1/execute',
    launch(
      'smartexit',
      { stop_price_from: { ...farBelow, track: true } },
      { side: 'sell', reduce_only: true },
    ),
  );
  await driver.advance(4);
  for (const { execution_id: id } of paused) await of(`/v1/executions/${id}/pause`, post({}));
  const leg = {
    algo: 'pacemaker',
    symbol: 'BTC',
    side: 'buy',
    total_size: 0.01,
    params: { duration_seconds: 600 },
  };
  await of('/v1/baskets/templates', post({ name: 'two', legs: [leg, leg] }));
  const basket = await of('/v1/baskets', post({ legs: [leg, leg] }, 'basket'));
  await of(`/v1/baskets/${basket.basket_id}/pause`, post({}));
  await of('/v1/positions/BTC/tpsl', {
    ...post({
      stop_loss: {
        at: farBelow,
        exit_style: 'algo_unwind',
        unwind_algo: 'pacemaker',
        unwind_params: { duration_seconds: 600 },
      },
      take_profit: {
        price: round(mark * 1.25),
        exit_style: 'algo_unwind',
        unwind_algo: 'pacemaker',
        unwind_params: { duration_seconds: 600 },
      },
    }),
  });
}

const LISTS = [
  '/v1/account/balances',
  '/v1/account/pnl',
  '/v1/orders',
  '/v1/orders/history',
  '/v1/fills',
  '/v1/positions',
  '/v1/positions/BTC/tpsl',
  '/v1/executions',
  '/v1/monitors',
  '/v1/monitors/groups',
  '/v1/webhooks',
  '/v1/baskets',
  '/v1/baskets/templates',
  '/v1/connections',
];
const RECORDS = [
  '/v1/account',
  '/v1/account/fee-tier',
  '/v1/account/settings',
  '/v1/positions/BTC/entry-fees',
  '/v1/leverage/BTC',
  '/v1/price/BTC',
  '/v1/markets',
  '/v1/orderbook/BTC',
];

/** All readable state of a wallet, by target; lists are complete. */
export async function readAll(driver: Driver, wallet = 'main'): Promise<Record<string, Read>> {
  const headers = { 'x-service-wallet': wallet };
  const all: Record<string, Read> = {};
  const list = async (target: string): Promise<Read[]> => {
    const items = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const more = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = await done(driver, `${target}?limit=500${more}`, { headers });
      items.push(...page.items);
      cursor = page.next_cursor;
    }
    all[target] = items;
    return items;
  };
  for (const target of LISTS) {
    const known = await driver.ask(`${target}?limit=1`, { headers });
    if (known.status === 200) await list(target);
    else all[target] = known.body.error;
  }
  for (const target of RECORDS) {
    const { body } = await driver.ask(target, { headers });
    all[target] = body.error ?? body;
  }
  for (const { execution_id: id } of all['/v1/executions']) {
    for (const part of ['orders', 'fills', 'events']) await list(`/v1/executions/${id}/${part}`);
  }
  for (const { webhook_id: id } of all['/v1/webhooks']) await list(`/v1/webhooks/${id}/deliveries`);
  return all;
}
