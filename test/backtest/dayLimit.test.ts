import { concatMap, filter, ignoreElements, merge, tap } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { placeOrder } from '../../src/intents/index.ts';
import { crossesOver, defineStrategy } from '../../src/strategy/index.ts';
import { testFeed } from '../paper/core/openTestService.ts';
import { runDirect, runDriven } from './runParity.ts';

/** Closes at which it buys: it looks at every bar, and a replay hands on those in between as a stretch. */
const BUYS = [100, 103];

const buying = (ends: string[]) =>
  defineStrategy({
    name: 'buying',
    contract: 1,
    description: 'Buys where the close rises over a level.',
    scopes: ['trade'],
    params: z.object({}),
    setup: (ctx) =>
      merge(
        ctx.outcomes$.pipe(
          filter(({ state }) => state === 'accepted' || state === 'denied'),
          tap(({ state, reason }) => ends.push(reason ?? state)),
          ignoreElements(),
        ),
        ...BUYS.map((level) =>
          ctx.candles(ctx.symbol, '1m').pipe(
            crossesOver(
              ({ close }) => close,
              () => level - 0.5,
            ),
            concatMap(() => [placeOrder.market({ symbol: ctx.symbol, side: 'buy', size: 1 })]),
          ),
        ),
      ),
  });

test('a daily loss that is reached and regained between two decisions holds in a stretch of bars, too', async () => {
  const feed = testFeed('BTC', 400);
  const closeOf = (at: number): number =>
    at < 150 ? 99 : at < 220 ? 100 : at === 260 ? 80 : at < 300 ? 99 : 103;
  for (let at = 0; at < feed.close.length; at++) {
    const [open, close] = [closeOf(Math.max(0, at - 1)), closeOf(at)];
    feed.open[at] = open;
    feed.close[at] = close;
    feed.high[at] = Math.max(open, close);
    feed.low[at] = Math.min(open, close);
  }
  const ends: string[][] = [[], []];
  const [exact, driven] = [await runDirect(tapeOf(ends[0]!)), await runDriven(tapeOf(ends[1]!))];
  const denied: unknown = expect.stringMatching(/^the wallet lost 20\.\d\d today \(/);
  // At the second rise the close crosses both levels.
  expect(ends[0]).toEqual(['accepted', denied, denied]);
  expect(ends[1]).toEqual(ends[0]);
  expect(driven.hash).toBe(exact.hash);

  function tapeOf(into: string[]) {
    return {
      data: { feeds: [feed], funding: {} },
      settings: { feeds: [{ symbol: 'BTC', interval: '1m' as const, generate: {} }], warmup: 100 },
      members: [{ strategy: buying(into), symbols: ['BTC'], wallet: 'main' }],
      guards: { daily_loss_limit: 10 },
    };
  }
});
