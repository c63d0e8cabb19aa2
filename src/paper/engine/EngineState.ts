import type { TimerTopic } from './TimerTopic.ts';
import type { Dialect } from '../../contract/index.ts';
import type { Cancel } from '../../env/index.ts';
import type { EngineEvent } from '../core/Engine.ts';
import type { IndicatorReads } from '../market/IndicatorReads.ts';
import type { Leg } from '../legs/Leg.ts';
import type { PaperMarket } from '../market/PaperMarket.ts';
import type { Account } from '../venue/Account.ts';
import type { Fill } from '../venue/Fill.ts';
import type { Fees } from '../venue/venueFees.ts';
import type { Order } from '../venue/Order.ts';
import type { BarHooks } from './BarHooks.ts';

/** Numbers of the simulated venue that a configuration may set. */
export interface VenueSettings {
  /** By symbol, of every instrument. */
  fees: ReadonlyMap<string, Fees>;
  /** Share of a bar's volume that fills may use. */
  volumeShare: number;
  /** What a taker pays beyond the touch, per share of the bar's volume. */
  impactBps: number;
  /** Whether a touch fills a resting order. */
  touchFills: boolean;
  defaultLeverage: number;
  defaultSlippageBps: number;
  /** Terminal records kept a kind and wallet. */
  retention: number;
}

/**
 * What follows from what: the one place where the venue tells the parts above it. Fixed calls in a
 * fixed order, so that a run is reproducible and the way of an event can be read.
 */
export interface Reactions {
  onFill(account: Account, order: Order, fill: Fill): void;
  /** The order is filled, cancelled or rejected. */
  onOrderClosed(account: Account, order: Order): void;
  /** The position's size changed; it may be zero now. */
  onPositionChanged(account: Account, symbol: string): void;
  /** The leg triggered, retired or was rejected. */
  onLegEnded(account: Account, leg: Leg): void;
  /** Positions are taken over by the venue: of these symbols, or null for all. */
  onLiquidated(account: Account, symbols: readonly string[] | null): void;
}

/** What every part of the engine works on. Time is `market.now`. */
export interface EngineState {
  readonly dialect: Dialect;
  readonly settings: VenueSettings;
  readonly market: PaperMarket;
  readonly reads: IndicatorReads;
  readonly barHooks: BarHooks;
  readonly accounts: Map<string, Account>;
  readonly reactions: Reactions;
  /** Whose webhook a token names. */
  readonly webhookTokens: Map<string, { wallet: string; id: string }>;
  readonly tokenSecret: string;
  /** Ids are counters by kind: `ord_1`, `fil_1`. */
  nextId(prefix: string): string;
  /** Calls the topic's reaction at that time; plain data, so that it can be set anew from a saved state. */
  at(time: number, topic: TimerTopic, wallet: string, id: string): Cancel;
  emit(event: EngineEvent): void;
  /** Whether anyone listens; records for events are not made for nobody. */
  readonly heard: boolean;
}
