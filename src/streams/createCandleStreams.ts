import type { Observable } from 'rxjs';
import { barCloseTime, type Interval } from '../contract/intervals.ts';
import type { ChannelFrame, StreamFrame } from '../contract/frames.ts';
import type { CandleRecord } from '../contract/records.ts';
import type { Subscription } from '../env/Link.ts';
import { isChannelFrame } from '../frames/isChannelFrame.ts';
import type { CandleEvent } from './CandleEvent.ts';
import { CandleWindow } from './CandleWindow.ts';
import type { ChannelFeed, FeedHandler } from './ChannelFeed.ts';
import { holding } from './holding.ts';
import type { ReportFault } from './StreamFault.ts';

export interface CandleSubscription {
  symbol: string;
  interval: Interval;
  forming: boolean;
  /** How far a snapshot reaches back; after an outage it fills what was missed. */
  limit: number;
}

/** Views of one `candles` subscription, by how much history a listener wants. */
export type CandleStreams = (history: number) => Observable<CandleEvent>;

type ClosedFrame = Extract<ChannelFrame<'candles'>, { event: 'bar_closed' }>;

const isClosedBar = (frame: StreamFrame): frame is StreamFrame & ClosedFrame =>
  frame.event === 'bar_closed' && frame.channel === 'candles';

/** Candles by the service's channel: snapshot and live bars stitched by open time (MKT-1). */
export function createCandleStreams(
  { symbol, interval, forming, limit }: CandleSubscription,
  createFeed: (subscription: Subscription, handler: FeedHandler) => ChannelFeed,
  report: ReportFault,
): CandleStreams {
  const window = new CandleWindow(limit);
  const params = { symbol, interval, limit, ...(forming ? { include_forming: true } : {}) };

  const takeSnapshot = (candles: readonly CandleRecord[]): void => {
    const closed = candles.filter((bar) => bar.closed);
    if (!window.loaded) window.load(closed);
    else {
      reportHole(closed);
      for (const bar of closed) window.close(bar);
    }
    const inProgress = candles.find((bar) => !bar.closed);
    if (forming && inProgress !== undefined) window.form(inProgress);
  };
  /** Only a snapshot that is full can have left something out. */
  const reportHole = (closed: readonly CandleRecord[]): void => {
    const first = closed[0];
    const from = barCloseTime(window.lastTime, interval);
    if (first === undefined || closed.length < limit || first.time <= from) return;
    const until = first.time;
    report({ kind: 'candles_missing', channel: 'candles', params, from, until });
  };
  const handler: FeedHandler = {
    apply(frame, order) {
      // By far the most frequent first.
      if (order === 'live' && isClosedBar(frame)) return window.close(frame.data);
      if (!isChannelFrame(frame, 'candles')) return;
      if (frame.event === 'snapshot') takeSnapshot(frame.data.candles);
      // Out of sequence an earlier bar may still be missing; the snapshot brings all in order.
      else if (order !== 'live' || frame.event === 'bar_closed') return;
      else if (forming) window.form(frame.data);
    },
    incomplete: () => {},
    forget: () => window.forget(),
  };

  const feed = createFeed({ channel: 'candles', params }, handler);
  return (history) => holding(feed, window.view(history));
}
