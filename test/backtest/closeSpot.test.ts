import { filter, map, merge, take, withLatestFrom } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { generateFeed } from '../../src/paper/index.ts';
import { closePosition, placeOrder } from '../../src/intents/index.ts';
import { defineStrategy } from '../../src/strategy/index.ts';
import { runDirect, runSockets, type ParityTape } from './runParity.ts';

const SYMBOL = 'HYPE/USDC';

/** Buys at the third bar, and closes the position of `ctx.position` at the sixth; at the ninth and twelfth by algorithm. */
const holder = defineStrategy({
  name: 'holder',
  contract: 1,
  description: 'Holds spot, and closes it.',
  scopes: ['trade', 'algo'],
  params: z.object({}),
  setup: ({ symbol, candles, position }) => {
    const bars = candles(symbol, '1m').pipe(map((_bar, index) => index));
    const at = (...indices: number[]) => bars.pipe(filter((index) => indices.includes(index)));
    const held$ = position(symbol);
    const closing = (index: number) =>
      at(index).pipe(
        withLatestFrom(held$),
        filter(([, held]) => held !== null),
        take(1),
      );
    const algo = { algo: 'pacemaker', params: { duration_seconds: 60, slices: 1 } } as const;
    return merge(
      at(3, 9).pipe(map(() => placeOrder.market({ symbol, side: 'buy', size: 2 }))),
      closing(6).pipe(map(() => closePosition.atMarket(symbol))),
      closing(12).pipe(map(() => closePosition.byAlgo(symbol, algo))),
    );
  },
});

function tape(): ParityTape {
  const feed = generateFeed({
    symbol: SYMBOL,
    interval: '1m',
    bars: 60,
    seed: 5,
    startTime: Date.UTC(2026, 0, 5),
    startPrice: 30,
    volume: 5_000,
  });
  const generate = { seed: 1, bars: 2 };
  return {
    data: { feeds: [feed], funding: {} },
    settings: { feeds: [{ symbol: SYMBOL, interval: '1m', generate }], warmup: 20 },
    members: [{ strategy: holder, symbols: [SYMBOL], wallet: 'main' }],
  };
}

test('closing a spot holding sells it, over sockets and over the direct link alike', async () => {
  const [direct, sockets] = [await runDirect(tape()), await runSockets(tape())];
  expect(direct).toEqual(sockets);
  const kindOf = (text: string) => (JSON.parse(text) as { intent: { kind: string } }).intent.kind;
  expect(
    direct.intents.map(({ intent, states }) => [kindOf(intent), states.at(-1)?.split(' ')[0]]),
  ).toEqual([
    ['place_order', 'accepted'],
    ['close_position', 'accepted'],
    ['place_order', 'accepted'],
    ['close_position', 'accepted'],
  ]);
  expect(direct.fills.map(({ side, size }) => [side, size])).toEqual([
    ['buy', 2],
    ['sell', 2],
    ['buy', 2],
    ['sell', 2],
  ]);
}, 60_000);
