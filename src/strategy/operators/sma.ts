import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * The mean of the last `period` closes or numbers.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(withIndicators({ mean: sma(20) }));
 * ```
 *
 * @see MKT-4
 */
export function sma(period = 20): IndicatorOperator<'sma'> {
  return indicatorOperator('sma', { period });
}
