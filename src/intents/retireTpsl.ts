import { symbolName } from '../contract/identifiers.ts';
import type { IntentMeta } from './IntentMeta.ts';
import { effect } from './IntentEffect.ts';
import { made, type IntentRule } from './IntentRule.ts';

/** Remove what was attached to a position: `DELETE /v1/positions/{symbol}/tpsl`. */
export interface RetireTpslIntent extends IntentMeta {
  kind: 'retire_tpsl';
  symbol: string;
}

/**
 * Retires stop and target that were attached to a position (POS-2). What came with an order or a launch stays: it ends with
 * the position.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   map(() => retireTpsl(ctx.symbol)),
 * );
 * ```
 */
export function retireTpsl(symbol: string, meta: IntentMeta = {}): RetireTpslIntent {
  return { kind: 'retire_tpsl', symbol, ...meta };
}

export const retireTpslRule: IntentRule<RetireTpslIntent> = {
  fields: { symbol: symbolName },
  effect: ({ symbol }) => effect({ symbols: [symbol], isExit: true, isControl: true }),
  toCall: ({ symbol }) => made({ endpoint: 'positions.retireLegs', pathParams: { symbol } }),
};
