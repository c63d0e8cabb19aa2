import type { Interval } from '../contract/index.ts';

/** A line that a report draws: an indicator in use, a series of it, or a value of `ctx.plot`. */
export interface PlotLine {
  /** As the journal names it: `fast ema(10)`, `bands bollinger(20, 2) upper`, or the name that was plotted. */
  readonly name: string;
  /** What it was computed of; lines of one indicator share it. */
  readonly group: string;
  readonly symbol: string;
  /** Of the bars that it was computed of; absent for a value of `ctx.plot`. */
  readonly interval?: Interval;
  /** `price`, or the name of a pane below; absent: by its values. */
  readonly pane?: string;
}

/**
 * Receives a value of a line, once a turn at most.
 *
 * @param time market time, epoch milliseconds: the close of the bar that it belongs to, else that of the turn
 */
export type PlotSink = (line: PlotLine, time: number, value: number) => void;

/** Where `ctx.plot` draws. */
export interface PlotOptions {
  /** `price`, on the candles, if left out; any other name is a pane below, shared by all lines that name it. */
  pane?: 'price' | (string & {});
  /** One of the instance's symbols; default: the first. */
  symbol?: string;
}
