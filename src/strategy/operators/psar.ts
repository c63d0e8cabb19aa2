import type { IndicatorParams } from '../../contract/index.ts';
import { indicatorOperator, type IndicatorOperator } from './indicatorOperator.ts';

/**
 * The parabolic stop and reverse: below the price in a rise, above it in a fall. Omitted `params` have the
 * catalogue's defaults.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(withIndicators({ stop: psar({ step: 0.02, max: 0.2 }) }));
 * ```
 *
 * @see MKT-4
 */
export function psar(params: IndicatorParams<'psar'> = {}): IndicatorOperator<'psar'> {
  return indicatorOperator('psar', params);
}
