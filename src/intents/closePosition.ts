import type { AlgoParams } from '../contract/algorithms.ts';
import { symbolName } from '../contract/identifiers.ts';
import { closePositionRequest, type ClosePositionRequest } from '../contract/positionRequests.ts';
import type { AlgoId } from '../contract/vocabulary.ts';
import type { IntentMeta } from './IntentMeta.ts';
import { effect } from './IntentEffect.ts';
import { made, type IntentRule } from './IntentRule.ts';

/** Close a whole position, or sell a whole spot holding (POS-1): `POST /v1/positions/{symbol}/close`. */
export interface ClosePositionIntent extends IntentMeta {
  kind: 'close_position';
  symbol: string;
  request: ClosePositionRequest;
}

/**
 * Closes a whole position, or sells a whole spot holding (POS-1). What the strategy has at work goes on: an execution or
 * an order that enters buys again, so stop or cancel it first.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   whenOpen(ctx.position(ctx.symbol)),
 *   map(() => closePosition.byAlgo(ctx.symbol, { algo: 'pacemaker', params: { duration_seconds: 300 } })),
 * );
 * ```
 */
export const closePosition = {
  /** At once; `slippage_bps` bounds the price, and what the market does not offer inside it is cancelled. */
  atMarket: (
    symbol: string,
    bound: { slippage_bps?: number } = {},
    meta: IntentMeta = {},
  ): ClosePositionIntent => ({
    kind: 'close_position',
    symbol,
    request: { order_type: 'market', ...bound },
    ...meta,
  }),
  /** Worked by an algorithm: `closePosition.byAlgo('BTC', { algo: 'pacemaker', params: {…} })`. */
  byAlgo: (
    symbol: string,
    request: Extract<ClosePositionRequest, { algo: AlgoId; params: AlgoParams[AlgoId] }>,
    meta: IntentMeta = {},
  ): ClosePositionIntent => ({ kind: 'close_position', symbol, request, ...meta }),
} as const;

export const closePositionRule: IntentRule<ClosePositionIntent> = {
  fields: { symbol: symbolName, request: closePositionRequest },
  effect: ({ symbol }) => {
    const reductions = [{ symbol, size: Number.POSITIVE_INFINITY }];
    return effect({ symbols: [symbol], reductions, reduceOnly: true, isExit: true });
  },
  toCall: ({ symbol, request }) =>
    made({ endpoint: 'positions.close', pathParams: { symbol }, body: request }),
};
