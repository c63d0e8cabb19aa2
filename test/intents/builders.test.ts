import { expect, test } from 'vitest';
import {
  attachTpsl,
  bulkCancel,
  cancelOrder,
  closePosition,
  controlExecution,
  createMonitor,
  launch,
  launchBasket,
  modifyOrder,
  pauseMonitor,
  placeOrder,
  retireTpsl,
  setLeverage,
  stopLoss,
  stopMonitor,
  takeProfit,
  unwindBy,
  type Intent,
  type IntentMeta,
} from '../../src/intents/index.ts';

const half = { symbol: 'BTC', side: 'buy', total_size: 0.5 } as const;
const order = { symbol: 'BTC', side: 'buy', size: 0.5 } as const;

test('POS-3: a builder returns what a strategy would write by hand', () => {
  expect(launch.pacemaker({ ...half, params: { duration_seconds: 60 } }, { ref: 'a' })).toEqual({
    kind: 'launch',
    request: { algo: 'pacemaker', ...half, params: { duration_seconds: 60 } },
    ref: 'a',
  });
  expect(stopLoss.price(1, unwindBy.ghostsweep())).toEqual({
    price: 1,
    exit_style: 'algo_unwind',
    unwind_algo: 'ghostsweep',
    unwind_params: {},
  });
});

test('builders refuse at compile time what the service would refuse', () => {
  // Each line fails for the word in brackets; the function is compiled and never called.
  const compileOnly = (): unknown[] => [
    // @ts-expect-error [reduce_only]
    launch.smartexit({ ...half, params: { stop_price: 1 } }),
    // @ts-expect-error [sweep_limit]
    launch.ghostsweep({ ...half, trigger_from: { indicator: 'ema', interval: '1h', track: true }, sweep_limit: 1 }), // prettier-ignore
    // @ts-expect-error [participation]
    launch.pacemaker({ ...half, params: { participation: 0.1 } }),
    // @ts-expect-error [price]
    placeOrder.market({ ...order, price: 1 }),
    // @ts-expect-error [price_from]
    placeOrder.atLevel({ ...order, price: 1 }),
    // @ts-expect-error [price]
    placeOrder.limit({ ...order, price_from: { indicator: 'ema', interval: '1h' } }),
    // @ts-expect-error [series]
    stopLoss.at({ indicator: 'bollinger', interval: '1h' }),
    // @ts-expect-error [ghostsweep]
    stopLoss.at({ indicator: 'ema', interval: '1h' }, unwindBy.ghostsweep()),
    // @ts-expect-error [a trail takes no exit]
    stopLoss.trail({ pct: 1, interval: '1h' }, unwindBy.pacemaker({ duration_seconds: 60 })),
    // @ts-expect-error [algo_unwind]
    placeOrder.market({ ...order, stop_loss: stopLoss.price(1, unwindBy.smartexit()) }),
    // @ts-expect-error [two names]
    cancelOrder({ order_id: 'a', ref: 'b' }),
    // @ts-expect-error [an order's id for an execution]
    controlExecution.stop({ order_id: 'a' }),
    // @ts-expect-error [params of another algorithm]
    closePosition.byAlgo('BTC', { algo: 'pacemaker', params: { participation: 0.1 } }),
  ];
  expect(compileOnly).toBeTypeOf('function');
});

test('inside an intent a wrong leg fails at its own argument, and nowhere else', () => {
  // An error at a line without a comment fails the compilation of this file.
  const compileOnly = (): unknown[] => [
    placeOrder.market({
      ...order,
      stop_loss: stopLoss.at({
        // @ts-expect-error [an oscillator is not a price]
        indicator: 'rsi',
        interval: '1h',
      }),
      take_profit: takeProfit.price(
        // @ts-expect-error [a text is not a price]
        '3',
      ),
    }),
    launch.pacemaker({
      ...half,
      params: { duration_seconds: 60 },
      stop_loss: stopLoss.offset({
        anchor: 'entry',
        // @ts-expect-error [a trend is not a distance]
        indicator: 'adx',
        interval: '1h',
        mult: 2,
      }),
    }),
  ];
  expect(compileOnly).toBeTypeOf('function');
});

type AnyBuilder = (meta?: IntentMeta) => Intent;
const monitor = {
  trigger: { type: 'price_level', symbol: 'BTC', price: 1, direction: 'below' },
  action: { type: 'order', request: { ...order, order_type: 'market' } },
} as const;
const loose = { ...half, params: {} } as never;

test.each<[string, AnyBuilder]>([
  ...Object.entries(launch).map(([algo, build]): [string, AnyBuilder] => [
    `launch.${algo}`,
    (meta) => build(loose, meta),
  ]),
  ...Object.entries(controlExecution).map(([action, build]): [string, AnyBuilder] => [
    `controlExecution.${action}`,
    (meta) => build({ ref: 'x' }, meta),
  ]),
  ...Object.entries(placeOrder).map(([type, build]): [string, AnyBuilder] => [
    `placeOrder.${type}`,
    (meta) => build(order as never, meta),
  ]),
  ['closePosition.atMarket', (meta) => closePosition.atMarket('BTC', { slippage_bps: 9 }, meta)],
  [
    'closePosition.byAlgo',
    (meta) =>
      closePosition.byAlgo('BTC', { algo: 'pacemaker', params: { duration_seconds: 60 } }, meta),
  ],
  ['attachTpsl', (meta) => attachTpsl('BTC', { stop_loss: stopLoss.price(1) }, meta)],
  ['retireTpsl', (meta) => retireTpsl('BTC', meta)],
  ['setLeverage', (meta) => setLeverage('BTC', { leverage: 3 }, meta)],
  ['cancelOrder', (meta) => cancelOrder({ ref: 'x' }, meta)],
  ['modifyOrder', (meta) => modifyOrder({ ref: 'x' }, { size: 2 }, meta)],
  ['bulkCancel', (meta) => bulkCancel({ symbol: 'BTC' }, meta)],
  ['createMonitor', (meta) => createMonitor(monitor, meta)],
  ['pauseMonitor', (meta) => pauseMonitor({ ref: 'x' }, meta)],
  ['stopMonitor', (meta) => stopMonitor({ ref: 'x' }, meta)],
  ['launchBasket', (meta) => launchBasket({ legs: [] } as never, meta)],
])('%s has each field that any intent may have, beside its own', (_name, build) => {
  const meta: Required<IntentMeta> = {
    ref: 'a',
    decision: 'b',
    not_after: 5,
    via: 'rest',
    tag: 'c',
    note: 'd',
  };
  expect(build(meta)).toEqual({ ...build(), ...meta });
});
