import type { EndpointId } from '../../contract/index.ts';
import type { Call, Reply } from './Engine.ts';
import type { ApiKey } from './createKeyring.ts';

/**
 * An authenticated request. REST, WebSocket commands and callers in the same process meet here and are
 * treated alike from here on.
 */
export interface Admission {
  endpoint: EndpointId;
  pathParams: Readonly<Record<string, string>>;
  /** Not validated yet; text if it came by a query string. */
  query: Readonly<Record<string, unknown>>;
  /** null for the unsigned endpoints (AUTH-9). */
  key: ApiKey | null;
  /** Requested connection id; undefined: the key's default. */
  wallet: string | undefined;
  idempotencyKey: string | null;
  /** Content type and JSON are validated when it is called; undefined if there is no body. */
  readBody(): unknown;
  /** Checks of shape that the endpoint's schemas can't express. Throws a ServiceError. */
  checkShape?(): void;
  /** From a caller in the same process, which reads the response object itself: it is not serialised. */
  inProcess?: true;
  /** Its body needs no check: it passed the contract's before (`ServiceRequest.isShaped`), or is an alert. */
  isShaped?: boolean;
  /** REST only: method, target and body text, as sent. */
  exact: string | null;
  /** Wall time, epoch milliseconds. */
  wallTime: number;
}

/** The gate's result for a request. */
export interface Outcome {
  status: number;
  /** The record; on a refusal `{error, request_id}`. */
  body: unknown;
  /**
   * The body's JSON if it exists already: an idempotent replay repeats the first response character by
   * character.
   */
  bodyText: string | null;
  requestId: string;
  /** null if the request was refused before its wallet was known. */
  wallet: string | null;
  /** The charged weight. */
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
