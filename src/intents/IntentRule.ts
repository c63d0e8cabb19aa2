import type { z } from 'zod';
import type { EndpointId } from '../contract/endpoints.ts';
import type { IntentMeta } from './IntentMeta.ts';
import type { IntentEffect } from './IntentEffect.ts';
import type { RefResolver } from './IntentTarget.ts';

/** What a request is built from, beside the intent. */
export interface CallContext {
  /** Becomes the order's or execution's client id if the strategy gave none. */
  idempotencyKey: string;
  resolve: RefResolver;
}

/** A request before its body is serialized. */
export interface Call {
  endpoint: EndpointId;
  pathParams?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: object;
  /** The body was made for this call: nobody else has it. */
  isFresh?: true;
  /** It has a valid shape if the intent has: it is the intent's own request with the client id. */
  isRequest?: true;
}

export type CallResult = { ok: true; call: Call } | { ok: false; reason: string };

export function made(call: Call): CallResult {
  return { ok: true, call };
}

/** Everything that is specific to one kind of intent; each kind's file has its own. */
export interface IntentRule<I extends IntentMeta> {
  /** Fields beside `kind` and the meta, with the contract's schemas. */
  fields: Readonly<Record<string, z.ZodType>>;
  /** Of these, what may be absent and not undefined: its absence means much more. */
  neverUndefined?: readonly string[];
  effect(intent: I): IntentEffect;
  toCall(intent: I, context: CallContext): CallResult;
}
