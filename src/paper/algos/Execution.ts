import type {
  AlgoId,
  ExecuteRequest,
  ExecutionPhase,
  ExecutionReason,
  ExecutionStatus,
  Side,
} from '../../contract/index.ts';
import type { Cancel } from '../../env/index.ts';
import type { BarHook } from '../engine/BarHook.ts';
import type { PriceWatch } from '../market/PriceWatches.ts';
import type { EntryTrack, PriceFromResolution } from '../venue/Order.ts';

/** An execution as it is recorded (conventions §4); its legs are added when it is returned. */
export interface ExecutionFields {
  execution_id: string;
  client_execution_id: string | null;
  idempotency_key: string | null;
  algo: AlgoId;
  symbol: string;
  side: Side;
  total_size: number;
  filled_size: number;
  remaining_size: number;
  average_price: number | null;
  arrival_price: number;
  status: ExecutionStatus;
  phase: ExecutionPhase;
  reason: ExecutionReason | null;
  /** The filled share. */
  progress: number;
  fees: number;
  reduce_only: boolean;
  wallet: string;
  created_time: number;
  updated_time: number;
  ended_time: number | null;
  /** What was sent, verbatim (RULE-1). */
  request: unknown;
}

export interface ExecutionEvent {
  execution_id: string;
  event: string;
  reason: string | null;
  detail: unknown;
  time: number;
}

export interface Execution {
  readonly record: ExecutionFields;
  readonly wallet: string;
  readonly spec: ExecuteRequest;
  /** The basket that it was launched with. */
  basketId: string | null;
  filledNotional: number;
  /** Open child orders, oldest first. */
  children: string[];
  /** All child orders, for introspection. */
  readonly orderIds: string[];
  readonly fillIds: string[];
  readonly events: ExecutionEvent[];
  legIds: string[];
  /** How its limit or trigger came from an indicator, and the watch that moves it. */
  readonly priceFrom: PriceFromResolution | null;
  entryTrack: EntryTrack | null;
  /** The algorithm's own state, plain data. */
  state: unknown;
  /** When it was suspended, so that a schedule's clock can exclude the pause. */
  pausedSince: number | null;
  resumedTime: number;
  /** Its trigger or stop was reached before it was launched. */
  readonly triggered: boolean;
  /** It closes the position that was open when it was launched, and ends with that (POS-1, POS-2). */
  readonly unwinds: boolean;
  /** Complete-at-market is in progress. */
  completing: boolean;
  staleSince: number;
  staleWarned: boolean;
  staleTimer: Cancel | null;
  timer: Cancel | null;
  watches: PriceWatch[];
  barHook: BarHook | null;
}
