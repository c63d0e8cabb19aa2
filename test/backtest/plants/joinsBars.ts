import { combineLatest, filter, ignoreElements, map, merge, take, tap } from 'rxjs';
import { defineStrategy, INTERVALS, placeOrder } from 'trimtab';
import { z } from 'zod';

const LENGTHS: Readonly<Record<string, number>> = { '1m': 1, '5m': 5, '15m': 15 };

/** Joins the bars of its symbols and intervals, and says in its notes in which order they came. */
export default defineStrategy({
  name: 'joins-bars',
  contract: 1,
  description: 'Pairs the bars of two symbols.',
  scopes: ['trade'],
  params: z.object({
    interval: z.enum(INTERVALS),
    /** Throws at this bar, counted with its history. */
    throws_at: z.int().default(0),
  }),
  warmup: () => 30,
  setup(ctx) {
    const [first = '', second = ''] = ctx.symbols;
    const { interval, throws_at } = ctx.params;
    const seen = { pairs: 0, bars: 0, past: 0, disorder: 0, last: '' };
    const place = ({ symbol, interval: length, time }: Bar): string => {
      const minutes = LENGTHS[length]!;
      const close = String(time / 60_000 + minutes).padStart(12, '0');
      return `${close} ${String(minutes).padStart(2, '0')} ${ctx.symbols.indexOf(symbol)}`;
    };
    const note = (bar: Bar): void => {
      seen.bars += 1;
      if (ctx.liveness() === 'warm_up') seen.past += 1;
      const at = place(bar);
      if (at < seen.last) seen.disorder += 1;
      seen.last = at;
      if (seen.bars === throws_at) throw new Error('As planted.');
    };
    const bars = (symbol: string, length: typeof interval) =>
      ctx.candles(symbol, length).pipe(tap(note));
    const longer$ = bars(second, '15m').pipe(ignoreElements());
    // The position stands between the symbols, as in a plugin that treats one symbol after the other.
    const pair$ = combineLatest([
      bars(first, interval),
      ctx.position(first).pipe(take(1)),
      bars(second, interval),
    ]).pipe(
      filter(([a, , b]) => a.time === b.time),
      tap(() => (seen.pairs += 1)),
      filter(([{ time }]) => ctx.liveness() === 'live' && (time / 60_000) % 60 === 0),
      map(([bar]) => {
        const { pairs, bars: count, past, disorder } = seen;
        const words = `${pairs} pairs, ${count} bars, ${past} past, ${disorder} in disorder`;
        return placeOrder.market(
          { symbol: bar.symbol, side: 'buy', size: 0.001 },
          { note: `${words} ${seen.last}` },
        );
      }),
    );
    return merge(longer$, pair$);
  },
});

interface Bar {
  symbol: string;
  interval: string;
  time: number;
}
