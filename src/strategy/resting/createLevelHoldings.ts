/**
 * What each level of a grid holds, from its open orders, its fills and the position.
 *
 * Fills move it at once. The position decides what the levels hold at the start, and later only how much they can hold
 * together: what someone else bought belongs to no level.
 */
import { createHeld, type HeldBounds, type Turnover } from '../createHeld.ts';
import type { Outcome } from '../Outcome.ts';
import type { OrderSlots } from './createSlots.ts';
import type { RestingContext } from './Slot.ts';
import type { RestingState } from './restingOperator.ts';

export interface HeldByLevel {
  /** Base units by level, never below 0; of levels that were left out too. */
  holds: readonly number[];
  /** The position has less than the levels hold together, and it may still be behind: nothing more is offered. */
  isLess: boolean;
}

/** A level, as far as its holding goes: the most that it holds, base units. */
interface Sized {
  size: number;
}

export interface LevelHoldings {
  onPosition(state: RestingState): void;
  onOutcome(outcome: Outcome): void;
  /** undefined as long as it can't be told: fills since the start and the position differ. */
  of(levels: readonly Sized[], state: RestingState): HeldByLevel | undefined;
  /** Market time from which on the position is believed, if it differs from the fills; undefined if it does not. */
  wakeTime(): number | undefined;
}

export const buyOf = (at: number): string => `${at}-buy`;
export const sellOf = (at: number): string => `${at}-sell`;

/** Frames that come apart are together again after this much market time. */
const APART_MS = 10_000;

export function createLevelHoldings(ctx: RestingContext, symbol: string): LevelHoldings {
  const tally = createHeld(ctx);
  /** Held by each level at the start, corrected by what was found to be missing since. */
  let carried: number[] | undefined;
  /** The service has said that there is no position, and has shown none since. */
  let isFlat = false;
  let known = '';
  let knownSince = 0;
  let wakeAt: number | undefined;
  let halfStep = 0;

  /** From when on what is known counts as all there is, if nothing comes until then. */
  function settledTime(
    levels: number,
    { slots, position }: RestingState,
    { bought, sold }: Turnover,
  ): number {
    const news = `${position} ${bought} ${sold}`;
    if (news !== known) knownSince = ctx.now();
    known = news;
    let time = knownSince + APART_MS;
    for (let at = 0; at < levels; at++)
      for (const slot of [buyOf(at), sellOf(at)])
        time = Math.max(time, slots.unseenUntil(slot) ?? 0);
    return time;
  }

  /** The position by all that is known, and whether that is two different ones. */
  function bounds(
    position: number,
    filled: Turnover,
    isSettled: boolean,
  ): HeldBounds & { isApart: boolean } {
    if (isSettled) tally.onPosition(position, filled);
    const { long, short } = tally.bounds(position, filled);
    return { long, short, isApart: long - short > halfStep };
  }

  /** A level that sold more than it held had sold what was taken for another one's. */
  function held(own: number[], slots: OrderSlots): number[] {
    return own.map((size, at) => {
      const holds = size + movedBy(slots, at);
      if (holds < 0) own[at] = size - holds;
      return Math.max(0, holds);
    });
  }

  /** The first levels keep what is left. */
  function takeMissing(own: number[], holds: number[], missing: number): void {
    for (let at = holds.length - 1, left = missing; at >= 0 && left > 0; at--) {
      const taken = Math.min(left, holds[at]!);
      own[at]! -= taken;
      holds[at]! -= taken;
      left -= taken;
    }
  }

  return {
    onPosition({ slots, position }) {
      isFlat = false;
      tally.onPosition(position, slots.total());
    },
    onOutcome({ state, intent, fault }) {
      if (state !== 'rejected' || fault?.code !== 'no_position') return;
      if (intent.kind === 'place_order' && intent.request.symbol === symbol) isFlat = true;
    },
    of(levels, { slots, position: shown }) {
      if (halfStep === 0) halfStep = 0.5 * 10 ** -ctx.instrument(symbol).size_decimals;
      const position = isFlat ? Math.min(0, shown) : shown;
      const count = Math.max(levels.length, carried?.length ?? 0);
      const filled = slots.total();
      const settledAt = settledTime(count, { slots, position }, filled);
      const isSettled = ctx.now() >= settledAt;
      const { long, isApart } = bounds(position, filled, isSettled);
      wakeAt = isApart ? settledAt : undefined;
      if (carried === undefined && isApart) return undefined;
      carried ??= share(levels, slots, position).map((size, at) => size - movedBy(slots, at));
      while (carried.length < count) carried.push(0);
      const holds = held(carried, slots);
      const most = Math.max(0, isFlat ? position : long);
      const missing = holds.reduce((sum, size) => sum + size, 0) - most;
      if (missing <= halfStep) return { holds, isLess: false };
      // Under a short nothing can be sold, and a level that bought again would only close what is not the grid's.
      const isMissing = isSettled && long >= 0;
      if (isMissing) takeMissing(carried, holds, missing);
      if (!isSettled) wakeAt = settledAt;
      return { holds, isLess: !isMissing };
    },
    wakeTime: () => wakeAt,
  };
}

/** Bought and not sold by a level since the start, by orders that are known. */
const movedBy = (slots: OrderSlots, at: number): number =>
  slots.fills(buyOf(at)).bought - slots.fills(sellOf(at)).sold;

/**
 * What each level holds of the position: what its sell order offers and what its buy order filled since the start, and
 * of the rest its share. What its buy order still bids for it does not hold yet.
 */
function share(levels: readonly Sized[], slots: OrderSlots, position: number): number[] {
  let left = Math.max(0, position);
  const take = (most: number): number => {
    const taken = Math.max(0, Math.min(left, most));
    left -= taken;
    return taken;
  };
  const shown = levels.map((_level, at) =>
    take(slots.resting(sellOf(at)) + slots.fills(buyOf(at)).bought),
  );
  return levels.map(
    ({ size }, at) => shown[at]! + take(size - slots.resting(buyOf(at)) - shown[at]!),
  );
}
