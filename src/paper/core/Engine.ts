import type { Market } from './Market.ts';
import type { ChannelName, EndpointId, Interval, Scope } from '../../contract/index.ts';
import type { SavedEngine } from '../state/SavedEngine.ts';

/** A call that passed the gate: known caller, charged, body and query checked for shape. */
export interface Call {
  endpoint: EndpointId;
  pathParams: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  /** Connection id that the call acts on. */
  wallet: string;
  idempotencyKey: string | null;
  /** Throws `insufficient_scope` where the body asks for a scope that the key lacks. */
  requireScope(scope: Scope): void;
}

/** What a handler answers; the status is the endpoint table's `success`. Refusals are thrown as ServiceError. */
export interface Reply {
  body: unknown;
  /** Set by candle reads: the weight is then the cached one, and venue weight is not charged. */
  cached?: boolean;
}

export type Handler = (call: Call) => Reply;
export type HandlerTable = Partial<Record<EndpointId, Handler>>;

/** Something that subscribers hear of. `keys` are matched against a subscription's params. */
export interface EngineEvent {
  channel: ChannelName;
  event: string;
  /** null: for every wallet (market data, `_meta`). */
  wallet: string | null;
  keys: Readonly<Record<string, string | boolean>>;
  data: unknown;
}

/** Of an event that goes to every subscriber of its channel and wallet; one object, so that matching is seen to be done. */
export const NO_KEYS: EngineEvent['keys'] = {};

/**
 * Market data that somebody is subscribed to. What nobody wants is not made, so an idle replay runs
 * at full speed.
 */
export interface MarketInterest {
  /** Symbols whose `price` ticks are wanted. */
  ticks: readonly string[];
  /** Closed bars that are wanted, and whether the bar in progress is too. */
  bars: ReadonlyArray<{ symbol: string; interval: Interval; forming: boolean }>;
}

/**
 * The deterministic core: market, accounts, orders, legs, algorithms. No I/O; time is passed in.
 * Requests come as {@link Call}s, market time by `advanceTo`, everything that happens leaves by the
 * listener, in order.
 */
export interface Engine {
  readonly now: number;
  readonly startTime: number;
  readonly endTime: number;
  readonly market: Market;
  /** Handlers of the families that live in the engine. */
  readonly handlers: HandlerTable;
  addAccount(wallet: string, balance: number): void;
  /**
   * Runs everything that is due until `time` inclusive: paths, fills, timers, bar closes.
   *
   * @param isOver asked between two instants: whether it is to end at the one that is done
   */
  advanceTo(time: number, isOver?: () => boolean): void;
  listen(listener: (event: EngineEvent) => void): void;
  /** Narrows `candles` and `price` events to what is wanted; until it is called, all are made. */
  setMarketInterest(interest: MarketInterest): void;
  /** Data of a channel's `snapshot` event, or null where the channel has none. */
  snapshot(
    channel: ChannelName,
    wallet: string,
    params: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> | null;
  /** Running executions turn `interrupted` (reason `venue_lost`); paused ones stay. */
  interruptExecutions(): void;
  /** All of its state, as plain data; `createEngine` takes it up again. */
  save(): SavedEngine;
}
