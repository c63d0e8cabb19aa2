import { symbolName } from '../contract/identifiers.ts';
import { tpslRequest, type TpslRequest } from '../contract/positionRequests.ts';
import type { IntentMeta } from './IntentMeta.ts';
import { effect } from './IntentEffect.ts';
import { made, type IntentRule } from './IntentRule.ts';

/**
 * Protect a position (POS-2): `POST /v1/positions/{symbol}/tpsl`; kinds given replace what is attached. Legs of orders and
 * launches stay.
 */
export interface AttachTpslIntent extends IntentMeta {
  kind: 'attach_tpsl';
  symbol: string;
  legs: TpslRequest;
}

/**
 * Attaches stop and target to a position, or replaces those that were attached (POS-2). What came with an order or a launch
 * stays beside them, and the nearest acts first.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   map(() => attachTpsl(ctx.symbol, { stop_loss: stopLoss.trail({ pct: 2, interval: '1h' }) })),
 * );
 * ```
 */
export function attachTpsl(
  symbol: string,
  legs: TpslRequest,
  meta: IntentMeta = {},
): AttachTpslIntent {
  return { kind: 'attach_tpsl', symbol, legs, ...meta };
}

export const attachTpslRule: IntentRule<AttachTpslIntent> = {
  fields: { symbol: symbolName, legs: tpslRequest },
  effect: ({ symbol }) => {
    const reductions = [{ symbol, size: Number.POSITIVE_INFINITY, isArmed: true } as const];
    return effect({ symbols: [symbol], reductions, reduceOnly: true, isExit: true });
  },
  toCall: ({ symbol, legs }) =>
    made({ endpoint: 'positions.attachLegs', pathParams: { symbol }, body: legs }),
};
