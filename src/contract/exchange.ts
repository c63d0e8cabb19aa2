import type { EndpointId } from './endpoints.ts';

export type FlatBody = Readonly<Record<string, string | number | boolean>>;

/** One request to the service, before a link turns it into bytes on a wire or a call in process. */
export interface ServiceRequest {
  endpoint: EndpointId;
  pathParams: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string | number | boolean>>;
  /** The exact body text that is signed and sent (AUTH-2); empty if there is none. */
  body: string;
  /** The same as plain fields, if it has no others: a service in the same process reads no text. */
  content?: FlatBody;
  /**
   * In this process, the contract's own check of the endpoint's body has passed on these fields already; a service
   * that gets them as an object need not repeat it.
   */
  isShaped?: true;
  /** Connection id; absent: the key's default. */
  wallet?: string;
  idempotencyKey?: string;
  /**
   * The transport; `socket` is used if the stream has a command for the endpoint (STR-6). Default `rest`.
   */
  via?: 'rest' | 'socket';
}

/** A complete response of the service, success or refusal. */
export interface ServiceResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  body: unknown;
}

/** A response without a body that could be read. */
export interface UnreadResponse {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Nothing of a body came. */
  isEmpty: boolean;
}

/**
 * The outcome of a request. `not_sent` failed before the first byte left and is safe to send again;
 * `no_answer` may have been executed: it is unknown, never failed.
 */
export type Exchange =
  | { kind: 'answered'; response: ServiceResponse }
  | { kind: 'not_sent'; reason: string; cause?: unknown }
  | {
      kind: 'no_answer';
      reason: string;
      cause?: unknown;
      /** Of a response that could not be read, such as a proxy's page (AUTH-7). */
      requestId?: string | undefined;
      /** What arrived of a response that could not be read: whoever wrote it, it may ask to wait. */
      unread?: UnreadResponse | undefined;
    };
