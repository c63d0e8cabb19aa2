import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/** The average directional index with both directional indicators, each 0 to 100. @see MKT-4 */
export function adx(period = 14): IndicatorOperator<'adx'> {
  return indicatorOperator('adx', { period });
}
