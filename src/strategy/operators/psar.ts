import type { IndicatorParams } from '../../contract/index.ts';
import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * The parabolic stop and reverse: below the price in a rise, above it in a fall. Omitted `params` have the
 * catalogue's defaults. @see MKT-4
 */
export function psar(params: IndicatorParams<'psar'> = {}): IndicatorOperator<'psar'> {
  return indicatorOperator('psar', params);
}
