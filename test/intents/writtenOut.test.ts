import { expect, test } from 'vitest';
import { endpointSpec, fillPath } from '../../src/contract/index.ts';
import {
  attachTpsl,
  bulkCancel,
  cancelOrder,
  closePosition,
  controlExecution,
  createMonitor,
  effectOf,
  INTENT_KINDS,
  launch,
  launchBasket,
  modifyOrder,
  needsOf,
  pauseMonitor,
  placeOrder,
  retireTpsl,
  setLeverage,
  stopLoss,
  stopMonitor,
  takeProfit,
  toServiceRequest,
  type Intent,
  type IntentEffect,
} from '../../src/intents/index.ts';
import { targetMadeBy } from '../../src/intents/targetMadeBy.ts';
import { targetRefOf } from '../../src/intents/targetRefOf.ts';

const KEY = 'key-1';
const ALL = Number.POSITIVE_INFINITY;

/** What an intent stands for, by hand: what is sent, what it may add and take off, what it needs and what it makes. */
interface Meaning {
  call: string;
  body?: object;
  effect: Partial<IntentEffect>;
  /** Scopes, rows of the wallet's twenty, executions. */
  needs: [scopes: string, rows?: number, executions?: number];
  makes?: 'order' | 'execution' | 'monitor';
  /** What its ref names. */
  about?: 'order' | 'execution' | 'monitor';
}

const market = { symbol: 'BTC', side: 'buy', size: 0.5 } as const;
const paced = {
  algo: 'pacemaker',
  symbol: 'ETH',
  side: 'sell',
  total_size: 2,
  params: { duration_seconds: 600 },
} as const;
const level = { indicator: 'ema', interval: '1h' } as const;
const trigger = { type: 'price_level', symbol: 'BTC', price: 100, direction: 'above' } as const;
const elsewhere = { ...trigger, symbol: 'SOL' } as const;
const ref = { ref: 'mine' };
const entry = { symbol: 'BTC', side: 'buy', size: 0.5 } as const;
const sale = { symbol: 'ETH', side: 'sell', size: 2 } as const;
const exits = { reduceOnly: true, isExit: true };
const trail = { pct: 1, interval: '1h' } as const;

const TABLE: ReadonlyArray<[Intent, Meaning]> = [
  [
    placeOrder.market(market),
    {
      call: 'POST /order',
      body: { ...market, order_type: 'market', client_order_id: KEY },
      effect: { symbols: ['BTC'], entries: [{ ...entry, isAtOnce: true }] },
      needs: ['trade'],
      makes: 'order',
    },
  ],
  [
    placeOrder.limit({
      ...market,
      price: 99,
      client_order_id: 'own',
      stop_loss: stopLoss.trail(trail),
    }),
    {
      call: 'POST /order',
      body: {
        ...market,
        order_type: 'limit',
        price: 99,
        client_order_id: 'own',
        stop_loss: { trail },
      },
      effect: { symbols: ['BTC'], entries: [{ ...entry, price: 99 }] },
      needs: ['trade', 1],
      makes: 'order',
    },
  ],
  [
    launch.pacemaker({ ...paced, client_execution_id: 'own', reduce_only: true } as never),
    {
      call: 'POST /execute',
      body: { ...paced, client_execution_id: 'own', reduce_only: true },
      effect: { symbols: ['ETH'], reductions: [sale], ...exits },
      needs: ['algo', 0, 1],
      makes: 'execution',
    },
  ],
  [
    modifyOrder(ref, { price: 98 }),
    {
      call: 'PATCH /orders/order-of-mine',
      body: { price: 98 },
      effect: { isControl: true, opaque: true },
      needs: ['trade'],
      about: 'order',
    },
  ],
  [
    modifyOrder({ client_order_id: 'own' }, { size: 3 }),
    {
      call: 'PATCH /orders/client:own',
      body: { size: 3 },
      effect: { isControl: true, opaque: true },
      needs: ['trade'],
    },
  ],
  [
    cancelOrder(ref),
    {
      call: 'DELETE /orders/order-of-mine',
      effect: { isExit: true, isControl: true },
      needs: ['trade'],
      about: 'order',
    },
  ],
  [
    bulkCancel({ symbol: 'BTC' }),
    {
      call: 'DELETE /orders?symbol=BTC',
      effect: { symbols: ['BTC'], isExit: true, isControl: true },
      needs: ['trade'],
    },
  ],
  [
    bulkCancel(),
    { call: 'DELETE /orders', effect: { isExit: true, isControl: true }, needs: ['trade'] },
  ],
  [
    attachTpsl('BTC', {
      stop_loss: stopLoss.trail(trail),
      take_profit: takeProfit.price(120),
    }),
    {
      call: 'POST /positions/BTC/tpsl',
      body: { stop_loss: { trail }, take_profit: { price: 120 } },
      effect: {
        symbols: ['BTC'],
        reductions: [{ symbol: 'BTC', size: ALL, isArmed: true }],
        ...exits,
      },
      needs: ['trade', 1],
    },
  ],
  [
    retireTpsl('BTC'),
    {
      call: 'DELETE /positions/BTC/tpsl',
      effect: { symbols: ['BTC'], isExit: true, isControl: true },
      needs: ['trade'],
    },
  ],
  ...(
    [
      ['stop', 'stop', true, 0],
      ['pause', 'pause', true, 0],
      ['markComplete', 'mark-complete', true, 0],
      ['completeAtMarket', 'complete-at-market', false, 0],
      ['resume', 'resume', false, 1],
    ] as const
  ).map(([method, path, isExit, executions]): [Intent, Meaning] => [
    controlExecution[method](ref),
    {
      call: `POST /executions/execution-of-mine/${path}`,
      effect: { isExit, isControl: true, opaque: !isExit },
      needs: ['algo', 0, executions],
      about: 'execution',
    },
  ]),
  [
    closePosition.atMarket('BTC', { slippage_bps: 30 }),
    {
      call: 'POST /positions/BTC/close',
      body: { order_type: 'market', slippage_bps: 30 },
      effect: { symbols: ['BTC'], reductions: [{ symbol: 'BTC', size: ALL }], ...exits },
      needs: ['trade'],
    },
  ],
  [
    closePosition.byAlgo('BTC', { algo: 'pacemaker', params: { duration_seconds: 90 } }),
    {
      call: 'POST /positions/BTC/close',
      body: { algo: 'pacemaker', params: { duration_seconds: 90 } },
      effect: { symbols: ['BTC'], reductions: [{ symbol: 'BTC', size: ALL }], ...exits },
      needs: ['algo trade', 0, 1],
      makes: 'execution',
    },
  ],
  [
    setLeverage('BTC', { leverage: 3, mode: 'isolated' }),
    {
      call: 'PUT /leverage/BTC',
      body: { leverage: 3, mode: 'isolated' },
      effect: { symbols: ['BTC'], isControl: true },
      needs: ['trade'],
    },
  ],
  [
    createMonitor({
      trigger,
      action: { type: 'order', request: { ...market, order_type: 'market' } },
    }),
    {
      call: 'POST /monitors',
      body: {
        trigger,
        name: KEY,
        action: {
          type: 'order',
          request: { client_order_id: KEY, ...market, order_type: 'market' },
        },
      },
      // It waits for its price, so that it is no order at once.
      effect: { symbols: ['BTC'], entries: [{ ...entry, triggeredAt: 100 }] },
      needs: ['algo trade'],
      makes: 'monitor',
    },
  ],
  [
    createMonitor({
      name: 'named',
      rearm: true,
      trigger: elsewhere,
      action: { type: 'execute', request: { ...paced } },
    }),
    {
      call: 'POST /monitors',
      // The second time that it fires, a client id would be one of before.
      body: {
        name: 'named',
        rearm: true,
        trigger: elsewhere,
        action: { type: 'execute', request: paced },
      },
      effect: {
        symbols: ['ETH', 'SOL'],
        entries: [{ ...sale, triggeredAt: null, isRepeated: true }],
      },
      needs: ['algo', 0, 1],
      makes: 'monitor',
    },
  ],
  [
    createMonitor({
      trigger,
      action: {
        type: 'execute',
        request: { ...paced, reduce_only: true, stop_loss: stopLoss.trail(trail) },
      },
    }),
    {
      call: 'POST /monitors',
      body: {
        trigger,
        name: KEY,
        action: {
          type: 'execute',
          request: {
            client_execution_id: KEY,
            ...paced,
            reduce_only: true,
            stop_loss: { trail },
          },
        },
      },
      effect: { symbols: ['ETH', 'BTC'], reductions: [{ ...sale, isArmed: true }], ...exits },
      needs: ['algo', 1, 0],
      makes: 'monitor',
    },
  ],
  [
    pauseMonitor(ref),
    {
      call: 'POST /monitors/monitor-of-mine/pause',
      effect: { isExit: true, isControl: true },
      needs: ['algo'],
      about: 'monitor',
    },
  ],
  [
    stopMonitor(ref),
    {
      call: 'POST /monitors/monitor-of-mine/stop',
      effect: { isExit: true, isControl: true },
      needs: ['algo'],
      about: 'monitor',
    },
  ],
  [
    launchBasket({
      legs: [
        { ...paced },
        {
          algo: 'glidemaker',
          symbol: 'BTC',
          side: 'buy',
          total_size: 0.5,
          params: { strategy: 'passive', limit_price_from: { ...level, track: true } },
        },
      ],
    }),
    {
      call: 'POST /baskets',
      body: {
        legs: [
          paced,
          {
            algo: 'glidemaker',
            symbol: 'BTC',
            side: 'buy',
            total_size: 0.5,
            params: { strategy: 'passive', limit_price_from: { ...level, track: true } },
          },
        ],
      },
      effect: { symbols: ['ETH', 'BTC'], entries: [sale, entry] },
      needs: ['algo', 1, 2],
      makes: 'execution',
    },
  ],
  [
    launchBasket({ template_id: 'tpl_1' }),
    {
      call: 'POST /baskets',
      body: { template_id: 'tpl_1' },
      effect: { opaque: true },
      needs: ['algo'],
      makes: 'execution',
    },
  ],
];

const NOTHING: IntentEffect = {
  symbols: [],
  entries: [],
  reductions: [],
  reduceOnly: false,
  isExit: false,
  isControl: false,
  opaque: false,
};

test.each(TABLE.map(([intent, meaning]) => [meaning.call, intent, meaning] as const))(
  '%s',
  (_call, intent, meaning) => {
    const result = toServiceRequest(intent, {
      idempotencyKey: KEY,
      resolve: (kind, name) => `${kind}-of-${name}`,
    });
    if (!result.ok) expect.unreachable(result.reason);
    const { endpoint, pathParams, query, body } = result.request;
    const { method, path } = endpointSpec(endpoint);
    const asked = Object.entries(query).map(([name, value]) => `?${name}=${value}`);
    const call = `${method} ${decodeURIComponent(fillPath(path, pathParams))}${asked.join('')}`;
    expect(call).toBe(meaning.call);
    expect(body === '' ? undefined : JSON.parse(body)).toEqual(meaning.body);
    expect(effectOf(intent)).toEqual({ ...NOTHING, ...meaning.effect });
    const { scopes, maintainedRows, executions } = needsOf(intent);
    const [wanted, rows = 0, launched = 0] = meaning.needs;
    expect([scopes.toSorted().join(' '), maintainedRows, executions]).toEqual([
      wanted,
      rows,
      launched,
    ]);
    expect(targetMadeBy(intent)).toBe(meaning.makes);
    expect(targetRefOf(intent)).toEqual(
      meaning.about === undefined ? undefined : { kind: meaning.about, ref: 'mine' },
    );
  },
);

test('each kind of intent is among them', () => {
  const kinds = new Set(TABLE.map(([{ kind }]) => kind));
  expect(INTENT_KINDS.filter((kind) => !kinds.has(kind))).toEqual([]);
});
