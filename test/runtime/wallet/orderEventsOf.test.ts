import { Subject } from 'rxjs';
import { expect, test } from 'vitest';
import type { OrderRecord } from '../../../src/contract/index.ts';
import type { OwnOrderEvent } from '../../../src/strategy/OwnEvents.ts';
import type { AccountModel } from '../../../src/streams/index.ts';
import { orderEventsOf } from '../../../src/runtime/wallet/orderEventsOf.ts';

const orderOf = (id: string, over: Partial<OrderRecord> = {}) =>
  ({
    order_id: id,
    client_order_id: `own-${id}`,
    symbol: 'BTC',
    price: 100,
    size: 3,
    filled_size: 0,
    updated_time: 5,
    ...over,
  }) as OrderRecord;
/** Each call is a snapshot; given an account, a change since the one that has it. */
const modelOf = (orders: readonly OrderRecord[], account: object = {}) =>
  ({
    account,
    openOrders: new Map(orders.map((order) => [order.order_id, order])),
  }) as unknown as AccountModel;

function open() {
  const account$ = new Subject<AccountModel>();
  const orders$ = new Subject<OrderRecord>();
  let seen: OwnOrderEvent[] = [];
  const subscription = orderEventsOf({ account$, orders$ } as never).subscribe(
    (event) => void seen.push(event),
  );
  return {
    subscription,
    account$,
    orders$,
    /** What came since the last look. */
    events() {
      const all = seen.map(({ event, order }) => `${event} ${order.order_id}`);
      seen = [];
      return all;
    },
  };
}

test('a snapshot shows what is new or otherwise than before, and what it lacks is gone', () => {
  const run = open();
  const [first, second, third] = ['a', 'b', 'c'].map((id) => orderOf(id)) as [
    OrderRecord,
    OrderRecord,
    OrderRecord,
  ];
  run.account$.next(modelOf([first, second, third]));
  expect(run.events()).toEqual(['snapshot a', 'snapshot b', 'snapshot c']);
  run.account$.next(modelOf([{ ...first }, third, orderOf('d', { client_order_id: null })]));
  expect(run.events()).toEqual(['snapshot d', 'gone b']);
  run.account$.next(modelOf([]));
  expect(run.events()).toEqual(['gone a', 'gone c', 'gone d']);
});

test.each<Partial<OrderRecord>>([
  { updated_time: 6 },
  { filled_size: 1 },
  { size: 4 },
  { price: 101 },
])('an order is otherwise than before with %o', (over) => {
  const run = open();
  run.account$.next(modelOf([orderOf('a'), orderOf('b')]));
  run.events();
  run.account$.next(modelOf([orderOf('a'), orderOf('b', over)]));
  expect(run.events()).toEqual(['snapshot b']);
});

test('between snapshots each state of an order is a change, and the account tells nothing of it', () => {
  const run = open();
  const account = {};
  run.account$.next(modelOf([orderOf('a')], account));
  run.events();
  run.orders$.next(orderOf('b'));
  run.account$.next(modelOf([orderOf('a'), orderOf('b')], account));
  run.orders$.next(orderOf('a', { filled_size: 3 }));
  run.account$.next(modelOf([orderOf('b')], account));
  expect(run.events()).toEqual(['changed b', 'changed a']);
  // The next snapshot is compared with what was shown last, not with the one before it.
  run.account$.next(modelOf([orderOf('b')]));
  expect(run.events()).toEqual([]);
});

test('nobody is asked any more once nobody listens', () => {
  const { subscription, account$, orders$ } = open();
  expect([account$.observed, orders$.observed]).toEqual([true, true]);
  subscription.unsubscribe();
  expect([account$.observed, orders$.observed]).toEqual([false, false]);
});
