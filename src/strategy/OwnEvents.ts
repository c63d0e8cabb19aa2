import type {
  ExecutionRecord,
  FillRecord,
  MonitorRecord,
  OrderRecord,
  WatchRow,
} from '../contract/index.ts';
import type { WithRef } from './refs/RefEvent.ts';

/** An order of the wallet, with the `ref` of the intent that placed it or launched its execution. */
export type OwnOrder = WithRef<OrderRecord>;
/**
 * A fill, with the `ref` of the intent whose order or execution it filled, if that is known by then. An order of
 * `placeOrder` is known by its client id; what `closePosition`, `launch`, `launchBasket` and `attachTpsl` made is known by
 * the answer, and over sockets a fill may come before it: then it has no `ref`, and `byRef` counts it later.
 */
export type OwnFill = WithRef<FillRecord>;

/**
 * `snapshot`: open at the subscription, or shown by the snapshot after an outage. `changed`: a new state of it.
 * `gone`: open before an outage, and missing in the snapshot after it; its end was not seen, and the record is
 * the last one known.
 */
export interface OwnOrderEvent {
  event: 'snapshot' | 'changed' | 'gone';
  order: OwnOrder;
}

/**
 * A leg or tracked entry (STR-3), with the `ref` of the intent that attached it or that it belongs to.
 *
 * `leg_armed`, `trail_moved`, `leg_triggered`, `leg_retired`, `leg_rejected`; `entry_moved`, `entry_hold`,
 * `entry_tracking_stopped`, `entry_retired`. `snapshot`: shown at the subscription, or after an outage, whatever
 * happened meanwhile: its `status` says what. `gone`: known before an outage, not ended by then, and missing in the
 * snapshot after it; the row is the last one known.
 *
 * A stop of an order that fills in parts grows with each fill without an event of its own: `fills$` shows those.
 */
export interface OwnWatchEvent {
  event: string;
  row: WithRef<WatchRow>;
}

/**
 * An execution (EXE-8), with the `ref` of the intent that launched it.
 *
 * `started`, `progress`, `status`, `stale_warning`, `ended`. `snapshot`: shown at the subscription, or after an outage,
 * whatever happened meanwhile: its `status` says what. `gone`: one that had not ended before an outage, and that the
 * snapshot after it lacks; the record is the last one known, and its `status` of then.
 */
export interface OwnExecutionEvent {
  event: string;
  execution: WithRef<ExecutionRecord>;
}

/**
 * A monitor, with the `ref` of the intent that created it.
 *
 * `armed`, `fired`, `failed`, `stopped`, `paused`, `resumed`. `snapshot`: shown at the subscription, or after an outage:
 * one that fired meanwhile comes as a `snapshot` with the status `fired`, or with a higher `fired_count` if it re-arms.
 * `gone`: one that was not over before an outage, and that the snapshot after it lacks; the record is the last one known.
 */
export interface OwnMonitorEvent {
  event: string;
  monitor: WithRef<MonitorRecord>;
}
