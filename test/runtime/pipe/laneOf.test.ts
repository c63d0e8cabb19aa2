import { expect, test } from 'vitest';
import type { OrderRecord } from '../../../src/contract/index.ts';
import { effectOf } from '../../../src/intents/effectOf.ts';
import {
  attachTpsl,
  cancelOrder,
  closePosition,
  controlExecution,
  modifyOrder,
  setLeverage,
  stopLoss,
} from '../../../src/intents/index.ts';
import { laneOf } from '../../../src/runtime/pipe/laneOf.ts';

const order_id = 'ord_1';
const execution_id = 'exe_1';
const moved = effectOf(modifyOrder({ order_id }, { price: 100 }));

test('exits are most urgent, then protection; anything that may add waits with the entries', () => {
  expect(laneOf(effectOf(cancelOrder({ order_id })))).toBe('control');
  expect(laneOf(effectOf(controlExecution.stop({ execution_id })))).toBe('control');
  expect(laneOf(effectOf(closePosition.atMarket('BTC')))).toBe('exit');
  expect(laneOf(effectOf(attachTpsl('BTC', { stop_loss: stopLoss.price(90) })))).toBe('exit');
  expect(laneOf(effectOf(controlExecution.resume({ execution_id })))).toBe('entry');
  expect(laneOf(effectOf(setLeverage('BTC', { leverage: 3 })))).toBe('entry');
  expect(laneOf(moved)).toBe('entry');
});

test('moving an exit is as urgent as the exit', () => {
  expect(laneOf(moved, { reduce_only: true } as OrderRecord)).toBe('exit');
  expect(laneOf(moved, { reduce_only: false } as OrderRecord)).toBe('entry');
});
