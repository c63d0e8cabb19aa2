import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * The average directional index with both directional indicators, each 0 to 100.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(withIndicators({ trend: adx(14) }));
 * ```
 *
 * @see MKT-4
 */
export function adx(period = 14): IndicatorOperator<'adx'> {
  return indicatorOperator('adx', { period });
}
