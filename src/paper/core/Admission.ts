import type { EndpointId } from '../../contract/index.ts';
import type { Call, Reply } from './Engine.ts';
import type { ApiKey } from './createKeyring.ts';

/**
 * A request whose sender is known: here REST, WebSocket commands and callers in the same process
 * meet, and from here all are judged alike.
 */
export interface Admission {
  endpoint: EndpointId;
  pathParams: Readonly<Record<string, string>>;
  /** Not judged yet; text where it came by a query string. */
  query: Readonly<Record<string, unknown>>;
  /** null for the unsigned endpoints (AUTH-9). */
  key: ApiKey | null;
  /** Connection id that was asked for; undefined: the key's default. */
  wallet: string | undefined;
  idempotencyKey: string | null;
  /** Content type and JSON are judged when it is called; undefined where there is no body. */
  readBody(): unknown;
  /** Faults of shape that the endpoint's schemas can't see; throws a ServiceError. */
  checkShape?(): void;
  /** From a caller in the same process, who reads the answer itself: no text is made of it. */
  inProcess?: true;
  /** REST only: method, target and body text, as sent. */
  exact: string | null;
  /** Wall time, epoch milliseconds. */
  wallTime: number;
}

/** What the gate made of a request. */
export interface Outcome {
  status: number;
  /** The record; on a refusal `{error, request_id}`. */
  body: unknown;
  /** The body's JSON where it exists already: a replay repeats the first answer's characters. */
  bodyText: string | null;
  requestId: string;
  /** null where the request was refused before its wallet was known. */
  wallet: string | null;
  /** Weight that was charged. */
  weight: number;
  replayed: boolean;
}

/** What a handler of the shell gets: it may need the key, or server time. */
export interface ShellCall extends Call {
  key: ApiKey | null;
  /** Wall time, epoch milliseconds. */
  wallTime: number;
}

export type ShellHandler = (call: ShellCall) => Reply;
