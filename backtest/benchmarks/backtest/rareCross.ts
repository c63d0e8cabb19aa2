import { distinctUntilChanged, filter, map, merge, scan, skip, take, type Observable } from 'rxjs';
import {
  crossesOver,
  defineStrategy,
  placeOrder,
  sma,
  withIndicators,
  type ClosedBar,
} from 'trimtab';
import { z } from 'zod';

const FAST = 10;
const SLOW = 30;

/** The toolkit's own operators, by which a backtest looks ahead. */
const byOwnOperators = (bars$: Observable<ClosedBar>): Observable<unknown> =>
  bars$.pipe(
    withIndicators({ fast: sma(FAST), slow: sma(SLOW) }),
    crossesOver(
      ({ fast }) => fast,
      ({ slow }) => slow,
    ),
  );

interface Averages {
  closes: Float64Array;
  count: number;
  fast: number;
  slow: number;
}

/** RxJS's own, which see every bar. */
function byStockOperators(bars$: Observable<ClosedBar>): Observable<unknown> {
  const follow = (state: Averages, { close }: ClosedBar): Averages => {
    const { closes, count } = state;
    const at = count % SLOW;
    state.slow += (close - closes[at]!) / SLOW;
    state.fast += (close - closes[(count + SLOW - FAST) % SLOW]!) / FAST;
    closes[at] = close;
    state.count = count + 1;
    return state;
  };
  const start = { closes: new Float64Array(SLOW), count: 0, fast: 0, slow: 0 };
  return bars$.pipe(
    scan(follow, start),
    filter(({ count }) => count >= SLOW),
    map(({ fast, slow }) => fast > slow),
    distinctUntilChanged(),
    skip(1),
    filter((isUp) => isUp),
  );
}

/** Looks for the same crossing at every bar, and trades at few of them, or at none. */
export default defineStrategy({
  name: 'rare-cross',
  contract: 1,
  description: 'Buys and sells in turn, at one of so many crossings.',
  scopes: ['trade'],
  params: z.object({
    operators: z.enum(['own', 'stock']),
    /** One of so many crossings trades; 0: none does. */
    every: z.int().min(0).default(0),
    /** Whether it buys on the first bar and holds. */
    holds: z.boolean().default(false),
  }),
  warmup: () => SLOW,
  setup: ({ symbol, params, candles }) => {
    const { operators, every, holds } = params;
    const bars$ = candles(symbol, '1m');
    const order = (side: 'buy' | 'sell') => placeOrder.market({ symbol, side, size: 0.1 });
    const crosses$ = (operators === 'own' ? byOwnOperators : byStockOperators)(bars$);
    const trades$ = crosses$.pipe(
      filter((_cross, index) => every > 0 && index % every === 0),
      map((_cross, index) => order(index % 2 === 0 ? 'buy' : 'sell')),
    );
    if (!holds) return trades$;
    const first$ = bars$.pipe(
      skip(SLOW),
      take(1),
      map(() => order('buy')),
    );
    return merge(first$, trades$);
  },
});
