import type { BarColumns, BarLane } from '../../env/index.ts';
import type { StreamSubscription } from '../../paper/index.ts';
import type { WalkedLane } from './createWalkCounter.ts';

/** Rows that are looked ahead for at most. */
export const MOST_AHEAD = 4_096;

/** The rows of one subscription. */
export interface Lane {
  readonly walked: WalkedLane;
  readonly subscription: StreamSubscription;
  readonly receiver: BarLane;
  readonly bars: BarColumns;
  readonly intervalMs: number;
  /** The next row, and when it closes; Infinity after the last. */
  at: number;
  next: number;
  /** Rows before it count as sent. */
  sent: number;
  /** Of the span: the row after its last, and the first row that the receiver has to take. */
  end: number;
  wanted: number;
  /** When that row closes; Infinity if there is none. */
  wantedTime: number;
}

export function moveTo(lane: Lane, row: number): void {
  const { time } = lane.bars;
  lane.at = row;
  lane.next = row < time.length ? time[row]! + lane.intervalMs : Infinity;
}

export const closeOf = ({ bars, intervalMs }: Lane, row: number): number =>
  bars.time[row]! + intervalMs;

/** When the last bar closed that the lane has had; −∞ before the first. */
export const lastClose = (lane: Lane): number =>
  lane.at === 0 ? Number.NEGATIVE_INFINITY : closeOf(lane, lane.at - 1);

/** When the last bar closed before a time, of those that the lane has had; −∞ if there was none. */
export function closeBefore(lane: Lane, time: number): number {
  let row = lane.at - 1;
  while (row >= 0 && closeOf(lane, row) >= time) row--;
  return row < 0 ? Number.NEGATIVE_INFINITY : closeOf(lane, row);
}

export function findWanted(lane: Lane): void {
  const { bars, at, end, receiver } = lane;
  lane.wanted = at < end ? receiver.next(bars, at, end) : end;
  lane.wantedTime = lane.wanted === end ? Infinity : closeOf(lane, lane.wanted);
}

/** When the first bar closes that some lane has to take; Infinity if there is none. */
export function nextWanted(lanes: readonly Lane[]): number {
  let next = Infinity;
  for (let index = 0; index < lanes.length; index++) {
    const { wantedTime } = lanes[index]!;
    if (wantedTime < next) next = wantedTime;
  }
  return next;
}

/** The first row that does not close before a time, at most the end. */
export function rowBefore({ bars, at, end, intervalMs }: Lane, time: number): number {
  let row = at;
  while (row < end && bars.time[row]! + intervalMs < time) row++;
  return row;
}

/** The first row that closes after a time. */
export function rowAfter({ bars: { time }, at, intervalMs }: Lane, until: number): number {
  let [from, to] = [at, Math.min(at + MOST_AHEAD + 1, time.length)];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (time[middle]! + intervalMs <= until) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Moves a lane to the first row that closes after a time; mostly it is the next one. */
export function seek(lane: Lane, now: number): void {
  const { bars, intervalMs } = lane;
  const { time } = bars;
  if (lane.at === 0 || lane.next <= now) {
    let [from, to] = [lane.at, time.length];
    // Steps bar by bar leave it a few rows behind.
    while (from < to && to - from > 8 && time[from + 8]! + intervalMs > now) to = from + 8;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (time[middle]! + intervalMs <= now) from = middle + 1;
      else to = middle;
    }
    moveTo(lane, from);
  }
  lane.sent = lane.at;
}
