/**
 * Sizes of very many steps, as of a coin that costs next to nothing: what rests follows what is wanted to the step, and
 * no more is offered than is held (RULE-4).
 */
import { map, type OperatorFunction } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  defineStrategy,
  grid,
  quote,
  type Intent,
  type StrategyContext,
} from '../../../src/index.ts';
import { createSlotIntents } from '../../../src/strategy/resting/createSlotIntents.ts';
import { emptySlot, type Live } from '../../../src/strategy/resting/Slot.ts';
import { toInstrumentView } from '../../../src/strategy/toInstrumentView.ts';
import { testStrategy } from '../../../src/testing.ts';

interface Price {
  bid: number;
}

function open(
  symbol: string,
  follow: (ctx: StrategyContext) => OperatorFunction<Price, Intent>,
  size_decimals = 5,
) {
  const strategy = defineStrategy({
    name: 'resting',
    contract: 1,
    description: 'For a test.',
    scopes: ['trade'],
    params: z.object({}),
    setup: (ctx) => ctx.price(symbol).pipe(follow(ctx as StrategyContext)),
  });
  return testStrategy(strategy, {
    symbols: [symbol],
    instruments: { [symbol]: { size_decimals, price_decimals: 6, min_order_value: 10 } },
    answers: 'accept',
    capital: 1e6,
  });
}

/** Size, or size that it is changed to, of each intent. */
const sizesOf = (intents: readonly Intent[]): unknown[] =>
  intents.map((intent) =>
    intent.kind === 'place_order'
      ? intent.request.size
      : intent.kind === 'modify_order'
        ? intent.change.size
        : intent.kind,
  );

describe.each([
  [10_000, 5],
  [123_456.78901, 5],
  [2e9, 0],
])('a bid of %d at %i decimals', (size, decimals) => {
  const quotes = map(() => ({ bid: 0.1, ask: null, size, max_position: 1e12 }));

  test('rests as it was asked for, and is topped up by what was filled', () => {
    const bot = open('DOGE', (ctx) => (price) => price.pipe(quotes, quote(ctx, 'DOGE')), decimals);
    bot.price('DOGE', 0.1002);
    expect(sizesOf(bot.intents)).toEqual([size]);
    const part = Math.round(0.6 * size);
    bot.fill(bot.intents[0]!, { size: part });
    expect(sizesOf(bot.intents)).toEqual([size, size + part]);
    bot.fill(bot.intents[0]!, { size: part });
    expect(sizesOf(bot.intents)).toEqual([size, size + part, size + 2 * part]);
  });
});

test.each([
  [1000 / 0.095, 10_526.31578],
  [10_000, 10_000],
])('a level of %d on spot sells no more than it bought', (size, bought) => {
  const symbol = 'DOGE/USDC';
  const levels = map(() => [{ buy: 0.1, sell: 0.101, size }]);
  const bot = open(symbol, (ctx) => (price) => price.pipe(levels, grid(ctx, symbol)));
  bot.price(symbol, 0.1002);
  bot.fill(bot.intents[0]!);
  expect(bot.positionOf(symbol)?.size).toBe(bought);
  expect(sizesOf(bot.intents)).toEqual([bought, bought]);
});

describe('a change of an order', () => {
  const record = {
    symbol: 'DOGE',
    kind: 'perp',
    size_decimals: 5,
    price_decimals: 6,
    price_significant_figures: 5,
  };
  const instrument = () => toInstrumentView(record as Parameters<typeof toInstrumentView>[0]);

  function changeOf(size: number, filled: number, wanted: number, top_up_below: number) {
    const intents = createSlotIntents({
      ctx: { instrument, byRef: () => ({}) as Live['view'] },
      symbol: 'DOGE',
      given: { name: 'x', tolerance_bps: 0, top_up_below, post_only: true, retry_ms: 5_000 },
      newRef: () => 'r',
    });
    const live = { ref: 'a', view: { filled }, side: 'buy', price: 0.1, size } as unknown as Live;
    const order = { slot: 'bid', side: 'buy', price: 0.1, size: wanted } as const;
    return intents.changeOf(emptySlot('bid'), live, order)?.size;
  }

  test('is made for one step too much, and for one too little where all of it shall rest', () => {
    expect(changeOf(20_000.00001, 0, 20_000, 0.5)).toBe(20_000);
    expect(changeOf(20_000, 0.00001, 19_999.99999, 1)).toBeUndefined();
    expect(changeOf(20_000, 0.00001, 20_000, 1)).toBe(20_000.00001);
    expect(changeOf(20_000, 0.00001, 20_000, 0.5)).toBeUndefined();
  });

  test('is not made because of the last digits of a sum of fills', () => {
    const sumOf = (part: number) =>
      Array.from({ length: 1_000 }, () => part).reduce((sum, each) => sum + each, 0);
    const [below, above] = [sumOf(0.1), sumOf(1.1)];
    expect([below < 100, above > 1_100]).toEqual([true, true]);
    for (const share of [0.5, 1]) {
      for (const rest of [0.00001, 10_000, 1_000_000]) {
        expect(changeOf(100 + rest, below, rest, share)).toBeUndefined();
        expect(changeOf(1_100 + rest, above, rest, share)).toBeUndefined();
      }
    }
    expect(changeOf(1, 0.7, 1, 0.3)).toBeUndefined();
  });
});
