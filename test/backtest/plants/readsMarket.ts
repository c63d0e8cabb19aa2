import { concatMap, merge, tap, ignoreElements } from 'rxjs';
import { defineStrategy, placeOrder, type BookTick, type Funding, type MarketTick } from 'trimtab';
import { z } from 'zod';

/** Buys or sells at each bar by funding, volume and book; what it saw is in the notes. */
export default defineStrategy({
  name: 'reads-market',
  contract: 1,
  description: 'Trades on the funding rate, the volume of a day and the book.',
  scopes: ['trade'],
  params: z.object({ interval: z.enum(['5m', '1h']).default('5m') }),
  setup(ctx) {
    const { symbol } = ctx;
    let funding: Funding | undefined;
    let market: MarketTick | undefined;
    let book: BookTick | undefined;
    const known$ = merge(
      ctx.funding(symbol).pipe(tap((value) => (funding = value))),
      ctx.market(symbol).pipe(tap((value) => (market = value))),
      ctx.book(symbol, 3).pipe(tap((value) => (book = value))),
    ).pipe(ignoreElements());
    const bars$ = ctx.candles(symbol, ctx.params.interval).pipe(
      concatMap(({ close }) => {
        if (ctx.liveness() !== 'live' || !funding || !market || !book) return [];
        const { rate, next_time, paid, last } = funding;
        const of = [rate, next_time, paid.toFixed(6), last?.time, market.volume_24h, market.time];
        const note = [...of, book.source, book.bids[0], book.asks.length, book.time].join(' ');
        const side = (rate ?? 0) > 0 && book.bids[0]![1] > 1 ? 'sell' : 'buy';
        const size = ctx.instrument(symbol).roundSize(100 / close);
        return [placeOrder.market({ symbol, side, size }, { note })];
      }),
    );
    return merge(known$, bars$);
  },
});
