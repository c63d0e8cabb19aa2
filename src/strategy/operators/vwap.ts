import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * The volume-weighted average price since 00:00 UTC of the bar's day.
 *
 * It has a value from its first bar on. Where the stream begins within a day, that day's values count from there and are
 * not the day's: ask for a day of bars, `warmup: ({ interval }) => INTERVAL_MS['1d'] / INTERVAL_MS[interval]`, and each
 * one that is decided on is.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(withIndicators({ level: vwap() }));
 * ```
 *
 * @see MKT-4
 */
export function vwap(): IndicatorOperator<'vwap'> {
  return indicatorOperator('vwap', {});
}
