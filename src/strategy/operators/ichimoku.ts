import type { IndicatorParams } from '../../contract/index.ts';
import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * The Ichimoku lines at the bar: `conversion`, `base`, `span_a`, `span_b`. Omitted `params` have the
 * catalogue's defaults. @see MKT-4
 */
export function ichimoku(params: IndicatorParams<'ichimoku'> = {}): IndicatorOperator<'ichimoku'> {
  return indicatorOperator('ichimoku', params);
}
