/** Options as a program without types, or without exactOptionalPropertyTypes, gives them. */
import { map, of, pipe, type OperatorFunction } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  defineStrategy,
  grid,
  keepOrders,
  quote,
  type Intent,
  type StrategyContext,
} from '../../../src/index.ts';
import { testStrategy } from '../../../src/testing.ts';

type Operator = (ctx: StrategyContext, options: object) => OperatorFunction<unknown, Intent>;

const order = { slot: 'low', side: 'buy' as const, price: 90, size: 1 };
const level = { buy: 90, sell: 110, size: 1 };
const OPERATORS: ReadonlyArray<[string, string, Operator]> = [
  [
    'quote',
    'quote',
    (ctx, options) =>
      pipe(
        map(() => ({ bid: 90, ask: null, size: 1, max_position: 1 })),
        quote(ctx, 'BTC', options),
      ),
  ],
  [
    'grid',
    'grid',
    (ctx, options) =>
      pipe(
        map(() => [level]),
        grid(ctx, 'BTC', options),
      ),
  ],
  [
    'keepOrders',
    'resting',
    (ctx, options) =>
      pipe(
        map(() => [order]),
        keepOrders(ctx, 'BTC', options),
      ),
  ],
];

const NOT_GIVEN = {
  name: undefined,
  tolerance_bps: undefined,
  top_up_below: undefined,
  post_only: undefined,
  retry_ms: undefined,
};

function start(operator: Operator, options: object) {
  const strategy = defineStrategy({
    name: 'options',
    contract: 1,
    description: 'For a test.',
    scopes: ['trade'],
    params: z.object({}),
    setup: (ctx) => of(1).pipe(operator(ctx as StrategyContext, options)),
  });
  return testStrategy(strategy, { symbols: ['BTC'], onFault: 'list' }).price('BTC', 100);
}

test.each(OPERATORS)('%s: an option that is undefined has its default', (_of, name, operator) => {
  const bot = start(operator, NOT_GIVEN);
  expect(bot.faults).toEqual([]);
  expect(bot.intents).toMatchObject([{ request: { price: 90, time_in_force: 'post_only' } }]);
  expect(bot.intents[0]!.ref).toMatch(new RegExp(`^${name}:BTC:`));
  // A refusal is tried again after five seconds.
  bot.outcome(bot.intents[0]!, 'rejected', 'insufficient_margin');
  expect(bot.advance('4s').intents).toHaveLength(1);
  expect(bot.advance('2s').intents).toHaveLength(2);
});

test('orders move and are topped up by the defaults where the options are undefined', () => {
  const wanted = [[order], [{ ...order, price: 91 }]];
  const strategy = defineStrategy({
    name: 'options',
    contract: 1,
    description: 'For a test.',
    scopes: ['trade'],
    params: z.object({}),
    setup: (ctx) =>
      ctx.price('BTC').pipe(
        map(({ mark }) => wanted[mark > 100 ? 1 : 0]!),
        keepOrders(ctx, 'BTC', NOT_GIVEN as object),
      ),
  });
  const bot = testStrategy(strategy, { symbols: ['BTC'] }).price('BTC', 100);
  bot.accept(bot.intents[0]!);
  bot.price('BTC', 101);
  expect(bot.intents[1]).toMatchObject({ kind: 'modify_order', change: { price: 91 } });
  bot.accept(bot.intents[1]!);
  bot.fill(bot.intents[0]!, { size: 0.6 });
  expect(bot.intents[2]).toMatchObject({ kind: 'modify_order', change: { size: 1.6 } });
});

test.each<[string, object]>([
  ['tolerance_bps must be 0 or above, and it is NaN', { tolerance_bps: Number.NaN }],
  ['tolerance_bps must be 0 or above, and it is -1', { tolerance_bps: -1 }],
  ['tolerance_bps must be 0 or above, and it is Infinity', { tolerance_bps: Infinity }],
  ['top_up_below must be from 0 to 1, and it is NaN', { top_up_below: Number.NaN }],
  ['top_up_below must be from 0 to 1, and it is 50', { top_up_below: 50 }],
  ['top_up_below must be from 0 to 1, and it is -0.1', { top_up_below: -0.1 }],
  ['retry_ms must be above 0, and it is 0', { retry_ms: 0 }],
  ['retry_ms must be above 0, and it is NaN', { retry_ms: Number.NaN }],
  ['retry_ms must be above 0, and it is Infinity', { retry_ms: Infinity }],
  ['post_only must be true or false, and it is null', { post_only: null }],
  ['name null: use 1 to 40', { name: null }],
  ['name "a:b": use 1 to 40', { name: 'a:b' }],
])('an option that holds nothing ends the strategy: %s', (reason, options) => {
  for (const [call, , operator] of OPERATORS) {
    const { faults, intents } = start(operator, options);
    expect(faults, call).toMatchObject([{ code: 'TRIMTAB_INDICATOR_PARAMETER' }]);
    expect(faults[0]!.reason, call).toContain(reason);
    expect(intents).toEqual([]);
  }
});

test('the ends of the ranges are options', () => {
  for (const options of [{ tolerance_bps: 0 }, { top_up_below: 0 }, { top_up_below: 1 }])
    expect(start(OPERATORS[2]![2], options).faults).toEqual([]);
});
