import type { StreamGrant } from '../core/RawExchange.ts';
import type { StreamPort } from '../core/StreamPort.ts';
import type { Backlog } from './Backlog.ts';

/** An open WebSocket or SSE response of the server. */
export interface StreamConnection {
  readonly grant: StreamGrant;
  readonly port: StreamPort;
  readonly backlog: Backlog;
  /** Monotonic time of the last sign of life, milliseconds. */
  lastSeen: number;
  /** A ping, or a comment line. */
  beat(): void;
  /** Cuts the connection without a close frame. */
  cut(): void;
}
