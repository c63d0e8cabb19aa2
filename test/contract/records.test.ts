import { expect, test } from 'vitest';
import {
  ENDED_ORDERS,
  errorEnvelope,
  executionRecord,
  isMonitorOver,
  MONITOR_STATUSES,
  ORDER_STATUSES,
  orderRecord,
  orderResult,
  page,
  resolution,
  signedSize,
  type PositionRecord,
} from '../../src/contract/index.ts';

const order = {
  order_id: 'ord_1',
  symbol: 'BTC',
  side: 'buy',
  size: 1,
  filled_size: 0,
  order_type: 'limit',
  reduce_only: false,
  status: 'open',
  created_time: 1,
  updated_time: 1,
  request: {},
};

test('ERR-2: unknown fields and unknown enum values of a newer service are kept', () => {
  const parsed = orderRecord.parse({ ...order, status: 'hibernating', colour: 'blue' });
  expect(parsed).toMatchObject({ status: 'hibernating', colour: 'blue' });
});

test('ERR-2: unknown error codes are kept', () => {
  const envelope = { error: { code: 'from_the_future', message: 'x', hint: 1 }, request_id: 'r' };
  expect(errorEnvelope.parse(envelope)).toEqual(envelope);
});

test('a record that lacks what it must have is refused', () => {
  const { order_id: _, ...anonymous } = order;
  expect(orderRecord.safeParse(anonymous).success).toBe(false);
  expect(executionRecord.safeParse(order).success).toBe(false);
});

test('ORD-2: the answer to an order says whether its legs are queued', () => {
  expect(orderResult.safeParse(order).success).toBe(false);
  expect(orderResult.safeParse({ ...order, queued: true }).success).toBe(true);
});

test('LEG-7: a resolution has its trigger and the time of its bar as numbers', () => {
  const echo = { indicator: 'atr', bar_time: 1_700_000_000_000, trigger_price: 59_000 };
  expect(resolution.parse(echo)).toEqual(echo);
  expect(resolution.safeParse({ ...echo, trigger_price: '59000' }).success).toBe(false);
});

test('a page holds items and the next cursor', () => {
  const orders = page(orderRecord);
  expect(orders.parse({ items: [order], next_cursor: null }).items).toHaveLength(1);
  expect(orders.safeParse({ items: [order] }).success).toBe(false);
});

test('an order of any status but open has ended', () => {
  expect(ORDER_STATUSES.filter((status) => !ENDED_ORDERS.includes(status))).toEqual(['open']);
});

test('a monitor that fired goes on if it arms itself again; one that was stopped or failed does not', () => {
  const over = (rearm: boolean): string[] =>
    MONITOR_STATUSES.filter((status) => isMonitorOver({ status, rearm }));
  expect(over(true)).toEqual(['stopped', 'failed']);
  expect(over(false)).toEqual(['fired', 'stopped', 'failed']);
});

test('the size of a short is below zero, and of no position it is zero', () => {
  const sizeOf = (side: string): number => signedSize({ side, size: 2 } as PositionRecord);
  expect([sizeOf('long'), sizeOf('short'), signedSize(undefined)]).toEqual([2, -2, 0]);
});
