import type { Subscription } from './Link.ts';

/** Closed bars as columns, ascending by open time, epoch milliseconds. */
export interface BarColumns {
  readonly time: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
}

/** Takes the bar of one row; market time is its close. */
export type TakeBar = (bars: BarColumns, at: number) => void;

/** Where the closed bars of one subscription go. */
export interface BarLane {
  /** Whether its bars may come as columns now; else each must come as a frame. */
  isReady(): boolean;
  /** A bar closed, at this time. It stands for the frame that would have come. */
  take(bars: BarColumns, at: number, closeTime: number): void;
}

/**
 * Takes spans: stretches of a replay in which nothing can happen but that bars close. What they leave is what the
 * same bars would have left as frames.
 */
export interface SpanReceiver {
  /** The lane of a subscription; undefined if it takes frames only. */
  lane(subscription: Subscription): BarLane | undefined;
  /** A span has ended: what was put off until somebody reads it is made up for. */
  settle(): void;
}

/** Ends the present span at the bar that is being delivered: something else is about to happen. */
export type InterruptSpan = () => void;
