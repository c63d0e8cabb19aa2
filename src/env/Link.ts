import type { Exchange, ServiceRequest } from '../contract/exchange.ts';
import type { ServiceFault } from '../contract/errorEnvelope.ts';
import type { FrameFault, ServerFrame, StreamFrame } from '../contract/frames.ts';
import type { MarketClock } from './Clock.ts';

/** A wish for a channel; the link keeps it across reconnects until it is withdrawn. */
export interface Subscription {
  channel: string;
  params: Readonly<Record<string, unknown>>;
}

/** What goes wrong on a link without losing it: a text that is no frame, a subscription refused. */
export type LinkFault =
  | { kind: 'undecodable'; fault: FrameFault }
  | { kind: 'refused'; subscription: Subscription; error: ServiceFault };

/** What a link tells: frames in the order they came, and how its connection fares. */
export interface LinkListener {
  /** Market time stands at the frame's `ts` already when this is called. */
  onFrame(frame: StreamFrame): void;
  /** Acks, errors and results that belong to no pending call. */
  onControlFrame?(frame: Exclude<ServerFrame, { kind: 'stream' }>): void;
  onFault?(fault: LinkFault): void;
  /** `open` again after `lost` means that every subscription starts anew with a snapshot. */
  onStatus(status: LinkStatus): void;
}

export type LinkStatus =
  | { state: 'connecting'; attempt: number }
  | { state: 'open' }
  | { state: 'lost'; reason: string }
  | { state: 'closed' };

/**
 * The port between the runtime and a service: frames in, requests out, outcomes back. The wire link
 * signs, sends and decodes; the direct link calls the paper core in the same process. A strategy
 * can't tell which one it is on.
 */
export interface Link {
  readonly market: MarketClock;
  /**
   * Market time as far as is known, epoch milliseconds, where it may be later than `market.now()`: while
   * frames that waited are delivered, and between frames. Absent where the two are the same.
   */
  present?(): number;
  open(listener: LinkListener): Promise<void>;
  /** Asking again for what runs already starts it anew with a snapshot (conventions §5). */
  subscribe(subscription: Subscription): void;
  unsubscribe(subscription: Subscription): void;
  /** A service in the same process answers at once. */
  request(request: ServiceRequest): Exchange | Promise<Exchange>;
  close(): Promise<void>;
  /**
   * Requests that wait for market time before they reach the service: only a replay that goes on brings
   * their answers. Absent where none ever does.
   */
  held?(): number;
}
