import type { z } from 'zod';
import type { EndpointId } from '../contract/endpoints.ts';
import type { IntentMeta } from './IntentMeta.ts';
import type { IntentEffect } from './IntentEffect.ts';
import type { RefResolver } from './IntentTarget.ts';

/** What a request is made with, beside the intent. */
export interface CallContext {
  /** Becomes the order's or execution's client id where the strategy gave none. */
  idempotencyKey: string;
  resolve: RefResolver;
}

/** A request before its body is text. */
export interface Call {
  endpoint: EndpointId;
  pathParams?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body?: object;
}

export type CallResult = { ok: true; call: Call } | { ok: false; reason: string };

export function made(call: Call): CallResult {
  return { ok: true, call };
}

/** Everything that is known about one kind of intent; each kind's file holds its own. */
export interface IntentRule<I extends IntentMeta> {
  /** Fields beside `kind` and the meta, with the contract's own schemas. */
  fields: Readonly<Record<string, z.ZodType>>;
  effect(intent: I): IntentEffect;
  toCall(intent: I, context: CallContext): CallResult;
}
