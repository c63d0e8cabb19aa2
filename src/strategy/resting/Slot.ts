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

/** What a request is for: less than before of an order that rests is a reduction, none of it a withdrawal. */
export type Purpose = 'entry' | 'reduction' | 'withdrawal';

/** What is on its way for a slot. */
export interface Request {
  ref: string;
  kind: 'place' | 'modify' | 'cancel';
  purpose: Purpose;
  side: RestingOrder['side'];
  /** Nothing was sent yet. */
  isWaiting: boolean;
  /** What the order is changed to. */
  price: number;
  size: number;
}

/** After a refusal nothing of its purpose is sent before a time, or before something else is wanted. */
export interface Wait {
  /** Market time. */
  until: number;
  side: RestingOrder['side'] | undefined;
  /** undefined if the refusal holds at any price. */
  price: number | undefined;
  /** In a row. */
  refusals: number;
}

export interface Slot {
  readonly name: string;
  live: Live | undefined;
  request: Request | undefined;
  /** By purpose: an order that nobody wants any more must not stay because a change of it was refused. */
  readonly waits: Readonly<Record<Purpose, Wait>>;
  /** Its last orders that ended, oldest first: their fills may be shown later than their ends. */
  readonly past: Live[];
  /** Its fills are read by its name: it is never forgotten. */
  isCounted: boolean;
  /** Filled by orders before those. */
  bought: number;
  sold: number;
}

export const noWait = (): Wait => ({ until: 0, side: undefined, price: undefined, refusals: 0 });

export const emptySlot = (name: string): Slot => ({
  name,
  live: undefined,
  request: undefined,
  waits: { entry: noWait(), reduction: noWait(), withdrawal: noWait() },
  past: [],
  isCounted: false,
  bought: 0,
  sold: 0,
});

/** Nothing came of an intent in these states. */
export const REFUSED: readonly OutcomeState[] = ['denied', 'rejected', 'expired', 'absent'];
