import { setTimeout as wait } from 'node:timers';
import { concatMap, delay, filter, map, Subject, tap } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

/** Decides after the event has ended, in every way a new user might try. */
export default defineStrategy({
  name: 'decidesLater',
  contract: 1,
  description: 'Decides outside of a turn.',
  scopes: ['trade'],
  params: z.object({ by: z.string() }),
  setup({ symbol, candles, params, scheduler }) {
    const buy = () => placeOrder.market({ symbol, side: 'buy', size: 0.01 });
    const bars$ = candles(symbol, '1m').pipe(filter((_bar, index) => index % 60 === 0));
    const later$ = new Subject<ReturnType<typeof buy>>();
    const push = (): void => later$.next(buy());
    const aside = (task: () => unknown) => {
      bars$.subscribe(() => void task());
      return later$;
    };
    switch (params.by) {
      case 'an async operator':
        return bars$.pipe(concatMap(async () => buy()));
      case 'a timeout':
        return aside(() => setTimeout(push, 60_000));
      case 'a timeout of the module':
        return aside(() => wait(push, 60_000));
      case 'an interval':
        return aside(() => setInterval(push, 60_000));
      case 'an immediate':
        return aside(() => setImmediate(push));
      case 'an operator without the scheduler':
        return bars$.pipe(delay(60_000), map(buy));
      case 'the scheduler':
        return bars$.pipe(delay(60_000, scheduler), map(buy));
      default:
        // It has a timer, and still decides in its events.
        return bars$.pipe(
          tap(() => void setTimeout(() => undefined, 60_000)),
          map(buy),
        );
    }
  },
});
