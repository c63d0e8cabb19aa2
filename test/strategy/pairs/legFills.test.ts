/** What a leg holds between its fills, their frames and those of the position. */
import { expect, test } from 'vitest';
import { createPairLeg } from '../../../src/strategy/pairs/createPairLeg.ts';
import { toInstrumentView } from '../../../src/strategy/toInstrumentView.ts';
import { listInstruments } from '../../../src/testing/listInstruments.ts';

const record = listInstruments(['BTC'], {}).get('BTC')!;

interface View {
  ref: string;
  state: string | undefined;
  order: object | null;
  outcome: object | undefined;
  filled: number;
  remaining: number;
  ended: boolean;
}

function open(symbol = 'BTC') {
  const views = new Map<string, View>();
  let now = 1_000_000;
  const ctx = {
    byRef(ref: string) {
      const view: View = {
        ref,
        state: undefined,
        order: null,
        outcome: undefined,
        filled: 0,
        remaining: 0,
        ended: false,
      };
      views.set(ref, view);
      return view;
    },
    instrument: () => toInstrumentView({ ...record, size_decimals: 2, min_order_value: 0 }),
    now: () => now,
  };
  const leg = createPairLeg(ctx as never, symbol, { name: 'pair', slippage_bps: 20 });
  leg.price = 100;

  /** An order, as its intent was proposed. */
  function send(size: number) {
    const intent = leg.order(size, now + 60_000);
    if (intent?.kind !== 'place_order') throw new Error('nothing was sent');
    return intent;
  }
  /** Its outcome and so much of its fills are known by now, though no frame of the order itself. */
  function fill(intent: ReturnType<typeof send>, filled = intent.request.size): void {
    const known = { state: 'accepted', outcome: { intent }, filled, ended: true };
    Object.assign(views.get(intent.ref!)!, known);
    leg.follow({ intent } as never);
  }
  return { leg, send, fill, later: (ms: number) => (now += ms) };
}

test('fills count by the side of what was sent, before any frame of the order or the position', () => {
  for (const sign of [1, -1]) {
    const { leg, send, fill } = open();
    leg.onPosition(0);
    expect(leg.held()).toBe(0);
    fill(send(sign));
    // To buy it again now would be to hold it twice.
    expect(leg.held()).toBeUndefined();
    leg.onPosition(sign);
    expect(leg.held()).toBe(sign);
  }
});

test('a ref that is used again counts what it filled before once, also while its order is on its way', () => {
  const { leg, send, fill, later } = open();
  leg.onPosition(0);
  for (let held = 1; held <= 20; held++) {
    const intent = send(1);
    // Frames that have nothing to do with it, such as those of another mark.
    for (let frame = 0; frame < 2; frame++) {
      later(2_000);
      leg.onPosition(held - 1);
    }
    expect(leg.held()).toBeUndefined();
    fill(intent);
    expect(leg.held()).toBeUndefined();
    leg.onPosition(held);
    expect([held, leg.held()]).toEqual([held, held]);
    expect(leg.takeEnd()).toBe('filled');
  }
});

test('an end is taken once, and each order has its bound and a ref of the pair and its symbol', () => {
  const { leg, send, fill } = open('dex/XYZ 1');
  leg.onPosition(0);
  const entry = send(1);
  expect(entry).toMatchObject({ ref: 'pair:dex_XYZ_1:1', request: { slippage_bps: 20 } });
  fill(entry);
  leg.onPosition(1);
  expect([leg.takeEnd(), leg.takeEnd()]).toEqual(['filled', undefined]);
  const exit = send(-1);
  expect(exit).toMatchObject({ request: { slippage_bps: 20, reduce_only: true } });
  expect(exit.ref).not.toBe(entry.ref);
});

test('frames that stay apart are believed after ten seconds of market time, and from then on at once', () => {
  const { leg, send, fill, later } = open();
  leg.onPosition(0);
  fill(send(2));
  later(2_000);
  expect([leg.held(), leg.apartUntil()]).toEqual([undefined, 1_012_000]);
  later(5_000);
  // The time counts from when they came apart.
  expect([leg.held(), leg.apartUntil()]).toEqual([undefined, 1_012_000]);
  later(5_000);
  // Someone else sold what was bought.
  expect([leg.held(), leg.apartUntil()]).toEqual([0, undefined]);
  expect(leg.held()).toBe(0);
  fill(send(1));
  later(1_000);
  leg.onPosition(1);
  expect(leg.held()).toBe(1);
});

test.each(['asked twice', 'asked once'])(
  'a position that lacks a late fill is believed after its time, and the next fill is waited for: %s',
  (asked) => {
    const { leg, send, fill, later } = open();
    leg.onPosition(0);
    const first = send(2);
    fill(first, 1);
    later(2_000);
    expect(leg.held()).toBeUndefined();
    later(5_000);
    fill(first, 2);
    expect(leg.held()).toBeUndefined();
    later(5_000);
    expect([leg.held(), leg.apartUntil()]).toEqual([0, undefined]);
    if (asked === 'asked twice') expect(leg.held()).toBe(0);
    fill(send(1));
    expect(leg.held()).toBeUndefined();
    leg.onPosition(1);
    expect(leg.held()).toBe(1);
  },
);

test('what a double can’t hold of a sum is no difference', () => {
  const { leg, send, fill } = open();
  leg.onPosition(0);
  for (const [size, position] of [
    [0.1, 0.1],
    [0.2, 0.3],
    [0.3, 0.6],
  ] as const) {
    fill(send(size));
    leg.onPosition(position);
    expect(leg.held()).toBe(position);
  }
});
