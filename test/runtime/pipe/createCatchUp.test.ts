import { expect, test } from 'vitest';
import { createVirtualEnv } from '../../../src/env/index.ts';
import {
  attachTpsl,
  cancelOrder,
  closePosition,
  controlExecution,
  createMonitor,
  launch,
  modifyOrder,
  pauseMonitor,
  placeOrder,
  stopLoss,
  takeProfit,
  type Intent,
} from '../../../src/intents/index.ts';
import { createCatchUp } from '../../../src/runtime/pipe/createCatchUp.ts';
import type { Emission } from '../../../src/strategy/Emission.ts';

/**
 * What is sent of a burst of bars, each with its decisions, in order.
 *
 * @param onDenied what the denial of an overtaken one is answered by
 */
function sentOf(bars: ReadonlyArray<readonly Intent[]>, onDenied: Intent[] = []): Intent[] {
  const { timers, queue } = createVirtualEnv();
  const sent: Intent[] = [];
  const take = (intent: Intent, cause: string): void => {
    const of = { instance: 'one', wallet: 'main', isCatchUp: true };
    catchUp.take({ ...of, intent, cause } as Emission);
  };
  const catchUp = createCatchUp({
    timers,
    submit({ intent, isOvertaken }) {
      if (isOvertaken !== true) sent.push(intent);
      else for (const answer of onDenied.splice(0)) take(answer, 'outcome:1');
    },
  });
  for (const [at, intents] of bars.entries()) {
    for (const intent of intents) take(intent, `bar:BTC:1m:${at}`);
  }
  queue.advanceTo(60_000);
  return sent;
}

const stop = (price: number) => attachTpsl('BTC', { stop_loss: stopLoss.price(price) });
const target = (price: number) => attachTpsl('BTC', { take_profit: takeProfit.price(price) });
const both = attachTpsl('BTC', {
  stop_loss: stopLoss.price(80),
  take_profit: takeProfit.price(130),
});
const exit = { symbol: 'BTC', side: 'sell', size: 1, reduce_only: true } as const;
const sellAt = (price: number) => placeOrder.limit({ ...exit, price });
const worked = (total_size: number) =>
  launch.pacemaker({
    symbol: 'BTC',
    side: 'sell',
    total_size,
    params: { duration_seconds: 600 },
    reduce_only: true,
  });
const monitorAt = (price: number, direction: 'above' | 'below', side: 'buy' | 'sell' = 'sell') =>
  createMonitor({
    trigger: { type: 'price_level', symbol: 'BTC', price, direction },
    action: { type: 'order', request: { ...exit, side, order_type: 'market' } },
  });
const move = (price: number, order_id = 'o1') => modifyOrder({ order_id }, { price });
const resize = modifyOrder({ order_id: 'o1' }, { size: 2 });

test.each<[string, Intent, Intent]>([
  ['a stop and a target', stop(90), target(120)],
  ['two reduce-only limits', sellAt(120), sellAt(130)],
  ['two reduce-only executions', worked(1), worked(2)],
  ['a stop monitor and a target monitor', monitorAt(90, 'below'), monitorAt(120, 'above')],
  ['two stop monitors', monitorAt(90, 'below'), monitorAt(80, 'below')],
  ['an order’s price and its size', move(99), resize],
  [
    'a close and a close by an algorithm',
    closePosition.atMarket('BTC'),
    closePosition.byAlgo('BTC', { algo: 'pacemaker', params: { duration_seconds: 600 } }),
  ],
])('%s that one bar decides are both sent, of its last bar alone', (_name, one, other) => {
  expect(sentOf([[one, other]])).toEqual([one, other]);
  expect(
    sentOf([
      [one, other],
      [one, other],
      [one, other],
    ]),
  ).toEqual([one, other]);
});

test.each<[string, Intent, Intent]>([
  ['a stop and a target', stop(90), target(120)],
  ['both legs and then one', both, stop(90)],
  ['an order’s price and its size', move(99), resize],
  ['a stop monitor and a target monitor', monitorAt(90, 'below'), monitorAt(120, 'above')],
  ['a monitor that sells and one that buys', monitorAt(90, 'below'), monitorAt(90, 'below', 'buy')],
  ['a sale and a purchase', sellAt(120), placeOrder.limit({ ...exit, side: 'buy', price: 80 })],
  ['two orders’ cancels', cancelOrder({ order_id: 'o1' }), cancelOrder({ order_id: 'o2' })],
  ['two orders’ prices', move(99), move(99, 'o2')],
  [
    'two executions’ stops',
    controlExecution.stop({ execution_id: 'e1' }),
    controlExecution.stop({ execution_id: 'e2' }),
  ],
  [
    'an execution’s pause and its stop',
    controlExecution.pause({ execution_id: 'e1' }),
    controlExecution.stop({ execution_id: 'e1' }),
  ],
  ['two monitors’ pauses', pauseMonitor({ monitor_id: 'm1' }), pauseMonitor({ monitor_id: 'm2' })],
])('%s that two bars decide are both sent, in order', (_name, one, other) => {
  expect(sentOf([[one], [other]])).toEqual([one, other]);
});

test.each<[string, Intent, Intent]>([
  ['a stop by a stop', stop(90), stop(95)],
  ['a stop by both legs', stop(90), both],
  ['a price by a price', move(99), move(101)],
  ['a reduce-only limit', sellAt(120), sellAt(130)],
  ['a stop monitor', monitorAt(90, 'below'), monitorAt(95, 'below')],
])('%s is overtaken by that of a later bar', (_name, one, other) => {
  expect(sentOf([[one], [other]])).toEqual([other]);
});

test('a leg that is given as undefined overtakes none', () => {
  const open = attachTpsl('BTC', {
    stop_loss: stopLoss.price(95),
    take_profit: undefined,
  } as never);
  expect(sentOf([[target(120)], [open]])).toEqual([target(120), open]);
});

test('what is decided on the denial of an overtaken one is the newest', () => {
  expect(sentOf([[stop(90)], [stop(95)]], [stop(97)])).toEqual([stop(97)]);
});

test('an exit waits no longer than five seconds for a burst that goes on', () => {
  const { timers, queue } = createVirtualEnv();
  const sentAt: number[] = [];
  const catchUp = createCatchUp({ timers, submit: () => sentAt.push(queue.now()) });
  const of = { instance: 'one', wallet: 'main', isCatchUp: true, cause: 'bar:BTC:1m:0' };
  for (let at = 0; at <= 6_000; at += 200) {
    queue.advanceTo(at);
    catchUp.take({ ...of, intent: stop(80 + at / 1_000) } as Emission);
  }
  expect(sentAt[0]).toBe(5_000);
});

test('nor for the burst of a later outage', () => {
  const { timers, queue } = createVirtualEnv();
  const sentAt: number[] = [];
  const catchUp = createCatchUp({ timers, submit: () => sentAt.push(queue.now()) });
  const of = { instance: 'one', wallet: 'main', isCatchUp: true, cause: 'bar:BTC:1m:0' };
  catchUp.take({ ...of, intent: stop(80) } as Emission);
  queue.advanceTo(60_000);
  expect(sentAt).toEqual([250]);
  for (let at = 60_000; at <= 66_000; at += 200) {
    queue.advanceTo(at);
    catchUp.take({ ...of, intent: stop(at) } as Emission);
  }
  expect(sentAt[1]).toBe(65_000);
});
