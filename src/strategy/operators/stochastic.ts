import type { IndicatorParams } from '../../contract/index.ts';
import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * The stochastic oscillator, 0 to 100: `k` unsmoothed, `d` its mean. Omitted `params` have the catalogue's
 * defaults. @see MKT-4
 */
export function stochastic(
  params: IndicatorParams<'stochastic'> = {},
): IndicatorOperator<'stochastic'> {
  return indicatorOperator('stochastic', params);
}
