/** The symbols of a pair: perpetuals, and two different ones. */
export interface PairLegs {
  /** Bought where the target's value is above zero. */
  long: string;
  /** Sold where the target's value is above zero. */
  short: string;
}

/** What a pair should be worth. */
export interface PairTarget {
  /** Of the leg `long`, quote units; below zero it is sold and the other one bought, 0 is flat. */
  value: number;
  /** Value of the leg `short` for each unit of `value`; above 0. Default: 1. */
  hedge_ratio?: number;
}

/** How a pair follows its target. */
export interface PairOptions {
  /**
   * The most that one leg may be worth without its counterpart, quote units of the leg `short`: each step of the two
   * is at most this large. At least what the smallest orders of both legs are worth.
   */
  max_naked: number;
  /**
   * Market time after which a leg without its counterpart is reduced to it, milliseconds. Until then the counterpart is
   * completed. Default: 30,000.
   */
  unwind_after_ms?: number;
  /** A pair whose legs differ from their sizes by less than this share of them stays. Default: 0.02. */
  tolerance?: number;
  /**
   * Market time until an order that was refused, or filled in part, is tried again, milliseconds. While the legs are
   * in balance it is doubled with each refusal in a row, 64 times at most. Default: 5,000.
   */
  retry_ms?: number;
  /** The largest distance of an order's price from the mark, basis points. Default: the service's, 50. */
  slippage_bps?: number;
  /** Prefix of the refs; two pairs of an instance that share a symbol need two. Default: `pair`. */
  name?: string;
}

export type PairSettings = Required<Omit<PairOptions, 'slippage_bps'>> &
  Pick<PairOptions, 'slippage_bps'>;
