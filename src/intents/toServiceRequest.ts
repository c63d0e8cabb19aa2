import type { FlatBody, ServiceRequest } from '../contract/exchange.ts';
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
 * The request that carries out a checked intent. The same intent and key give the same bytes, so a retry
 * repeats the first attempt exactly.
 */
export function toServiceRequest(intent: Intent, context: RequestContext): RequestResult {
  const result = ruleOf(intent).toCall(intent, context);
  if (!result.ok) return result;
  const { endpoint, pathParams = {}, query = {}, body } = result.call;
  const { wallet, idempotencyKey } = context;
  const request: ServiceRequest =
    body !== undefined && isFlat(body)
      ? flatRequest({ endpoint, pathParams, query, idempotencyKey }, { ...body })
      : {
          endpoint,
          pathParams,
          query,
          body: body === undefined ? '' : toBodyText(body),
          idempotencyKey,
        };
  if (wallet !== undefined) request.wallet = wallet;
  if (intent.via !== undefined) request.via = intent.via;
  return { ok: true, request };
}

/** The fields are a copy that never changes, so the text is built only when it is read. */
function flatRequest(rest: Omit<ServiceRequest, 'body'>, content: FlatBody): ServiceRequest {
  let text: string | undefined;
  return {
    ...rest,
    content,
    get body() {
      return (text ??= toBodyText(content));
    },
  };
}

function isFlat(body: object): body is FlatBody {
  for (const value of Object.values(body)) {
    if (!FLAT.includes(typeof value)) return false;
  }
  return true;
}

const FLAT: readonly string[] = ['string', 'number', 'boolean'];
