import type { ServiceRequest } from '../contract/exchange.ts';
import type { Intent } from './Intent.ts';
import { ruleOf } from './intentRules.ts';
import type { RefResolver } from './IntentTarget.ts';
import { toBodyText } from './toBodyText.ts';

export interface RequestContext {
  /** Connection id; absent: the key's default. */
  wallet?: string;
  idempotencyKey: string;
  resolve: RefResolver;
}

export type RequestResult = { ok: true; request: ServiceRequest } | { ok: false; reason: string };

/**
 * The request that carries out a checked intent. The same intent and key give the same bytes, so a
 * retry is the first attempt again.
 */
export function toServiceRequest(intent: Intent, context: RequestContext): RequestResult {
  const result = ruleOf(intent).toCall(intent, context);
  if (!result.ok) return result;
  const { endpoint, pathParams = {}, query = {}, body } = result.call;
  return {
    ok: true,
    request: {
      endpoint,
      pathParams,
      query,
      body: body === undefined ? '' : toBodyText(body),
      ...(context.wallet === undefined ? {} : { wallet: context.wallet }),
      idempotencyKey: context.idempotencyKey,
      ...(intent.via === undefined ? {} : { via: intent.via }),
    },
  };
}
