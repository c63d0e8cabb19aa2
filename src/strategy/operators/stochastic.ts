import type { IndicatorParams } from '../../contract/index.ts';
import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * The stochastic oscillator, 0 to 100: `k` unsmoothed, `d` its mean. Omitted `params` have the catalogue's
 * defaults.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(withIndicators({ position: stochastic({ k_period: 14, d_period: 3 }) }));
 * ```
 *
 * @see MKT-4
 */
export function stochastic(
  params: IndicatorParams<'stochastic'> = {},
): IndicatorOperator<'stochastic'> {
  return indicatorOperator('stochastic', params);
}
