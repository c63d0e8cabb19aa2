import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * Wilder's relative strength index of closes or numbers, 0 to 100.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(withIndicators({ strength: rsi(14) }));
 * ```
 *
 * @see MKT-4
 */
export function rsi(period = 14): IndicatorOperator<'rsi'> {
  return indicatorOperator('rsi', { period });
}
