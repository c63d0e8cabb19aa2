import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * The weighted moving average of closes or numbers: the newest weighs `period`, the oldest 1.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(withIndicators({ mean: wma(20) }));
 * ```
 *
 * @see MKT-4
 */
export function wma(period = 20): IndicatorOperator<'wma'> {
  return indicatorOperator('wma', { period });
}
