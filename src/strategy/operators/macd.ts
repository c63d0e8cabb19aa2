import type { IndicatorParams } from '../../contract/index.ts';
import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * MACD of closes or numbers: `macd`, `signal`, `histogram`. Omitted `params` have the catalogue's defaults.
 * @see MKT-4
 */
export function macd(params: IndicatorParams<'macd'> = {}): IndicatorOperator<'macd'> {
  return indicatorOperator('macd', params);
}
