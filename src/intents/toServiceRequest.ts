import type { EndpointId } from '../contract/endpoints.ts';
import type { FlatBody, ServiceRequest } from '../contract/exchange.ts';
import { isJustChecked } from './checkIntent.ts';
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
  const rest = { endpoint, pathParams, query, idempotencyKey };
  const request: ServiceRequest =
    body !== undefined && isFlat(body)
      ? new FlatRequest(rest, result.call.isFresh === true ? body : { ...body })
      : { ...rest, body: body === undefined ? '' : toBodyText(body) };
  if (result.call.isRequest === true && isJustChecked(intent)) request.isShaped = true;
  if (wallet !== undefined) request.wallet = wallet;
  if (intent.via !== undefined) request.via = intent.via;
  return { ok: true, request };
}

/**
 * Its fields are a copy that never changes, so the text is built only when it is read. A class, since each
 * object literal with a getter has a form of its own, which is slow to make and slow to read.
 */
class FlatRequest implements ServiceRequest {
  readonly endpoint: EndpointId;
  readonly pathParams: ServiceRequest['pathParams'];
  readonly query: ServiceRequest['query'];
  readonly idempotencyKey: string;
  readonly content: FlatBody;
  declare wallet?: string;
  declare via?: 'rest' | 'socket';
  declare isShaped?: true;
  #text: string | undefined;

  constructor(
    rest: Pick<FlatRequest, 'endpoint' | 'pathParams' | 'query' | 'idempotencyKey'>,
    content: FlatBody,
  ) {
    this.endpoint = rest.endpoint;
    this.pathParams = rest.pathParams;
    this.query = rest.query;
    this.idempotencyKey = rest.idempotencyKey;
    this.content = content;
  }

  get body(): string {
    return (this.#text ??= toBodyText(this.content));
  }
}

function isFlat(body: object): body is FlatBody {
  for (const name in body) {
    const kind = typeof (body as Record<string, unknown>)[name];
    if (kind !== 'string' && kind !== 'number' && kind !== 'boolean') return false;
  }
  return true;
}
