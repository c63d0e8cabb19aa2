import { symbolName } from '../contract/identifiers.ts';
import type { IntentMeta } from './IntentMeta.ts';
import { effect } from './IntentEffect.ts';
import { made, type IntentRule } from './IntentRule.ts';

/** Cancel every open order of the wallet, or of one symbol: `DELETE /v1/orders` (ORD-4). */
export interface BulkCancelIntent extends IntentMeta {
  kind: 'bulk_cancel';
  symbol?: string;
}

/**
 * Cancels every open order of the wallet, or of one symbol (ORD-4). Without a symbol it is denied while others have orders
 * on the wallet; one that is undefined is refused.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   map(() => bulkCancel({ symbol: ctx.symbol })),
 * );
 * ```
 */
export function bulkCancel(
  target: { symbol?: string } = {},
  meta: IntentMeta = {},
): BulkCancelIntent {
  return { kind: 'bulk_cancel', ...target, ...meta };
}

export const bulkCancelRule: IntentRule<BulkCancelIntent> = {
  fields: { symbol: symbolName.optional() },
  neverUndefined: ['symbol'],
  effect: ({ symbol }) =>
    effect({ symbols: symbol === undefined ? [] : [symbol], isExit: true, isControl: true }),
  toCall: ({ symbol }) =>
    made({ endpoint: 'orders.bulkCancel', query: symbol === undefined ? {} : { symbol } }),
};
