import { basketRequest, type BasketRequest } from '../contract/automationRequests.ts';
import type { IntentMeta } from './IntentMeta.ts';
import { effect, requestEffect } from './IntentEffect.ts';
import { made, type IntentRule } from './IntentRule.ts';

/** Launch up to ten legs as one (BSK-1): `POST /v1/baskets`. */
export interface LaunchBasketIntent extends IntentMeta {
  kind: 'launch_basket';
  request: BasketRequest;
}

/**
 * Launches several executions at once: all or, if one is refused, none (BSK-1).
 *
 * ```ts
 * ctx.candles(ctx.symbol, '1h').pipe(
 *   map(() => launchBasket({
 *       legs: [
 *         { algo: 'pacemaker', symbol: ctx.symbol, side: 'buy', total_size: 0.5, params: { duration_seconds: 600 } },
 *       ],
 *     })),
 * );
 * ```
 */
export function launchBasket(request: BasketRequest, meta: IntentMeta = {}): LaunchBasketIntent {
  return { kind: 'launch_basket', request, ...meta };
}

export const launchBasketRule: IntentRule<LaunchBasketIntent> = {
  fields: { request: basketRequest },
  effect: ({ request }) => {
    const legs = (request.legs ?? []).map(requestEffect);
    const isExit = legs.length > 0 && legs.every((leg) => leg.isExit);
    return effect({
      symbols: [...new Set(legs.flatMap((leg) => leg.symbols))],
      entries: legs.flatMap((leg) => leg.entries),
      reductions: legs.flatMap((leg) => leg.reductions),
      reduceOnly: isExit,
      isExit,
      // Only the service knows which legs a template has.
      opaque: request.legs === undefined,
    });
  },
  toCall: ({ request }) => made({ endpoint: 'baskets.launch', body: request }),
};
