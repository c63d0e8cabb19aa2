import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * The exponential moving average of closes or numbers.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(withIndicators({ fast: ema(10), slow: ema(30) }));
 * ```
 *
 * @see MKT-4
 */
export function ema(period = 20): IndicatorOperator<'ema'> {
  return indicatorOperator('ema', { period });
}
