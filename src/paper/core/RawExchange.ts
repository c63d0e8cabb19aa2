/** A request as received, before any validation. */
export interface RawRequest {
  method: string;
  /** Path and query exactly as sent (`/v1/candles/BTC?interval=1m`): the signature covers these characters. */
  target: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  bodyText: string;
  /** The body as sent, if it is not UTF-8: the signature covers these bytes, and it is not JSON. */
  bodyBytes?: Uint8Array;
  /** The body was longer than the service reads; `bodyText` is empty then. */
  bodyTooLarge?: boolean;
  /** The request is an upgrade to a WebSocket. */
  upgrade?: boolean;
  /**
   * Wall time of arrival, epoch milliseconds: signatures and idempotency expiry are checked against it.
   */
  wallTime: number;
}

/** The response as it goes on the wire. */
export interface RawResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  bodyText: string;
  /** Set if the request may become a stream. */
  grant?: StreamGrant;
}

/** Permission to open a session: the caller, and what an SSE request subscribed to in its query. */
export interface StreamGrant {
  kind: 'websocket' | 'sse';
  keyId: string;
  wallet: string;
  subscriptions: ReadonlyArray<{ channel: string; params: Record<string, unknown> }>;
}
