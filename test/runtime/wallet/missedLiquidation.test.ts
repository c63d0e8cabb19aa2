import { from, mergeMap } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  attachTpsl,
  placeOrder,
  setLeverage,
  stopLoss,
  type Intent,
} from '../../../src/intents/index.ts';
import { createMissedLiquidations } from '../../../src/runtime/wallet/createMissedLiquidations.ts';
import { defineStrategy } from '../../../src/strategy/index.ts';
import { drawTape, still } from '../../e2e/flows/drawTape.ts';
import { fill, position } from '../../streams/records.ts';
import { openOutageBot, type OutageBot } from '../openOutageBot.ts';

const QUIET = 100;

/** A long of 30 times the cash, at 60 000; the price falls to this ten minutes after the start. */
async function hold(fallTo: number, then: readonly Intent[] = []): Promise<OutageBot> {
  const turns: Intent[][] = [
    [setLeverage('BTC', { leverage: 40 })],
    [placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 })],
    [...then],
  ];
  const strategy = defineStrategy({
    name: 'holds',
    contract: 1,
    description: 'Buys once.',
    scopes: ['trade'],
    params: z.object({}),
    setup: (ctx) =>
      ctx
        .candles('BTC', '1m')
        .pipe(mergeMap(() => from(ctx.liveness() === 'live' ? (turns.shift() ?? []) : []))),
  });
  const prices = [...still(60_000, 10), fallTo, ...still(fallTo, 20)];
  const one = await openOutageBot({
    strategy,
    balance: 2_000,
    warmup: QUIET,
    feeds: [drawTape(prices, { quiet: QUIET })],
  });
  await one.run(5);
  expect(one.bot.ledgerOf('one').position('BTC')).toBe(1);
  return one;
}

/** The stream is down while the price falls. */
async function holdThrough(
  fallTo: number,
  meanwhile: (bot: OutageBot['bot']) => void = () => {},
): Promise<OutageBot> {
  const one = await hold(fallTo);
  one.lose();
  await one.run(8);
  meanwhile(one.bot);
  await one.run(1);
  await one.reopen();
  await one.run(3);
  return one;
}

test('a liquidation while the stream is down is told once it is back, before its fill', async () => {
  const one = await holdThrough(57_000);
  const seen = one.events.filter(({ kind }) => kind === 'fill' || kind === 'liquidation');
  expect(seen.map(({ kind }) => kind)).toEqual(['fill', 'liquidation', 'fill']);
  expect(seen[1]).toMatchObject({
    liquidation: { wallet: 'main', symbol: 'BTC', instance: 'one', isMissed: true },
  });
  expect(one.bot.ledgerOf('one').position('BTC')).toBe(0);
  await one.close();
});

test('a position that is still there, and one that the bot closes just before it, are none', async () => {
  const still = await holdThrough(59_500);
  expect(still.events.map(({ kind }) => kind)).not.toContain('liquidation');
  expect(still.bot.ledgerOf('one').position('BTC')).toBe(1);
  await still.close();

  const closed = await holdThrough(58_650, (bot) => void bot.kill('L3', 'it falls'));
  const [, exit] = closed.events.flatMap((event) => (event.kind === 'fill' ? [event.fill] : []));
  // By its price and side it would be one, and a close has no client id.
  expect(exit).toMatchObject({ side: 'sell' });
  expect(exit!.client_order_id ?? null).toBeNull();
  expect(exit!.price).toBeLessThan(58_660);
  expect(closed.events.map(({ kind }) => kind)).not.toContain('liquidation');
  await closed.close();
});

test('a stop just before the liquidation is what its frames say', async () => {
  const one = await hold(58_600, [attachTpsl('BTC', { stop_loss: stopLoss.price(58_640) })]);
  await one.run(10);
  expect(one.bot.ledgerOf('one').position('BTC')).toBe(0);
  expect(one.events.map(({ kind }) => kind)).not.toContain('liquidation');
  await one.close();
});

test('a liquidation of which a frame told is not told again by a fill that was lost', async () => {
  const one = await hold(57_000);
  one.bot.events$.subscribe(({ kind }) => {
    if (kind === 'liquidation') one.lose();
  });
  await one.run(8);
  expect(one.bot.ledgerOf('one').position('BTC')).toBe(1);
  await one.reopen();
  await one.run(3);
  expect(one.bot.ledgerOf('one').position('BTC')).toBe(0);
  expect(one.events.filter(({ kind }) => kind === 'liquidation')).toHaveLength(1);
  await one.close();
});

const held = { ...position(1), entry_price: 100, liquidation_price: 80, opened_time: 5 };
const short = { ...held, side: 'short' as const, liquidation_price: 120 };
const closing = (side: 'buy' | 'sell', price: number, changes: object = {}) => ({
  ...fill('f'),
  side,
  price,
  time: 10,
  ...changes,
});
const isShown = (
  of: object,
  by: ReturnType<typeof closing>,
  own: readonly string[] = [],
): boolean => {
  const missed = createMissedLiquidations({ isOwn: (key) => own.includes(key) });
  missed.shown([{ ...held, ...of }]);
  return missed.isShownBy(by);
};

test.each([
  ['at its price', held, closing('sell', 80), true],
  ['beyond it', held, closing('sell', 70), true],
  ['just before it', held, closing('sell', 81), true],
  ['well before it', held, closing('sell', 82), false],
  ['on the side that adds', held, closing('buy', 80), false],
  ['of before its last change', { ...held, updated_time: 11 }, closing('sell', 80), false],
  ['of its last change', { ...held, updated_time: 10 }, closing('sell', 80), true],
  ['of a short, just before it', short, closing('buy', 119), true],
  ['of a short, on the side that adds', short, closing('sell', 120), false],
  ['of a short, at its price', short, closing('buy', 120), true],
  ['of a short, well before it', short, closing('buy', 118), false],
  [
    'of one that can’t be liquidated',
    { ...held, liquidation_price: null },
    closing('sell', 1),
    false,
  ],
  ['of another symbol', held, closing('sell', 80, { symbol: 'ETH' }), false],
])('a fill %s', (_which, of, by, wanted) => {
  expect(isShown(of, by)).toBe(wanted);
});

test('a fill of the bot’s own is none, by whichever id', () => {
  const ids = { order_id: 'o', client_order_id: 'c', execution_id: 'e' };
  for (const id of Object.values(ids))
    expect(isShown(held, closing('sell', 80, ids), [id])).toBe(false);
  expect(isShown(held, closing('sell', 80, ids), ['other'])).toBe(true);
});

test('a position is told once, whether by a frame or by its fills, and also if another is open by then', () => {
  const missed = createMissedLiquidations({ isOwn: () => false });
  missed.shown([held]);
  missed.shown([{ ...held, opened_time: 20, updated_time: 20 }]);
  expect(missed.isShownBy(closing('sell', 80))).toBe(true);
  expect(missed.isShownBy(closing('sell', 79))).toBe(false);
  missed.reported('BTC');
  expect(missed.isShownBy(closing('sell', 80, { time: 30 }))).toBe(false);
  missed.shown([{ ...held, opened_time: 40, updated_time: 40 }]);
  expect(missed.isShownBy(closing('sell', 80, { time: 50 }))).toBe(true);
});
