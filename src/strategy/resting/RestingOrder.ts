import type { Side } from '../../contract/index.ts';

/** An order that should rest in the market. A slot has one order at a time. */
export interface RestingOrder {
  /**
   * Its name, 1 to 40 of `A-Z a-z 0-9 _ . -`, unique within a set: an order of the same slot is changed, not placed
   * again.
   */
  slot: string;
  side: Side;
  /** Quote units; rounded away from the market to a valid price. */
  price: number;
  /** What should rest, base units, whatever was filled of it before; rounded down. */
  size: number;
  /** It never opens or turns a position. */
  reduce_only?: boolean;
  /** Whether it is refused where it would trade at once. Default: the option of that name. */
  post_only?: boolean;
}

/** How a set of resting orders follows what is wanted. */
export interface RestingOptions {
  /** Prefix of the refs; each set of orders on a symbol has its own. It finds its orders again after a restart. */
  name?: string;
  /** A price that differs by less stays, basis points, 0 or above. Default: 0, every change is sent. */
  tolerance_bps?: number;
  /**
   * An order that was filled in part is topped up when less than this share of the wanted size rests, from 0 to 1. Default: 0.5.
   * One that is larger than wanted is always reduced.
   */
  top_up_below?: number;
  /** Whether an order that would trade at once is refused instead. Default: true. */
  post_only?: boolean;
  /**
   * Market time until a refused order is tried again at the same price, milliseconds; doubled with each refusal in a
   * row, 64 times at most. Default: 5,000.
   */
  retry_ms?: number;
}
