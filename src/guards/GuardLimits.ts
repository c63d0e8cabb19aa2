/** Limits from the configuration's `guards:` section; an absent limit is not checked. */
export interface GuardLimits {
  allowed_symbols?: readonly string[] | undefined;
  /** Largest size of one order or launch by symbol, base units. */
  max_order_size?: Readonly<Record<string, number>> | undefined;
  /** Largest notional of one order or launch, quote units. */
  max_order_notional?: number | undefined;
  /** Largest notional of one symbol in a wallet, with everything pending, quote units. */
  max_position_notional?: number | undefined;
  /** Largest sum of notionals over the wallet's symbols, with everything pending, quote units. */
  max_gross_notional?: number | undefined;
  /** Highest leverage to set, and highest ratio of a wallet's gross notional to its equity. */
  max_leverage?: number | undefined;
  max_intents_per_minute?: number | undefined;
  /** Entries of one instance within an hour; one more latches it until an operator re-arms. */
  max_entries_per_hour?: number | undefined;
  /** Executions of a wallet that run, or may start without another decision. */
  max_concurrent_executions?: number | undefined;
  /** A wallet's loss within a UTC day, transfers aside, at which its entries end, quote units. */
  daily_loss_limit?: number | undefined;
  /** What happens to an intent for whose trails and tracked entries no row is left; default `refuse`. */
  maintained_rows_policy?: 'refuse' | 'replace_least_important' | undefined;
  /** Seconds that a position of a wallet may be without an acknowledged exit before its entries end. */
  max_uncovered_seconds?: number | undefined;
  /** Seconds after which an alarm is raised for it; no limit, entries go on. */
  warn_uncovered_seconds?: number | undefined;
  /** Farthest that the outermost price of an entry may be from the last price, or its trigger, basis points. */
  price_collar_bps?: number | undefined;
  /** Seconds beyond a bar's interval after which data is too old for an entry. */
  max_data_age_seconds?: number | undefined;
  /** Seconds since its cause after which an entry is not sent; default: its bar's interval, at most 300. */
  max_decision_age_seconds?: number | undefined;
}
