import { map, withLatestFrom } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { placeOrder } from '../../src/intents/index.ts';
import { generateFeed } from '../../src/paper/index.ts';
import { defineStrategy } from '../../src/strategy/index.ts';
import { runDirect, runDriven, type ParityTape } from './runParity.ts';

/** Turns its position at each bar, by what the market record and the book say then. */
const turning = defineStrategy({
  name: 'turning',
  contract: 1,
  description: 'Buys after a fall and sells after a rise.',
  scopes: ['trade'],
  params: z.object({}),
  setup: (ctx) =>
    ctx.candles(ctx.symbol, '5m').pipe(
      withLatestFrom(ctx.market(ctx.symbol), ctx.book(ctx.symbol)),
      map(([{ open }, { mark }, { bids }]) =>
        placeOrder.market({
          symbol: ctx.symbol,
          side: mark + bids[0]![0] < 2 * open ? 'buy' : 'sell',
          size: 0.001,
        }),
      ),
    ),
});

const tape: ParityTape = {
  data: {
    feeds: [
      generateFeed({
        symbol: 'BTC',
        interval: '1m',
        bars: 700,
        seed: 5,
        startTime: Date.UTC(2026, 0, 5),
        startPrice: 61_000,
      }),
    ],
    funding: {},
  },
  settings: { feeds: [{ symbol: 'BTC', interval: '1m', generate: {} }], warmup: 100 },
  members: [{ strategy: turning, symbols: ['BTC'], wallet: 'main', params: {} }],
};

test('what a service has no channel for is read, in a stretch of bars as bar by bar', async () => {
  const read: ParityTape = { ...tape, lacks: ['candles', 'markets', 'orderbook'] };
  const [exact, driven, streamed] = [
    await runDirect(read),
    await runDriven(read),
    await runDriven(tape),
  ];
  expect(driven.bodies).toEqual(exact.bodies);
  expect(driven.hash).toBe(exact.hash);
  expect(driven.fills.length).toBeGreaterThan(100);
  // The same bars are decided upon, but for the last, which would be read after the end of the tape.
  expect(driven.intents.length).toBe(streamed.intents.length - 1);
});
