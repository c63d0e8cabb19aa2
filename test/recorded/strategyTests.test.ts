import { EMPTY, ignoreElements, map, merge, mergeMap, of, type Observable } from 'rxjs';
import { expect, test } from 'vitest';
import { grid, keepOrders, keepPair, placeOrder, quote } from 'trimtab';
import { z } from 'zod';
import { createRandom, type Random } from '../../src/env/index.ts';
import { INTERVALS, type Interval } from '../../src/contract/index.ts';
import { defineStrategy, type Strategy, type StrategyContext } from '../../src/strategy/index.ts';
import { assertIntents, testStrategy, type StrategyTest } from '../../src/testing/index.ts';
import accumulator from '../../strategies/accumulator.ts';
import bollingerReversion from '../../strategies/bollingerReversion.ts';
import breakout from '../../strategies/breakout.ts';
import directionalTrend from '../../strategies/directionalTrend.ts';
import emaTrend from '../../strategies/emaTrend.ts';
import fundingCarry from '../../strategies/fundingCarry.ts';
import gridTrader from '../../strategies/gridTrader.ts';
import hullTrend from '../../strategies/hullTrend.ts';
import marketMaker from '../../strategies/marketMaker.ts';
import pairTrader from '../../strategies/pairTrader.ts';
import '../../src/testingVitest.ts';
import { createActor, SHAPES } from '../backtest/walks/createActor.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';

const CASES = 90;
const STEPS = 90;
const SYMBOLS = ['BTC', 'ETH', 'HYPE/USDC'];

const pick = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random.next() * values.length)]!;

const spelled = (key: string, value: unknown): unknown =>
  key === 'stack'
    ? undefined
    : typeof value === 'number' && !Number.isFinite(value)
      ? String(value)
      : typeof value === 'number'
        ? Number(value.toPrecision(12))
        : value instanceof Error
          ? String(value)
          : value;
const spell = (value: unknown): string => JSON.stringify(value, spelled) ?? 'undefined';

/** Subscribes to all that there is, and says what came. */
const witness = defineStrategy({
  name: 'witness',
  contract: 1,
  description: 'Watches.',
  scopes: ['trade'],
  params: z.object({}),
  state: {
    version: 2,
    schema: z.object({ count: z.number() }),
    initial: { count: 0 },
    migrate: (old: unknown) => old,
  } as never,
  setup(given) {
    const ctx = given as unknown as StrategyContext;
    const watched = ctx.symbols.flatMap((symbol): Array<[string, Observable<unknown>]> => [
      ['bar', ctx.candles(symbol, '1m')],
      ['bar of 5', ctx.candles(symbol, '5m')],
      ['forming', ctx.candlesWithForming(symbol, '1m')],
      ['price', ctx.price(symbol)],
      ['market', ctx.market(symbol)],
      ['book', ctx.book(symbol, 2)],
      ['funding', ctx.funding(symbol)],
      ['position', ctx.position(symbol)],
      ['ema', ctx.indicator(symbol, '1m', 'ema' as never, { period: 2 } as never)],
    ]);
    const own: Array<[string, Observable<unknown>]> = [
      ['every', ctx.every('15m')],
      ...Object.entries(ctx)
        .filter(([name]) => name.endsWith('$'))
        .map(([name, value$]): [string, Observable<unknown>] => [
          name,
          value$ as Observable<unknown>,
        ]),
    ];
    // An order now and then, whose outcome is read from its start, later, and after its end.
    const orders$ = ctx.candles(ctx.symbol, '1m').pipe(
      mergeMap(({ close }, at) => {
        for (const ref of [`order-${at}`, `order-${at - 3}`])
          ctx
            .outcome(ref)
            .subscribe((outcome) =>
              ctx.log.info(`outcome of ${ref} at ${at}`, { value: spell(outcome) }),
            );
        return at % 3 === 0
          ? of(
              placeOrder.limit(
                { symbol: ctx.symbol, side: 'buy', size: 0.1, price: close },
                { ref: `order-${at}` },
              ),
            )
          : EMPTY;
      }),
    );
    return merge(
      orders$,
      ...[...watched, ...own].map(([name, value$]) =>
        value$.pipe(
          map((value) => {
            ctx.log.info(`${name} ${ctx.now()} ${ctx.liveness()}`, { value: spell(value) });
            ctx.plot(name.replaceAll(/\W/g, '_'), ctx.capital());
          }),
          ignoreElements(),
        ),
      ),
    );
  },
});

/** Keeps orders as drawn at each bar. */
function resting(kind: 'orders' | 'grid' | 'quote' | 'pair', seed: string): Strategy {
  return defineStrategy({
    name: kind,
    contract: 1,
    description: 'Keeps what is drawn.',
    scopes: ['trade'],
    params: z.object({}),
    setup(given) {
      const ctx = given as unknown as StrategyContext;
      const random = createRandom(`${kind} ${seed}`);
      const { symbol } = ctx;
      const bars$ = ctx.candles(symbol, '1m');
      const options = {
        name: pick(random, ['own', 'main']),
        tolerance_bps: pick(random, [0, 5, 50]),
        top_up_below: pick(random, [0, 0.5, 1]),
        post_only: random.next() < 0.6,
        retry_ms: pick(random, [1, 60_000, 60_000]),
      };
      const size = (): number => pick(random, [0, 0.5, 1, 2, 0.000_01]);
      switch (kind) {
        case 'orders':
          return bars$.pipe(
            map(({ close }) =>
              ['a', 'b', 'c']
                .filter(() => random.next() < 0.7)
                .map((slot) => ({
                  slot,
                  side: pick(random, ['buy', 'sell'] as const),
                  price: close * (0.9 + random.next() / 5),
                  size: size(),
                  reduce_only: random.next() < 0.2,
                })),
            ),
            keepOrders(ctx, symbol, options),
          );
        case 'grid':
          return bars$.pipe(
            map(({ close }) =>
              Array.from({ length: Math.floor(random.next() * 4) }, (_none, at) => ({
                buy: close * (1 - (at + 1) / 50),
                sell: close * (1 + (at + random.next()) / 50),
                size: size(),
              })),
            ),
            grid(ctx, symbol, options),
          );
        case 'quote':
          return bars$.pipe(
            map(({ close }) =>
              random.next() < 0.1
                ? null
                : {
                    bid: random.next() < 0.2 ? null : close * 0.99,
                    ask: random.next() < 0.2 ? null : close * 1.01,
                    size: size() + 0.1,
                    max_position: pick(random, [0, 1, 3]),
                    ...(random.next() < 0.3 ? { bid_size: size() } : {}),
                  },
            ),
            quote(ctx, symbol, options),
          );
        case 'pair':
          return bars$.pipe(
            map(() => ({
              value: pick(random, [0, 500, 1_000, -500]),
              ...(random.next() < 0.5 ? { hedge_ratio: pick(random, [0.5, 1, 2]) } : {}),
            })),
            keepPair(
              ctx,
              { long: symbol, short: ctx.symbols[1] ?? symbol },
              {
                max_naked: pick(random, [100, 1_000]),
                tolerance: pick(random, [0, 0.1]),
                unwind_after_ms: 120_000,
                retry_ms: 60_000,
                ...(random.next() < 0.5 ? { slippage_bps: 20 } : {}),
              },
            ),
          );
      }
    },
  }) as unknown as Strategy;
}

const SHIPPED: ReadonlyArray<readonly [Strategy, object]> = [
  [emaTrend, { interval: '1m', fast: 3, slow: 7 }],
  [bollingerReversion, { interval: '1m', period: 5 }],
  [breakout, { interval: '1m', channel: 4, atr_period: 3 }],
  [directionalTrend, { interval: '1m' }],
  [hullTrend, { interval: '1m' }],
  [gridTrader, { step_bps: 5 }],
  [marketMaker, {}],
  [accumulator, {}],
  [fundingCarry, {}],
  [pairTrader, {}],
] as never;

/** A strategy with its parameters, mostly right. */
function drawPlugin(random: Random, seed: string): [Strategy, object] {
  const draw = random.next();
  if (draw < 0.15) return [witness as never, {}];
  if (draw < 0.5) return [resting(pick(random, ['orders', 'grid', 'quote', 'pair']), seed), {}];
  if (draw < 0.75) {
    const [strategy, params] = pick(random, SHIPPED);
    return [strategy, random.next() < 0.15 ? { ...params, interval: 'often', none: 1 } : params];
  }
  return [
    createActor({
      seed,
      shape: pick(random, SHAPES),
      interval: pick(random, ['1m', '5m']),
      activity: 0.6,
    }),
    {},
  ];
}

/** One call of a test, drawn, with arguments that are wrong now and then. */
function drawCall(
  random: Random,
  run: StrategyTest,
  symbols: readonly string[],
  price: Record<string, number>,
): [string, () => unknown] {
  const symbol = pick(random, random.next() < 0.03 ? ['SOL', ''] : symbols);
  const odd = (value: number): number =>
    random.next() < 0.02 ? pick(random, [Number.NaN, -1, 0, Infinity]) : value;
  const next = (): number => {
    price[symbol] = (price[symbol] ?? 100) * (0.97 + random.next() * 0.06);
    return odd(Number(price[symbol].toFixed(3)));
  };
  const refs = [...run.intents].slice(-8);
  const ref =
    random.next() < 0.1 || refs.length === 0
      ? pick(random, ['none', 'order-1', ''])
      : pick(random, refs);
  const refName = typeof ref === 'string' ? ref : `intent ${run.intents.indexOf(ref)}`;
  const interval: Interval = random.next() < 0.95 ? '1m' : pick(random, INTERVALS);
  const bars = Array.from({ length: 1 + Math.floor(random.next() * 3) }, () => {
    if (random.next() < 0.7) return next();
    const close = next();
    return { open: close, high: close * 1.01, low: close * 0.99, close, volume: odd(5) };
  });
  const liveness =
    random.next() < 0.15
      ? { liveness: pick(random, ['warm_up', 'catch_up', 'live', 'live', 'live', 'dead']) }
      : undefined;
  const fill =
    random.next() < 0.5
      ? {}
      : { price: next(), size: odd(pick(random, [0.1, 0.5])), fee: odd(0.01) };
  const calls: ReadonlyArray<[string, unknown[]]> = [
    ...Array.from({ length: 9 }, (): [string, unknown[]] => [
      'bars',
      [symbol, interval, bars, liveness],
    ]),
    [
      'feeds',
      [
        [
          { symbol: 'BTC', interval: '1m', bars },
          { symbol: 'ETH', interval: '5m', bars: [next()] },
        ],
        liveness,
      ],
    ],
    ['forming', [symbol, interval, bars[0]]],
    ['price', [symbol, random.next() < 0.7 ? next() : { mark: next(), bid: next() }]],
    ['market', [symbol, { volume_24h: odd(9), open_interest: 3 }]],
    [
      'book',
      [
        symbol,
        {
          bids: [
            [next(), 1],
            [next(), 2],
          ],
          asks: [[next() * 1.1, 1]],
        },
      ],
    ],
    [
      'funding',
      [
        symbol,
        {
          rate: odd(0.001),
          next_time: run.now + 60_000,
          ...(random.next() < 0.5 ? { paid: 3 } : {}),
        },
      ],
    ],
    [
      'position',
      [
        symbol,
        random.next() < 0.3
          ? null
          : { side: pick(random, ['long', 'short']), size: odd(1), entry_price: next() },
      ],
    ],
    ['account', [{ equity: odd(900), available_margin: odd(100) }]],
    ['balances', [[{ asset: 'USDC', total: odd(50), available: 40 }]]],
    ['accept', [ref]],
    ['accept', [ref]],
    ['accept', [ref]],
    [
      'outcome',
      [
        ref,
        pick(random, ['rejected', 'unknown', 'absent', 'expired', 'denied', 'sent', 'unresolved']),
        pick(random, ['insufficient_margin', 'no answer', undefined]),
      ],
    ],
    ['fill', [ref, fill]],
    ['fill', [ref, fill]],
    ['fill', [ref]],
    [
      'monitor',
      [
        ref,
        pick(random, [
          'armed',
          'fired',
          'failed',
          'stopped',
          'paused',
          'resumed',
          'snapshot',
          'gone',
          'broken',
        ]),
        {},
      ],
    ],
    [
      'foreignFill',
      [{ symbol, side: pick(random, ['buy', 'sell']), price: next(), size: odd(0.2) }],
    ],
    [
      'leg',
      [
        pick(random, [
          'leg_armed',
          'trail_moved',
          'leg_triggered',
          'leg_retired',
          'leg_rejected',
          'entry_moved',
          'entry_hold',
          'entry_retired',
          'snapshot',
          'gone',
          'leg',
        ]),
        { symbol, ref },
      ],
    ],
    [
      'execution',
      [
        ref,
        pick(random, [
          'started',
          'progress',
          'status',
          'stale_warning',
          'ended',
          'snapshot',
          'gone',
          'over',
        ]),
        random.next() < 0.5 ? { filled_size: odd(0.3), status: 'completed' } : undefined,
      ],
    ],
    [
      'advance',
      [
        pick(random, ['1m', '17s', '1h', '1x', 90_000 as never]),
        random.next() < 0.2 ? { liveness: 'catch_up' } : undefined,
      ],
    ],
    ['positionOf', [symbol]],
    ['restart', []],
    ['stop', []],
  ];
  const [name, given] = pick(
    random,
    refs.length === 0 && random.next() < 0.7
      ? calls.slice(0, 9)
      : random.next() < 0.97
        ? calls.slice(0, -2)
        : calls,
  );
  const shown = given.map((one) =>
    one === ref
      ? refName
      : spell(
          one === given[1] && typeof one === 'object' && name === 'leg'
            ? { symbol, ref: refName }
            : one,
        ),
  );
  return [
    `${name} ${shown.join(' ')}`,
    () => (run as unknown as Record<string, (...all: unknown[]) => unknown>)[name]!(...given),
  ];
}

/** What has come since the last look. */
function createLook(run: StrategyTest): () => string[] {
  const seen: Record<string, number> = {};
  return () =>
    (['intents', 'suppressed', 'logs', 'plots', 'faults', 'notices', 'outcomes'] as const).flatMap(
      (name) => {
        const all: readonly unknown[] = run[name];
        const fresh = all.slice(seen[name] ?? 0);
        seen[name] = all.length;
        return fresh.map((one) => `  ${name} ${spell(one)}`);
      },
    );
}

test('drawn calls of the testing kit have the outcomes that they had', async () => {
  const outcomes = new Map<string, Outcome>();
  for (let seed = 0; seed < CASES; seed++) {
    const random = createRandom(`kit ${seed}`);
    const [plugin, params] = drawPlugin(random, String(seed));
    const calls: string[] = [];
    const ends: string[] = [];
    const attempt = <T>(run: () => T): T | undefined => {
      try {
        return run();
      } catch (error) {
        const { code, message } = error as { code?: string; message: string };
        calls.push(
          `  throws ${code} ${message}`
            .replaceAll(/\n +at .*/g, '')
            .replaceAll(/\S*\/(?=\w+\.ts)/g, ''),
        );
        return undefined;
      }
    };
    const options = {
      symbols: SYMBOLS.slice(0, 1 + Math.floor(random.next() * 3)),
      params,
      answers: pick(random, ['by_test', 'accept', 'accept']),
      onFault: pick(random, ['list', 'list', 'throw']),
      ...(random.next() < 0.2 ? { capital: pick(random, [100, -1, 1e6]) } : {}),
      ...(random.next() < 0.1
        ? {
            state: pick(random, [{ count: 4 }, { count: 'x' }]),
            stateVersion: pick(random, [1, 2, 3]),
          }
        : {}),
      ...(random.next() < 0.2
        ? { instruments: { BTC: { size_decimals: 1, price_decimals: 0 }, SOL: {} } }
        : {}),
      ...(random.next() < 0.03 ? { colour: 'red' } : {}),
      ...(random.next() < 0.03 ? { startTime: 1.5 } : {}),
    };
    calls.push(`${plugin.name} ${spell(options)}`);
    const run = attempt(() => testStrategy(plugin, options as never));
    if (run !== undefined) {
      const look = createLook(run);
      const price = { BTC: 100, ETH: 50 };
      for (let step = 0; step < STEPS; step++) {
        const drawn = drawCall(random, run, options.symbols, price);
        calls.push(drawn[0]);
        const answer = attempt(drawn[1]);
        if (answer !== undefined && answer !== run) calls.push(`  answer ${spell(answer)}`);
        calls.push(...look());
      }
      ends.push(
        spell(run.state),
        String(run.now),
        ...SYMBOLS.map((symbol) => spell(attempt(() => run.positionOf(symbol)))),
      );
      for (const expected of [
        [],
        [{}],
        [{ kind: 'launch' }],
        run.intents.map(({ kind }) => ({ kind })),
        [{ request: { size: 3 } }],
        [{ none: 1 }],
      ] as never[]) {
        ends.push(compared(() => assertIntents(run, expected)));
        ends.push(
          compared(() => expect(run).toEmitIntents(expected)),
          compared(() => expect(run).not.toEmitIntents(expected)),
        );
      }
      attempt(() => run.stop());
      calls.push(...look());
    }
    outcomes.set(
      `${seed} ${plugin.name}`,
      new Map([
        ['calls', calls],
        ['ends', ends],
      ]),
    );
  }
  await expectRecorded('strategyTests', outcomes);
});

/** The words of a comparison that fails. */
function compared(compare: () => unknown): string {
  try {
    compare();
    return 'the same';
  } catch (error) {
    return (error as Error).message;
  }
}
