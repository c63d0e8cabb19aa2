import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/** The exponential moving average of closes or numbers. @see MKT-4 */
export function ema(period = 20): IndicatorOperator<'ema'> {
  return indicatorOperator('ema', { period });
}
