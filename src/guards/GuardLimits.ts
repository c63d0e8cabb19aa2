/** Limits from the configuration's `guards:` section; an absent limit is not checked. */
export interface GuardLimits {
  allowed_symbols?: readonly string[];
  /** Largest size of one order or launch by symbol, base units. */
  max_order_size?: Readonly<Record<string, number>>;
  /** Largest notional of one order or launch, quote units. */
  max_order_notional?: number;
  /** Largest notional of one symbol, with everything pending, quote units. */
  max_position_notional?: number;
  /** Largest sum of notionals over the wallet's symbols, with everything pending, quote units. */
  max_gross_notional?: number;
  max_leverage?: number;
  max_intents_per_minute?: number;
  max_concurrent_executions?: number;
  /** Loss within a UTC day at which entries end, quote units. */
  daily_loss_limit?: number;
  /** Farthest that an entry's own price may be from the last price, basis points. */
  price_collar_bps?: number;
  /** Seconds beyond a bar's interval after which data is too old for an entry. */
  max_data_age_seconds?: number;
}
