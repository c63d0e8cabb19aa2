import { filter, ignoreElements, Observable, tap } from 'rxjs';
import { crossesOver, defineStrategy, sma, withIndicators, withPrevious } from 'trimtab';
import { z } from 'zod';

/** Reads bars in every way of which a profile tells another thing, and decides nothing. */
export default defineStrategy({
  name: 'readsBars',
  contract: 1,
  description: 'Reads bars.',
  scopes: [],
  params: z.object({ by: z.string() }),
  setup(ctx) {
    const bars$ = ctx.candles(ctx.symbol, '1m');
    const averaged$ = bars$.pipe(withIndicators({ fast: sma(3), slow: sma(9) }));
    const nothing = ignoreElements();
    switch (ctx.params.by) {
      case 'an operator of RxJS':
        return bars$.pipe(
          tap(() => undefined),
          filter(Boolean),
          nothing,
        );
      case 'one behind indicators':
        return averaged$.pipe(filter(Boolean), nothing);
      case 'an operator of Trimtab':
        return bars$.pipe(withPrevious(), nothing);
      case 'its own code':
        return new Observable(() => bars$.subscribe());
      default:
        return averaged$.pipe(
          crossesOver(
            ({ fast }) => fast,
            ({ slow }) => slow,
          ),
          nothing,
        );
    }
  },
});
