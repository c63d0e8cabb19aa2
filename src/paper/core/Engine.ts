import type { Market } from './Market.ts';
import type { BarColumns } from '../../env/index.ts';
import type { ChannelName, EndpointId, Interval, Scope } from '../../contract/index.ts';
import type { SavedEngine } from '../state/SavedEngine.ts';

/** A call that passed the gate: authenticated, charged, body and query validated. */
export interface Call {
  endpoint: EndpointId;
  pathParams: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  /** Connection id that the call acts on. */
  wallet: string;
  idempotencyKey: string | null;
  /** Throws `insufficient_scope` if the body needs a scope that the key lacks. */
  requireScope(scope: Scope): void;
}

/**
 * A handler's result; the status is the endpoint table's `success`. Refusals are thrown as ServiceError.
 */
export interface Reply {
  body: unknown;
  /** Set by candle reads: the weight is then the cached one, and venue weight is not charged. */
  cached?: boolean;
}

export type Handler = (call: Call) => Reply;
export type HandlerTable = Partial<Record<EndpointId, Handler>>;

/** An event for subscribers. `keys` are matched against a subscription's params. */
export interface EngineEvent {
  channel: ChannelName;
  event: string;
  /** null: for every wallet (market data, `_meta`). */
  wallet: string | null;
  keys: Readonly<Record<string, string | number | boolean>>;
  data: unknown;
}

/**
 * Keys of an event that goes to every subscriber of its channel and wallet. One shared object, so that
 * matching can be skipped by identity.
 */
export const NO_KEYS: EngineEvent['keys'] = {};

/**
 * Market data that has subscribers. Data without subscribers is not produced, so an idle replay runs at
 * full speed.
 */
export interface MarketInterest {
  /** Symbols whose `price` ticks have subscribers. */
  ticks: readonly string[];
  /** Closed bars that have subscribers, and whether the bar in progress has too. */
  bars: ReadonlyArray<{ symbol: string; interval: Interval; forming: boolean }>;
  /** Symbols whose market record has subscribers; default: none. */
  markets?: readonly string[];
  /** Books that have subscribers, each to its depth; default: none. */
  books?: ReadonlyArray<{ symbol: string; depth: number }>;
}

/**
 * The deterministic core: market, accounts, orders, legs, algorithms. No I/O; time is passed in. Requests
 * come as {@link Call}s and market time by `advanceTo`; all events go to the listener, in order.
 */
export interface Engine {
  readonly now: number;
  readonly startTime: number;
  readonly endTime: number;
  readonly market: Market;
  /** Handlers of the endpoint families that the engine serves. */
  readonly handlers: HandlerTable;
  addAccount(wallet: string, balance: number): void;
  /**
   * Runs everything that is due until `time` inclusive: paths, fills, timers, bar closes.
   *
   * @param isOver called between two instants; true stops the run at the instant that is complete
   */
  advanceTo(time: number, isOver?: () => boolean): void;
  /**
   * The last instant, at most `limit`, until which nothing but closing bars can happen; the present time if there is no
   * such stretch. It may end with an hour's funding, which settles after the bars of its instant. The feeds must not grow.
   */
  quietUntil(limit: number): number;
  /** Moves time within such a stretch, and settles funding that is due; the bars that close in it are not published. */
  skipTo(time: number): void;
  /**
   * Closed bars that have subscribers, in the order in which bars that close together are published. `bars` has all of
   * the feed's, also those that have not closed yet; null where they can't be given as columns.
   */
  publishedBars(): ReadonlyArray<{ symbol: string; interval: Interval; bars: BarColumns | null }>;
  listen(listener: (event: EngineEvent) => void): void;
  /**
   * Limits `candles` and `price` events to those with subscribers; until it is called, all are produced.
   */
  setMarketInterest(interest: MarketInterest): void;
  /** Data of a channel's `snapshot` event, or null if the channel has none. */
  snapshot(
    channel: ChannelName,
    wallet: string,
    params: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, unknown>> | null;
  /**
   * Bars were appended to the feeds it was made of (see `createGrowingFeed`), none before its time: it can go on to
   * their end.
   */
  feedsGrew(): void;
  /**
   * Moves funds into a wallet's account, or out of it if `amount` is below 0; USDC.
   *
   * @throws ServiceError `insufficient_balance` if orders or positions need them
   */
  transfer(wallet: string, amount: number): void;
  /** Running executions turn `interrupted` (reason `venue_lost`); paused ones stay. */
  interruptExecutions(): void;
  /** Its whole state as plain data, from which `createEngine` resumes. */
  save(): SavedEngine;
}
