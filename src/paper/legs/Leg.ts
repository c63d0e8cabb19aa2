import type {
  EntryLeg,
  LegForm,
  LegKind,
  LegStatus,
  PositionLeg,
  Side,
} from '../../contract/index.ts';
import type { BarHook } from '../engine/BarHook.ts';
import type { PriceWatch } from '../market/PriceWatches.ts';

/** How a leg came to its trigger (LEG-7). For an absolute price, only trigger and anchor are set. */
export interface LegResolution {
  indicator: string | null;
  interval: string | null;
  series: string | null;
  indicator_value: number | null;
  bar_time: number | null;
  anchor: 'entry' | 'current_price';
  anchor_price: number;
  trigger_price: number;
}

/** A leg as it is recorded (conventions §3). */
export interface LegFields {
  leg_id: string | null;
  kind: LegKind;
  symbol: string;
  form: LegForm;
  exit_style: 'native' | 'algo_unwind';
  status: LegStatus;
  size: number | null;
  /** True: it follows the position's size. */
  coupled: boolean;
  resolution: LegResolution | null;
  monitor_id: string | null;
  error: { code: string; message: string; details: unknown } | null;
  request: unknown;
}

export interface Leg {
  readonly record: LegFields;
  readonly wallet: string;
  readonly spec: EntryLeg | PositionLeg;
  /** Side of the position that it protects. */
  readonly positionSide: 'long' | 'short';
  /** The order or launch that it came with; a position leg has none. */
  readonly orderId: string | null;
  readonly executionId: string | null;
  /** The other leg of the same request; if one triggers, the other retires. */
  siblingId: string | null;
  readonly createdTime: number;
  watch: PriceWatch | null;
  hook: BarHook | null;
}

export const isLive = (leg: Leg): boolean =>
  leg.record.status === 'queued' || leg.record.status === 'armed';

export const exitSide = (positionSide: 'long' | 'short'): Side =>
  positionSide === 'long' ? 'sell' : 'buy';

export function legRecord(leg: Leg): LegFields {
  const { resolution } = leg.record;
  return { ...leg.record, resolution: resolution === null ? null : { ...resolution } };
}
