import type { Exchange, ServiceRequest } from '../contract/exchange.ts';
import type { ServiceFault } from '../contract/errorEnvelope.ts';
import type { FrameFault, ServerFrame, StreamFrame } from '../contract/frames.ts';
import type { BarLane } from './BarSpan.ts';
import type { MarketClock } from './Clock.ts';

/** A request for a channel; the link maintains it across reconnects until it is withdrawn. */
export interface Subscription {
  channel: string;
  params: Readonly<Record<string, unknown>>;
}

/** A fault of a link that does not lose the connection: an undecodable text, a refused subscription. */
export type LinkFault =
  | { kind: 'undecodable'; fault: FrameFault }
  | {
      kind: 'refused';
      subscription: Subscription;
      error: ServiceFault;
      /** The link asks for it again by itself: the budget was spent, or the service is in trouble. */
      isAskedAgain?: true;
    };

/** What a link reports: frames in the order they came, and the state of its connection. */
export interface LinkListener {
  /** When this is called, market time is already the frame's `ts`. */
  onFrame(frame: StreamFrame): void;
  /** Acks, errors and results that belong to no pending call. */
  onControlFrame?(frame: Exclude<ServerFrame, { kind: 'stream' }>): void;
  onFault?(fault: LinkFault): void;
  /** `open` again after `lost` means that every subscription starts over with a snapshot. */
  onStatus(status: LinkStatus): void;
}

export type LinkStatus =
  | { state: 'connecting'; attempt: number }
  | { state: 'open' }
  | { state: 'lost'; reason: string }
  | { state: 'closed' };

/**
 * Takes spans: stretches of a replay in which nothing can happen but that bars close. What they leave is what the
 * same bars would have left as frames.
 */
export interface SpanReceiver {
  /** The lane of a subscription; undefined if it takes frames only. */
  lane(subscription: Subscription): BarLane | undefined;
  /** A span has ended: what was put off until somebody reads it is made up for. */
  settle(): void;
}

/** Ends the present span at the bar that is being delivered: something else is about to happen. */
export type InterruptSpan = () => void;

/** A subscription that takes each of its bars, since it is not known what its reader does with them. */
export interface BarReader {
  symbol: string;
  interval: string;
  /** The operator that takes the bars; undefined: the plugin's own code. */
  operator: string | undefined;
}

/** For who reads, or joins, bars of the present span. */
export interface SpanControl {
  /**
   * Somebody takes each bar, asked for by the call with this stack: one that stands for all of its kind.
   *
   * @param describe called if the link reports how it was walked
   */
  noteReader(stack: string, describe: () => BarReader): void;
  /** Hands on what is still to come at this instant: somebody is about to read what it changes. */
  bringUp(): void;
  /** The same, and the bars of this instant are the last of the span: what was looked ahead for may change. */
  interrupt(): void;
}

/**
 * The port between the runtime and a service: frames in, requests out, outcomes back. The wire link signs,
 * sends and decodes; the direct link calls the paper core in the same process. A strategy can't distinguish
 * them.
 */
export interface Link {
  readonly market: MarketClock;
  /**
   * Market time as far as it is known, epoch milliseconds, if it may be later than `market.now()`: while frames
   * that waited are delivered, and between frames. Absent if the two are the same.
   */
  present?(): number;
  open(listener: LinkListener): Promise<void>;
  /** Subscribing again to a running channel starts it over with a snapshot (conventions §5). */
  subscribe(subscription: Subscription): void;
  unsubscribe(subscription: Subscription): void;
  /** A service in the same process answers synchronously. */
  request(request: ServiceRequest): Exchange | Promise<Exchange>;
  close(): Promise<void>;
  /**
   * Requests that wait for market time before they reach the service: their answers come only as the replay
   * advances. Absent if none ever do.
   */
  held?(): number;
  /**
   * A replay in the same process may hand on bars as columns where nothing else can happen. Absent if all come as
   * frames; a link that wraps another one to see its frames leaves it out.
   */
  offerSpans?(receiver: SpanReceiver): InterruptSpan;
  /** Hands on the bars of a span that are still to come at this instant: somebody is about to read what they change. */
  bringUp?(): void;
  /** See {@link SpanControl.noteReader}. Absent if the link does not report how it was walked. */
  noteReader?: SpanControl['noteReader'];
}
