import type { IndicatorParams } from '../../contract/index.ts';
import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/** The parabolic stop and reverse: below the price in a rise, above it in a fall. What is left out of `params` takes the catalogue's default. @see MKT-4 */
export function psar(params: IndicatorParams<'psar'> = {}): IndicatorOperator<'psar'> {
  return indicatorOperator('psar', params);
}
