import type { IndicatorParams } from '../../contract/index.ts';
import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * Bollinger bands of closes or numbers: `upper`, `mid`, `lower`. Omitted `params` have the catalogue's
 * defaults. @see MKT-4
 */
export function bollinger(
  params: IndicatorParams<'bollinger'> = {},
): IndicatorOperator<'bollinger'> {
  return indicatorOperator('bollinger', params);
}
