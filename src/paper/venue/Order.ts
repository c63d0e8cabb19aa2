import type { OrderStatus, Side } from '../../contract/index.ts';
import type { Cancel } from '../../env/index.ts';
import type { PriceWatch } from '../market/PriceWatches.ts';

/** An order as it is recorded (conventions §3); the fields of ORD-2 are added when it is returned. */
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

/** How a tracked or indicator-priced entry got its price (ORD-2). */
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
  /** The worst price that it may pay; null: no limit (exits of legs). */
  bound: number | null;
  /** Share of a bar's volume that its fills may use; null: no cap. */
  readonly volumeShare: number | null;
  /** An exit continues with each closed bar, or each change of a recorded book, until it is filled. */
  readonly persistent: boolean;
  filledNotional: number;
  watch: PriceWatch | null;
  /** Cancels the timer that continues an exit. */
  waiting: Cancel | null;
  legIds: string[];
  /** The watch that moves it, even after the watch has ended (ORD-2). */
  entryTrack: EntryTrack | null;
  priceFrom: PriceFromResolution | null;
  /**
   * The time of the next trade, for an order that rests although it crosses: its fills at that time are
   * taker fills. null: its fills are maker fills.
   */
  takesAt: number | null;
  /** True while it is being placed: a single event at the end then reports everything. */
  placing: boolean;
}

export const isOpen = (order: Order): boolean => order.record.status === 'open';

export function remainingOf(order: Order): number {
  return order.record.size - order.record.filled_size;
}
