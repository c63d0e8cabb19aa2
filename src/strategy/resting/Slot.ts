import type { OutcomeState } from '../Outcome.ts';
import type { RefView } from '../refs/createByRef.ts';
import type { StrategyContext } from '../StrategyContext.ts';
import type { RestingOrder } from './RestingOrder.ts';

export type RestingContext = Pick<
  StrategyContext,
  | 'byRef'
  | 'fills$'
  | 'instrument'
  | 'liveness'
  | 'log'
  | 'now'
  | 'orders$'
  | 'outcomes$'
  | 'position'
  | 'scheduler'
>;

/** An order that should rest, as a plan works it out. */
export interface WantedOrder extends RestingOrder {
  /**
   * The size that was asked for, of which `size` is what is left: only if this is too small to be placed is that news
   * to the author. Default: `size`.
   */
  asked?: number;
  /** It is not placed, and what rests of it is not enlarged; a smaller size and another price are sent. */
  isHeldBack?: boolean;
}

/** An order of a slot; `size` is its total, of which `view.filled` is filled. */
export interface Live {
  readonly ref: string;
  readonly view: RefView;
  readonly side: RestingOrder['side'];
  price: number;
  size: number;
  /** Filled before the start, base units: the position at the start has it. */
  readonly before: number;
  /** The most that was seen of `view.filled`, which may be forgotten long after the end. */
  filled: number;
  /** What it is changed to is known from the service alone: an earlier process placed it, and may have changed it. */
  isFound: boolean;
  /** Market time at which it was seen to have ended. */
  endedAt: number | undefined;
}

/** What is on its way for a slot. */
export interface Request {
  ref: string;
  kind: 'place' | 'modify' | 'cancel';
  /** Nothing was sent yet. */
  isWaiting: boolean;
  /** What the order is changed to. */
  price: number;
  size: number;
}

export interface Slot {
  readonly name: string;
  live: Live | undefined;
  request: Request | undefined;
  /** After a refusal nothing is sent for it before this time, or before another price is wanted. */
  restUntil: number;
  refused: { price: number } | undefined;
  /** Refusals in a row. */
  refusals: number;
  /** Its last orders that ended, oldest first: their fills may be shown later than their ends. */
  readonly past: Live[];
  /** Filled by orders before those. */
  bought: number;
  sold: number;
}

export const emptySlot = (name: string): Slot => ({
  name,
  live: undefined,
  request: undefined,
  restUntil: 0,
  refused: undefined,
  refusals: 0,
  past: [],
  bought: 0,
  sold: 0,
});

/** Nothing came of an intent in these states. */
export const REFUSED: readonly OutcomeState[] = ['denied', 'rejected', 'expired', 'absent'];

/** Sums of sizes differ by less. */
export const ROUNDING = 1e-9;
