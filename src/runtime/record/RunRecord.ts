import type { ExecutionRecord, FillRecord } from '../../contract/index.ts';
import type { AverageDrawdown, Depth, DrawdownTimes, MeasuredRun } from '../../statistics/index.ts';
import type { StrategyNotice } from '../../strategy/index.ts';
import type { LifeEvent } from '../RestartPolicy.ts';
import type { Liquidation } from '../wallet/index.ts';
import type { TimedValue } from './createCurves.ts';
import type { RecordedLevel } from './createLevelLog.ts';
import type { RecordedPlot } from './createPlotLog.ts';

/** What became of the intents of one instance. */
export interface OutcomeCounts {
  emitted: number;
  denied: number;
  accepted: number;
  rejected: number;
  /** Without an answer at the end. */
  unknown: number;
  expired: number;
}

export interface RecordedIntent {
  time: number;
  instance: string;
  kind: string;
  symbol: string;
  outcome: string;
  reason?: string;
}

/** One cause of refusal: a guard's name or the service's code. */
export interface Refusal {
  cause: string;
  count: number;
  /** The last one's message. */
  example: string;
}

/** One cause of waiting in the budget: what was short. */
export interface Delay {
  cause: string;
  /** Intents that waited for it at least once. */
  count: number;
}

/** The fields of a fill that a report needs; more would dominate the memory of a run of millions of bars. */
export type RecordedFill = Pick<
  FillRecord,
  | 'time'
  | 'symbol'
  | 'side'
  | 'price'
  | 'size'
  | 'fee'
  | 'liquidity'
  | 'reduce_only'
  | 'order_id'
  | 'execution_id'
  | 'closed_pnl'
> & { instance: string | undefined; cause?: string | undefined; tag?: string | undefined };

export interface RecordedExecution {
  instance: string | undefined;
  /** Its last known state. */
  execution: ExecutionRecord;
}

/** Market orders that the service filled in part or not at all, and whose rest it cancelled at once. */
export interface CutOrders {
  count: number;
  /** What was filled of one of them, as a mean of their shares; 0 if there is none. */
  filledShare: number;
}

/** Everything that a report and the closing table need of a run, collected while it runs. */
export interface RunRecord {
  /** What the strategies computed, and the levels of their legs and tracked entries; empty unless asked for. */
  readonly plots: readonly RecordedPlot[];
  readonly levels: readonly RecordedLevel[];
  readonly intents: readonly RecordedIntent[];
  /** Values that were no intents, refused before they reached the pipe; they count as denied too. */
  readonly malformed: number;
  readonly cutOrders: CutOrders;
  /** Why intents were not accepted, most frequent first. */
  readonly refusals: readonly Refusal[];
  /** Strategies that ended by their own fault, and their restarts. */
  readonly lives: readonly LifeEvent[];
  /** What an operator should know of an instance, in order of arrival. */
  readonly notices: ReadonlyArray<{ instance: string; notice: StrategyNotice }>;
  /** What the venue took over, in order of arrival. */
  readonly liquidations: readonly Liquidation[];
  /** What intents waited for before they were sent or given up, most frequent first. */
  readonly delays: readonly Delay[];
  readonly fills: readonly RecordedFill[];
  readonly executions: readonly RecordedExecution[];
  /**
   * Net P&L of an instance at the instants at which bars closed. On a long run it is thinned, and retains its highest
   * and its lowest point, and peak, trough and recovery of its worst ten drawdowns.
   */
  curve(instance: string): readonly TimedValue[];
  /** The same of all instances. */
  readonly total: readonly TimedValue[];
  /** Net P&L of an instance at the last instant of each UTC hour that has one; never thinned. */
  hourly(instance: string): readonly TimedValue[];
  /** The same of all instances. */
  readonly hourlyTotal: readonly TimedValue[];
  /**
   * Largest fall of all instances' net P&L from its peak, at bar closes and now: in quote units, and as a share
   * of the wallets' equity at the peak, including the part that no strategy is allotted.
   */
  readonly drawdown: Depth;
  /**
   * The longest stretch below an earlier peak, and the times of the largest fall: of an instance, or of all of
   * them. Measured at every instant at which bars closed, and at the ends of the run, which only the driver of
   * the run knows.
   */
  drawdownTimes(run: Omit<MeasuredRun, 'value'>, instance?: string): DrawdownTimes;
  /** The means of all drawdowns of all instances together, measured at the same instants. */
  averageDrawdown(run: Omit<MeasuredRun, 'value'>): AverageDrawdown;
  counts(instance: string): OutcomeCounts;
  /** Number of 429 answers. */
  readonly rateLimited: number;
  /** Hex digest over intents and fills in their order: equal runs have equal hashes. */
  hash(): string;
}
