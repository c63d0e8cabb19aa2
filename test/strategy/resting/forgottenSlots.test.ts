/** Names of slots may be prices: what nobody wants any more costs nothing, and what it filled stays counted. */
import { expect, test } from 'vitest';
import type { OwnOrder } from '../../../src/index.ts';
import { openSlots } from './openSlots.ts';

const orderOf = (slot: string) => ({ slot, side: 'buy' as const, price: 100, size: 2 });

/** One order after the other, each of a slot of its own, that fills and is wanted no more. */
function fillMany(count: number, run = openSlots()) {
  const { slots, accept, byRef, wait } = run;
  const refs: string[] = [];
  let reads = 0;
  for (let at = 0; at < count; at++) {
    const [placed] = slots.reconcile([orderOf(`p${at}`)]);
    accept(placed!);
    const order = { order_id: placed!.ref, status: 'filled' } as OwnOrder;
    Object.assign(byRef(placed!.ref!), { ended: true, order });
    Object.defineProperty(byRef(placed!.ref!), 'filled', {
      get() {
        reads++;
        return 2;
      },
    });
    refs.push(placed!.ref!);
    wait(1_000);
  }
  const readsOf = (work: () => void): number => {
    reads = 0;
    work();
    return reads;
  };
  return { ...run, refs, readsOf };
}

test('ten thousand names cost what the last minute of them does, and all their fills count', () => {
  const { slots, readsOf } = fillMany(10_000);
  let bought = 0;
  expect(readsOf(() => (bought = slots.total().bought))).toBeLessThan(100);
  expect(bought).toBe(20_000);
  expect(readsOf(() => slots.reconcile([]))).toBeLessThan(100);
});

test('a late frame of a forgotten order counts nothing twice', () => {
  const { slots, refs } = fillMany(100);
  const late = { ref: refs[0]!, side: 'buy', price: 100, size: 2, status: 'filled' } as OwnOrder;
  expect(slots.find(late, 'changed')).toBe(false);
  expect(slots.total().bought).toBe(200);
});

test('a slot is not forgotten while its last order may still be shown again', () => {
  const { slots, accept, byRef, wait } = openSlots();
  const [placed] = slots.reconcile([orderOf('one')]);
  accept(placed!);
  const order = { ref: placed!.ref!, side: 'buy', price: 100, size: 2, status: 'open' } as OwnOrder;
  // A snapshot lacks it.
  Object.assign(byRef(placed!.ref!), { ended: true, order, remaining: 2 });
  slots.reconcile([]);
  wait(600_000);
  slots.reconcile([]);
  Object.assign(byRef(placed!.ref!), { ended: false });
  slots.find(order, 'snapshot');
  expect(slots.reconcile([])).toMatchObject([{ kind: 'cancel_order', order: { ref: order.ref } }]);
});

test('a slot whose fills are read by its name keeps them', () => {
  const { slots, accept, byRef, wait } = openSlots();
  const [placed] = slots.reconcile([orderOf('one')]);
  accept(placed!);
  Object.assign(byRef(placed!.ref!), { ended: true, filled: 2 });
  expect(slots.fills('one').bought).toBe(2);
  slots.reconcile([]);
  wait(600_000);
  slots.reconcile([]);
  expect(slots.fills('one').bought).toBe(2);
  expect(slots.total().bought).toBe(2);
});

test('a refused slot waits as long as it must, also while nobody wants it', () => {
  const { slots, byRef, refuse, wait } = openSlots();
  for (const ms of [5_000, 10_000, 20_000, 40_000, 80_000, 0]) {
    const [placed] = slots.reconcile([orderOf('one')]);
    Object.assign(byRef(placed!.ref!), { state: 'denied', ended: true });
    refuse(placed!);
    slots.reconcile([]);
    wait(ms);
  }
  // The next wait is of 160 s.
  wait(100_000);
  slots.reconcile([]);
  expect(slots.reconcile([orderOf('one')])).toEqual([]);
  wait(60_000);
  expect(slots.reconcile([orderOf('one')])).toMatchObject([{ kind: 'place_order' }]);
});
