import type { MonitorAction, MonitorTrigger, Side } from '../../contract/index.ts';
import type { BarHook } from '../engine/BarHook.ts';
import type { PriceWatch } from '../market/PriceWatches.ts';

export type MonitorStatus = 'armed' | 'paused' | 'fired' | 'stopped' | 'failed';

/** A monitor as it is recorded (conventions §3, §4). */
export interface MonitorFields {
  monitor_id: string;
  group_id: string | null;
  name: string | null;
  trigger: MonitorTrigger;
  action: MonitorAction;
  status: MonitorStatus;
  rearm: boolean;
  fired_count: number;
  last_fired_time: number | null;
  last_error: { code: string; message: string; details: unknown } | null;
  created_time: number;
  /** What was sent, verbatim; a compiled leg's own request. */
  request: unknown;
}

/**
 * The values that a compiled leg freezes at attach (POS-5); the launch is built from them when the
 * monitor fires.
 */
export interface Unwind {
  legId: string;
  algo: 'glidemaker' | 'smartexit' | 'pacemaker' | 'ghostsweep';
  params: Readonly<Record<string, unknown>>;
  symbol: string;
  side: Side;
  size: number;
}

export interface Monitor {
  readonly record: MonitorFields;
  readonly wallet: string;
  readonly unwind: Unwind | null;
  /** Whether the mark was seen on the other side since it was armed: only then can it cross. */
  ready: boolean;
  watch: PriceWatch | null;
  /** Those with which it shares a watch; it has none of its own then. */
  bundle: { leave(monitor: Monitor): void } | null;
  hook: BarHook | null;
}

export interface MonitorGroup {
  readonly group_id: string;
  readonly mode: 'none' | 'oco';
  readonly monitor_ids: readonly string[];
  readonly createdTime: number;
}
