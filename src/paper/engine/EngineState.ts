import type { TimerTopic } from './TimerTopic.ts';
import type { Dialect, Side } from '../../contract/index.ts';
import type { Cancel } from '../../env/index.ts';
import type { Execution } from '../algos/Execution.ts';
import type { EngineEvent } from '../core/Engine.ts';
import type { IndicatorReads } from '../market/IndicatorReads.ts';
import type { Leg } from '../legs/Leg.ts';
import type { PaperMarket } from '../market/PaperMarket.ts';
import type { Account } from '../venue/Account.ts';
import type { Fill } from '../venue/Fill.ts';
import type { Fees } from '../venue/venueFees.ts';
import type { Order } from '../venue/Order.ts';
import type { BarHooks } from './BarHooks.ts';

/** Settings of the simulated venue. */
export interface VenueSettings {
  /** By symbol, of every instrument. */
  fees: ReadonlyMap<string, Fees>;
  /** Share of a bar's volume that fills may use. */
  volumeShare: number;
  /** What a taker pays beyond the best price, per share of the bar's volume. */
  impactBps: number;
  /** Whether a trade at its price fills a resting order, without trading through it. */
  touchFills: boolean;
  defaultLeverage: number;
  defaultSlippageBps: number;
  /** Terminal records retained per kind and wallet. */
  retention: number;
}

/**
 * The calls from the venue to the parts above it, in one place. Their order is fixed, so that a run is
 * reproducible and the path of an event can be read.
 */
export interface Reactions {
  onFill(account: Account, order: Order, fill: Fill): void;
  /** The order is filled, cancelled or rejected. */
  onOrderClosed(account: Account, order: Order): void;
  /** The position's size changed; it may be zero now. */
  onPositionChanged(account: Account, symbol: string): void;
  /** A position or a holding was closed or reversed, by that order. */
  onPositionEnded(account: Account, symbol: string, closing: Order): void;
  /** The leg triggered, retired or was rejected. */
  onLegEnded(account: Account, leg: Leg): void;
  onExecutionEnded(account: Account, execution: Execution): void;
  /** The venue liquidates positions, and what `ends` is true for ends with them. */
  onLiquidated(account: Account, ends: (trade: Trade) => boolean): void;
}

/** What an order or an execution does. */
export interface Trade {
  symbol: string;
  side: Side;
  reduce_only: boolean;
}

/** The state on which every part of the engine works. Time is `market.now`. */
export interface EngineState {
  readonly dialect: Dialect;
  readonly settings: VenueSettings;
  readonly market: PaperMarket;
  readonly reads: IndicatorReads;
  readonly barHooks: BarHooks;
  readonly accounts: Map<string, Account>;
  readonly reactions: Reactions;
  /** The owner of the webhook that a token names. */
  readonly webhookTokens: Map<string, { wallet: string; id: string }>;
  readonly tokenSecret: string;
  /** Ids are counters by kind: `ord_1`, `fil_1`. */
  nextId(prefix: string): string;
  /**
   * Calls the topic's reaction at that time; plain data, so that it can be restored from a saved state. Infinity: once
   * the feed has grown.
   */
  at(time: number, topic: TimerTopic, wallet: string, id: string): Cancel;
  emit(event: EngineEvent): void;
  /** Whether there is a listener; without one, no event records are built. */
  readonly hasListener: boolean;
}
