/** A request as it came off a wire, before anything about it is believed. */
export interface RawRequest {
  method: string;
  /** Path and query exactly as sent (`/v1/candles/BTC?interval=1m`): the signature covers these characters. */
  target: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  bodyText: string;
  /** The body was longer than the service reads; `bodyText` is empty then. */
  bodyTooLarge?: boolean;
  /** It asks for an upgrade to a WebSocket. */
  upgrade?: boolean;
  /** Wall time of arrival, epoch milliseconds: signatures and idempotency expiry are judged by it. */
  wallTime: number;
}

/** What goes back, as bytes would carry it. */
export interface RawResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  bodyText: string;
  /** Set where the request may now become a stream. */
  grant?: StreamGrant;
}

/** Leave to open a session: who it is, and what an SSE request subscribed to in its query. */
export interface StreamGrant {
  kind: 'websocket' | 'sse';
  keyId: string;
  wallet: string;
  subscriptions: ReadonlyArray<{ channel: string; params: Record<string, unknown> }>;
}
