import { ignoreElements, map, merge, switchMap, tap, timer } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Tells all that it can see of its place, with each event; buys on prices, and half a minute after each of them. */
export default defineStrategy({
  name: 'witness',
  contract: 1,
  description: 'Tells what it sees.',
  scopes: ['trade'],
  params: z.object({}),
  setup(ctx) {
    const { symbol, symbols, wallet } = ctx;
    const log = ctx.log.with({ of: 'witness' });
    const buy = (decision: string) =>
      placeOrder.market({ symbol, side: 'buy', size: 1 }, { decision });
    const report = (what: string): void =>
      log.info(what, {
        now: ctx.now(),
        random: ctx.random(),
        capital: ctx.capital(),
        wallet,
        instruments: symbols.map((one) => JSON.stringify(ctx.instrument(one))).join(' '),
      });
    report('set up');
    const prices$ = ctx.price(symbol).pipe(tap(({ last }) => report(`price ${last}`)));
    return merge(
      prices$.pipe(map(({ last }) => buy(`at:${last}`))),
      ctx
        .price(symbol)
        .pipe(
          switchMap(({ last }) =>
            timer(30_000, ctx.scheduler).pipe(map(() => buy(`after:${last}`))),
          ),
        ),
      ctx.candles(symbol, '1m').pipe(
        tap(({ close }) => {
          report(`bar ${close}`);
          ctx.plot('close', close);
        }),
        ignoreElements(),
      ),
    );
  },
});
