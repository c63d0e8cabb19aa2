import { combineLatest, filter, map, startWith } from 'rxjs';
import { defineStrategy, quote } from 'trimtab';
import { z } from 'zod';

const params = z.object({
  half_spread_bps: z
    .number()
    .positive()
    .default(3)
    .describe('Distance of each quote from the mid.'),
  share: z
    .number()
    .positive()
    .max(1)
    .default(0.05)
    .describe('Size of a quote, as a share of capital.'),
  most: z.number().positive().max(10).default(0.25).describe('Position at most, in capitals.'),
  skew_bps: z.number().min(0).default(3).describe('Shift of both quotes against a full position.'),
  tolerance_bps: z.number().min(0).default(1).describe('A quote that is nearer than this stays.'),
});

/**
 * Quotes both sides of the mid and leans against what it holds: long, both quotes are lower, so that the ask is hit
 * first. What is held and what rests never pass `most`. It earns the spread while the price comes back, and loses to a
 * trend; nothing else stops it.
 */
export default defineStrategy({
  name: 'market-maker',
  contract: 1,
  description: 'Quotes both sides of the mid, leaning against its position.',
  scopes: ['trade'],
  params,
  setup: (ctx) => {
    const { half_spread_bps, share, most, skew_bps, tolerance_bps } = ctx.params;
    const { symbol } = ctx;
    const size$ = ctx.position(symbol).pipe(
      map((held) => (held === null ? 0 : held.side === 'short' ? -held.size : held.size)),
      startWith(0),
    );
    // What may be held is fixed at the first price: a bound that moves with the price would never rest.
    let bound: number | undefined;
    return combineLatest([ctx.price(symbol), size$]).pipe(
      // Without capital there is no bound.
      filter(() => bound !== undefined || ctx.capital() > 0),
      map(([{ bid, ask }, held]) => {
        const mid = (bid + ask) / 2;
        bound ??= (ctx.capital() * most) / mid;
        const shift = (held / bound) * skew_bps;
        return {
          bid: mid * (1 - (half_spread_bps + shift) / 10_000),
          ask: mid * (1 + (half_spread_bps - shift) / 10_000),
          size: (ctx.capital() * share) / mid,
          max_position: bound,
        };
      }),
      quote(ctx, symbol, { tolerance_bps }),
    );
  },
});
