import type { IndicatorParams } from '../../contract/index.ts';
import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * Bollinger bands of closes or numbers: `upper`, `mid`, `lower`. Omitted `params` have the catalogue's
 * defaults.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(withIndicators({ bands: bollinger({ period: 20, std_dev: 2 }) }));
 * ```
 *
 * @see MKT-4
 */
export function bollinger(
  params: IndicatorParams<'bollinger'> = {},
): IndicatorOperator<'bollinger'> {
  return indicatorOperator('bollinger', params);
}
