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
  placeOrder,
  retireTpsl,
  setLeverage,
  stopLoss,
  pauseMonitor,
  stopMonitor,
  takeProfit,
  unwindBy,
  type Intent,
} from '../../src/intents/index.ts';

const half = { symbol: 'BTC', side: 'buy', total_size: 0.5 } as const;

/** At least one intent of each kind, made by the builders. */
export const SAMPLES: readonly Intent[] = [
  launch.glidemaker({ ...half, params: { strategy: 'passive', limit_price: 60_000 } }),
  launch.pacemaker(
    {
      ...half,
      params: { duration_seconds: 600 },
      stop_loss: stopLoss.trail({ indicator: 'atr', mult: 3, interval: '5m' }),
    },
    { ref: 'entry', not_after: 1_700_000_000_000 },
  ),
  launch.ghostsweep({
    ...half,
    trigger_from: { indicator: 'ema', interval: '1h', track: true },
    sweep_limit_bps: 30,
  }),
  launch.flowscale({ ...half, params: { participation: 0.1 } }),
  launch.flowband({ ...half, params: { band_low: 59_000, band_high: 61_000 } }),
  launch.smartexit({
    ...half,
    side: 'sell',
    reduce_only: true,
    params: { stop_price_from: { indicator: 'ema', interval: '1h', track: true } },
  }),
  placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 0.1, price: 60_000 }),
  placeOrder.atLevel({
    symbol: 'BTC',
    side: 'buy',
    size: 0.1,
    price_from: { indicator: 'bollinger', series: 'lower', interval: '5m', track: true },
    take_profit: takeProfit.at({ indicator: 'bollinger', series: 'mid', interval: '5m' }),
  }),
  placeOrder.market({ symbol: 'PURR/USDC', side: 'sell', size: 1, reduce_only: true }),
  modifyOrder({ order_id: 'ord_1' }, { price: 60_100 }),
  cancelOrder({ client_order_id: 'mine-1' }),
  bulkCancel({ symbol: 'BTC' }),
  attachTpsl('BTC', {
    take_profit: takeProfit.at(
      { indicator: 'ema', interval: '1h' },
      unwindBy.pacemaker({ duration_seconds: 300 }),
    ),
    stop_loss: stopLoss.price(58_000),
  }),
  retireTpsl('BTC'),
  controlExecution.stop({ execution_id: 'exe_1' }),
  controlExecution.completeAtMarket({ ref: 'entry' }),
  closePosition.atMarket('BTC', { slippage_bps: 30 }),
  closePosition.byAlgo('BTC', { algo: 'pacemaker', params: { duration_seconds: 300 } }),
  setLeverage('BTC', { leverage: 5, mode: 'cross' }),
  createMonitor({
    trigger: { type: 'price_level', symbol: 'ETH', price: 3_000, direction: 'above' },
    action: {
      type: 'execute',
      request: { algo: 'pacemaker', ...half, params: { duration_seconds: 600 } },
    },
  }),
  pauseMonitor({ monitor_id: 'mon_1' }),
  stopMonitor({ monitor_id: 'mon_1' }),
  launchBasket({
    legs: [
      { algo: 'pacemaker', ...half, params: { duration_seconds: 600 } },
      { algo: 'flowscale', ...half, symbol: 'ETH', params: { participation: 0.1 } },
    ],
  }),
];
