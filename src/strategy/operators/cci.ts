import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/** The commodity channel index. @see MKT-4 */
export function cci(period = 20): IndicatorOperator<'cci'> {
  return indicatorOperator('cci', { period });
}
