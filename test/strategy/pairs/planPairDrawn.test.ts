/** The next orders of a pair, against what they are for: balance, steps, targets, and no position turned. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  imbalanceOf,
  isAtTarget,
  planPair,
  type PlannedLeg,
} from '../../../src/strategy/pairs/planPair.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';

/** Whole numbers and halves, so that sums are exact and edges are met. */
const drawnLeg = fc.record({
  held: fc.integer({ min: -8, max: 8 }),
  target: fc.integer({ min: -8, max: 8 }),
  unit: fc.constantFrom(1, 2, 0.5),
  dust: fc.constantFrom(0, 0, 0.5, 1),
});
const drawn = fc.record({
  legs: fc.tuple(drawnLeg, drawnLeg),
  most: fc.constantFrom(1, 2, 5, 20),
  slack: fc.constantFrom(0, 1, 2, 4),
  isUnwinding: fc.boolean(),
  lead: fc.constantFrom(undefined, 0 as const, 1 as const),
});

const gap = ({ held, target }: PlannedLeg): number => target - held;

test('orders lead to the target in steps, without a leg that lacks its counterpart', async () => {
  const tried = new Tried();
  await holdLaw(1_000, drawn, ({ legs, ...bounds }) => {
    const { most, slack, isUnwinding, lead } = bounds;
    const orders = planPair(legs, bounds);
    const naked = legs[0].held * legs[0].unit + legs[1].held * legs[1].unit;
    expect(imbalanceOf(legs)).toBe(naked);
    const after = legs.map((leg, at) => ({ ...leg, held: leg.held + orders[at]! })) as never;
    const change = imbalanceOf(after) - naked;
    const done = legs.map((leg) => Math.abs(gap(leg)) <= leg.dust);
    for (const [at, leg] of legs.entries()) {
      const order = orders[at]!;
      // A position is closed before one on the other side is opened.
      if (leg.held !== 0) expect(leg.held * (leg.held + order)).toBeGreaterThanOrEqual(0);
      if (isUnwinding || order === 0) continue;
      expect(done[at]).toBe(false);
      expect(Math.sign(order)).toBe(Math.sign(gap(leg)));
      expect(Math.abs(order)).toBeLessThanOrEqual(Math.abs(gap(leg)));
    }
    const isNaked = Math.abs(naked) > slack;
    if (isUnwinding) {
      if (!isNaked) {
        expect(orders.map(Math.abs)).toEqual([0, 0]);
        return;
      }
      // Only what is held on the side of the imbalance is reduced, and by no more than it.
      const side = legs.map(({ held }) => Math.sign(held) === Math.sign(naked));
      for (const at of [0, 1] as const) if (!side[at]) expect(Math.abs(orders[at])).toBe(0);
      expect(change).toBe(-naked);
      tried.take('unwinding');
      return;
    }
    if (done.every(Boolean)) {
      expect(orders.map(Math.abs)).toEqual([0, 0]);
      return;
    }
    if (isNaked) {
      // What may be sent toward the balance is sent, and no more.
      const toward = legs.map((leg, at) => {
        const away = gap(leg);
        if (done[at] || Math.sign(away) !== -Math.sign(naked)) return 0;
        const turns = leg.held !== 0 && Math.sign(away) !== Math.sign(leg.held);
        return Math.min(Math.abs(away), turns ? Math.abs(leg.held) : Infinity) * leg.unit;
      });
      const most0 = Math.min(Math.abs(naked), toward[0]! + toward[1]!);
      expect(Math.abs(change)).toBe(most0);
      if (change !== 0) expect(Math.sign(change)).toBe(-Math.sign(naked));
      for (const order of orders) if (order !== 0) expect(Math.sign(order)).toBe(-Math.sign(naked));
      tried.take(toward.every((size) => size > 0) ? 'both complete' : 'one completes');
      return;
    }
    for (const [at, leg] of legs.entries()) {
      const other = lead !== undefined && lead !== at;
      if (other && !done[lead]) {
        expect(Math.abs(orders[at]!)).toBe(0);
        tried.take('the other waits');
        continue;
      }
      const away = Math.abs(gap(leg));
      const turns = leg.held !== 0 && Math.sign(gap(leg)) !== Math.sign(leg.held);
      const wanted = Math.min(away, most / leg.unit, turns ? Math.abs(leg.held) : Infinity);
      expect(Math.abs(orders[at]!)).toBe(done[at] ? 0 : wanted);
      tried.take('a step');
    }
  });
  const all = ['unwinding', 'both complete', 'one completes', 'the other waits', 'a step'];
  if (isFull) expect(tried.rare(all, 5)).toEqual([]);
});

test('a leg is at its target within its dust, or within a share of the target', async () => {
  await holdLaw(300, fc.tuple(drawnLeg, fc.constantFrom(0, 0.1, 0.25, 0.5)), ([leg, tolerance]) => {
    const off = Math.abs(gap(leg));
    const isNear = off <= leg.dust || off <= tolerance * Math.abs(leg.target);
    expect(isAtTarget(leg, tolerance)).toBe(isNear);
    expect(isAtTarget(leg)).toBe(off <= leg.dust);
  });
});
