import { mergeMap, tap } from 'rxjs';
import { z } from 'zod';
import { closePosition, placeOrder, type Intent } from '../../../src/intents/index.ts';
import { defineStrategy } from '../../../src/strategy/index.ts';

/** Buys and closes at each minute; says of each what becomes of it. */
export default defineStrategy({
  name: 'ticks',
  contract: 1,
  description: 'Decides at each minute.',
  scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) =>
    ctx.every('1m').pipe(
      tap(({ time }) => ctx.log.info('tick', { time, now: ctx.now(), live: ctx.liveness() })),
      mergeMap((): Intent[] => [
        placeOrder.market({ symbol: 'BTC', side: 'buy', size: 0.001 }),
        closePosition.atMarket('BTC'),
      ]),
    ),
});
