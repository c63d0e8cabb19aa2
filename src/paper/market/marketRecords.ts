import type { MarketRecord, OrderbookRecord } from '../../contract/index.ts';
import { DAY_MS } from '../../contract/durations.ts';
import type { BarSeries, Market } from '../core/Market.ts';
import { synthesiseBook } from '../core/synthesiseBook.ts';

/** Of an `orderbook` frame without `depth` (conventions §5). */
export const STREAMED_DEPTH = 10;

/** Mark, funding and the volume of 24 hours, as of now; open interest is not on a tape. */
export function marketRecord(market: Market, symbol: string, now: number): MarketRecord {
  const { mark } = market.quote(symbol);
  const funding = market.funding(symbol);
  return {
    symbol,
    mark,
    index: mark,
    funding_rate: funding?.rate ?? null,
    next_funding_time: funding?.nextTime ?? null,
    volume_24h: volumeSince(market.closedBars(symbol, market.feedInterval(symbol)), now - DAY_MS),
    open_interest: null,
  };
}

/** The recorded book, or the one made of the best prices; `source` shows which. */
export function bookRecord(
  market: Market,
  symbol: string,
  { depth, now }: { depth: number; now: number },
): OrderbookRecord & { source: 'recorded' | 'synthesised' } {
  const recorded = market.book(symbol, depth);
  if (recorded !== null) return { symbol, ...recorded, time: now, source: 'recorded' };
  const instrument = market.instrument(symbol)!;
  const bars = market.closedBars(symbol, market.feedInterval(symbol));
  const typicalVolume = bars.length === 0 ? 0 : bars.volume[bars.length - 1]!;
  const touch = market.quote(symbol);
  const made = synthesiseBook({ instrument, touch, typicalVolume, depth, time: now });
  return { ...made, source: 'synthesised' };
}

function volumeSince(bars: BarSeries, time: number): number {
  let sum = 0;
  for (let at = bars.length - 1; at >= 0 && bars.time[at]! >= time; at--) sum += bars.volume[at]!;
  return sum;
}
