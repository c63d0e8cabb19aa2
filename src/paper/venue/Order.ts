import type { OrderStatus, Side } from '../../contract/index.ts';
import type { Cancel } from '../../env/index.ts';
import type { PriceWatch } from '../market/PriceWatches.ts';

/** An order as it is recorded (conventions §3); what ORD-2 adds is joined when it is answered. */
export interface OrderFields {
  order_id: string;
  client_order_id: string | null;
  idempotency_key: string | null;
  execution_id: string | null;
  symbol: string;
  side: Side;
  size: number;
  filled_size: number;
  average_price: number | null;
  price: number | null;
  order_type: 'limit' | 'market';
  time_in_force: 'gtc' | 'ioc' | 'post_only' | null;
  reduce_only: boolean;
  status: OrderStatus;
  created_time: number;
  updated_time: number;
  reject_reason: string | null;
  /** What was sent, verbatim (RULE-1); null for orders that the service places itself. */
  request: unknown;
}

/** How a tracked or indicator-priced entry came to its price (ORD-2). */
export interface PriceFromResolution {
  indicator: string;
  interval: string;
  series: string;
  indicator_value: number;
  bar_time: number;
  price: number;
}

export interface EntryTrack {
  watch_id: string;
  min_move_bps: number;
  max_drift_bps: number;
}

export interface Order {
  readonly record: OrderFields;
  readonly wallet: string;
  /** Furthest price that it may pay; null: none (exits of legs). */
  bound: number | null;
  /** Share of a bar's volume that its fills may use; null: no cap. */
  readonly volumeShare: number | null;
  /** An exit goes on with each closed bar, or each change of a recorded book, until it is filled. */
  readonly persistent: boolean;
  filledNotional: number;
  watch: PriceWatch | null;
  /** Cancels the timer with which an exit goes on. */
  waiting: Cancel | null;
  legIds: string[];
  /** Names the watch that moves it, also after the watch has ended (ORD-2). */
  entryTrack: EntryTrack | null;
  priceFrom: PriceFromResolution | null;
  /**
   * When the next trade comes, for an order that was put on the book though it crossed: what fills then
   * takes what stands there, and pays for that. null: it makes.
   */
  takesAt: number | null;
  /** True while it is being placed: then one event at the end tells it all. */
  placing: boolean;
}

export const isOpen = (order: Order): boolean => order.record.status === 'open';

export function remainingOf(order: Order): number {
  return order.record.size - order.record.filled_size;
}
