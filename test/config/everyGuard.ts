/** The section `guards` of a configuration that sets every limit, each to another value. */
export const everyGuard = {
  max_order_notional: 1_001,
  max_order_size: { BTC: 1.5 },
  max_position_notional: 1_002,
  max_gross_notional: 1_003,
  max_leverage: 7,
  allowed_symbols: ['BTC', 'ETH'],
  max_intents_per_minute: 8,
  max_entries_per_hour: 9,
  max_concurrent_executions: 11,
  daily_loss_limit: 1_004,
  maintained_rows_policy: 'replace_least_important',
  max_uncovered_seconds: 12,
  warn_uncovered_seconds: 13,
  price_collar_bps: 14,
  max_decision_age_seconds: 15,
  max_data_age_seconds: 16,
};
