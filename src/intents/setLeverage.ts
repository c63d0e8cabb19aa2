import { symbolName } from '../contract/identifiers.ts';
import { leverageRequest, type LeverageRequest } from '../contract/positionRequests.ts';
import type { IntentMeta } from './IntentMeta.ts';
import { effect } from './IntentEffect.ts';
import { made, type IntentRule } from './IntentRule.ts';

/** Set a symbol's leverage and margin mode (POS-1): `PUT /v1/leverage/{symbol}`. */
export interface SetLeverageIntent extends IntentMeta {
  kind: 'set_leverage';
  symbol: string;
  request: LeverageRequest;
}

/**
 * Sets a symbol's leverage and margin mode (POS-1).
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   map(() => setLeverage(ctx.symbol, { leverage: 5, mode: 'cross' })),
 * );
 * ```
 */
export function setLeverage(
  symbol: string,
  request: LeverageRequest,
  meta: IntentMeta = {},
): SetLeverageIntent {
  return { kind: 'set_leverage', symbol, request, ...meta };
}

export const setLeverageRule: IntentRule<SetLeverageIntent> = {
  fields: { symbol: symbolName, request: leverageRequest },
  effect: ({ symbol }) => effect({ symbols: [symbol], isControl: true }),
  toCall: ({ symbol, request }) =>
    made({ endpoint: 'leverage.set', pathParams: { symbol }, body: request }),
};
