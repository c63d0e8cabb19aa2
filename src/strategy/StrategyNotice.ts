import type { Interval } from '../contract/index.ts';

/** A notice about an instance for an operator; the instance goes on. */
export type StrategyNotice =
  /**
   * There are fewer bars of history than the strategy's `warmup` asks for, of this symbol and interval: the
   * first live bars complete the warm-up, and what is decided on them is not sent.
   */
  | { kind: 'warm_up_short'; symbol: string; interval: Interval; asked: number; bars: number }
  /** It trails by so few percent that a fraction was likely meant; once, with the first one. */
  | { kind: 'small_percent'; path: string; pct: number }
  /** It tried to write its state in warm-up, and was refused: a restart would write the same again. */
  | { kind: 'state_in_warm_up'; cause: string; time: number };
