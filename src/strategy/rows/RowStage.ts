import type { Subscriber } from 'rxjs';
import type { BarColumns, SpanControl } from '../../env/index.ts';
import type { ClosedBar } from '../Bar.ts';

/**
 * A recognised subscriber: an operator of which it is known what it passes on, so that a replay can look ahead for the
 * rows at which it does, and RxJS need not see the others. Recognition is all or nothing: behind a source whose
 * subscriber has no stage, each bar is delivered.
 */
export interface RowStage {
  /**
   * Whether everything behind it is known, up to where it passes on only what it was looked ahead for. Asked before
   * {@link next}, for each span.
   */
  isKnown(): boolean;
  /**
   * The first row in [from, to) at which it passes something on to code that is not known; `to` if there is none. What it
   * has looked ahead for it does not evaluate twice.
   */
  next(from: number, to: number): number;
  /** True if it isn't known who receives its values; absent where several do, or by what it passes on. */
  readonly isLast?: boolean;
  /** Where it gets its values from; called once, when it is subscribed. */
  attach(source: RowSource): void;
}

/** Values of a stage by row, in columns. */
export interface RowSource {
  /** The rows of the bars that the values belong to; undefined where the bars come from no subscription of a host. */
  readonly rows: BarRows | undefined;
  /** The column that a path reads, as `['fast']` or `['bands', 'upper']`; undefined if it is none of numbers. */
  column(path: readonly string[]): RowColumn | undefined;
  /** The first row in [from, to) that has values; makes the columns readable from there to `to`. */
  fill(from: number, to: number): number;
}

/** The value of a row is `values[row - base]`, after a `fill` that had it. */
export interface RowColumn {
  readonly values: Float64Array;
  readonly base: number;
}

/** The rows of one subscription to bars. */
export interface BarRows {
  /** Columns of the rows; null as long as none came. */
  readonly bars: BarColumns | null;
  /** The row of the first bar that the subscription got. */
  readonly first: number;
  /** The last row that it got, or that was passed over. */
  row(): number;
  /** Of the span in which the rows come; undefined if they come as events. */
  readonly spans: SpanControl | undefined;
  /** A row as the bar that a plugin gets. */
  toBar(bars: BarColumns, row: number): ClosedBar;
}

/** Under this name a subscriber has its stage, also one of a second copy of this code. */
const STAGE: unique symbol = Symbol.for('trimtab.rowStage') as never;

interface Staged {
  [STAGE]?: RowStage;
}

export function stageOf(subscriber: Subscriber<never>): RowStage | undefined {
  return (subscriber as Subscriber<never> & Staged)[STAGE];
}

export function withStage<S extends object>(subscriber: S, stage: RowStage): S {
  return Object.assign(subscriber, { [STAGE]: stage });
}
