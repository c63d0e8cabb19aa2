import type { IndicatorParams } from '../../contract/index.ts';
import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * The Ichimoku lines at the bar: `conversion`, `base`, `span_a`, `span_b`. Omitted `params` have the
 * catalogue's defaults.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(withIndicators({ cloud: ichimoku({ conversion_period: 3, base_period: 6, span_period: 12, displacement: 6 }) }));
 * ```
 *
 * @see MKT-4
 */
export function ichimoku(params: IndicatorParams<'ichimoku'> = {}): IndicatorOperator<'ichimoku'> {
  return indicatorOperator('ichimoku', params);
}
