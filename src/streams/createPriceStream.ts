import { BehaviorSubject, filter, type Observable } from 'rxjs';
import type { PriceRecord } from '../contract/records.ts';
import type { Subscription } from '../env/Link.ts';
import { isChannelFrame } from '../frames/isChannelFrame.ts';
import type { ChannelFeed, FeedHandler } from './ChannelFeed.ts';
import { holding } from './holding.ts';

/** A price with its time, epoch milliseconds. */
export type PriceTick = PriceRecord & { symbol: string; time: number };

/** A feed that ticks many times a second does not count as silent before this. */
const LEAST_SILENCE_MS = 5_000;

/** Mark, bid, ask and last of a symbol: the latest at once, then each tick (MKT-6). */
export function createPriceStream(
  symbol: string,
  createFeed: (subscription: Subscription, handler: FeedHandler) => ChannelFeed,
): Observable<PriceTick> {
  let ticks = 0;
  const latest$ = new BehaviorSubject<PriceTick | null>(null);
  const handler: FeedHandler = {
    apply(frame, order) {
      if (order === 'late' || !isChannelFrame(frame, 'price')) return;
      ticks += 1;
      latest$.next({ ...frame.data, symbol, time: frame.data.time ?? frame.ts });
    },
    incomplete: () => {},
    forget: () => latest$.next(null),
    rhythm: { given: () => ticks, leastMs: LEAST_SILENCE_MS, factor: 4, leastGaps: 3 },
  };
  const feed = createFeed({ channel: 'price', params: { symbol } }, handler);
  return holding(feed, latest$.pipe(filter((tick) => tick !== null)));
}
