import type { IndicatorParams } from '../../contract/index.ts';
import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * MACD of closes or numbers: `macd`, `signal`, `histogram`. Omitted `params` have the catalogue's defaults.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(withIndicators({ momentum: macd({ fast_period: 12, slow_period: 26, signal_period: 9 }) }));
 * ```
 *
 * @see MKT-4
 */
export function macd(params: IndicatorParams<'macd'> = {}): IndicatorOperator<'macd'> {
  return indicatorOperator('macd', params);
}
