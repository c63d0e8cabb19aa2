import type { IndicatorParams } from '../../contract/index.ts';
import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * The Keltner channel: `upper`, `mid`, `lower`. Omitted `params` have the catalogue's defaults.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(withIndicators({ channel: keltner({ period: 20, mult: 2 }) }));
 * ```
 *
 * @see MKT-4
 */
export function keltner(params: IndicatorParams<'keltner'> = {}): IndicatorOperator<'keltner'> {
  return indicatorOperator('keltner', params);
}
