import { expect, test } from 'vitest';
import type { OrderRecord, ServiceFault } from '../../../src/contract/index.ts';
import { createVirtualEnv } from '../../../src/env/index.ts';
import { placeOrder } from '../../../src/intents/index.ts';
import {
  createRowReservations,
  roomOf,
  type PendingIntent,
  type Room,
} from '../../../src/runtime/pipe/createRowReservations.ts';
import type { PipeEvent } from '../../../src/runtime/PipeEvent.ts';
import type { Emission } from '../../../src/strategy/index.ts';

const PRICES: Record<string, number> = { one: 99, two: 97, three: 90 };

const orderOf = (id: string, over: Partial<OrderRecord> = {}) =>
  ({
    order_id: id,
    client_order_id: `key-${id}`,
    execution_id: null,
    symbol: 'BTC',
    reduce_only: false,
    price: PRICES[id],
    created_time: 0,
    ...over,
  }) as OrderRecord;
function pendingIntent(key: string, not_after?: number): PendingIntent {
  const meta = not_after === undefined ? {} : { not_after };
  const intent = placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 1, price: 98 }, meta);
  const emission = { intent, instance: 'told', wallet: 'main', cause: 'bar' } as Emission;
  return { emission, key };
}

/** @param isOpen false: at a start, before the books are known */
function setUp({ isOpen = true } = {}) {
  const market = createVirtualEnv().queue;
  const submitted: Emission[] = [];
  const book = {
    orders: ['one', 'two', 'three'].map((id) => orderOf(id)),
    tracked: new Set(['one', 'two', 'three']),
  };
  const slots = createRowReservations({
    market,
    priceOf: () => 100,
    workOf: (wallet) => ({
      wallet,
      orders: book.orders,
      executions: [],
      positions: [],
      monitors: [],
      isOwn: (key) => key.startsWith('key-'),
    }),
    trackedOrders: () => book.tracked,
    submit: (emission) => void submitted.push(emission),
  });
  if (isOpen) slots.open();
  const woken: string[] = [];
  const begin = (item: PendingIntent, lack = 1): Room => {
    const room = slots.reserveRow(item, lack)!;
    room.begin(() => woken.push(item.key));
    return room;
  };
  const report = (state: PipeEvent['state'], emission: Emission, code?: string): void => {
    const fault = code === undefined ? {} : { fault: { code } as ServiceFault };
    slots.follow({ state, emission, key: 'cancel', attempt: 1, ...fault });
  };
  const asked = (): string[] => submitted.map(({ cause }) => cause);
  return { slots, book, market, submitted, asked, begin, report, woken };
}

test('the bot’s farthest tracked entry is cancelled, by the operator on behalf of the pending intent', () => {
  const { begin, submitted } = setUp();
  const { reason } = begin(pendingIntent('n1'));
  expect(reason).toBe('waits for a row of three (BTC at 90, 1000 bps from the market)');
  expect(submitted).toMatchObject([
    {
      instance: 'operator',
      wallet: 'main',
      cause: 'slot:n1:three',
      decisionKey: 'main/operator/slot:n1:three#0',
      intent: { kind: 'cancel_order', order: { order_id: 'three' } },
    },
  ]);
  expect(roomOf(submitted[0]!.cause)).toEqual({ pendingIntent: 'n1', orderId: 'three' });
});

test('an order’s id may have any form: of the cause of its cancel it is all that follows the intent’s key', () => {
  for (const orderId of ['7d9f-41-x', 'venue:17:b', 'size 1/2']) {
    expect(roomOf(`slot:n1:${orderId}`)).toEqual({ pendingIntent: 'n1', orderId });
  }
  for (const cause of ['slot:n1', 'slot:n1:', 'bar:slot:n1:one', '']) {
    expect(roomOf(cause)).toBeUndefined();
  }
});

test('foreign orders, exits, children of executions and untracked orders are never replaced', () => {
  const { slots, book } = setUp();
  book.orders = [
    orderOf('one', { client_order_id: 'someone-else' }),
    orderOf('two', { reduce_only: true }),
    orderOf('three', { execution_id: 'exe_1' }),
    orderOf('fixed', { price: 50 }),
  ];
  expect(slots.reserveRow(pendingIntent('n1'), 1)).toBeUndefined();
});

test('it resumes when the cancel is accepted, and the row counts as free until the streams show it', () => {
  const { slots, begin, report, submitted, woken, book } = setUp();
  begin(pendingIntent('n1'));
  for (const state of ['guarded', 'deferred', 'sending', 'unknown'] as const) {
    report(state, submitted[0]!);
  }
  expect([woken, slots.freed('main')]).toEqual([[], 0]);
  report('accepted', submitted[0]!);
  expect([woken, slots.freed('main')]).toEqual([['n1'], 1]);
  expect(slots.freed('second')).toBe(0);
  book.tracked.delete('three');
  expect(slots.freed('main')).toBe(0);
  book.tracked.add('three');
  expect(slots.freed('main')).toBe(0);
});

test('two pending intents never reserve the same row', () => {
  const { slots, begin, report, submitted, asked, woken } = setUp();
  begin(pendingIntent('n1'));
  begin(pendingIntent('n2'));
  expect(asked()).toEqual(['slot:n1:three', 'slot:n2:two']);
  report('accepted', submitted[1]!);
  expect(woken).toEqual(['n2']);
  begin(pendingIntent('n3'));
  expect(asked()[2]).toBe('slot:n3:one');
  expect(slots.reserveRow(pendingIntent('n4'), 1)).toBeUndefined();
});

test('an intent that needs two rows frees two, resumes once both are free, and frees none if enough are', () => {
  const { slots, begin, report, submitted, asked, woken } = setUp();
  expect(slots.reserveRow(pendingIntent('n1'), 4)).toBeUndefined();
  begin(pendingIntent('n1'), 2);
  expect(asked()).toEqual(['slot:n1:three', 'slot:n1:two']);
  report('accepted', submitted[0]!);
  expect(woken).toEqual([]);
  report('accepted', submitted[1]!);
  expect(woken).toEqual(['n1']);
});

test.each(['not_found', 'invalid_transition'])(
  'TRK-7: an order that has ended (%s) has freed its row',
  (code) => {
    const { slots, begin, report, submitted, woken } = setUp();
    begin(pendingIntent('n1'));
    report('rejected', submitted[0]!, code);
    expect([woken, slots.freed('main')]).toEqual([['n1'], 1]);
  },
);

test('after another refusal the next one is tried, until none is left', () => {
  const { slots, begin, report, submitted, asked, woken } = setUp();
  const item = pendingIntent('n1');
  for (const state of ['rejected', 'denied', 'unresolved'] as const) {
    begin(item);
    report(state, submitted.at(-1)!, 'insufficient_scope');
  }
  expect(asked()).toEqual(['slot:n1:three', 'slot:n1:two', 'slot:n1:one']);
  expect([woken.length, slots.freed('main')]).toEqual([3, 0]);
  expect(slots.reserveRow(item, 1)).toBeUndefined();
  // Another one may succeed.
  expect(slots.reserveRow(pendingIntent('n2'), 1)).toBeDefined();
});

test('it is checked again at its not_after, and the cancel ends with it', () => {
  const { begin, submitted, market, report, woken } = setUp();
  begin(pendingIntent('n1', 5_000));
  expect(submitted[0]!.intent.not_after).toBe(5_000);
  market.advanceTo(5_000);
  expect(woken).toEqual([]);
  market.advanceTo(5_001);
  expect(woken).toEqual(['n1']);
  report('accepted', submitted[0]!);
  expect(woken).toEqual(['n1']);
});

test('after a restart it waits until the books are known and the earlier cancel is concluded', () => {
  const { submitted, begin } = setUp();
  begin(pendingIntent('n1'));
  const [cancel] = submitted;
  const next = setUp({ isOpen: false });
  next.slots.hold(pendingIntent('n1'), () => next.woken.push('n1'));
  next.slots.follow({ state: 'unknown', emission: cancel!, key: 'cancel', attempt: 1 });
  next.slots.open();
  expect(next.woken).toEqual([]);
  // What it waits for is on its way: no second entry is given up for it.
  next.slots.reserveRow(pendingIntent('n1'), 1)!.begin(() => next.woken.push('n1'));
  expect(next.submitted).toEqual([]);
  next.slots.follow({ state: 'accepted', emission: cancel!, key: 'cancel', attempt: 1 });
  expect(next.woken).toEqual(['n1']);

  const early = setUp({ isOpen: false });
  early.slots.hold(pendingIntent('n1'), () => early.woken.push('n1'));
  early.slots.follow({ state: 'unknown', emission: cancel!, key: 'cancel', attempt: 1 });
  early.slots.follow({ state: 'accepted', emission: cancel!, key: 'cancel', attempt: 1 });
  expect(early.woken).toEqual([]);
  early.slots.open();
  expect(early.woken).toEqual(['n1']);
});

test.each(['guarded', 'denied', 'expired'] as const)(
  'an order that could not be cancelled for an intent is offered again once that is %s',
  (state) => {
    const { slots, begin, report, submitted, asked } = setUp();
    const item = pendingIntent('new');
    begin(item);
    const first = asked()[0]!;
    report('rejected', submitted[0]!, 'internal_error');
    begin(item);
    expect(asked()[1]).not.toBe(first);
    report('rejected', submitted[1]!, 'internal_error');
    slots.follow({ state, emission: item.emission, key: 'new', attempt: 0 });
    begin(item);
    expect(asked()[2]).toBe(first);
  },
);

test.each(['guarded', 'denied', 'expired'] as const)(
  'an intent that is %s is not evaluated again, neither at its not_after nor once the row is free',
  (state) => {
    const { slots, begin, report, submitted, market, woken } = setUp();
    const [item, other] = [pendingIntent('n1', 5_000), pendingIntent('n2', 6_000)];
    begin(item);
    begin(other);
    slots.follow({ state, emission: item.emission, key: 'n1', attempt: 0 });
    report('accepted', submitted[0]!);
    market.advanceTo(5_001);
    expect(woken).toEqual([]);
    market.advanceTo(6_001);
    expect(woken).toEqual(['n2']);
  },
);

test('nothing is evaluated again once they have stopped', () => {
  const { slots, begin, report, submitted, market, woken } = setUp();
  begin(pendingIntent('n1', 5_000));
  slots.stop();
  report('accepted', submitted[0]!);
  market.advanceTo(5_001);
  expect(woken).toEqual([]);
});
