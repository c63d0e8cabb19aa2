import type { PointFault, PointFigures, PointResult } from '../PointResult.ts';

/** A result without its returns and trades. */
export type PointOutline =
  | {
      index: number;
      figures: PointFigures;
      /** Number of its daily returns. */
      days: number;
    }
  | PointFault;

export const hasRun = (outline: PointOutline): outline is Extract<PointOutline, { days: number }> =>
  'figures' in outline;

/** Daily returns of a point that ran. */
export interface PointReturns {
  index: number;
  returns: ArrayLike<number>;
}

/**
 * The results of a sweep, by the index of their jobs. They may be a million with years of returns each, so
 * they are looked up one by one or passed over, and never all in memory.
 */
export interface SweepResults {
  readonly size: number;
  has(index: number): boolean;
  get(index: number): PointResult | undefined;
  /** Ascending by index. */
  outlines(): Iterable<PointOutline>;
  /** Of the points that ran, ascending by index. */
  returns(): Iterable<PointReturns>;
  /** Ascending by index. */
  faults(): Iterable<PointFault>;
}
