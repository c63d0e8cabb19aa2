/** A grid's orders by its description: what each level holds at the start and after a fill, on perps and on spot. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { map } from 'rxjs';
import { z } from 'zod';
import { defineStrategy, grid, type StrategyContext } from '../../../src/index.ts';
import { testStrategy } from '../../../src/testing.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { isFull } from '../../tiers.ts';

const drawn = fc.record({
  symbol: fc.constantFrom('BTC', 'BTC/USDC'),
  sizes: fc.array(fc.constantFrom(1, 2, 3), { minLength: 1, maxLength: 3 }),
  held: fc.constantFrom(-2, 0, 0, 1, 3, 5, 20),
  which: fc.nat(2),
});

test('each level buys what it does not hold and sells what it holds', async () => {
  const tried = new Tried();
  await holdLaw(80, drawn, ({ symbol, sizes, held, which }) => {
    const isSpot = symbol.includes('/');
    if (isSpot && held < 0) return;
    const levels = sizes.map((size, at) => ({ buy: 98 - at, sell: 103 + at, size }));
    const strategy = defineStrategy({
      name: 'levels',
      contract: 1,
      description: 'For a test.',
      scopes: ['trade'],
      params: z.object({}),
      setup: (ctx) =>
        (ctx as StrategyContext).price(symbol).pipe(
          map(() => levels),
          grid(ctx as StrategyContext, symbol),
        ),
    });
    const bot = testStrategy(strategy, { symbols: [symbol, 'ETH'], answers: 'accept' });
    if (held !== 0)
      bot.position(symbol, {
        side: held > 0 ? 'long' : 'short',
        size: Math.abs(held),
        entry_price: 100,
      });
    bot.price(symbol, 100);
    // The position goes to the levels from the first on, none of which holds more than its size.
    let left = Math.max(0, held);
    const holds = sizes.map((size) => {
      const own = Math.min(left, size);
      left -= own;
      return own;
    });
    const buyOf = (at: number, size: number) => ({
      kind: 'place_order',
      request: { symbol, side: 'buy', price: levels[at]!.buy, size, time_in_force: 'post_only' },
    });
    const sellOf = (at: number, size: number) => ({
      kind: 'place_order',
      request: {
        symbol,
        side: 'sell',
        price: levels[at]!.sell,
        size,
        time_in_force: 'gtc',
        ...(!isSpot && { reduce_only: true }),
      },
    });
    const expected = sizes.flatMap((size, at) => [
      ...(size > holds[at]! ? [buyOf(at, size - holds[at]!)] : []),
      ...(holds[at]! > 0 ? [sellOf(at, holds[at]!)] : []),
    ]);
    expect(bot.intents).toMatchObject(expected);
    for (const intent of bot.intents)
      if (intent.kind === 'place_order' && intent.request.side === 'buy' && isSpot)
        expect(intent.request).not.toHaveProperty('reduce_only');
    if (isSpot)
      for (const intent of bot.intents)
        expect((intent as { request: object }).request).not.toHaveProperty('reduce_only');
    const buys = bot.intents.filter(
      (intent) => intent.kind === 'place_order' && intent.request.side === 'buy',
    );
    if (buys.length === 0) return;
    const bought = buys[which % buys.length]!;
    const at = levels.findIndex(
      ({ buy }) => buy === (bought as { request: { price?: number } }).request.price,
    );
    const known = bot.intents.length;
    bot.fill(bought, { size: 1 });
    const news = bot.intents.slice(known);
    // It sells what it bought; what it sells already is at least half of that, and is left as it is.
    expect(news).toMatchObject(holds[at] === 0 ? [sellOf(at, 1)] : []);
    tried.take(holds[at] === 0 ? 'first' : 'more', isSpot ? 'spot' : 'perp');
    const then = bot.intents.length;
    bot.price(symbol, 100.5);
    expect(bot.intents).toHaveLength(then);
  });
  if (isFull) expect(tried.rare(['first', 'more', 'spot', 'perp'], 10)).toEqual([]);
});
