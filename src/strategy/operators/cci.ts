import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * The commodity channel index.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(withIndicators({ index: cci(20) }));
 * ```
 *
 * @see MKT-4
 */
export function cci(period = 20): IndicatorOperator<'cci'> {
  return indicatorOperator('cci', { period });
}
