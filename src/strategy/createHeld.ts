import type { StrategyContext } from './StrategyContext.ts';

/** Sums of what own orders filled, base units. */
export interface Turnover {
  bought: number;
  sold: number;
}

/** What an instance may hold of a symbol by now, base units; below zero for a short. */
export interface HeldBounds {
  long: number;
  short: number;
}

/** After this much market time without a fill, position frames show all of them. */
const SETTLED_MS = 1_000;
/**
 * After this much the position shown last does, whenever it came: that of a snapshot after an outage may have been before
 * the fills that it shows.
 */
const LONG_SETTLED_MS = 10_000;

/**
 * What may be held by now. A fill, its order's state and the position are separate frames: between them the position
 * shown is behind, so what the orders filled since is counted too, and both results are bounds.
 */
export function createHeld(ctx: Pick<StrategyContext, 'now'>) {
  let base: number | undefined;
  let filled = 0;
  let filledAt = 0;

  function note({ bought, sold }: Turnover): void {
    const turnover = bought + sold;
    if (turnover !== filled) filledAt = ctx.now();
    filled = turnover;
  }

  function rebase(position: number, { bought, sold }: Turnover): void {
    base = position - bought + sold;
  }

  return {
    /** Takes the position as it is shown, unless a fill may be missing in it. */
    onPosition(position: number, turnover: Turnover): void {
      note(turnover);
      if (base !== undefined && ctx.now() - filledAt < SETTLED_MS) return;
      rebase(position, turnover);
    },
    bounds(position: number, turnover: Turnover): HeldBounds {
      note(turnover);
      if (base !== undefined && ctx.now() - filledAt >= LONG_SETTLED_MS) rebase(position, turnover);
      const counted = (base ?? position) + turnover.bought - turnover.sold;
      return { long: Math.max(position, counted), short: Math.min(position, counted) };
    },
  };
}
