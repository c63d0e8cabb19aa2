/** One slot's next request by what rests, what was filled of it and what is wanted, in the words of the options. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { map } from 'rxjs';
import { z } from 'zod';
import { defineStrategy, quote, type OwnOrder, type StrategyContext } from '../../../src/index.ts';
import type { RestingOrder } from '../../../src/strategy/resting/RestingOrder.ts';
import type { Outcome } from '../../../src/strategy/Outcome.ts';
import { testStrategy } from '../../../src/testing.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';
import { LEAST, openSlots, OPTIONS, TICK } from './openSlots.ts';

const wanted = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  price: fc.constantFrom(99, 99.7, 100, 100.2, 100.4, 100.6, 101, 120),
  size: fc.constantFrom(0, 0.05, 1, 2, 3),
  reduce_only: fc.constantFrom(undefined, true),
  post_only: fc.constantFrom(undefined, true, false),
});
const toOrder = ({
  reduce_only,
  post_only,
  ...rest
}: typeof wanted extends fc.Arbitrary<infer T> ? T : never): RestingOrder => ({
  slot: 'one',
  ...rest,
  ...(reduce_only && { reduce_only }),
  ...(post_only !== undefined && { post_only }),
});
const priceOf = ({ side, price }: RestingOrder): number =>
  (side === 'buy' ? Math.floor(price / TICK) : Math.ceil(price / TICK)) * TICK;
const canRest = (order: RestingOrder): boolean => order.size * priceOf(order) >= LEAST;

test('an order is placed, changed, left or withdrawn by what differs', async () => {
  const tried = new Tried();
  const drawn = fc.record({
    first: wanted,
    second: fc.option(wanted, { freq: 6 }),
    filled: fc.constantFrom(0, 0, 0.2, 0.5, 0.8, 1),
    isPaused: fc.boolean(),
  });
  await holdLaw(400, drawn, ({ first, second, filled: share, isPaused }) => {
    const { slots, byRef, accept, logs, pause } = openSlots();
    const one = toOrder(first);
    pause(true);
    expect(slots.reconcile([one])).toEqual([]);
    pause(false);
    const [placed, ...more] = slots.reconcile([one]);
    expect(more).toEqual([]);
    if (!canRest(one)) {
      expect(placed).toBeUndefined();
      expect(logs).toHaveLength(one.size === 0 ? 0 : 1);
      return;
    }
    const { side, size } = one;
    const price = priceOf(one);
    expect(placed).toMatchObject({
      kind: 'place_order',
      request: {
        symbol: 'BTC',
        side,
        size,
        price,
        time_in_force: (one.post_only ?? true) ? 'post_only' : 'gtc',
      },
    });
    expect((placed as { request: { reduce_only?: boolean } }).request.reduce_only).toBe(
      one.reduce_only,
    );
    expect(slots.reconcile([one])).toEqual([]);
    accept(placed!);
    expect(slots.reconcile([one])).toEqual([]);
    const ref = placed!.ref!;
    const filled = Math.floor(size * share * 100) / 100;
    Object.assign(byRef(ref), { filled, remaining: size - filled });
    expect(slots.total()).toEqual(
      side === 'buy' ? { bought: filled, sold: 0 } : { bought: 0, sold: filled },
    );
    if (filled === size) {
      Object.assign(byRef(ref), { ended: true });
      const again = slots.reconcile([one]);
      expect(again).toMatchObject([{ kind: 'place_order', request: { side, size } }]);
      expect(slots.fills('one')).toEqual(slots.total());
      tried.take('placed again');
      return;
    }
    const two = second === null ? undefined : toOrder(second);
    const next = two !== undefined && canRest(two) ? two : undefined;
    pause(isPaused);
    const found = slots.reconcile(two === undefined ? [] : [two]);
    if (isPaused) {
      expect(found).toEqual([]);
      return;
    }
    if (next === undefined || next.side !== side) {
      expect(found).toMatchObject([{ kind: 'cancel_order', order: { ref } }]);
      tried.take(next === undefined ? 'withdrawn' : 'the other side');
      return;
    }
    const rests = size - filled;
    const to = priceOf(next);
    const isMoved = Math.abs(to - price) > (OPTIONS.tolerance_bps / 10_000) * price + 1e-9;
    const isAtEdge =
      Math.abs(Math.abs(to - price) - (OPTIONS.tolerance_bps / 10_000) * price) < 1e-9;
    if (isAtEdge) return;
    const isSmall = rests < OPTIONS.top_up_below * next.size - 1e-9;
    const isLarge = rests > next.size + 1e-9;
    if (!isMoved && !isSmall && !isLarge) {
      expect(found).toEqual([]);
      tried.take('left');
      return;
    }
    const total = Math.round((filled + next.size) * 100) / 100;
    expect(found).toMatchObject([
      {
        kind: 'modify_order',
        order: { ref },
        change: { price: isMoved ? to : price, size: total },
      },
    ]);
    tried.take(isLarge ? 'reduced' : isSmall ? 'topped up' : 'moved');
  });
  const cases = [
    'placed again',
    'withdrawn',
    'the other side',
    'left',
    'reduced',
    'topped up',
    'moved',
  ];
  if (isFull) expect(tried.rare(cases, 10)).toEqual([]);
});

test('a refused order is tried again after a wait that doubles, or at another price if the service refused it', async () => {
  const tried = new Tried();
  const step = fc.record({
    wait: fc.constantFrom(0, 1, 4_999, 5_000, 10_000, 20_000, 400_000),
    price: fc.constantFrom(99, 100),
    state: fc.constantFrom(
      'denied',
      'rejected',
      'rejected',
      'expired',
      'absent',
      'accepted',
      'duplicate',
    ),
    /** Something else happens between what is known by the ref and the outcome itself. */
    isEarly: fc.boolean(),
  });
  const drawn = fc.record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    steps: fc.array(step, { minLength: 4, maxLength: 20 }),
  });
  await holdLaw(200, drawn, ({ side, steps }) => {
    const { slots, byRef, wait } = openSlots();
    let [now, restUntil, refusals, bought] = [1_000, 0, 0, 0];
    let refused: number | undefined;
    for (const { wait: ms, price, state, isEarly } of steps) {
      now = wait(ms);
      const isWaiting = now < restUntil && (refused === undefined || refused === price);
      const wanted = [{ slot: 'one', side, price, size: 1 }];
      expect(slots.retryTime()).toBe(now < restUntil ? restUntil : undefined);
      const [intent, ...more] = slots.reconcile(wanted);
      expect([now, intent?.kind, more]).toEqual([now, isWaiting ? undefined : 'place_order', []]);
      if (intent === undefined) {
        tried.take('waits');
        continue;
      }
      if (refused !== undefined && refused !== price && now < restUntil)
        tried.take('another price');
      const isDone = state === 'accepted' || state === 'duplicate';
      Object.assign(
        byRef(intent.ref!),
        isDone ? { state, ended: true, filled: 1 } : { state, ended: true },
      );
      if (isDone) {
        slots.follow({ intent, state } as unknown as Outcome);
        [refusals, bought] = [0, bought + 1];
        expect(slots.fills('one')).toEqual(
          side === 'buy' ? { bought, sold: 0 } : { bought: 0, sold: bought },
        );
        continue;
      }
      restUntil = now + OPTIONS.retry_ms * 2 ** Math.min(refusals++, 6);
      refused = state === 'rejected' ? price : undefined;
      if (isEarly) expect(slots.reconcile(wanted)).toEqual([]);
      slots.follow({ intent, state } as unknown as Outcome);
      expect(slots.reconcile(wanted)).toEqual([]);
      tried.take(state);
    }
  });
  const kinds = ['waits', 'another price', 'denied', 'rejected', 'expired', 'absent'];
  if (isFull) expect(tried.rare(kinds, 20)).toEqual([]);
});

describe('orders of the process before', () => {
  const shown = (ref: string, more: Partial<OwnOrder> = {}): OwnOrder =>
    ({ ref, side: 'buy', price: 100, size: 2, status: 'open', ...more }) as OwnOrder;

  test.each(['buy', 'sell'] as const)(
    'are taken over, and what they filled before does not count: %s',
    (side) => {
      const { slots, byRef } = openSlots();
      const ref = 'set:BTC:one:500.1';
      Object.assign(byRef(ref), { state: 'accepted', filled: 0.5, remaining: 1.5 });
      expect(slots.find(shown(ref, { side }), 'snapshot')).toBe(true);
      expect(slots.find(shown(ref, { side }), 'snapshot')).toBe(false);
      expect(slots.total()).toEqual({ bought: 0, sold: 0 });
      expect(slots.resting('one')).toBe(1.5);
      byRef(ref).filled = 0.75;
      expect(slots.total()).toEqual(
        side === 'buy' ? { bought: 0.25, sold: 0 } : { bought: 0, sold: 0.25 },
      );
      expect(slots.reconcile([{ slot: 'one', side, price: 100, size: 1.5 }])).toEqual([]);
    },
  );

  test('beyond the one of their slot are cancelled, each once, but not those that have ended', () => {
    const { slots, byRef } = openSlots();
    const refs = ['one:1.1', 'one:1.2', 'one:1.3', 'two:1.4'].map((tail) => `set:BTC:${tail}`);
    for (const ref of refs) {
      Object.assign(byRef(ref), { state: 'accepted', remaining: 2 });
      expect(slots.find(shown(ref), 'snapshot')).toBe(true);
    }
    Object.assign(byRef(refs[2]!), { ended: true });
    const both = ['one', 'two'].map((slot) => ({
      slot,
      side: 'buy' as const,
      price: 100,
      size: 2,
    }));
    const intents = slots.reconcile(both);
    expect(intents).toMatchObject([{ kind: 'cancel_order', order: { ref: refs[1] } }]);
    expect(slots.reconcile(both)).toEqual([]);
  });

  test.each(['changed', 'snapshot'] as const)(
    'that are shown after the start count with all that they filled: %s',
    (event) => {
      const { slots, byRef } = openSlots();
      slots.reconcile([]);
      const [found, ended] = ['set:BTC:one:500.1', 'set:BTC:two:500.2'];
      Object.assign(byRef(found!), { state: 'accepted', filled: 0.5, remaining: 1.5 });
      expect(slots.find(shown(found!), event)).toBe(true);
      // It filled before anything of it was shown.
      Object.assign(byRef(ended!), { state: 'accepted', filled: 2, ended: true });
      for (let times = 0; times < 2; times++)
        expect(slots.find(shown(ended!, { side: 'sell', status: 'filled' }), event)).toBe(false);
      expect(slots.total()).toEqual({ bought: 0.5, sold: 2 });
      expect(slots.fills('two')).toEqual({ bought: 0, sold: 2 });
    },
  );

  test('beyond the one of their slot count until they have ended, and rest until then', () => {
    const { slots, byRef, wait, refuse } = openSlots();
    const refs = ['one:1.1', 'one:1.2'].map((tail) => `set:BTC:${tail}`);
    for (const ref of refs) {
      Object.assign(byRef(ref), { state: 'accepted', remaining: 2 });
      slots.find(shown(ref), 'snapshot');
    }
    expect(slots.resting('one')).toBe(4);
    const wanted = [{ slot: 'one', side: 'buy' as const, price: 100, size: 2 }];
    const [cancel] = slots.reconcile(wanted);
    Object.assign(byRef(refs[1]!), { filled: 1, remaining: 1 });
    expect([slots.resting('one'), slots.total().bought]).toEqual([3, 1]);
    expect(slots.retryTime()).toBeUndefined();
    refuse(cancel!);
    expect(slots.reconcile(wanted)).toEqual([]);
    // Without any news too it is tried again.
    expect(slots.retryTime()).toBe(1_000 + OPTIONS.retry_ms);
    wait(OPTIONS.retry_ms);
    expect(slots.retryTime()).toBeUndefined();
    expect(slots.reconcile(wanted)).toMatchObject([
      { kind: 'cancel_order', order: { ref: refs[1] } },
    ]);
    Object.assign(byRef(refs[1]!), { ended: true });
    expect(slots.reconcile(wanted)).toEqual([]);
    expect([slots.resting('one'), slots.total().bought]).toEqual([2, 1]);
  });

  test('beyond the one of their slot count in that slot alone', () => {
    const { slots, byRef } = openSlots();
    const each = { one: 2, two: 1, three: 4 };
    for (const [slot, remaining] of Object.entries(each)) {
      for (const tail of ['1.1', '1.2']) {
        const ref = `set:BTC:${slot}:${tail}`;
        Object.assign(byRef(ref), { state: 'accepted', remaining });
        slots.find(shown(ref), 'snapshot');
      }
      byRef(`set:BTC:${slot}:1.2`).filled = remaining / 2;
    }
    for (const [slot, remaining] of Object.entries(each)) {
      expect(slots.resting(slot)).toBe(2 * remaining);
      expect(slots.fills(slot)).toEqual({ bought: remaining / 2, sold: 0 });
    }
    expect(slots.total()).toEqual({ bought: 3.5, sold: 0 });
  });

  test('that were changed while their cancel is on its way are known as they are', () => {
    const { slots, byRef, refuse } = openSlots();
    const ref = 'set:BTC:one:500.1';
    const wanted = { slot: 'one', side: 'buy' as const, price: 100, size: 2 };
    Object.assign(byRef(ref), { state: 'accepted', remaining: 2 });
    slots.find(shown(ref), 'snapshot');
    const [cancel] = slots.reconcile([]);
    expect(cancel).toMatchObject({ kind: 'cancel_order', order: { ref } });
    // What the process before had sent arrives, and the cancel does not.
    slots.find(shown(ref, { size: 3, price: 105 }), 'changed');
    Object.assign(byRef(ref), { remaining: 3 });
    refuse(cancel!);
    expect(slots.reconcile([wanted])).toMatchObject([
      { kind: 'modify_order', order: { ref }, change: { price: 100, size: 2 } },
    ]);
  });

  test('may be changed after they were found, by what was on its way then', () => {
    const { slots, byRef } = openSlots();
    const ref = 'set:BTC:one:500.1';
    Object.assign(byRef(ref), { state: 'accepted', remaining: 2 });
    slots.find(shown(ref), 'snapshot');
    slots.find(shown(ref, { size: 4, price: 101 }), 'changed');
    expect(slots.reconcile([{ slot: 'one', side: 'buy', price: 101, size: 2 }])).toMatchObject([
      { kind: 'modify_order', change: { price: 101, size: 2 } },
    ]);
  });

  test('are as this process changed them from then on, whatever a late frame shows', () => {
    const { slots, byRef, accept } = openSlots();
    const ref = 'set:BTC:one:500.1';
    const wanted = [{ slot: 'one', side: 'buy' as const, price: 105, size: 2 }];
    Object.assign(byRef(ref), { state: 'accepted', remaining: 2 });
    slots.find(shown(ref), 'snapshot');
    accept(slots.reconcile(wanted)[0]!);
    // It was sent before the change arrived.
    slots.find(shown(ref), 'changed');
    expect(slots.reconcile(wanted)).toEqual([]);
  });

  test('of another set, or that are not open, are none of this one', () => {
    const { slots } = openSlots();
    expect(slots.find(shown('other:BTC:one:1.1'), 'snapshot')).toBe(false);
    expect(slots.find(shown('set:ETH:one:1.1'), 'snapshot')).toBe(false);
    expect(slots.find(shown('set:BTC:one:1.1', { status: 'filled' }), 'snapshot')).toBe(false);
    expect(slots.find({ ...shown('x'), ref: undefined } as unknown as OwnOrder, 'snapshot')).toBe(
      false,
    );
    expect(slots.reconcile([])).toEqual([]);
  });
});

describe('an order that an outage hides', () => {
  const wanted = [{ slot: 'one', side: 'buy' as const, price: 100, size: 2 }];
  const hidden = () => {
    const run = openSlots();
    const [placed] = run.slots.reconcile(wanted);
    run.accept(placed!);
    const view = run.byRef(placed!.ref!);
    const order = {
      ref: placed!.ref!,
      side: 'buy',
      price: 100,
      size: 2,
      status: 'open',
    } as OwnOrder;
    Object.assign(view, { order, ended: true, remaining: 2 });
    return { ...run, view, order };
  };

  test('keeps its slot from being filled again until its fills can be known', () => {
    const { slots, view, wait } = hidden();
    const heldBack = [{ ...wanted[0]!, isHeldBack: true }];
    expect(slots.unseenUntil('one')).toBe(61_000);
    expect(slots.reconcile(heldBack)).toEqual([]);
    expect(slots.unseenUntil('two')).toBeUndefined();
    // Its fills were read afterwards.
    Object.assign(view, { filled: 2, remaining: 0 });
    expect(slots.isLate(view.ref)).toBe(true);
    expect(slots.isLate('set:BTC:one:9.9')).toBe(false);
    expect(slots.total().bought).toBe(2);
    expect(slots.unseenUntil('one')).toBeUndefined();
    Object.assign(view, { filled: 0, remaining: 2 });
    // What was filled stays filled, also where its view is forgotten.
    expect(slots.total().bought).toBe(2);
    wait(60_000);
    expect(slots.unseenUntil('one')).toBeUndefined();
    expect(slots.reconcile(wanted)).toMatchObject([{ kind: 'place_order' }]);
  });

  test('is taken back when it is shown again', () => {
    const { slots, view, order } = hidden();
    slots.reconcile([{ ...wanted[0]!, isHeldBack: true }]);
    Object.assign(view, { ended: false });
    expect(slots.find(order, 'snapshot')).toBe(false);
    expect(slots.resting('one')).toBe(2);
    expect(slots.reconcile(wanted)).toEqual([]);
  });

  test('that is shown again and missing again is waited for from then on', () => {
    const { slots, view, order, wait } = hidden();
    const heldBack = [{ ...wanted[0]!, isHeldBack: true }];
    for (const missingAt of [1_000, 91_000]) {
      // Of an order that is known no longer what it filled may be shown for a minute.
      expect(slots.unseenUntil('one')).toBe(missingAt + 60_000);
      expect(slots.reconcile(heldBack)).toEqual([]);
      wait(90_000);
      expect(slots.unseenUntil('one')).toBeUndefined();
      Object.assign(view, { ended: false });
      slots.find(order, 'snapshot');
      expect(slots.unseenUntil('one')).toBeUndefined();
      Object.assign(view, { ended: true });
    }
  });

  test('of several the slot waits for the fills of the last', () => {
    const { slots, byRef, accept, order, wait } = hidden();
    slots.reconcile([{ ...wanted[0]!, isHeldBack: true }]);
    for (let missing = 1; missing <= 2; missing++) {
      wait(20_000);
      const [placed] = slots.reconcile(wanted);
      accept(placed!);
      const { ref } = placed!;
      Object.assign(byRef(ref!), { order: { ...order, ref }, remaining: 2, ended: true });
      const until = 1_000 + missing * 20_000 + 60_000;
      expect(slots.unseenUntil('one')).toBe(until);
      // Also when it has made room for the next.
      slots.reconcile([{ ...wanted[0]!, isHeldBack: true }]);
      expect(slots.unseenUntil('one')).toBe(until);
    }
  });

  test('counts once, however many follow it', () => {
    const { slots, byRef, accept, view, order } = hidden();
    Object.assign(view, { filled: 2, remaining: 0 });
    for (let at = 0; at < 6; at++) {
      const [placed] = slots.reconcile(wanted);
      accept(placed!);
      Object.assign(byRef(placed!.ref!), { ended: true, filled: 2 });
    }
    slots.reconcile([]);
    expect(slots.find({ ...order, status: 'filled' }, 'changed')).toBe(false);
    expect(slots.total().bought).toBe(14);
  });
});

test('what is held back is made smaller and moved, never larger', () => {
  const { slots, accept, byRef } = openSlots();
  const one = { slot: 'one', side: 'sell' as const, price: 100, size: 2, isHeldBack: true };
  expect(slots.reconcile([one])).toEqual([]);
  const [placed] = slots.reconcile([{ ...one, isHeldBack: false }]);
  accept(placed!);
  byRef(placed!.ref!).remaining = 2;
  expect(slots.reconcile([{ ...one, size: 5 }])).toEqual([]);
  const [moved] = slots.reconcile([{ ...one, size: 5, price: 110 }]);
  expect(moved).toMatchObject({ kind: 'modify_order', change: { price: 110, size: 2 } });
  accept(moved!);
  expect(slots.reconcile([{ ...one, size: 1, price: 110 }])).toMatchObject([
    { kind: 'modify_order', change: { price: 110, size: 1 } },
  ]);
});

test('a decision of an earlier process leaves its slot free for the order that it placed', () => {
  const { slots, byRef, wait } = openSlots();
  const wanted = [{ slot: 'one', side: 'buy' as const, price: 100, size: 2 }];
  const [placed] = slots.reconcile(wanted);
  Object.assign(byRef(placed!.ref!), { state: 'duplicate', order: null, remaining: 2 });
  slots.follow({ intent: placed, state: 'duplicate' } as unknown as Outcome);
  expect(slots.resting('one')).toBe(0);
  expect(slots.reconcile(wanted)).toEqual([]);
  const ref = 'set:BTC:one:500.1';
  Object.assign(byRef(ref), { state: 'accepted', remaining: 2 });
  const order = { ref, side: 'buy', price: 100, size: 2, status: 'open' } as OwnOrder;
  expect(slots.find(order, 'changed')).toBe(true);
  wait(OPTIONS.retry_ms);
  expect(slots.reconcile(wanted)).toEqual([]);
});

test('a quote never rests more than its bound allows, and sells on spot what is held alone', async () => {
  const drawn = fc.record({
    symbol: fc.constantFrom('BTC', 'BTC/USDC'),
    held: fc.constantFrom(-3, -1, 0, 1, 3),
    max_position: fc.constantFrom(1, 2, 5),
    size: fc.constantFrom(1, 2),
    bid_size: fc.constantFrom(undefined, 0.5, 4),
    ask_size: fc.constantFrom(undefined, 0.5, 4),
    sides: fc.constantFrom('both', 'bid', 'ask', 'none'),
  });
  await holdLaw(150, drawn, ({ symbol, held, max_position, size, bid_size, ask_size, sides }) => {
    const isSpot = symbol.includes('/');
    if (isSpot && held < 0) return;
    const target = {
      bid: sides === 'both' || sides === 'bid' ? 99 : null,
      ask: sides === 'both' || sides === 'ask' ? 101 : null,
      size,
      max_position,
      ...(bid_size !== undefined && { bid_size }),
      ...(ask_size !== undefined && { ask_size }),
    };
    const strategy = defineStrategy({
      name: 'quotes',
      contract: 1,
      description: 'For a test.',
      scopes: ['trade'],
      params: z.object({}),
      setup: (ctx) =>
        (ctx as StrategyContext).price(symbol).pipe(
          map(() => target),
          quote(ctx as StrategyContext, symbol),
        ),
    });
    const bot = testStrategy(strategy, { symbols: [symbol] });
    if (held !== 0)
      bot.position(symbol, {
        side: held > 0 ? 'long' : 'short',
        size: Math.abs(held),
        entry_price: 100,
      });
    bot.price(symbol, 100);
    const placed = Object.fromEntries(
      bot.intents.map((intent) => {
        if (intent.kind !== 'place_order') throw new Error(intent.kind);
        return [intent.request.side, intent.request.size];
      }),
    );
    const most = {
      buy:
        sides === 'both' || sides === 'bid' ? Math.min(bid_size ?? size, max_position - held) : 0,
      sell:
        sides === 'both' || sides === 'ask'
          ? Math.min(ask_size ?? size, isSpot ? held : max_position + held)
          : 0,
    };
    for (const side of ['buy', 'sell'] as const)
      expect([side, placed[side] ?? 0]).toEqual([side, Math.max(0, most[side])]);
  });
});
