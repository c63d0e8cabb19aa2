/** What belongs to one wallet is neither found nor touched by another, and its events are its own. */
import { describe, expect, test } from 'vitest';
import { ENDPOINT_IDS, endpointSpec, type EndpointId } from '../../../src/contract/index.ts';
import { createBench, feedOf, flat, walk, type Row } from './bench.ts';

type Bench = ReturnType<typeof createBench>;
/** Any response; tests read its fields. */
// oxlint-disable-next-line typescript/no-explicit-any -- JSON of every endpoint there is
type Read = any;

const WALLETS = ['main', 'second'] as const;

const FALL: readonly Row[] = [[110, 110, 40, 40, 1e6], ...flat(40, 20, 1e6)];

function openBench(): Bench {
  const rows = [...walk('wallets', 200, { move: 0.02, volume: 50_000 }), ...FALL];
  const feeds = [feedOf(rows), feedOf(flat(70, 221, 1e6), { symbol: 'ETH' })];
  const bench = createBench({ feeds }, { balance: 100_000 });
  bench.engine.addAccount('second', 100_000);
  bench.run(30);
  return bench;
}

const SMA = { indicator: 'sma', params: { period: 3 }, interval: '1m' } as const;
const LOWER = { indicator: 'bollinger', series: 'lower', params: { std_dev: 4 }, interval: '1m' };
const PACE = { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: 20 } as const;
const launch = (more: object = {}) => ({
  ...PACE,
  params: { duration_seconds: 7_200, slices: 10 },
  ...more,
});
const buy = { symbol: 'BTC', side: 'buy', size: 2, order_type: 'market' } as const;

/** One of each kind, by the names of the endpoints' families. */
function putToWork(bench: Bench, wallet: string): Record<string, string> {
  const call = (endpoint: EndpointId, body: unknown, pathParams = {}): Read =>
    bench.call(endpoint, { wallet, body, pathParams });
  call('orders.place', { ...buy, stop_loss: { trail: { pct: 20, interval: '3m' } } });
  call('orders.place', { ...buy, symbol: 'ETH', size: 3 });
  const order = call('orders.place', {
    ...buy,
    order_type: 'limit',
    price: 50,
    take_profit: { price: 190 },
  });
  call('orders.place', { ...buy, order_type: 'limit', price_from: { ...LOWER, track: true } });
  call('positions.attachLegs', { stop_loss: { price: 20 } }, { symbol: 'ETH' });
  const execution = call('executions.launch', launch());
  const action = { type: 'order', request: { ...buy, size: 1 } };
  const trigger = { type: 'indicator_level', symbol: 'BTC', ...SMA, direction: 'above' };
  const monitor = call('monitors.create', { trigger, action, rearm: true });
  call('monitors.createGroup', { mode: 'none', monitor_ids: [monitor.monitor_id] });
  const webhook = call('webhooks.create', { name: 'chart', action });
  const basket = call('baskets.launch', { legs: [launch(), launch({ symbol: 'ETH' })] });
  const template = call('baskets.createTemplate', { name: 'two', legs: [launch()] });
  return {
    orders: order.order_id,
    executions: execution.execution_id,
    monitors: monitor.monitor_id,
    webhooks: webhook.webhook_id,
    baskets: basket.basket_id,
    templates: template.template_id,
    token: webhook.token,
  };
}

const LISTS = ENDPOINT_IDS.filter((id) => {
  const { method, path, scope } = endpointSpec(id);
  const ofEngine = /^\/(account|orders|fills|positions|executions|monitors|webhooks|baskets)/;
  return method === 'GET' && scope !== null && ofEngine.test(path) && !path.includes('{');
});

/** All that a wallet can read without an id. */
function readAll(bench: Bench, wallet: string): Record<string, unknown> {
  const query = { limit: 500 };
  const lists = LISTS.map((id) => [id, bench.call(id, { wallet, query })]);
  const bySymbol = (['positions.legs', 'leverage.get'] as const).flatMap((id) =>
    ['BTC', 'ETH'].map((symbol) => [
      `${id} ${symbol}`,
      bench.call(id, { wallet, query, pathParams: { symbol } }),
    ]),
  );
  return Object.fromEntries([...lists, ...bySymbol]);
}

const kindOf = (path: string): string =>
  path.includes('/templates/') ? 'templates' : path.split('/')[1]!;

/** A body with which each write would be carried out. */
const BODIES: Readonly<Record<string, unknown>> = {
  'orders.modify': { price: 51 },
  'webhooks.update': { dry_run: true },
  'monitors.update': { name: 'renamed' },
};

const BY_ID = ENDPOINT_IDS.filter((id) => endpointSpec(id).path.includes('{id}'));

describe('an id', () => {
  test.each(BY_ID)('is found by its own wallet only: %s', (endpoint) => {
    const bench = openBench();
    const ids = WALLETS.map((wallet) => putToWork(bench, wallet));
    const kind = kindOf(endpointSpec(endpoint).path);
    const body = BODIES[endpoint] ?? null;
    for (const [at, wallet] of WALLETS.entries()) {
      const foreign = { wallet, body, pathParams: { id: ids[1 - at]![kind]! } };
      const before = WALLETS.map((each) => readAll(bench, each));
      const count = bench.events.length;
      expect(bench.refusal(endpoint, foreign)).toMatchObject({ code: 'not_found', status: 404 });
      expect(bench.events).toHaveLength(count);
      expect(WALLETS.map((each) => readAll(bench, each))).toEqual(before);
    }
    // Its own wallet finds it, though its state may refuse: what runs can't be resumed.
    for (const [at, wallet] of WALLETS.entries()) {
      const own = { wallet, body, pathParams: { id: ids[at]![kind]! } };
      const other = readAll(bench, WALLETS[1 - at]!);
      try {
        bench.call(endpoint, own);
      } catch (error) {
        expect(error).toMatchObject({ code: 'invalid_transition' });
      }
      expect(readAll(bench, WALLETS[1 - at]!)).toEqual(other);
    }
  });
});

describe('what a wallet does at once with all it has', () => {
  test.each<[EndpointId, object]>([
    ['orders.bulkCancel', {}],
    ['monitors.stopAll', {}],
    ['monitors.pauseAll', {}],
    ['monitors.resumeAll', {}],
    ['account.updateSettings', { body: { default_leverage: 3 } }],
    ['leverage.set', { pathParams: { symbol: 'BTC' }, body: { leverage: 3, mode: 'cross' } }],
    ['positions.close', { pathParams: { symbol: 'ETH' }, body: {} }],
    ['positions.retireLegs', { pathParams: { symbol: 'ETH' } }],
  ])('leaves the other as it was: %s', (endpoint, given) => {
    for (const wallet of WALLETS) {
      const bench = openBench();
      for (const each of WALLETS) putToWork(bench, each);
      if (endpoint === 'monitors.resumeAll')
        for (const each of WALLETS) bench.call('monitors.pauseAll', { wallet: each });
      const other = wallet === 'main' ? 'second' : 'main';
      const before = WALLETS.map((each) => readAll(bench, each));
      const count = bench.events.length;
      bench.call(endpoint, { ...given, wallet });
      for (const event of bench.events.slice(count)) expect(event.wallet).toBe(wallet);
      const after = WALLETS.map((each) => readAll(bench, each));
      const at = WALLETS.indexOf(wallet);
      expect(after[1 - at]).toEqual(before[1 - at]);
      expect(after[at], other).not.toEqual(before[at]);
    }
  });

  test('executions of another wallet in a batch are not found', () => {
    const bench = openBench();
    const [main, second] = WALLETS.map((wallet) => putToWork(bench, wallet).executions!);
    const body = { action: 'stop', ids: [main, second] };
    expect(bench.call('executions.batch', { wallet: 'second', body }).results).toMatchObject([
      { id: main, ok: false, error: { code: 'not_found' } },
      { id: second, ok: true },
    ]);
  });
});

test('a day of work is the same in the second wallet as in the first, event by event', () => {
  const dayOf = (wallet: string): string => {
    const bench = openBench();
    const answers: unknown[] = [];
    const call = (endpoint: EndpointId, given: object = {}): Read => {
      const answer = bench.call(endpoint, { wallet, ...given });
      answers.push(answer);
      return answer;
    };
    const isolated = { leverage: 4, mode: 'isolated' };
    call('leverage.set', { pathParams: { symbol: 'ETH' }, body: isolated });
    const ids = putToWork(bench, wallet);
    bench.engine.transfer(wallet, 500);
    const inbound = { pathParams: { token: ids['token']! }, body: {}, wallet: '' };
    call('webhooks.inbound', inbound);
    bench.run(20);
    call('executions.pause', { pathParams: { id: ids['executions']! } });
    call('baskets.pause', { pathParams: { id: ids['baskets']! } });
    bench.run(60);
    call('executions.resume', { pathParams: { id: ids['executions']! } });
    call('baskets.resume', { pathParams: { id: ids['baskets']! } });
    call('orders.modify', { pathParams: { id: ids['orders']! }, body: { price: 60 } });
    // A long of the whole account's margin: the fall at the end liquidates it.
    bench.run(40);
    const size = Math.floor(call('account.get').available_margin / 25);
    call('orders.place', { body: { ...buy, size } });
    bench.engine.advanceTo(bench.engine.endTime);
    const seen = bench.events.map(({ event, channel }) => `${channel} ${event}`);
    for (const name of ['fill', 'liquidation', 'position', 'balance', 'order'])
      expect(seen).toContain(`account.state ${name}`);
    for (const name of ['entry_moved', 'leg_armed']) expect(seen).toContain(`tpsl.watch ${name}`);
    for (const event of bench.events)
      if (event.wallet !== null) expect(event.wallet, event.event).toBe(wallet);
    const idle = wallet === 'main' ? 'second' : 'main';
    expect(bench.call('orders.history', { wallet: idle }).items).toEqual([]);
    expect(bench.call('account.get', { wallet: idle }).equity).toBe(100_000);
    const all = { answers, events: bench.events, end: readAll(bench, wallet) };
    return JSON.stringify(all, null, 1).replaceAll(`"${wallet}"`, '"its own"');
  };
  expect(dayOf('second')).toBe(dayOf('main'));
});
