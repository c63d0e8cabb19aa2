import type { IndicatorParams } from '../../contract/index.ts';
import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/** The Ichimoku lines at the bar: `conversion`, `base`, `span_a`, `span_b`. What is left out of `params` takes the catalogue's default. @see MKT-4 */
export function ichimoku(params: IndicatorParams<'ichimoku'> = {}): IndicatorOperator<'ichimoku'> {
  return indicatorOperator('ichimoku', params);
}
