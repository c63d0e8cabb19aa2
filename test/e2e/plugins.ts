/** Plugins of the tests, as a user would write them. */

/** Buys at each bar. */
export const everyBar = `import { defineStrategy, placeOrder } from 'trimtab';
import { map } from 'rxjs';
import { z } from 'zod';
export default defineStrategy({
  name: 'every', contract: 1, description: 'Buys at each bar.', scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) => ctx.candles(ctx.symbol, '1m').pipe(
    map(() => placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 0.001 })),
  ),
});
`;

/** Its first entries may be denied while the bot starts up. */
export const longEntry = `import { defineStrategy, launch } from 'trimtab';
import { filter, ignoreElements, map, merge, tap } from 'rxjs';
import { z } from 'zod';
export default defineStrategy({
  name: 'long', contract: 1, description: 'One long entry.', scopes: ['algo'],
  params: z.object({}),
  setup: (ctx) => {
    let isMade = false;
    const entry$ = ctx.every('1m').pipe(
      filter(() => !isMade),
      tap(() => (isMade = true)),
      map(() => launch.pacemaker({
        symbol: ctx.symbol, side: 'buy', total_size: 0.01, params: { duration_seconds: 86400 },
      })),
    );
    const denied$ = ctx.outcomes$.pipe(
      filter(({ state }) => state === 'denied'),
      tap(() => (isMade = false)),
      ignoreElements(),
    );
    return merge(entry$, denied$);
  },
});
`;

/** Buys and sells in turn, by the time of the bar: whoever sees the bar decides the same. */
export const inTurn = `import { defineStrategy, placeOrder } from 'trimtab';
import { map } from 'rxjs';
import { z } from 'zod';
export default defineStrategy({
  name: 'turns', contract: 1, description: 'Buys and sells in turn.', scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) => ctx.candles(ctx.symbol, '1m').pipe(
    map(({ time }) => placeOrder.market({
      symbol: ctx.symbol, side: (time / 60_000) % 2 === 0 ? 'buy' : 'sell', size: 0.001,
    })),
  ),
});
`;
