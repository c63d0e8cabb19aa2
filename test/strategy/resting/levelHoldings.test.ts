/** What the levels of a grid hold, beside a plain reading of the same fills and positions. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  buyOf,
  createLevelHoldings,
  sellOf,
} from '../../../src/strategy/resting/createLevelHoldings.ts';
import type { OrderSlots } from '../../../src/strategy/resting/createSlots.ts';
import type { RestingContext } from '../../../src/strategy/resting/Slot.ts';
import type { Outcome } from '../../../src/strategy/Outcome.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';

const SYMBOL = 'BTC';
/** After this much market time without news, what is known counts as all there is. */
const APART_MS = 10_000;

/** The holdings of levels whose orders are in a test's hands. */
function open(sizes: readonly number[]) {
  let time = 1_000_000;
  let position = 0;
  const levels = sizes.map((size) => ({ size }));
  const fills = new Map<string, { bought: number; sold: number }>();
  const resting = new Map<string, number>();
  const unseen = new Map<string, number>();
  const fillsOf = (slot: string) => fills.get(slot) ?? { bought: 0, sold: 0 };
  const slots = {
    fills: fillsOf,
    resting: (slot: string) => resting.get(slot) ?? 0,
    unseenUntil: (slot: string) => unseen.get(slot),
    total: () => {
      const sum = { bought: 0, sold: 0 };
      for (const { bought, sold } of fills.values()) {
        sum.bought += bought;
        sum.sold += sold;
      }
      return sum;
    },
  } as unknown as OrderSlots;
  const ctx = { now: () => time, instrument: () => ({ size_decimals: 2 }) };
  const holdings = createLevelHoldings(ctx as unknown as RestingContext, SYMBOL);
  return {
    levels,
    resting,
    unseen,
    holdings,
    now: () => time,
    pass(ms: number) {
      time += ms;
    },
    show(size: number) {
      position = size;
      holdings.onPosition({ slots, position });
    },
    buy(at: number, size: number) {
      fills.set(buyOf(at), { bought: fillsOf(buyOf(at)).bought + size, sold: 0 });
    },
    sell(at: number, size: number) {
      fills.set(sellOf(at), { bought: 0, sold: fillsOf(sellOf(at)).sold + size });
    },
    refuse(symbol: string, code = 'no_position', state = 'rejected') {
      const intent = { kind: 'place_order', request: { symbol } };
      holdings.onOutcome({ state, intent, fault: { code } } as unknown as Outcome);
    },
    read: () => holdings.of(levels, { slots, position }),
  };
}

const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

const sizesDrawn = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 3 });

test('at the start a level has what its orders show, and the rest goes to the first levels', async () => {
  const drawn = fc.record({
    sizes: sizesDrawn,
    position: fc.integer({ min: -2, max: 12 }),
    offers: fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }),
    bids: fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }),
  });
  await holdLaw(200, drawn, ({ sizes, position, offers, bids }) => {
    const run = open(sizes);
    for (const at of sizes.keys()) {
      run.resting.set(sellOf(at), Math.min(sizes[at]!, offers[at]!));
      run.resting.set(buyOf(at), Math.min(sizes[at]!, bids[at]!));
    }
    run.show(position);
    let left = Math.max(0, position);
    const holds = sizes.map((size, at) => Math.min(left, take(Math.min(size, offers[at]!))));
    for (const [at, size] of sizes.entries()) {
      const room = Math.max(0, size - Math.min(size, bids[at]!) - holds[at]!);
      holds[at]! += take(room);
    }
    expect(run.read()).toEqual({ holds, isLess: false });

    function take(most: number): number {
      const taken = Math.min(left, most);
      left -= taken;
      return taken;
    }
  });
});

const step = fc.record({
  kind: fc.constantFrom('bought', 'sold', 'sold elsewhere', 'bought elsewhere'),
  at: fc.nat(2),
  size: fc.integer({ min: 1, max: 3 }),
  isBehind: fc.boolean(),
});

test('fills move their level, and what is missing is missing from the last levels on', async () => {
  const tried = new Tried();
  const drawn = fc.record({
    sizes: sizesDrawn,
    start: fc.nat(8),
    steps: fc.array(step, { minLength: 1, maxLength: 10 }),
  });
  await holdLaw(300, drawn, ({ sizes, start, steps }) => {
    const run = open(sizes);
    run.show(start);
    run.read();
    let position = start;
    let left = start;
    const holds = sizes.map((size) => {
      const own = Math.min(left, size);
      left -= own;
      return own;
    });
    for (const { kind, at: drawnAt, size, isBehind } of steps) {
      const at = drawnAt % sizes.length;
      if (kind === 'bought') {
        run.buy(at, size);
        holds[at]! += size;
      } else if (kind === 'sold') {
        run.sell(at, size);
        holds[at] = Math.max(0, holds[at]! - size);
      }
      // A fill and the position that has it are separate frames, in either order.
      if (isBehind) run.read();
      position += kind.startsWith('sold') ? -size : size;
      run.show(position);
      const missing = sumOf(holds) - Math.max(0, position);
      const before = run.read()!;
      expect(before).toEqual({ holds, isLess: missing > 0 });
      expect(run.holdings.wakeTime()).toBe(missing > 0 ? run.now() + APART_MS : undefined);
      if (missing > 0) tried.take(position < 0 ? 'short' : 'missing');
      run.pass(APART_MS);
      if (position >= 0)
        for (let from = holds.length - 1, rest = missing; from >= 0 && rest > 0; from--) {
          const taken = Math.min(rest, holds[from]!);
          holds[from]! -= taken;
          rest -= taken;
        }
      // Under a short nothing can be sold, and the levels wait for its end.
      expect(run.read()).toEqual({ holds, isLess: position < 0 && sumOf(holds) > 0 });
    }
  });
  if (isFull) expect(tried.rare(['short', 'missing'], 20)).toEqual([]);
});

/** Two levels of 2 units that hold 3 together, and 2 of these are sold elsewhere. */
function openSold() {
  const run = open([2, 2]);
  run.show(3);
  expect(run.read()).toEqual({ holds: [2, 1], isLess: false });
  run.pass(60_000);
  run.show(1);
  return run;
}

test.each([
  ['the position', (run: ReturnType<typeof open>) => run.show(0.5)],
  ['a buy alone', (run: ReturnType<typeof open>) => run.buy(0, 0.5)],
  ['a sale alone', (run: ReturnType<typeof open>) => run.sell(0, 0.5)],
  ['a buy and its position', (run: ReturnType<typeof open>) => [run.buy(0, 0.5), run.show(1.5)]],
  ['a sale and its position', (run: ReturnType<typeof open>) => [run.sell(0, 0.5), run.show(0.5)]],
])('what is missing waits for ten seconds without news: %s', (_name, change) => {
  const run = openSold();
  run.read();
  run.pass(APART_MS - 1);
  expect(run.read()).toMatchObject({ isLess: true });
  change(run);
  const { holds } = run.read()!;
  run.pass(APART_MS - 1);
  expect(run.read()).toEqual({ holds, isLess: true });
  run.pass(1);
  expect(run.read()).toMatchObject({ isLess: false });
  expect(run.read()!.holds).not.toEqual(holds);
});

test.each([buyOf(0), sellOf(0), buyOf(1), sellOf(1)])(
  'what is missing waits for the fills of an order that is gone: %s',
  (slot) => {
    const run = openSold();
    const until = run.now() + 25_000;
    run.unseen.set(slot, until);
    expect(run.read()).toEqual({ holds: [2, 1], isLess: true });
    expect(run.holdings.wakeTime()).toBe(until);
    run.pass(24_999);
    expect(run.read()).toEqual({ holds: [2, 1], isLess: true });
    run.pass(1);
    expect(run.read()).toEqual({ holds: [1, 0], isLess: false });
    expect(run.holdings.wakeTime()).toBeUndefined();
  },
);

test('a level that is new holds nothing of what was there before', () => {
  const run = open([2]);
  run.show(4);
  expect(run.read()).toEqual({ holds: [2], isLess: false });
  run.levels.push({ size: 2 });
  expect(run.read()).toEqual({ holds: [2, 0], isLess: false });
  // A level that was left out still has what it holds.
  run.levels.splice(0);
  expect(run.read()).toEqual({ holds: [2, 0], isLess: false });
});

test('a sale that is refused for want of a position counts before its frame does', () => {
  const run = open([2, 2]);
  run.show(3);
  run.read();
  run.pass(60_000);
  for (const other of [
    () => run.refuse('ETH'),
    () => run.refuse(SYMBOL, 'insufficient_margin'),
    () => run.refuse(SYMBOL, 'no_position', 'denied'),
  ]) {
    other();
    expect(run.read()).toEqual({ holds: [2, 1], isLess: false });
  }
  run.refuse(SYMBOL);
  expect(run.read()).toEqual({ holds: [2, 1], isLess: true });
  expect(run.holdings.wakeTime()).toBe(run.now() + APART_MS);
  // A position that is shown again is one.
  run.show(3);
  run.pass(APART_MS);
  expect(run.read()).toEqual({ holds: [2, 1], isLess: false });
  run.refuse(SYMBOL);
  run.read();
  run.pass(APART_MS);
  expect(run.read()).toEqual({ holds: [0, 0], isLess: false });
});

test('under a short a refused sale leaves the levels what they hold', () => {
  const run = open([2]);
  run.show(2);
  run.read();
  run.pass(60_000);
  run.show(-1);
  run.refuse(SYMBOL);
  for (let reads = 0; reads < 3; reads++) {
    expect(run.read()).toEqual({ holds: [2], isLess: true });
    run.pass(APART_MS);
  }
});
