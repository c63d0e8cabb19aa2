import {
  concatMap,
  filter,
  from,
  interval,
  map,
  merge,
  NEVER,
  of,
  switchMap,
  take,
  throwError,
  timer,
} from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  closePosition,
  launch,
  launchBasket,
  placeOrder,
  stopLoss,
  type Intent,
} from '../../src/intents/index.ts';
import {
  createMemoryState,
  defineStrategy,
  type Outcome,
  type Strategy,
  type StrategyContext,
} from '../../src/strategy/index.ts';
import type { FillRecord } from '../../src/contract/index.ts';
import { runStrategy, START } from '../strategies/runStrategy.ts';
import { planted } from '../testing/planted.ts';

const MINUTE = 60_000;
const buy = (meta = {}): Intent => placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 }, meta);

/** Of a ref that is none. */
const basketOf = (...legs: ReadonlyArray<[symbol: string, side: 'buy' | 'sell']>): Intent => {
  const params = { duration_seconds: 600 };
  const launches = legs.map(([symbol, side]) => {
    return { algo: 'pacemaker' as const, symbol, side, total_size: 1, params };
  });
  return launchBasket({ legs: launches }, { ref: 'a/b' });
};

const onBars = planted((ctx) => ctx.candles('BTC', '1m').pipe(map(() => buy())), { warmup: 3 });

describe('identity', () => {
  test('a decision is named by account, instance, cause and ordinal', () => {
    const run = runStrategy(onBars);
    run.bars(100);
    expect(run.emissions).toMatchObject([
      {
        decisionKey: `main/test/bar:BTC:1m:${START}#0`,
        cause: `bar:BTC:1m:${START}`,
        ordinal: 0,
        instance: 'test',
        wallet: 'main',
        marketTime: START + MINUTE,
        trigger: { bar: { symbol: 'BTC', close: 100, time: START } },
      },
    ]);
  });

  test('several intents of one cause are distinguished by their ordinal, in order', () => {
    const twice = planted((ctx) =>
      ctx.candles('BTC', '1m').pipe(concatMap(() => of(buy(), buy()))),
    );
    const run = runStrategy(twice);
    run.bars(100, 101);
    expect(run.emissions.map(({ ordinal }) => ordinal)).toEqual([0, 1, 0, 1]);
    expect(new Set(run.keys()).size).toBe(4);
  });

  test('the same feed gives the same keys in another run, whenever that run started', () => {
    const first = runStrategy(onBars, { history: [1, 2, 3] });
    const second = runStrategy(onBars);
    first.bars(100, 101);
    second.bars(100, 101);
    expect(second.keys()).toEqual(first.keys());
  });

  test('a fill, a watch event, an execution event and an outcome name themselves', () => {
    const run = runStrategy(
      planted((ctx) =>
        merge(
          ctx.fills$,
          ctx.watch$,
          ctx.executions$,
          ctx.outcomes$.pipe(filter(({ state }) => state === 'rejected')),
        ).pipe(map(() => buy())),
      ),
    );
    const { fills$, watch$, executions$ } = run.sources;
    const execution = { execution_id: 'exe_1', symbol: 'BTC', updated_time: 7 } as never;
    fills$.next({ fill_id: 'fil_1', symbol: 'BTC' } as FillRecord);
    watch$.next({
      event: 'trail_moved',
      row: { watch_kind: 'leg', leg_id: 'leg_1', symbol: 'BTC' },
    });
    executions$.next({ event: 'ended', execution });
    run.outcome(run.emissions[0]!, 'rejected');
    expect(run.emissions.map(({ cause }) => cause)).toEqual([
      'fill:fil_1',
      `watch:leg_1:trail_moved:${START}`,
      'execution:exe_1:ended:7',
      'outcome:main:test:fill:fil_1:0:rejected',
    ]);
  });

  test("events of other instances' symbols don't reach it", () => {
    const run = runStrategy(planted((ctx) => ctx.fills$.pipe(map(() => buy()))));
    run.sources.fills$.next({ fill_id: 'fil_1', symbol: 'ETH' } as FillRecord);
    expect(run.emissions).toEqual([]);
  });

  test('ticks and scheduled tasks are named by their scheduled time', () => {
    const run = runStrategy(
      planted((ctx) => merge(ctx.every('5m'), timer(90_000, ctx.scheduler)).pipe(map(() => buy()))),
    );
    run.market.advanceTo(START + 10 * MINUTE);
    expect(run.emissions.map(({ cause, marketTime }) => [cause, marketTime - START])).toEqual([
      [`timer:${START + 90_000}`, 90_000],
      [`timer:${START + 5 * MINUTE}`, 5 * MINUTE],
      [`timer:${START + 10 * MINUTE}`, 10 * MINUTE],
    ]);
  });

  test('a decision name replaces its cause, and identifies the same decision in a later turn', () => {
    const named = planted((ctx) =>
      ctx
        .candles('BTC', '1m')
        .pipe(concatMap(() => of(buy({ decision: 'rebalance' }), buy({ decision: 'rebalance' })))),
    );
    const run = runStrategy(named);
    run.bars(100, 101);
    const [a, b] = ['main/test/rebalance#0', 'main/test/rebalance#1'];
    expect(run.keys()).toEqual([a, b, a, b]);
  });

  test('state read during a decision is part of it', () => {
    const run = runStrategy(
      planted((ctx) =>
        ctx.candles('BTC', '1m').pipe(
          switchMap(() => ctx.position('BTC').pipe(take(1))),
          map(() => buy()),
        ),
      ),
    );
    run.bars(100);
    expect(run.emissions[0]?.cause).toBe(`bar:BTC:1m:${START}`);
  });

  test('an intent outside of any event ends the instance, unless its decision has a name', async () => {
    const promised = (meta: object) =>
      runStrategy(planted(() => merge(NEVER, from(Promise.resolve(buy(meta))))));
    const nameless = promised({});
    const named = promised({ decision: 'once' });
    await expect.poll(() => named.keys()).toEqual(['main/test/once#0']);
    expect(nameless.emissions).toEqual([]);
    expect(nameless.faults).toMatchObject([{ kind: 'outside_turn', instance: 'test' }]);
    expect(nameless.host.status).toMatchObject({ state: 'quarantined' });
    expect(nameless.faults[0]?.reason).toContain('ctx.scheduler');
    expect(named.host.status).toEqual({ state: 'running' });
  });

  test('effects of a decision wait until the decision is complete', () => {
    const order: string[] = [];
    const denied = (emission: { intent: Intent; decisionKey: string }): Outcome => ({
      state: 'denied',
      intent: emission.intent,
      decisionKey: emission.decisionKey,
      time: 0,
    });
    const strategy = planted((ctx) => {
      ctx.outcomes$.subscribe(({ state }) => order.push(state));
      return ctx.candles('BTC', '1m').pipe(
        concatMap(() => of(buy(), buy())),
        map((intent, index) => {
          order.push(`intent ${index}`);
          return intent;
        }),
      );
    });
    runStrategy(strategy, { answer: denied }).bars(100);
    expect(order).toEqual(['intent 0', 'intent 1', 'denied', 'denied']);
  });
});

describe('warm-up', () => {
  test('history comes first, in the requested length, and decisions on it are only counted', () => {
    const seen: number[] = [];
    const strategy = planted(
      (ctx) =>
        ctx.candles('BTC', '1m').pipe(
          map((bar) => {
            seen.push(bar.close);
            return buy();
          }),
        ),
      { warmup: 3 },
    );
    const run = runStrategy(strategy, { history: [1, 2, 3, 4], ownWarmup: true });
    expect(run.requestedHistory).toEqual([3]);
    expect(seen).toEqual([2, 3, 4]);
    expect([run.host.suppressed, run.host.emitted]).toEqual([3, 0]);
    run.bars(5);
    expect([run.host.suppressed, run.host.emitted]).toEqual([3, 1]);
    expect(run.emissions).toHaveLength(1);
  });

  test('where the history is shorter than the warm-up, the first live bars belong to it', () => {
    const run = runStrategy(onBars, { history: [1], ownWarmup: true });
    run.bars(2, 3);
    expect([run.host.suppressed, run.host.emitted]).toEqual([3, 0]);
    run.bars(4);
    expect([run.host.suppressed, run.host.emitted]).toEqual([3, 1]);
  });

  test.each([-1, 1.5, Number.NaN, 1e6])('a warm-up of %d is refused, and named', (bars) => {
    const run = runStrategy(
      planted(() => NEVER, { warmup: bars }),
      { ownWarmup: true },
    );
    expect(run.host.status).toMatchObject({
      state: 'quarantined',
      fault: { kind: 'setup_failed', reason: expect.stringContaining('warmup must be') },
    });
  });

  test('an intent of setup is sent if nothing was seen yet, and not after history alone', () => {
    const atOnce = planted(() => merge(of(buy()), NEVER));
    expect(runStrategy(atOnce, { history: [1] }).keys()).toEqual(['main/test/setup#0']);
    const after = planted(
      (ctx) => merge(ctx.candles('BTC', '1m').pipe(filter(() => false)), of(buy())),
      { warmup: 1 },
    );
    const run = runStrategy(after, { history: [1] });
    expect([run.host.emitted, run.host.suppressed]).toEqual([0, 1]);
  });

  test('an existing position does not revive the signal of an old bar', () => {
    const strategy = planted(
      (ctx) => {
        const bars$ = ctx.candles('BTC', '1m');
        return bars$.pipe(switchMap(() => ctx.position('BTC').pipe(map(() => buy()))));
      },
      { warmup: 1 },
    );
    const run = runStrategy(strategy, { history: [1] });
    expect([run.host.emitted, run.host.suppressed]).toEqual([0, 1]);
    run.bars(2);
    run.position('long');
    expect(run.host.emitted).toBe(2);
  });

  test('a forming bar is delivered as such, and its decisions have their own names', () => {
    const closed: boolean[] = [];
    const strategy = planted((ctx) =>
      ctx.candlesWithForming('BTC', '1m').pipe(
        map((bar) => {
          closed.push(bar.closed);
          return buy();
        }),
      ),
    );
    const run = runStrategy(strategy);
    run.forming(99);
    run.bars(100);
    expect(closed).toEqual([false, true]);
    expect(run.emissions[0]?.cause).toBe(`forming:BTC:1m:${START}:${START}`);
  });
});

describe('faults stay within the instance', () => {
  const endings: Array<[string, (ctx: StrategyContext) => unknown, string, string]> = [
    [
      'a throw in setup',
      () => {
        throw new Error('no setup');
      },
      'setup_failed',
      'no setup',
    ],
    [
      'a throw in its stream',
      (ctx) =>
        ctx.candles('BTC', '1m').pipe(
          map(() => {
            throw new Error('bad bar');
          }),
        ),
      'threw',
      'bad bar',
    ],
    [
      'a throw of a text',
      (ctx) =>
        ctx.candles('BTC', '1m').pipe(
          map(() => {
            // oxlint-disable-next-line typescript/only-throw-error -- what a plugin may do
            throw 'bad bar';
          }),
        ),
      'threw',
      `On bar:BTC:1m:${START}: 'bad bar' was thrown, which is not an Error`,
    ],
    [
      'a throw of nothing in setup',
      () => {
        // oxlint-disable-next-line typescript/only-throw-error -- what a plugin may do
        throw null;
      },
      'setup_failed',
      'null was thrown, which is not an Error',
    ],
    [
      'a source of its own that fails with an object',
      (ctx) =>
        ctx.candles('BTC', '1m').pipe(switchMap(() => throwError(() => ({ code: 'E_FEED' })))),
      'threw',
      `On bar:BTC:1m:${START}: { code: 'E_FEED' } was thrown`,
    ],
    ['completion', () => of(buy()), 'completed', 'completed'],
    ['no Observable', () => [buy()], 'not_observable', 'no Observable'],
    [
      'a throw in a scheduled task',
      (ctx) => {
        ctx.scheduler.schedule(() => {
          throw new Error('bad task');
        });
        return NEVER;
      },
      'threw',
      'bad task',
    ],
    [
      'a flood upon one event',
      (ctx) =>
        ctx
          .candles('BTC', '1m')
          .pipe(concatMap(() => from(Array.from({ length: 5_000 }, () => buy())))),
      'flooded',
      'More than 1000',
    ],
    [
      'a task at a time that is not a number',
      (ctx) => ctx.candles('BTC', '1m').pipe(switchMap(() => timer(Number.NaN, ctx.scheduler))),
      'threw',
      'NaN',
    ],
    [
      'an unknown instrument',
      (ctx) => {
        ctx.instrument('DOGE');
        return NEVER;
      },
      'setup_failed',
      'DOGE',
    ],
  ];

  test.each(endings)('%s quarantines it, with the reason', (_name, setup, kind, reason) => {
    const run = runStrategy(planted(setup as never));
    run.bars(1, 2);
    run.market.advanceTo(run.market.now() + MINUTE);
    expect(run.host.status).toMatchObject({ state: 'quarantined', fault: { kind } });
    expect(run.faults).toHaveLength(1);
    expect(run.faults[0]?.reason).toContain(reason);
    const before = run.emissions.length;
    run.bars(3);
    expect(run.emissions).toHaveLength(before);
  });

  test('a flood within setup ends too', () => {
    function* endless(): Generator<Intent> {
      for (;;) yield buy();
    }
    const run = runStrategy(planted(() => from(endless())));
    expect(run.host.status).toMatchObject({ state: 'quarantined', fault: { kind: 'flooded' } });
  });

  test('a strategy that repeats each denied intent is stopped', () => {
    const strategy = planted((ctx) =>
      merge(ctx.candles('BTC', '1m'), ctx.outcomes$).pipe(map(() => buy())),
    );
    const run = runStrategy(strategy, {
      answer: ({ intent, decisionKey }) => ({ state: 'denied', intent, decisionKey, time: 0 }),
    });
    run.bars(1);
    expect(run.host.status).toMatchObject({ state: 'quarantined', fault: { kind: 'flooded' } });
  });

  test('a failing source ends the instance with a reason', () => {
    const run = runStrategy(onBars);
    run.sources.live$.error(new Error('gone'));
    expect(run.host.status).toMatchObject({
      state: 'quarantined',
      fault: { kind: 'source_failed', reason: 'gone' },
    });
  });

  test.each([
    ['an entry', () => placeOrder.market({ symbol: 'BTC', side: 'buy', size: Number.NaN }), false],
    [
      'a reduce-only order',
      () => placeOrder.market({ symbol: 'BTC', side: 'sell', size: NaN, reduce_only: true }),
      true,
    ],
    [
      'a sale of spot',
      () => placeOrder.market({ symbol: 'HYPE/USDC', side: 'sell', size: 1, ref: 'a/b' } as never),
      true,
    ],
    ['a basket that sells spot', () => basketOf(['HYPE/USDC', 'sell']), true],
    [
      'a basket that sells spot and enters',
      () => basketOf(['HYPE/USDC', 'sell'], ['BTC', 'buy']),
      false,
    ],
    ['a close', () => ({ ...closePosition.atMarket('BTC'), ref: 'a/b' }), true],
    ['a leverage', () => ({ kind: 'set_leverage', symbol: 'BTC', leverage: -1 }), false],
    ['what can’t be read', () => ({ kind: 'place_order' }), true],
    ['no intent at all', () => 7, true],
  ])('%s that is malformed is known as an exit or not', (_what, make, isExit) => {
    const strategy = planted((ctx) => ctx.candles('BTC', '1m').pipe(map(() => make() as never)));
    const run = runStrategy(strategy);
    run.bars(1);
    expect(run.faults).toMatchObject([{ kind: 'malformed_intent', isExit }]);
  });

  test('a malformed intent is dropped with its field named, and the strategy continues', () => {
    const denials: Outcome[] = [];
    const strategy = planted((ctx) => {
      ctx.outcomes$.subscribe((outcome) => denials.push(outcome));
      return ctx
        .candles('BTC', '1m')
        .pipe(map(({ close }) => placeOrder.market({ symbol: 'BTC', side: 'buy', size: close })));
    });
    const run = runStrategy(strategy);
    run.bars(Number.NaN, 1);
    expect(run.faults).toMatchObject([
      { kind: 'malformed_intent', fields: [{ path: 'request.size' }] },
    ]);
    expect(denials).toMatchObject([{ state: 'denied', guard: 'shape' }]);
    // Both are read apart from the intent.
    const words =
      /request\.size: .*NaN.* \[test: place_order buy NaN BTC, upon the 1m bar of BTC from \d{4}-/;
    expect(denials[0]?.reason).toMatch(words);
    expect(run.faults[0]?.reason).toMatch(words);
    expect(run.emissions).toHaveLength(1);
    expect(run.host.status).toEqual({ state: 'running' });
  });

  test('another instance on the same sources is unharmed', () => {
    const bad = runStrategy(planted(endings[1]![1] as never));
    const good = runStrategy(onBars);
    good.sources.live$.subscribe((event) => bad.sources.live$.next(event));
    good.bars(1, 2);
    expect(bad.host.status.state).toBe('quarantined');
    expect(good.emissions).toHaveLength(2);
  });

  test('a stop leaves a quarantine as it is, with its fault', () => {
    const bad = runStrategy(planted(endings[1]![1] as never));
    bad.bars(1);
    const { status } = bad.host;
    expect(status.state).toBe('quarantined');
    void bad.host.stop();
    expect(bad.host.status).toBe(status);
  });

  test('after stop nothing is emitted on any input', () => {
    const run = runStrategy(onBars);
    void run.host.stop();
    run.bars(1);
    expect(run.emissions).toEqual([]);
    expect(run.host.status).toEqual({ state: 'stopped' });
  });
});

describe('the context', () => {
  test('capital is the share of the latest equity', () => {
    const seen: number[] = [];
    const strategy = planted((ctx) => {
      ctx.capital$.subscribe((capital) => seen.push(capital));
      return ctx
        .candles('BTC', '1m')
        .pipe(map(() => placeOrder.market({ symbol: 'BTC', side: 'buy', size: ctx.capital() })));
    });
    const run = runStrategy(strategy, { equity: 1_000, capitalShare: 0.25 });
    run.bars(1);
    expect(seen).toEqual([250]);
    expect(run.intents()).toMatchObject([{ request: { size: 250 } }]);
  });

  test('an indicator gives a value a closed bar, once it is ready (MKT-2)', () => {
    const points: unknown[] = [];
    const strategy = planted((ctx) => {
      ctx.indicator('BTC', '1m', 'sma', { period: 2 }).subscribe((point) => points.push(point));
      ctx
        .indicator('BTC', '1m', 'bollinger', { period: 2 })
        .subscribe(({ series }) => points.push(series.mid));
      return NEVER;
    });
    runStrategy(strategy).bars(10, 20);
    expect(points).toMatchObject([{ value: 15, bar_time: START + MINUTE, bar: { close: 20 } }, 15]);
  });

  test('an outcome is known by ref, the last one for late subscribers', () => {
    const states: string[] = [];
    const strategy = planted((ctx) => {
      const bars$ = ctx.candles('BTC', '1m');
      const late$ = bars$.pipe(
        filter(({ close }) => close === 2),
        switchMap(() => ctx.outcome('entry')),
        map(({ state }) => states.push(state)),
        filter(() => false),
      );
      const entry$ = bars$.pipe(
        filter(({ close }) => close === 1),
        map(() => buy({ ref: 'entry' })),
      );
      return merge(entry$, late$) as never;
    });
    const run = runStrategy(strategy);
    run.bars(1);
    run.outcome(run.emissions[0]!, 'guarded');
    run.outcome(run.emissions[0]!, 'accepted');
    run.bars(2);
    run.outcome(run.emissions[0]!, 'expired');
    expect(states).toEqual(['accepted', 'expired']);
  });

  test('sizes and prices are rounded to the grid, and NaN stays NaN', () => {
    const rounded: number[] = [];
    const strategy = planted((ctx) => {
      const { roundSize, roundPrice } = ctx.instrument('BTC');
      rounded.push(
        roundSize(0.29999),
        roundSize(-1),
        roundSize(Number.NaN),
        roundPrice(61_234.567),
      );
      return NEVER;
    });
    runStrategy(strategy);
    expect(rounded).toEqual([0.299, 0, Number.NaN, 61_234.6]);
  });

  test('random numbers are the same in every run', () => {
    const numbers = (): number[] => {
      const drawn: number[] = [];
      runStrategy(
        planted((ctx) => {
          drawn.push(ctx.random(), ctx.random());
          return NEVER;
        }),
      );
      return drawn;
    };
    expect(numbers()).toEqual(numbers());
  });

  test('its timers are stopped with it', () => {
    let ticks = 0;
    const strategy = planted((ctx) => {
      interval(MINUTE, ctx.scheduler).subscribe(() => (ticks += 1));
      return NEVER;
    });
    const run = runStrategy(strategy);
    run.market.advanceTo(START + 2 * MINUTE);
    void run.host.stop();
    run.market.advanceTo(START + 9 * MINUTE);
    expect(ticks).toBe(2);
  });
});

describe('state', () => {
  const counting = defineStrategy({
    name: 'counting',
    contract: 1,
    description: 'Counts bars across restarts.',
    scopes: ['trade'],
    params: z.object({}),
    state: z.object({ bars: z.int().default(0) }),
    setup: (ctx) =>
      ctx.candles('BTC', '1m').pipe(
        map(({ close }) => {
          ctx.state.set({ bars: ctx.state.get().bars + close });
          return launch.pacemaker({
            symbol: 'BTC',
            side: 'buy',
            total_size: ctx.state.get().bars,
            params: { duration_seconds: 60 },
          });
        }),
      ),
  });

  test('a state that was set is restored after a restart', () => {
    const store = createMemoryState();
    runStrategy(counting, { state: store }).bars(1, 1);
    expect(store.read()).toEqual({ version: 1, state: { bars: 2 } });
    const again = runStrategy(counting, { state: store });
    again.bars(1);
    expect(again.intents()).toMatchObject([{ request: { total_size: 3 } }]);
  });

  test('a value that does not fit the schema is rejected with a reason', () => {
    const store = createMemoryState();
    const run = runStrategy(counting, { state: store });
    run.bars(0.5);
    expect(run.host.status).toMatchObject({ state: 'quarantined', fault: { kind: 'threw' } });
    expect(run.faults[0]?.reason).toContain('bars');
    expect(store.read()).toBeUndefined();
  });

  test('a persisted state of another shape is refused at the start', () => {
    const run = runStrategy(counting, {
      state: createMemoryState({ version: 1, state: { bars: 'many' } }),
    });
    expect(run.faults).toMatchObject([{ kind: 'setup_failed' }]);
    expect(run.faults[0]?.reason).toContain('The persisted state');
  });
});

describe('a state that is set in warm-up', () => {
  const writing = (writesInWarmUp?: boolean): Strategy =>
    defineStrategy({
      name: 'writing',
      contract: 1,
      description: 'Counts the bars of its warm-up.',
      scopes: ['trade'],
      params: z.object({}),
      state: {
        version: 1,
        schema: z.object({ bars: z.int().default(0) }),
        ...(writesInWarmUp === undefined ? {} : { writesInWarmUp }),
      },
      setup: (ctx) => {
        ctx.state.set({ bars: 0 });
        return ctx.candles('BTC', '1m').pipe(
          map(() => {
            ctx.state.set({ bars: ctx.state.get().bars + 1 });
            return buy();
          }),
        );
      },
    });

  test.each([undefined, false])('is refused with the bar and a remedy: %s', (writesInWarmUp) => {
    const store = createMemoryState();
    const run = runStrategy(writing(writesInWarmUp), { history: [1, 2, 3], state: store });
    const fault = { kind: 'threw', code: 'TRIMTAB_STATE_IN_WARM_UP' };
    expect(run.host.status).toMatchObject({ state: 'quarantined', fault });
    expect(run.faults[0]!.reason).toContain(`On bar:BTC:1m:${START - 3 * MINUTE}: `);
    expect(run.faults[0]!.reason).toContain("`ctx.liveness() === 'live'`");
    expect(run.faults[0]!.stack).toContain('createStrategyHost.test.ts');
    expect(run.notices).toMatchObject([{ kind: 'state_in_warm_up' }]);
    // What set-up wrote belongs to no bar.
    expect(store.read()).toEqual({ version: 1, state: { bars: 0 } });
  });

  test('is written if the definition asks for it, and live in any case', () => {
    const store = createMemoryState();
    runStrategy(writing(true), { history: [1, 2, 3], state: store }).bars(4);
    expect(store.read()).toEqual({ version: 1, state: { bars: 4 } });
    const live = createMemoryState();
    runStrategy(writing(), { state: live }).bars(4);
    expect(live.read()).toEqual({ version: 1, state: { bars: 1 } });
  });
});

describe('an unknown interval', () => {
  const asks: Array<[string, (ctx: StrategyContext, interval: never) => unknown]> = [
    ['candles', (ctx, interval) => ctx.candles('BTC', interval)],
    ['candlesWithForming', (ctx, interval) => ctx.candlesWithForming('BTC', interval)],
    ['indicator', (ctx, interval) => ctx.indicator('BTC', interval, 'ema', { period: 3 })],
    ['every', (ctx, interval) => ctx.every(interval)],
    ['isWarm', (ctx, interval) => ctx.isWarm('BTC', interval)],
  ];

  test.each(asks)('ends a set-up that requests it from %s, with the known intervals', (_, ask) => {
    const { host } = runStrategy(
      planted((ctx) => {
        ask(ctx as StrategyContext, '5min' as never);
        return NEVER;
      }),
    );
    const says = /"5min" is not an interval\. Did you mean 5m\? Known: 1m, 3m, 5m, .*1w\./;
    expect(host.status).toMatchObject({
      state: 'quarantined',
      fault: { kind: 'setup_failed', reason: expect.stringMatching(says) },
    });
  });
});

test('a stop of a fraction of a percent is accepted, with one warning', () => {
  const trailing = (pct: number) =>
    placeOrder.market({
      symbol: 'BTC',
      side: 'buy',
      size: 1,
      stop_loss: stopLoss.trail({ pct, interval: '1m' }),
    });
  const run = runStrategy(
    planted((ctx) => ctx.candles('BTC', '1m').pipe(map(({ close }) => trailing(close)))),
  );
  run.bars(1.5, 0.015, 0.015);
  expect(run.emissions).toHaveLength(3);
  expect(run.notices).toEqual([{ kind: 'small_percent', path: 'stop_loss.trail.pct', pct: 0.015 }]);
});
