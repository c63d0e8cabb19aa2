/** A grid where frames come apart, and where an outage hides the end of an order. */
import { BehaviorSubject, of, Subject, VirtualTimeScheduler } from 'rxjs';
import { expect, test } from 'vitest';
import { grid, type Intent, type RestingContext } from '../../../src/index.ts';

interface View {
  ref: string;
  state: string | undefined;
  order: object | null;
  ended: boolean;
  filled: number;
  remaining: number;
}

/** Levels of 2 units, in a test's hands. */
function open({ count = 1 } = {}) {
  let refused = '';
  const scheduler = new VirtualTimeScheduler();
  const views = new Map<string, View>();
  const byRef = (ref: string): View => {
    const known = views.get(ref);
    if (known !== undefined) return known;
    const fresh = { ref, state: undefined, order: null, ended: false, filled: 0, remaining: 0 };
    views.set(ref, fresh);
    return fresh;
  };
  const orders$ = new Subject<object>();
  const fills$ = new Subject<{ ref: string }>();
  const outcomes$ = new Subject<object>();
  const position$ = new BehaviorSubject<object | null>(null);
  const levels$ = new Subject<ReadonlyArray<{ buy: number; sell: number; size: number }>>();
  const ctx = {
    byRef,
    orders$,
    fills$,
    outcomes$,
    scheduler,
    position: () => position$,
    now: () => scheduler.now(),
    liveness: () => 'live',
    log: { warn: () => {} },
    instrument: () => ({
      min_order_value: 10,
      size_decimals: 2,
      roundSize: (size: number) => Math.round(size * 100) / 100,
      roundPrice: (price: number) => price,
    }),
  } as unknown as RestingContext;
  const sent: Intent[] = [];
  levels$.pipe(grid(ctx, 'BTC')).subscribe((intent) => {
    sent.push(intent);
    if (intent.kind !== 'place_order') return;
    const { size } = intent.request;
    if (refused !== '' && intent.ref!.includes(`:${refused}:`)) {
      refused = '';
      Object.assign(byRef(intent.ref!), { state: 'denied', ended: true });
      outcomes$.next({ intent, state: 'denied' });
      return;
    }
    Object.assign(byRef(intent.ref!), { state: 'accepted', remaining: size });
    outcomes$.next({ intent, state: 'accepted' });
  });
  const order = (ref: string, more: object) => ({
    ref,
    symbol: 'BTC',
    side: 'buy',
    price: 98,
    size: 2,
    status: 'open',
    ...more,
  });
  return {
    byRef,
    fills$,
    order,
    orders$,
    outcomes$,
    sent: () =>
      sent.map((intent) => {
        if (intent.kind !== 'place_order') return intent.kind;
        return `${intent.request.side} ${intent.request.size}`;
      }),
    lastRef: () => sent.at(-1)!.ref!,
    /** The next order of this slot is denied. */
    refuse: (slot: string) => void (refused = slot),
    target: () =>
      of(
        Array.from({ length: count }, (_none, at) => ({ buy: 98 - at, sell: 100 + at, size: 2 })),
      ).subscribe((one) => levels$.next(one)),
    hold: (size: number) =>
      position$.next(
        size === 0 ? null : { side: size > 0 ? 'long' : 'short', size: Math.abs(size) },
      ),
    wait(ms: number): void {
      scheduler.maxFrames = scheduler.now() + ms;
      scheduler.schedule(() => {}, ms);
      scheduler.flush();
    },
  };
}

/** A buy order that was found at the start has filled before the first target, and no position shows it yet. */
function openFilled(): ReturnType<typeof open> {
  const run = open();
  const ref = 'grid:BTC:0-buy:1.1';
  Object.assign(run.byRef(ref), { state: 'accepted', remaining: 2 });
  run.orders$.next({ event: 'snapshot', order: run.order(ref, {}) });
  Object.assign(run.byRef(ref), { filled: 2, remaining: 0, ended: true });
  run.target();
  return run;
}

test('the position is shared out once it shows what was filled', () => {
  const run = openFilled();
  expect(run.sent()).toEqual([]);
  run.hold(2);
  expect(run.sent()).toEqual(['sell 2']);
});

test('a position that never shows a fill is believed after ten seconds', () => {
  const run = openFilled();
  run.wait(9_000);
  expect(run.sent()).toEqual([]);
  run.wait(1_001);
  expect(run.sent()).toEqual(['buy 2']);
});

test('a level whose order is gone after an outage waits for its fills', () => {
  const run = open();
  run.target();
  expect(run.sent()).toEqual(['buy 2']);
  const ref = run.lastRef();
  const order = run.order(ref, {});
  Object.assign(run.byRef(ref), { order, ended: true });
  run.orders$.next({ event: 'gone', order });
  run.hold(2);
  run.wait(30_000);
  expect(run.sent()).toEqual(['buy 2']);
  Object.assign(run.byRef(ref), { filled: 2, remaining: 0 });
  run.fills$.next({ ref });
  expect(run.sent()).toEqual(['buy 2', 'sell 2']);
});

test('a level whose order is gone after an outage bids again after a minute without fills', () => {
  const run = open();
  run.target();
  const ref = run.lastRef();
  const order = run.order(ref, {});
  Object.assign(run.byRef(ref), { order, ended: true });
  run.orders$.next({ event: 'gone', order });
  run.wait(59_000);
  expect(run.sent()).toEqual(['buy 2']);
  run.wait(2_000);
  expect(run.sent()).toEqual(['buy 2', 'buy 2']);
});

test('a level that only made a short smaller does not go on with it', () => {
  const run = open();
  run.wait(2_000);
  run.hold(-5);
  run.target();
  const ref = run.lastRef();
  Object.assign(run.byRef(ref), { filled: 2, remaining: 0, ended: true });
  run.orders$.next({ event: 'changed', order: run.order(ref, { status: 'filled' }) });
  run.hold(-3);
  run.wait(120_000);
  expect(run.sent()).toEqual(['buy 2']);
  // Whoever was short has closed it: the grid holds nothing, and begins again.
  run.hold(0);
  run.wait(11_000);
  expect(run.sent()).toEqual(['buy 2', 'buy 2']);
});

test('a level that was refused is tried again though another one waits for longer', () => {
  const run = open({ count: 2 });
  // The order of the first level is gone: its fills may be shown for a minute.
  const gone = 'grid:BTC:0-buy:1.1';
  const order = run.order(gone, {});
  Object.assign(run.byRef(gone), { state: 'accepted', remaining: 2, order });
  run.orders$.next({ event: 'snapshot', order });
  Object.assign(run.byRef(gone), { ended: true });
  run.orders$.next({ event: 'gone', order });
  run.target();
  expect(run.sent()).toEqual(['buy 2']);
  run.wait(1_000);
  run.refuse('1-buy');
  const ended = run.order(run.lastRef(), { status: 'cancelled' });
  Object.assign(run.byRef(ended.ref), { ended: true, order: ended });
  run.orders$.next({ event: 'changed', order: ended });
  expect(run.sent()).toEqual(['buy 2', 'buy 2']);
  run.wait(4_999);
  expect(run.sent()).toEqual(['buy 2', 'buy 2']);
  run.wait(2);
  expect(run.sent()).toEqual(['buy 2', 'buy 2', 'buy 2']);
  run.wait(60_000);
  expect(run.sent()).toEqual(['buy 2', 'buy 2', 'buy 2', 'buy 2']);
});

test('a level bids at once for what it sold, though the position lacks what another one holds', () => {
  const run = open({ count: 2 });
  run.wait(2_000);
  run.hold(4);
  run.target();
  expect(run.sent()).toEqual(['sell 2', 'sell 2']);
  const sold = run.order(run.lastRef(), { side: 'sell', status: 'filled' });
  run.wait(2_000);
  // One unit was sold elsewhere, and two by the second level.
  run.hold(1);
  Object.assign(run.byRef(sold.ref), { filled: 2, remaining: 0, ended: true, order: sold });
  run.orders$.next({ event: 'changed', order: sold });
  expect(run.sent()).toEqual(['sell 2', 'sell 2', 'buy 2']);
});
