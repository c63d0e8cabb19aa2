/** A grid's orders by its description: what each level holds at the start and after a fill, on perps and on spot. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filter, map, type Observable } from 'rxjs';
import { z } from 'zod';
import {
  defineStrategy,
  grid,
  type ErrorCode,
  type Intent,
  type StrategyContext,
} from '../../../src/index.ts';
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
    // It sells what it bought, unless that only made a short smaller; what it sells already is at least half of that,
    // and is left as it is.
    const isSold = holds[at] === 0 && held + 1 > 0;
    expect(news).toMatchObject(isSold ? [sellOf(at, 1)] : []);
    tried.take(holds[at] === 0 ? 'first' : 'more', isSpot ? 'spot' : 'perp');
    const then = bot.intents.length;
    bot.price(symbol, 100.5);
    expect(bot.intents).toHaveLength(then);
    // A level that only made a short smaller does not go on with it.
    bot.advance('1m');
    expect(bot.intents).toHaveLength(then);
  });
  if (isFull) expect(tried.rare(['first', 'more', 'spot', 'perp'], 10)).toEqual([]);
});

/** Levels of 1 to 3 units below the first price, which move with the price and change in size with it. */
const gridOf = (sizes: readonly number[], mark: number, scale: number) =>
  sizes.map((size, at) => ({ buy: mark - 2 - at, sell: mark + 3 + at, size: size * scale }));

interface AtWork {
  side: 'buy' | 'sell';
  size: number;
  filled: number;
}

/** A grid in a test's hands: what is at work by what was sent and accepted. */
function openGrid(options: {
  symbol: string;
  sizes: readonly number[];
  isScaled: boolean;
  /** A price is known as soon as a life begins; a bar is waited for. */
  isOnBars: boolean;
}) {
  const { symbol, sizes, isScaled, isOnBars } = options;
  const marks = (ctx: StrategyContext): Observable<number> =>
    isOnBars
      ? ctx.candles(symbol, '1m').pipe(
          filter(() => ctx.liveness() === 'live'),
          map(({ close }) => close),
        )
      : ctx.price(symbol).pipe(map(({ mark }) => mark));
  const strategy = defineStrategy({
    name: 'levels',
    contract: 1,
    description: 'For a test.',
    scopes: ['trade'],
    params: z.object({}),
    setup: (ctx) =>
      marks(ctx as StrategyContext).pipe(
        map((mark) => gridOf(sizes, mark, isScaled && mark % 2 === 1 ? 1.25 : 1)),
        grid(ctx as StrategyContext, symbol, { top_up_below: 1 }),
      ),
  });
  const bot = testStrategy(strategy, { symbols: [symbol, 'ETH'] });
  const orders = new Map<string, AtWork>();
  let answered = 0;

  function take(intent: Intent): void {
    if (intent.kind === 'place_order') {
      const { side, size } = intent.request;
      orders.set(intent.ref!, { side, size, filled: 0 });
    }
    if (intent.kind === 'modify_order') {
      const order = orders.get(intent.order.ref!);
      if (order !== undefined) order.size = (intent.change as { size: number }).size;
    }
    if (intent.kind === 'cancel_order') orders.delete(intent.order.ref!);
  }

  const open = (side: AtWork['side']) =>
    [...orders].filter(([, one]) => one.side === side && one.size - one.filled > 1e-9);
  const held = (): number => bot.positionOf(symbol)?.size ?? 0;
  function refusalOf(intent: Intent): ErrorCode | undefined {
    if (reduces(intent) && held() === 0) return 'no_position';
    const ref = orderOf(intent);
    const order = ref === undefined ? undefined : orders.get(ref);
    if (order === undefined) return ref === undefined ? undefined : 'not_found';
    if (intent.kind !== 'modify_order') return undefined;
    // It filled further while the change was on its way.
    return (intent.change as { size: number }).size <= order.filled
      ? 'validation_failed'
      : undefined;
  }
  return {
    bot,
    held,
    target(mark: number): void {
      if (isOnBars) bot.bars(symbol, '1m', [mark]);
      else bot.price(symbol, mark);
    },
    atWork: (side: AtWork['side']): number =>
      open(side).reduce((sum, [, { size, filled }]) => sum + size - filled, 0),
    /** The service answers whatever was sent, and what is sent upon it. */
    answer(): void {
      for (const end = answered + MOST_ANSWERS; answered < bot.intents.length; answered++) {
        const intent = bot.intents[answered]!;
        expect(answered, 'an answer makes another request, without end').toBeLessThan(end);
        const code = refusalOf(intent);
        if (code !== undefined) bot.outcome(intent, 'rejected', code);
        else {
          take(intent);
          bot.accept(intent);
        }
      }
    },
    fill(side: AtWork['side'], which: number, part: number): boolean {
      const all = open(side);
      if (all.length === 0) return false;
      const [ref, order] = all[which % all.length]!;
      const rest = order.size - order.filled;
      const most = side === 'sell' ? Math.min(rest, held()) : rest;
      const size = Math.round(most * part * 4) / 4;
      if (size === 0) return false;
      order.filled += size;
      if (order.size - order.filled < 1e-9) orders.delete(ref);
      bot.fill(ref, { size });
      return true;
    },
  };
}

/** More than all levels send upon what the others were answered. */
const MOST_ANSWERS = 100;

const orderOf = (intent: Intent): string | undefined =>
  intent.kind === 'modify_order' || intent.kind === 'cancel_order' ? intent.order.ref : undefined;

const reduces = (intent: Intent): boolean =>
  intent.kind === 'place_order' && intent.request.reduce_only === true;

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('price'), mark: fc.integer({ min: 99, max: 102 }) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('fill'),
      side: fc.constantFrom('buy' as const, 'buy' as const, 'sell' as const),
      which: fc.nat(2),
      part: fc.constantFrom(0.25, 0.5, 1, 1),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('restart') }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('sold elsewhere'), part: fc.constantFrom(0.5, 1) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('answer') }) },
);

/** Longer than fills and the position may differ. */
const SETTLED = '15s';

test('a grid that is restarted at any instant offers what it holds, and bids for the rest', async () => {
  const tried = new Tried();
  const drawnRuns = fc.record({
    symbol: fc.constantFrom('BTC', 'BTC/USDC'),
    sizes: fc.array(fc.constantFrom(1, 2, 3), { minLength: 1, maxLength: 3 }),
    held: fc.constantFrom(0, 0, 1),
    isScaled: fc.boolean(),
    isOnBars: fc.boolean(),
    answersAtOnce: fc.boolean(),
    steps: fc.array(step, { minLength: 4, maxLength: 20 }),
  });
  await holdLaw(
    120,
    drawnRuns,
    ({ symbol, sizes, held, isScaled, isOnBars, answersAtOnce, steps }) => {
      const run = openGrid({ symbol, sizes, isScaled, isOnBars });
      const { bot } = run;
      const total = sizes.reduce((sum, size) => sum + size, 0);
      if (held > 0) bot.position(symbol, { side: 'long', size: held, entry_price: 100 });
      /** Whether this life has had a target, and whether something happened that is not its doing. */
      let [hasTarget, isDisturbed, filledBefore] = [false, false, false];
      const check = (): void => {
        if (!hasTarget || isDisturbed) return;
        const [sells, bids] = [run.atWork('sell'), run.atWork('buy')];
        // Orders of two lives for one level may both have been on their way: what both filled is one level's at most.
        if (!isScaled && answersAtOnce) {
          expect({ sells, bids }).toEqual({ sells: run.held(), bids: total - run.held() });
          return;
        }
        expect(sells).toBeLessThanOrEqual(run.held() + 1e-9);
        expect(bids).toBeLessThanOrEqual(total * (isScaled ? 1.25 : 1) + 1e-9);
      };
      for (const one of [...steps, { kind: 'price', mark: 100 } as const]) {
        switch (one.kind) {
          case 'price':
            run.target(one.mark);
            hasTarget = true;
            if (filledBefore) tried.take('fills before the first target');
            filledBefore = false;
            break;
          case 'fill':
            if (run.fill(one.side, one.which, one.part) && !hasTarget) filledBefore = true;
            break;
          case 'restart':
            bot.advance('1s').restart();
            [hasTarget, filledBefore] = [false, false];
            break;
          case 'sold elsewhere': {
            const size = Math.round(run.held() * one.part * 4) / 4;
            if (size === 0) break;
            bot.foreignFill({ symbol, side: 'sell', price: 100, size });
            isDisturbed = true;
            tried.take(hasTarget ? 'sold elsewhere' : 'sold before the first target');
            break;
          }
          default:
            run.answer();
        }
        if (!answersAtOnce) continue;
        run.answer();
        check();
      }
      bot.advance(SETTLED);
      run.answer();
      bot.advance(SETTLED);
      run.answer();
      isDisturbed = false;
      check();
      tried.take(symbol, answersAtOnce ? 'at once' : 'later');
    },
  );
  const cases = [
    'fills before the first target',
    'sold before the first target',
    'sold elsewhere',
    'BTC',
    'BTC/USDC',
    'at once',
    'later',
  ];
  if (isFull) expect(tried.rare(cases, 20)).toEqual([]);
});
