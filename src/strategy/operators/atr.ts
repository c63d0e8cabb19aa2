import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * Wilder's average true range, in quote units: a distance, never a level.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(withIndicators({ range: atr(14) }));
 * ```
 *
 * @see MKT-4
 */
export function atr(period = 14): IndicatorOperator<'atr'> {
  return indicatorOperator('atr', { period });
}
