import type { EntryPriceSpec, Side } from '../../contract/index.ts';
import type { BarHook } from '../engine/BarHook.ts';

/** An entry price that follows its level on each closed bar (TRK-2). Plain data. */
export interface EntryWatch {
  readonly watchId: string;
  readonly wallet: string;
  readonly symbol: string;
  readonly side: Side;
  readonly orderId: string | null;
  readonly executionId: string | null;
  readonly spec: EntryPriceSpec;
  readonly minMoveBps: number;
  readonly maxDriftBps: number;
  /** The first resolved price, from which drift is measured. */
  readonly firstPrice: number;
  /** The current price. */
  price: number;
  status: 'tracking' | 'stopped' | 'retired';
  hook: BarHook | null;
}
