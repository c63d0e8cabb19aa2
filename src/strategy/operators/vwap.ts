import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/** The volume-weighted average price since 00:00 UTC of the bar's day. @see MKT-4 */
export function vwap(): IndicatorOperator<'vwap'> {
  return indicatorOperator('vwap', {});
}
