/** What waits after a refused request, and what does not: an order that nobody wants must not stay in the market. */
import { describe, expect, test } from 'vitest';
import { openSlots, OPTIONS } from './openSlots.ts';

const one = { slot: 'one', side: 'buy' as const, price: 100, size: 2 };
const moved = { ...one, price: 101 };
const REFUSALS = ['denied', 'rejected', 'expired', 'absent'] as const;

/** An order that rests at 100, and whose move to 101 was refused. */
function refusedMove(state: (typeof REFUSALS)[number]) {
  const run = openSlots();
  const [placed] = run.slots.reconcile([one]);
  run.accept(placed!);
  run.byRef(placed!.ref!).remaining = 2;
  const [change] = run.slots.reconcile([moved]);
  expect(change).toMatchObject({ kind: 'modify_order' });
  run.refuse(change!, state);
  return { ...run, ref: placed!.ref! };
}

describe.each(REFUSALS)('after a change that was %s', (state) => {
  test('the order is withdrawn at once', () => {
    const { slots, ref } = refusedMove(state);
    expect(slots.reconcile([moved])).toEqual([]);
    expect(slots.reconcile([])).toMatchObject([{ kind: 'cancel_order', order: { ref } }]);
  });

  test('the other side withdraws it at once', () => {
    const { slots, ref } = refusedMove(state);
    const other = { ...moved, side: 'sell' as const };
    expect(slots.reconcile([other])).toMatchObject([{ kind: 'cancel_order', order: { ref } }]);
  });

  test('it is made smaller at once, where it rests, and never larger', () => {
    const { slots, ref, accept, wait } = refusedMove(state);
    expect(slots.reconcile([{ ...moved, size: 9 }])).toEqual([]);
    const [less] = slots.reconcile([{ ...moved, size: 1 }]);
    expect(less).toMatchObject({
      kind: 'modify_order',
      order: { ref },
      change: { price: 100, size: 1 },
    });
    accept(less!);
    expect(slots.reconcile([{ ...moved, size: 1 }])).toEqual([]);
    wait(OPTIONS.retry_ms);
    expect(slots.reconcile([{ ...moved, size: 1 }])).toMatchObject([
      { kind: 'modify_order', change: { price: 101, size: 1 } },
    ]);
  });

  test('the other side is placed once the order has ended', () => {
    const { slots, ref, byRef, accept } = refusedMove(state);
    const other = { ...moved, side: 'sell' as const };
    const [cancel] = slots.reconcile([other]);
    accept(cancel!);
    Object.assign(byRef(ref), { ended: true });
    expect(slots.reconcile([moved])).toEqual([]);
    expect(slots.reconcile([other])).toMatchObject([
      { kind: 'place_order', request: { side: 'sell' } },
    ]);
  });
});

test.each(REFUSALS)('a cancel that was %s is tried again after its wait', (state) => {
  const { slots, accept, refuse, byRef, wait } = openSlots();
  const [placed] = slots.reconcile([one]);
  accept(placed!);
  byRef(placed!.ref!).remaining = 2;
  const [cancel] = slots.reconcile([]);
  refuse(cancel!, state);
  expect(slots.reconcile([])).toEqual([]);
  expect(slots.reconcile([{ ...moved, side: 'sell' }])).toEqual([]);
  wait(OPTIONS.retry_ms);
  expect(slots.reconcile([])).toMatchObject([{ kind: 'cancel_order' }]);
});

test.each(REFUSALS)(
  'a cancel that was %s since its order had ended holds back no cancel of the next',
  (state) => {
    const { slots, accept, refuse, byRef } = openSlots();
    const [placed] = slots.reconcile([one]);
    accept(placed!);
    byRef(placed!.ref!).remaining = 2;
    const [cancel] = slots.reconcile([]);
    refuse(cancel!, state);
    Object.assign(byRef(placed!.ref!), { ended: true, remaining: 0, filled: 2 });
    const [next] = slots.reconcile([one]);
    expect(next).toMatchObject({ kind: 'place_order' });
    accept(next!);
    byRef(next!.ref!).remaining = 2;
    expect(slots.reconcile([])).toMatchObject([
      { kind: 'cancel_order', order: { ref: next!.ref } },
    ]);
  },
);

test.each(REFUSALS)(
  'a reduction that was %s before its order had ended holds back none of the next',
  (state) => {
    const { slots, accept, refuse, byRef } = openSlots();
    const smaller = { ...one, size: 1 };
    const [placed] = slots.reconcile([one]);
    accept(placed!);
    byRef(placed!.ref!).remaining = 2;
    refuse(slots.reconcile([smaller])[0]!, state);
    expect(slots.reconcile([smaller])).toEqual([]);
    Object.assign(byRef(placed!.ref!), { ended: true, remaining: 0, filled: 2 });
    const [next] = slots.reconcile([one]);
    accept(next!);
    byRef(next!.ref!).remaining = 2;
    expect(slots.reconcile([smaller])).toMatchObject([
      { kind: 'modify_order', order: { ref: next!.ref }, change: { size: 1 } },
    ]);
  },
);

test.each(REFUSALS)('a reduction that was %s waits, and a withdrawal does not', (state) => {
  const { slots, accept, refuse, byRef } = openSlots();
  const [placed] = slots.reconcile([one]);
  accept(placed!);
  byRef(placed!.ref!).remaining = 2;
  const [less] = slots.reconcile([{ ...one, size: 1 }]);
  expect(less).toMatchObject({ kind: 'modify_order', change: { price: 100, size: 1 } });
  refuse(less!, state);
  expect(slots.reconcile([{ ...one, size: 0.5 }])).toEqual([]);
  expect(slots.reconcile([])).toMatchObject([{ kind: 'cancel_order' }]);
});

test('a move and a reduction that the service refuses in turn are not sent in a circle', () => {
  const { slots, accept, refuse, byRef } = openSlots();
  const [placed] = slots.reconcile([one]);
  accept(placed!);
  byRef(placed!.ref!).remaining = 2;
  const wanted = [{ ...moved, size: 1 }];
  let sent = 0;
  for (let at = 0; at < 10; at++)
    for (const intent of slots.reconcile(wanted)) {
      sent++;
      refuse(intent, 'rejected');
    }
  expect(sent).toBe(2);
});

test('a larger size within the tolerance that the service refused waits', () => {
  const { slots, accept, refuse, byRef } = openSlots();
  const [placed] = slots.reconcile([one]);
  accept(placed!);
  byRef(placed!.ref!).remaining = 2;
  const wanted = [{ ...one, price: 100.5, size: 9 }];
  const [more] = slots.reconcile(wanted);
  expect(more).toMatchObject({ kind: 'modify_order', change: { price: 100, size: 9 } });
  refuse(more!, 'rejected');
  expect(slots.reconcile(wanted)).toEqual([]);
});

test('refused changes do not lengthen the wait after a refused withdrawal', () => {
  const { slots, accept, refuse, byRef, wait } = openSlots();
  const [placed] = slots.reconcile([one]);
  accept(placed!);
  byRef(placed!.ref!).remaining = 2;
  for (let at = 0; at < 6; at++) {
    const [change] = slots.reconcile([moved]);
    refuse(change!);
    wait(OPTIONS.retry_ms * 2 ** at);
  }
  const [cancel] = slots.reconcile([]);
  refuse(cancel!);
  wait(OPTIONS.retry_ms);
  expect(slots.reconcile([])).toMatchObject([{ kind: 'cancel_order' }]);
});

test.each(REFUSALS)('an accepted change ends the count of cancels that were %s', (state) => {
  const { slots, accept, refuse, byRef, wait } = openSlots();
  const [placed] = slots.reconcile([one]);
  accept(placed!);
  byRef(placed!.ref!).remaining = 2;
  for (const times of [0, 1]) {
    refuse(slots.reconcile([])[0]!, state);
    wait(OPTIONS.retry_ms * 2 ** times);
  }
  accept(slots.reconcile([moved])[0]!);
  refuse(slots.reconcile([])[0]!, state);
  wait(OPTIONS.retry_ms - 1);
  expect(slots.reconcile([])).toEqual([]);
  wait(1);
  expect(slots.reconcile([])).toMatchObject([{ kind: 'cancel_order' }]);
});
