import type { Observable } from 'rxjs';
import { barCloseTime, INTERVAL_MS, type Interval } from '../contract/intervals.ts';
import type { ChannelFrame, StreamFrame } from '../contract/frames.ts';
import type { CandleRecord } from '../contract/records.ts';
import type { Subscription } from '../env/Link.ts';
import { isChannelFrame } from '../frames/isChannelFrame.ts';
import type { CandleEvent, CandleOptions } from './CandleEvent.ts';
import { createAheadCheck } from './createAheadCheck.ts';
import { CandleWindow } from './CandleWindow.ts';
import type { ChannelFeed, FeedHandler } from './ChannelFeed.ts';
import { holding } from './holding.ts';
import type { ReportFault } from './StreamFault.ts';

export interface CandleSubscription {
  symbol: string;
  interval: Interval;
  forming: boolean;
  /** How far a snapshot reaches back; after an outage it fills the gap. */
  limit: number;
}

/** State of the connection by which bars arrive. */
export interface LineState {
  /** How often it was lost. */
  losses(): number;
  /** Market time as far as it is known: later than a frame's time if frames arrive late. */
  present(): number;
  /** Market time, epoch milliseconds. */
  now(): number;
  /** A listener is about to join bars that came already. */
  onJoin?: (() => void) | undefined;
}

/** A frame later than this did not come over a live connection; milliseconds of market time. */
export const LATE_MS = 10_000;

/** Views of one `candles` subscription, by the history that a listener requests. */
export type CandleStreams = (options: CandleOptions) => Observable<CandleEvent>;

type ClosedFrame = Extract<ChannelFrame<'candles'>, { event: 'bar_closed' }>;

const isClosedBar = (frame: StreamFrame): frame is StreamFrame & ClosedFrame =>
  frame.event === 'bar_closed' && frame.channel === 'candles';

/** A service needs some time to build a bar after its end. */
const LATE_BAR_MS = 10_000;

/** Candles by the service's channel: snapshot and live bars stitched by open time (MKT-1). */
export function createCandleStreams(
  { symbol, interval, forming, limit }: CandleSubscription,
  createFeed: (subscription: Subscription, handler: FeedHandler) => ChannelFeed,
  report: ReportFault,
  line: LineState,
): CandleStreams {
  const now = (): number => line.now();
  const window = new CandleWindow({ size: limit, interval, now, onJoin: line.onJoin });
  let losses = 0;
  const isLate = (time: number): boolean => line.present() - time > LATE_MS;
  const params = { symbol, interval, limit, ...(forming ? { include_forming: true } : {}) };

  const check = createAheadCheck(interval, report);

  const takeSnapshot = (stated: readonly CandleRecord[], time: number): void => {
    const candles = check.leaveOut(stated, time);
    const closed = candles.filter((bar) => bar.closed);
    const wasLost = line.losses() !== losses;
    losses = line.losses();
    if (!window.loaded) window.load(closed);
    else {
      // The service was ahead, and its clock is set back: its bars come again.
      if (check.isAhead(window.lastTime, time)) window.rewind(closed);
      reportHole(closed);
      const newest = closed.at(-1);
      // Without a loss the newest bar has just closed: the snapshot arrived before its own frame.
      const isPast = (bar: CandleRecord): boolean =>
        wasLost || bar !== newest || isLate(barCloseTime(bar.time, interval));
      for (const bar of closed) window.close(bar, isPast(bar));
    }
    const inProgress = candles.find((bar) => !bar.closed);
    if (forming && inProgress !== undefined) window.form(inProgress);
    window.settle();
  };
  /** Only a full snapshot can have left something out. */
  const reportHole = (closed: readonly CandleRecord[]): void => {
    const first = closed[0];
    const from = barCloseTime(window.lastTime, interval);
    if (first === undefined || closed.length < limit || first.time <= from) return;
    const until = first.time;
    report({ kind: 'candles_missing', channel: 'candles', params, from, until });
  };
  const handler: FeedHandler = {
    apply(frame, order) {
      // By far the most frequent case first.
      if (order === 'live' && isClosedBar(frame)) {
        if (!check.refuses(frame.data, frame.ts, true)) window.close(frame.data, isLate(frame.ts));
        return;
      }
      if (!isChannelFrame(frame, 'candles')) return;
      if (frame.event === 'snapshot') takeSnapshot(frame.data.candles, frame.ts);
      // Out of sequence an earlier bar may still be missing; the snapshot brings all in order.
      else if (order !== 'live' || frame.event === 'bar_closed' || !forming) return;
      else if (!check.refuses(frame.data, frame.ts, false)) {
        window.form(frame.data, isLate(frame.ts));
      }
    },
    // After a lost connection all streams bring what they missed; after a gap only the one with the gap.
    incomplete() {
      if (line.losses() !== losses) window.awaitBlock();
    },
    forget: () => window.forget(),
    refused: () => window.giveUp(),
    isPassive: () => window.isPassive,
    rows: {
      isReady: () => window.takesColumns,
      next: (bars, from, to) => window.next(bars, from, to),
      take: (bars, at) => window.take(bars, at),
      pass: (bars, from, to) => window.pass(bars, from, to),
    },
    // A bar that was delivered before is nothing new.
    rhythm: {
      given: () => (window.loaded ? window.lastTime : undefined),
      leastMs: INTERVAL_MS[interval] + LATE_BAR_MS,
      factor: 1.1,
      leastGaps: 0,
    },
  };

  const feed = createFeed({ channel: 'candles', params }, handler);
  return (options) => holding(feed, window.view(options));
}
