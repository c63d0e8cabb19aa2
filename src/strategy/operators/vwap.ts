import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * The volume-weighted average price since 00:00 UTC of the bar's day.
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
