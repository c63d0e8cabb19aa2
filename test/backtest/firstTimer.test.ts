import { concatMap, filter, ignoreElements, merge, tap, timer, type Observable } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { placeOrder, type Intent } from '../../src/intents/index.ts';
import { defineStrategy } from '../../src/strategy/index.ts';
import { testFeed } from '../paper/core/openTestService.ts';
import { runDirect, runDriven, runSockets } from './runParity.ts';

const roads = { direct: runDirect, driven: runDriven, sockets: runSockets } as const;
const FIRSTS = ['at_once', 'soon', 'minute', 'bar'] as const;

/** Buys upon the first two live events of one kind. */
const early = (ends: Record<string, string>) =>
  defineStrategy({
    name: 'early',
    contract: 1,
    description: 'Buys upon its first events.',
    scopes: ['trade'],
    params: z.object({ first: z.enum(FIRSTS) }),
    setup(ctx) {
      const { symbol, params, scheduler } = ctx;
      const events: Record<(typeof FIRSTS)[number], () => Observable<unknown>> = {
        at_once: () => timer(0, scheduler),
        soon: () => timer(1, scheduler),
        minute: () => ctx.every('1m'),
        bar: () => ctx.candles(symbol, '1m'),
      };
      let lives = 0;
      return merge(
        ctx.outcomes$.pipe(
          filter(({ state }) => state === 'accepted' || state === 'denied'),
          tap(({ intent, state, reason }) => (ends[intent.ref!] = reason ?? state)),
          ignoreElements(),
        ),
        events[params.first]().pipe(
          concatMap((): Intent[] => {
            if (ctx.liveness() !== 'live' || lives === 2) return [];
            lives += 1;
            const ref = `live_${lives}`;
            return [placeOrder.market({ symbol, side: 'buy', size: 0.001 }, { ref })];
          }),
        ),
      );
    },
  });

test.each(
  (['direct', 'driven', 'sockets'] as const).flatMap((road) =>
    FIRSTS.map((first) => [road, first] as const),
  ),
)('over %s what is live is admitted from the first one on: %s', async (road, first) => {
  const ends: Record<string, string> = {};
  await roads[road]({
    data: { feeds: [testFeed('BTC', 110)], funding: {} },
    settings: { feeds: [{ symbol: 'BTC', interval: '1m', generate: {} }], warmup: 100 },
    members: [{ strategy: early(ends), symbols: ['BTC'], wallet: 'main', params: { first } }],
  });
  const lives = first === 'at_once' || first === 'soon' ? ['live_1'] : ['live_1', 'live_2'];
  expect(ends).toEqual(Object.fromEntries(lives.map((ref) => [ref, 'accepted'])));
});
