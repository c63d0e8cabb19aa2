import process from 'node:process';
import { concatMap, range, skip, tap } from 'rxjs';
import { defineStrategy, placeOrder } from 'trimtab';
import { z } from 'zod';

const HOWS = ['throws', 'floods', 'loops', 'exits', 'leaks', 'aside'] as const;
const hoard: unknown[] = [];

const deeds: Readonly<Record<(typeof HOWS)[number], () => void>> = {
  throws() {
    throw new Error('thrown on purpose');
  },
  floods() {},
  loops() {
    for (;;);
  },
  exits: () => process.exit(0),
  leaks() {
    hoard.push(Array.from({ length: 200_000 }, (_none, at) => ({ at, text: `${at}` })));
  },
  aside() {
    void Promise.reject(new Error('rejected on purpose'));
  },
};

/** Does at its tenth bar what no strategy should. */
export default defineStrategy({
  name: 'misbehaves',
  contract: 1,
  description: 'Does what no strategy should.',
  scopes: ['trade'],
  params: z.object({ how: z.enum(HOWS) }),
  setup: (ctx) =>
    ctx.candles(ctx.symbol, '1m').pipe(
      skip(9),
      tap(() => deeds[ctx.params.how]()),
      concatMap(() => range(0, ctx.params.how === 'floods' ? 1_000_000 : 1)),
      concatMap(() => [placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 0.01 })]),
    ),
});
