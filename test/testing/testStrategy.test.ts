import {
  concatMap,
  delay,
  filter,
  from,
  ignoreElements,
  map,
  merge,
  NEVER,
  of,
  switchMap,
  take,
  tap,
  throwError,
} from 'rxjs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  cancelOrder,
  closePosition,
  controlExecution,
  createMonitor,
  launch,
  modifyOrder,
  placeOrder,
  type Intent,
} from '../../src/intents/index.ts';
import type { AccountRecord, FillRecord } from '../../src/contract/index.ts';
import { defineStrategy, sma, type StrategyContext } from '../../src/strategy/index.ts';
import { testStrategy, type StrategyTest } from '../../src/testing/index.ts';
import { planted } from './planted.ts';

type Context = StrategyContext<Record<string, unknown>, never>;
const START = Date.UTC(2026, 0, 5);
const MINUTE = 60_000;
const symbols = ['BTC'];

const buy = (size = 1, meta = {}): Intent =>
  placeOrder.market({ symbol: 'BTC', side: 'buy', size }, meta);
const onBars = (...intents: Intent[]) =>
  planted((ctx) => ctx.candles('BTC', '5m').pipe(concatMap(() => intents)));

/** Emits the intents one by one, each upon a bar, and writes down all that it receives. */
function scripted(intents: readonly Intent[], received: unknown[][] = []) {
  const note = (name: string, show: (value: never) => unknown) =>
    tap<unknown>((value) => received.push([name, show(value as never)]));
  return planted((ctx) =>
    merge(
      ctx.outcomes$.pipe(note('outcome', ({ state }: { state: string }) => state)),
      ctx.executions$.pipe(note('execution', ({ event }: { event: string }) => event)),
      ctx.fills$.pipe(note('fill', ({ side, size, price }: never) => [side, size, price])),
      ctx
        .position('BTC')
        .pipe(
          note(
            'position',
            (one: { side: string; size: number; entry_price: number } | null) =>
              one && [one.side, one.size, one.entry_price],
          ),
        ),
      ctx.watch$.pipe(note('watch', ({ event }: { event: string }) => event)),
    ).pipe(ignoreElements(), (seen$) =>
      merge(
        seen$,
        ctx.candles('BTC', '5m').pipe(concatMap((_bar, at) => intents.slice(at, at + 1))),
      ),
    ),
  );
}

test('parameters are frozen to their depths, and those that were given are not', () => {
  const params = { levels: [{ price: 100 }] };
  const changed: string[] = [];
  const attempt = (name: string, change: () => unknown): void => {
    try {
      change();
      changed.push(name);
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
    }
  };
  const strategy = defineStrategy({
    name: 'changes',
    contract: 1,
    description: 'Changes its parameters.',
    scopes: [],
    params: z.object({ levels: z.array(z.object({ price: z.number() })) }),
    setup(ctx) {
      attempt('top', () => Object.assign(ctx.params, { levels: [] }));
      attempt('list', () => ctx.params.levels.push({ price: 1 }));
      attempt('item', () => (ctx.params.levels[0]!.price = 1));
      return NEVER;
    },
  });
  testStrategy(strategy, { symbols, params });
  expect(changed).toEqual([]);
  params.levels.push({ price: 2 });
});

describe('bars', () => {
  const closes = (inputs: Parameters<StrategyTest['bars']>[2]) => {
    const seen: unknown[] = [];
    const strategy = planted((ctx) =>
      ctx.candles('BTC', '5m').pipe(
        tap(({ time, open, high, low, close, volume }) =>
          seen.push([time - START, open, high, low, close, volume]),
        ),
        ignoreElements(),
      ),
    );
    testStrategy(strategy, { symbols }).bars('BTC', '5m', inputs);
    return seen;
  };

  test('are made of closes: each opens at the close before it', () => {
    expect(closes([100, 110, 90])).toEqual([
      [0, 100, 100, 100, 100, 1],
      [5 * MINUTE, 100, 110, 100, 110, 1],
      [10 * MINUTE, 110, 110, 90, 90, 1],
    ]);
  });

  test('may be whole, with gaps between them', () => {
    const bar = { open: 1, high: 4, low: 0.5, close: 2, volume: 7 };
    expect(closes([bar, { close: 3, time: START + 20 * MINUTE }, 5])).toEqual([
      [0, 1, 4, 0.5, 2, 7],
      [20 * MINUTE, 2, 3, 2, 3, 1],
      [25 * MINUTE, 3, 5, 3, 5, 1],
    ]);
  });

  test('close at market time, after the timers that are due', () => {
    const order: string[] = [];
    const strategy = planted((ctx) =>
      merge(
        ctx.every('5m').pipe(tap(({ time }) => order.push(`tick ${time - START}`))),
        ctx.candles('BTC', '5m').pipe(tap(() => order.push(`bar at ${ctx.now() - START}`))),
      ).pipe(ignoreElements()),
    );
    const run = testStrategy(strategy, { symbols }).bars('BTC', '5m', [1, 2]);
    expect(order).toEqual(['tick 300000', 'bar at 300000', 'tick 600000', 'bar at 600000']);
    expect(run.now).toBe(START + 10 * MINUTE);
  });

  test('of several feeds come in the order in which they close', () => {
    const order: string[] = [];
    const strategy = planted((ctx) =>
      merge(ctx.candles('BTC', '5m'), ctx.candles('ETH', '1m'), ctx.candles('BTC', '15m')).pipe(
        tap(({ symbol, interval }) => order.push(`${symbol} ${interval}`)),
        ignoreElements(),
      ),
    );
    testStrategy(strategy, { symbols, instruments: { ETH: {} } }).feeds([
      { symbol: 'BTC', interval: '15m', bars: [1] },
      { symbol: 'BTC', interval: '5m', bars: [1, 2, 3] },
      { symbol: 'ETH', interval: '1m', bars: [1, 2, 3, 4, 5, 6] },
    ]);
    expect(order.join(', ')).toBe(
      'ETH 1m, ETH 1m, ETH 1m, ETH 1m, BTC 5m, ETH 1m, ETH 1m, BTC 5m, BTC 15m, BTC 5m',
    );
  });

  test('in progress reach those who asked for them', () => {
    const seen: unknown[] = [];
    const strategy = planted((ctx) =>
      merge(
        ctx.candlesWithForming('BTC', '5m').pipe(tap((bar) => seen.push([bar.close, bar.closed]))),
        ctx.candles('BTC', '5m').pipe(tap((bar) => seen.push(bar.close))),
      ).pipe(ignoreElements()),
    );
    testStrategy(strategy, { symbols }).forming('BTC', '5m', 7).bars('BTC', '5m', [8]);
    expect(seen).toEqual([[7, false], [8, true], 8]);
  });
});

describe('liveness', () => {
  const strategy = planted(
    (ctx) => ctx.candles('BTC', '5m').pipe(map((bar) => buy(bar.close, { ref: `r${bar.close}` }))),
    { warmup: 3 },
  );

  test('bars within the warm-up decide, and nothing of it is sent', () => {
    const run = testStrategy(strategy, { symbols }).bars('BTC', '5m', [1, 2, 3, 4]);
    expect(run.suppressed).toMatchObject([
      { ref: 'r1', liveness: 'warm_up', cause: `bar:BTC:5m:${START}`, decisionKey: '' },
      { ref: 'r2' },
      { ref: 'r3' },
    ]);
    expect(run.intents).toMatchObject([
      {
        kind: 'place_order',
        request: { size: 4 },
        liveness: 'live',
        cause: `bar:BTC:5m:${START + 15 * MINUTE}`,
        decisionKey: `main/planted/bar:BTC:5m:${START + 15 * MINUTE}#0`,
        time: START + 20 * MINUTE,
        trigger: { bar: { close: 4 } },
      },
    ]);
    expect(run.notices).toMatchObject([{ kind: 'warm_up_short', asked: 3, bars: 0 }]);
  });

  test('history ends at the present, and comes as long as the warm-up asks', () => {
    const run = testStrategy(strategy, { symbols });
    run.bars('BTC', '5m', [1, 2, 3, 4], { liveness: 'warm_up' });
    expect(run.now).toBe(START);
    expect(run.suppressed.map(({ ref, cause }) => [ref, cause])).toEqual([
      ['r2', `bar:BTC:5m:${START - 15 * MINUTE}`],
      ['r3', `bar:BTC:5m:${START - 10 * MINUTE}`],
      ['r4', `bar:BTC:5m:${START - 5 * MINUTE}`],
    ]);
    expect(run.bars('BTC', '5m', [5]).intents).toHaveLength(1);
    expect(run.notices).toEqual([]);
  });

  /** Two symbols and two intervals; what they deliver is written down. */
  function joined() {
    const seen: string[] = [];
    const note = tap<{ symbol: string; interval: string; close: number }>((bar) =>
      seen.push(`${bar.symbol} ${bar.interval} ${bar.close}`),
    );
    const joins = planted(
      (ctx) =>
        merge(
          ctx.candles('ETH', '5m').pipe(note),
          ctx.candles('BTC', '15m').pipe(note),
          ctx.candles('BTC', '5m').pipe(note),
        ).pipe(map(() => buy(1, { note: ctx.liveness() }))),
      { warmup: 3 },
    );
    const run = testStrategy(joins, { symbols: ['BTC', 'ETH'] });
    return { run, taken: () => seen.splice(0) };
  }
  const past = { liveness: 'warm_up' } as const;

  test('histories that are given one after the other come by time, as live bars do', () => {
    const { run, taken } = joined();
    run.bars('ETH', '5m', [1, 2, 3], past).bars('BTC', '15m', [7, 8], past);
    expect(taken()).toEqual([]);
    run.bars('BTC', '5m', [4, 5, 6], past);
    // Shorter bars come first, then the symbols in the order of the test.
    const expected = ['BTC 5m 4', 'ETH 5m 1', 'BTC 5m 5', 'ETH 5m 2', 'BTC 5m 6', 'ETH 5m 3'];
    expect(taken()).toEqual(['BTC 15m 7', ...expected, 'BTC 15m 8']);
    expect(run.suppressed).toHaveLength(8);
    run.restart();
    expect(taken()).toEqual(['BTC 15m 7', ...expected, 'BTC 15m 8']);
  });

  test('feeds of history come by time, too', () => {
    const { run, taken } = joined();
    run.feeds(
      [
        { symbol: 'ETH', interval: '5m', bars: [1, 2] },
        { symbol: 'BTC', interval: '5m', bars: [4, 5] },
        { symbol: 'BTC', interval: '15m', bars: [] },
      ],
      past,
    );
    expect(taken()).toEqual(['BTC 5m 4', 'ETH 5m 1', 'BTC 5m 5', 'ETH 5m 2']);
  });

  test('timers of an outage are decided in the catch-up, except those of its last ten seconds', () => {
    const ticking = planted((ctx) =>
      ctx.every('1m').pipe(map(() => buy(1, { note: `${ctx.now()} ${ctx.liveness()}` }))),
    );
    const run = testStrategy(ticking, { symbols }).advance('1m');
    run.advance('185s', { liveness: 'catch_up' }).advance('1m');
    expect(run.intents.map(({ liveness }) => liveness)).toEqual([
      'live',
      'catch_up',
      'catch_up',
      'live',
      'live',
    ]);
    expect(run.intents.map(({ note }) => note)).toEqual(
      run.intents.map(({ liveness }, at) => `${START + (at + 1) * MINUTE} ${liveness}`),
    );
    expect(() => run.advance('1m', { liveness: 'warm_up' as never })).toThrow(
      'Write live or catch_up.',
    );
  });

  test('feeds of an outage come by time, at its end', () => {
    const { run, taken } = joined();
    run.feeds(
      [
        { symbol: 'ETH', interval: '5m', bars: [1, 2, 3, 4] },
        { symbol: 'BTC', interval: '5m', bars: [5, 6, 7, 8] },
      ],
      { liveness: 'catch_up' },
    );
    const times = [1, 2, 3, 4].flatMap((at) => [`ETH 5m ${at}`, `BTC 5m ${at + 4}`]);
    expect(taken()).toEqual(times);
    expect(run.now).toBe(START + 20 * MINUTE);
    expect(run.intents.map(({ liveness }) => liveness)).toEqual(['catch_up', 'catch_up']);
  });

  test.each<[string, (run: StrategyTest) => unknown]>([
    ['a reading', (run) => run.suppressed],
    ['another call', (run) => run.price('BTC', 5)],
    ['a live bar', (run) => run.bars('BTC', '5m', [4])],
    ['passing time', (run) => run.advance('1m')],
  ])('without the history of others it comes at %s', (_what, end) => {
    const { run, taken } = joined();
    run.bars('ETH', '5m', [1, 2, 3], past);
    expect(taken()).toEqual([]);
    end(run);
    expect(taken().slice(0, 3)).toEqual(['ETH 5m 1', 'ETH 5m 2', 'ETH 5m 3']);
  });

  test('what stood before belongs to warm-up, although the history comes after the setup', () => {
    const stands = planted(
      (ctx) =>
        merge(
          ctx.candles('BTC', '5m').pipe(ignoreElements()),
          ctx.position('BTC').pipe(map(() => buy())),
        ),
      { warmup: 2 },
    );
    const run = testStrategy(stands, { symbols }).bars('BTC', '5m', [1, 2], past);
    // Its first life knew of no history yet.
    expect([run.intents.length, run.suppressed.length]).toEqual([1, 0]);
    run.restart();
    expect([run.intents.length, run.suppressed.length]).toEqual([1, 1]);
  });

  test('live bars wait for no history', () => {
    const { run, taken } = joined();
    run.bars('ETH', '5m', [1]);
    expect(taken()).toEqual(['ETH 5m 1']);
  });

  test('bars of an outage come together, at its end', () => {
    const times: number[] = [];
    const timed = planted((ctx) =>
      ctx.candles('BTC', '5m').pipe(
        tap(() => times.push(ctx.now() - START)),
        map(() => buy(1, { note: ctx.liveness() })),
      ),
    );
    const run = testStrategy(timed, { symbols });
    run
      .bars('BTC', '5m', [1])
      .bars('BTC', '5m', [2, 3], { liveness: 'catch_up' })
      .bars('BTC', '5m', [4]);
    expect(times).toEqual([5, 15, 15, 20].map((minutes) => minutes * MINUTE));
    expect(run.intents.map(({ liveness }) => liveness)).toEqual([
      'live',
      'catch_up',
      'catch_up',
      'live',
    ]);
    expect(run.intents.map(({ note }) => note)).toEqual(['live', 'catch_up', 'catch_up', 'live']);
  });
});

describe('answers', () => {
  test('nothing is answered before the test does it', () => {
    const run = testStrategy(onBars(buy(1, { ref: 'a' })), { symbols }).bars('BTC', '5m', [100]);
    expect(run.outcomes).toEqual([]);
    run.accept('a');
    expect(run.outcomes.map(({ state }) => state)).toEqual(['guarded', 'sending', 'accepted']);
    expect(run.outcomes.at(-1)).toMatchObject({
      intent: buy(1, { ref: 'a' }),
      decisionKey: run.intents[0]!.decisionKey,
      record: { order_id: 'ord_1', status: 'open', size: 1, side: 'buy' },
    });
  });

  test('a fill accepts first, and comes before its position', () => {
    const received: unknown[][] = [];
    const run = testStrategy(scripted([buy(2, { ref: 'a' })], received), { symbols });
    run.bars('BTC', '5m', [100]).fill('a', { size: 0.5, price: 101 }).fill('a');
    expect(received).toEqual([
      ['position', null],
      ['outcome', 'guarded'],
      ['outcome', 'sending'],
      ['outcome', 'accepted'],
      ['fill', ['buy', 0.5, 101]],
      ['position', ['long', 0.5, 101]],
      ['fill', ['buy', 1.5, 101]],
      ['position', ['long', 2, 101]],
    ]);
  });

  test('an execution starts, progresses and ends', () => {
    const received: unknown[][] = [];
    const request = {
      symbol: 'BTC',
      side: 'sell',
      total_size: 3,
      params: { duration_seconds: 60 },
    } as const;
    const run = testStrategy(scripted([launch.pacemaker(request, { ref: 'a' })], received), {
      symbols,
    });
    run.bars('BTC', '5m', [100]).fill('a', { size: 1 }).fill('a');
    expect(received.slice(3)).toEqual([
      ['outcome', 'accepted'],
      ['execution', 'started'],
      ['fill', ['sell', 1, 100]],
      ['position', ['short', 1, 100]],
      ['execution', 'progress'],
      ['fill', ['sell', 2, 100]],
      ['position', ['short', 3, 100]],
      ['execution', 'progress'],
      ['execution', 'ended'],
    ]);
  });

  test('positions weigh entries, keep them when reduced, and open anew beyond zero', () => {
    const sell = placeOrder.market({ symbol: 'BTC', side: 'sell', size: 5 }, { ref: 's' });
    const run = testStrategy(scripted([buy(4, { ref: 'b' }), sell]), { symbols });
    run.bars('BTC', '5m', [100, 100]);
    run.fill('b', { size: 1, price: 100 }).fill('b', { size: 3, price: 120, fee: 2 });
    expect(run.positionOf('BTC')).toMatchObject({ side: 'long', size: 4, entry_price: 115 });
    run.fill('s', { size: 1, price: 125 });
    expect(run.positionOf('BTC')).toMatchObject({ size: 3, entry_price: 115, realized_pnl: 10 });
    run.fill('s', { size: 4, price: 105 });
    expect(run.positionOf('BTC')).toMatchObject({ side: 'short', size: 1, entry_price: 105 });
    const reduces = { symbol: 'BTC', price: 105, reduce_only: true } as const;
    for (const fill of [{ side: 'sell', size: 1 } as const, { side: 'buy', size: 2 } as const])
      expect(() => run.foreignFill({ ...reduces, ...fill })).toThrow('this fill only reduces');
    run.foreignFill({ ...reduces, side: 'buy', size: 1 });
    expect(run.positionOf('BTC')).toBeNull();
  });

  test.each([
    [{}, { liquidity: 'taker', execution_id: null, reduce_only: false }],
    [
      { liquidity: 'maker' as const, execution_id: 'exe_9' },
      { liquidity: 'maker', execution_id: 'exe_9' },
    ],
  ])('a fill of another has what the test says of it, else a taker’s: %o', (given, shown) => {
    const fills: unknown[] = [];
    const strategy = planted((ctx) =>
      merge(
        ctx.fills$.pipe(
          tap((fill) => fills.push(fill)),
          ignoreElements(),
        ),
        ctx.candles('BTC', '5m').pipe(map(() => buy(2, { ref: 'a' }))),
      ),
    );
    const run = testStrategy(strategy, { symbols }).bars('BTC', '5m', [100]);
    run.foreignFill({ symbol: 'BTC', side: 'sell', size: 1, price: 110, ...given });
    expect(fills).toMatchObject([shown]);
  });

  test('an execution is named by its ref, its own id and that of its order', () => {
    const fills: FillRecord[] = [];
    const params = { duration_seconds: 600 };
    const intent = launch.pacemaker(
      { symbol: 'BTC', side: 'buy', total_size: 3, params },
      { ref: 'one' },
    );
    const strategy = planted((ctx) =>
      merge(
        ctx.fills$.pipe(
          tap((fill) => fills.push(fill)),
          ignoreElements(),
        ),
        ctx.candles('BTC', '5m').pipe(map(() => intent)),
      ),
    );
    const run = testStrategy(strategy, { symbols }).bars('BTC', '5m', [100]);
    run.fill('one', { size: 1 });
    const { execution_id, order_id } = fills[0]!;
    for (const id of [execution_id!, order_id]) run.fill(id, { size: 1 });
    expect(run.positionOf('BTC')).toMatchObject({ size: 3 });
    expect(fills.map((fill) => fill.order_id)).toEqual([order_id, order_id, order_id]);
  });

  test('capital follows what is realized, paid and marked', () => {
    let capital = (): number => 0;
    const strategy = planted((ctx) => {
      ({ capital } = ctx);
      return ctx.candles('BTC', '5m').pipe(map(() => buy(2, { ref: 'a' })));
    });
    const run = testStrategy(strategy, { symbols, capital: 1_000 }).bars('BTC', '5m', [100]);
    expect(capital()).toBe(1_000);
    run.fill('a', { price: 100, fee: 1 });
    expect(capital()).toBe(999);
    run.foreignFill({ symbol: 'BTC', side: 'sell', size: 1, price: 110 });
    expect(capital()).toBe(1_019);
    run.account({ equity: 500 });
    expect(capital()).toBe(500);
  });

  test('what filled at one price alone has that price as its average, as at the paper service', () => {
    // 98.3 × 0.7 ÷ 0.7 is 98.29999999999998 in doubles.
    const [price, size] = [98.3, 0.7];
    const averages: unknown[] = [];
    const strategy = planted((ctx) =>
      merge(
        ctx.orders$.pipe(
          tap(({ order }) => averages.push(order.average_price)),
          ignoreElements(),
        ),
        ctx.candles('BTC', '5m').pipe(map(() => buy(2 * size, { ref: 'a' }))),
      ),
    );
    const run = testStrategy(strategy, { symbols }).bars('BTC', '5m', [price]);
    run.fill('a', { size, price }).fill('a', { size, price });
    expect(run.positionOf('BTC')).toMatchObject({ size: 2 * size, entry_price: price });
    expect(averages.at(-1)).toBe(price);
  });

  test('a cancel ends its order, and a change changes it', () => {
    const rest = placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 1, price: 90 }, { ref: 'a' });
    const change = modifyOrder({ ref: 'a' }, { price: 95 }, { ref: 'm' });
    const cancel = cancelOrder({ ref: 'a' }, { ref: 'c' });
    const run = testStrategy(scripted([rest, change, cancel]), { symbols });
    run.bars('BTC', '5m', [100, 100, 100]).accept('a').accept('m').fill('a', { size: 0.25 });
    expect(run.positionOf('BTC')).toMatchObject({ size: 0.25, entry_price: 95 });
    run.accept('c');
    expect(() => run.fill('a')).toThrow('fill: place_order a is cancelled.');
  });

  test('a close fills with the whole position', () => {
    const close = closePosition.atMarket('BTC', {}, { ref: 'c' });
    const run = testStrategy(scripted([close]), { symbols });
    run
      .position('BTC', { side: 'short', size: 2, entry_price: 100 })
      .bars('BTC', '5m', [90])
      .fill('c');
    expect(run.positionOf('BTC')).toBeNull();
  });

  test('a rejection has the service’s code, a denial its guard', () => {
    const run = testStrategy(scripted([buy(1, { ref: 'a' }), buy(1, { ref: 'b' })]), { symbols });
    run.bars('BTC', '5m', [100, 100]);
    run.outcome('a', 'rejected', 'insufficient_margin').outcome('b', 'denied', 'daily_loss');
    expect(run.outcomes.map(({ state }) => state)).toEqual([
      'guarded',
      'sending',
      'rejected',
      'denied',
    ]);
    expect(run.outcomes[2]).toMatchObject({
      fault: { code: 'insufficient_margin', message: 'The margin does not suffice.' },
      reason: expect.stringContaining(
        'The margin does not suffice. [planted: place_order buy 1 BTC',
      ),
    });
    expect(run.outcomes[3]).toMatchObject({ guard: 'daily_loss' });
  });

  test('each step comes after those that the runtime reports before it, once', () => {
    const steps = (...states: Array<'deferred' | 'sending' | 'unknown' | 'expired' | 'absent'>) => {
      const run = testStrategy(onBars(buy(1, { ref: 'a' })), { symbols }).bars('BTC', '5m', [100]);
      for (const state of states) run.outcome('a', state, 'as the test says');
      return run.outcomes.map(({ state }) => state);
    };
    expect(steps('sending', 'unknown')).toEqual(['guarded', 'sending', 'unknown']);
    expect(steps('deferred', 'expired')).toEqual(['guarded', 'deferred', 'expired']);
    expect(steps('unknown', 'absent')).toEqual(['guarded', 'sending', 'unknown', 'absent']);
  });

  test('may come by themselves, in the turn of the decision', () => {
    const request = {
      symbol: 'BTC',
      side: 'buy',
      total_size: 1,
      params: { duration_seconds: 60 },
    } as const;
    const stop = controlExecution.stop({ ref: 'a' });
    const strategy = planted((ctx) =>
      merge(
        ctx.candles('BTC', '5m').pipe(map(() => launch.pacemaker(request, { ref: 'a' }))),
        ctx.executions$.pipe(
          filter(({ event }) => event === 'started'),
          map(() => stop),
        ),
      ),
    );
    const run = testStrategy(strategy, { symbols, answers: 'accept' }).bars('BTC', '5m', [1]);
    expect(run.intents.map(({ kind, cause }) => [kind, cause])).toEqual([
      ['launch', `bar:BTC:5m:${START}`],
      ['control_execution', `execution:exe_1:started:${START + 5 * MINUTE}`],
    ]);
  });

  test('intents of one kind have its type', () => {
    const run = testStrategy(onBars(buy(3), cancelOrder({ ref: 'x' })), { symbols });
    run.bars('BTC', '5m', [100]);
    expect(run.intents.of('place_order').map(({ request }) => request.size)).toEqual([3]);
    expect(run.intents.of('launch')).toEqual([]);
  });
});

describe('market and wallet', () => {
  test('a price reaches those who follow it, and the next subscriber', () => {
    const strategy = planted((ctx) =>
      ctx.candles('BTC', '5m').pipe(
        switchMap(() => ctx.price('BTC')),
        map(({ mark }) => buy(mark)),
      ),
    );
    const run = testStrategy(strategy, { symbols }).price('BTC', 50).bars('BTC', '5m', [1]);
    run.price('BTC', { bid: 59, ask: 61, mark: 60 });
    expect(run.intents.of('place_order').map(({ request }) => request.size)).toEqual([50, 60]);
  });

  test('legs and tracked entries keep their ids over their events', () => {
    const seen: unknown[] = [];
    const strategy = planted((ctx) =>
      merge(
        ctx.candles('BTC', '5m').pipe(map(() => buy(1, { ref: 'a' }))),
        ctx.watch$.pipe(
          tap(({ event, row }) =>
            seen.push([event, row.leg_id ?? row.watch_id, row.order_id, row.status]),
          ),
          ignoreElements(),
        ),
      ),
    );
    const run = testStrategy(strategy, { symbols }).bars('BTC', '5m', [1]).accept('a');
    run.leg('leg_armed', { ref: 'a', trigger_price: 90 }).leg('trail_moved', { ref: 'a' });
    run.leg('entry_moved', { ref: 'a' }).leg('leg_triggered', { ref: 'a' });
    expect(seen).toEqual([
      ['leg_armed', 'leg_1', 'ord_1', 'armed'],
      ['trail_moved', 'leg_1', 'ord_1', 'armed'],
      ['entry_moved', 'wat_1', 'ord_1', 'active'],
      ['leg_triggered', 'leg_1', 'ord_1', 'triggered'],
    ]);
  });

  test('time passes when the test says so', () => {
    const strategy = planted((ctx) =>
      merge(of(1).pipe(delay(90_000, ctx.scheduler)), NEVER).pipe(map(() => buy())),
    );
    const run = testStrategy(strategy, { symbols }).advance('89s');
    expect(run.intents).toEqual([]);
    expect(run.advance('1h').intents).toMatchObject([
      { time: START + 90_000, cause: `timer:${START + 90_000}` },
    ]);
    expect(run.now).toBe(START + 3_600_000 + 89_000);
  });

  test('logs and instruments are those of the test', () => {
    const strategy = planted((ctx) => {
      const { min_order_value, roundSize, roundPrice } = ctx.instrument('BTC');
      ctx.log
        .with({ part: 'setup' })
        .warn('sizes', { min_order_value, size: roundSize(1.23456789) });
      ctx.log.info(`${ctx.instrument('ETH/USDC').kind} ${roundPrice(60_123.4)}`);
      return NEVER;
    });
    const run = testStrategy(strategy, {
      symbols,
      instruments: { BTC: { size_decimals: 2 }, 'ETH/USDC': {} },
    });
    expect(run.logs).toEqual([
      {
        level: 'warn',
        message: 'sizes',
        fields: { part: 'setup', min_order_value: 10, size: 1.23 },
      },
      { level: 'info', message: 'spot 60123', fields: {} },
    ]);
  });
});

describe('plots', () => {
  test('are what the strategy plots and its indicators, from its live bars', () => {
    const strategy = planted(
      (ctx) =>
        ctx.candles('BTC', '5m').pipe(
          tap(({ close }) => ctx.plot('gap', close - 100, { pane: 'gap' })),
          sma(2),
          ignoreElements(),
        ),
      { warmup: 2 },
    );
    const run = testStrategy(strategy, { symbols });
    run.bars('BTC', '5m', [90, 100], { liveness: 'warm_up' }).bars('BTC', '5m', [102]);
    const group = 'sma(2)';
    expect(run.plots).toEqual([
      { name: group, group, symbol: 'BTC', interval: '5m', time: run.now, value: 101 },
      { name: 'gap', group: 'gap', symbol: 'BTC', pane: 'gap', time: run.now, value: 2 },
    ]);
  });
});

describe('market data beside candles', () => {
  const seen: unknown[][] = [];
  const open = () => {
    seen.length = 0;
    const plugin = planted((ctx) =>
      merge(
        ctx
          .funding('BTC')
          .pipe(map(({ rate, next_time, paid }) => ['funding', rate, next_time, paid])),
        ctx.market('BTC').pipe(map(({ mark, volume_24h }) => ['market', mark, volume_24h])),
        ctx.book('BTC', 1).pipe(map(({ bids, asks, source }) => ['book', bids, asks, source])),
      ).pipe(
        tap((line) => seen.push(line)),
        ignoreElements(),
      ),
    );
    return testStrategy(plugin, { symbols: ['BTC'] });
  };

  test('funding, market records and books are what the test says', () => {
    const run = open().price('BTC', 100).funding('BTC', { rate: 0.001, next_time: 5 });
    run.market('BTC', { volume_24h: 9 }).funding('BTC', { paid: 2.5 });
    expect(seen).toEqual([
      ['funding', 0.001, 5, 0],
      ['market', 100, 0],
      ['market', 100, 9],
      ['funding', 0.001, 5, 2.5],
    ]);
    seen.length = 0;
    const levels = {
      bids: [
        [99, 1],
        [98, 2],
      ],
      asks: [
        [101, 3],
        [102, 4],
      ],
    } as const;
    run.book('BTC', levels as never);
    run.book('BTC', { ...levels, source: 'synthesised' } as never);
    expect(seen).toEqual([
      ['book', [[99, 1]], [[101, 3]], 'service'],
      ['book', [[99, 1]], [[101, 3]], 'synthesised'],
    ]);
  });

  test('what a wallet paid as funding is gone from its equity', () => {
    const run = testStrategy(
      planted((ctx) =>
        ctx.candles('BTC', '5m').pipe(
          tap(() => seen.push([ctx.capital()])),
          ignoreElements(),
        ),
      ),
      { symbols: ['BTC'] },
    );
    seen.length = 0;
    run.funding('BTC', { paid: 4 }).bars('BTC', '5m', [100]);
    expect(seen).toEqual([[9_996]]);
  });

  test('what can not be published is refused', () => {
    const run = open();
    expect(() => run.funding('BTC', { rate: 1 })).toThrow(
      'funding: no price of BTC is known yet.\n  Close a bar or set a price first.',
    );
    expect(() => run.market('BTC', {})).toThrow(
      'market: no price of BTC is known yet.\n  Write { mark }, above 0, or close a bar',
    );
    for (const change of [{ rate: Number.NaN }, { next_time: Infinity }, { paid: Number.NaN }]) {
      const [[name, value]] = Object.entries(change) as [[string, number]];
      expect(() => run.funding('BTC', change)).toThrow(`funding of BTC: ${name} ${value}.`);
    }
    expect(() => run.market('BTC', { mark: 1, volume_24h: Number.NaN })).toThrow(
      'market of BTC: volume_24h NaN.',
    );
    expect(() => run.market('BTC', { mark: -1 })).toThrow('market: mark -1.');
    expect(() => run.account({ equity: Number.NaN })).toThrow('account: equity NaN.');
    const strange = { symbol: 'BTC', side: 'buy', size: 1, price: 1, fee: Number.NaN } as const;
    expect(() => run.foreignFill(strange)).toThrow('fill of BTC: fee NaN.');
    expect(() => run.book('BTC', { bids: [[99, Number.NaN]], asks: [] })).toThrow('size NaN');
    expect(() => run.book('BTC', { bids: [[99, 1]], asks: [[98, 1]] })).toThrow('its sides cross');
    expect(() =>
      run.book('BTC', {
        bids: [
          [98, 1],
          [99, 1],
        ],
        asks: [],
      }),
    ).toThrow('not best first');
    expect(() => run.book('DOGE', { bids: [], asks: [] })).toThrow('there is no symbol "DOGE"');
  });
});

describe('the work of a strategy', () => {
  const rest = placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 2, price: 90 }, { ref: 'a' });
  /** The context of a strategy that places the order upon its first bar. */
  function open(intent: Intent = rest) {
    const seen: unknown[] = [];
    let context: Context | undefined;
    const strategy = planted((ctx) => {
      context = ctx;
      return merge(
        merge(
          ctx.orders$.pipe(
            tap(({ event, order }) =>
              seen.push(['order', event, order.ref, order.status, order.filled_size]),
            ),
          ),
          ctx.monitors$.pipe(
            tap(({ event, monitor }) =>
              seen.push(['monitor', event, monitor.ref, monitor.status, monitor.fired_count]),
            ),
          ),
          ctx.fills$.pipe(tap(({ ref, size }) => seen.push(['fill', ref, size]))),
          ctx.balances$.pipe(
            tap((all) => seen.push(all.map(({ asset, total }) => [asset, total]))),
          ),
        ).pipe(ignoreElements()),
        ctx.candles(ctx.symbol, '5m').pipe(
          take(1),
          map(() => intent),
          (once$) => merge(once$, NEVER),
        ),
      );
    });
    const run = testStrategy(strategy, {
      symbols: [intent.kind === 'place_order' ? intent.request.symbol : 'BTC'],
    });
    return { run, seen, ctx: () => context! };
  }

  test('its orders are shown with their ref, and by ref with all that became of them', () => {
    const { run, seen, ctx } = open();
    seen.length = 0;
    run.bars('BTC', '5m', [100]).accept('a');
    expect(ctx().openOrders('BTC')).toMatchObject([{ ref: 'a', remaining_size: 2, price: 90 }]);
    // BTC has five decimals: a share of a step would be rounded silently.
    for (const size of [0.123456789, 1e-9])
      expect(() => run.fill('a', { size })).toThrow(
        `fill: size ${size} of BTC is not a multiple of 0.00001, its step.`,
      );
    const off = { symbol: 'BTC', side: 'buy', size: 0.123456789, price: 90 } as const;
    expect(() => run.foreignFill(off)).toThrow('fill: size 0.123456789 of BTC is not a multiple');
    const position = { side: 'long', size: 0.123456789, entry_price: 90 } as const;
    expect(() => run.position('BTC', position)).toThrow('position: size 0.123456789 of BTC is not');
    run.fill('a', { size: 0.5 });
    expect(ctx().byRef('a')).toMatchObject({
      state: 'accepted',
      order: { order_id: 'ord_1', filled_size: 0.5 },
      fills: [{ size: 0.5, price: 90 }],
      filled: 0.5,
      remaining: 1.5,
      ended: false,
    });
    run.fill('a');
    expect(ctx().byRef('a')).toMatchObject({ filled: 2, remaining: 0, ended: true });
    expect(ctx().openOrders('BTC')).toEqual([]);
    const balances = [['USDC', 10_000]];
    expect(seen).toEqual([
      ['order', 'changed', 'a', 'open', 0],
      ['fill', 'a', 0.5],
      ['order', 'changed', 'a', 'open', 0.5],
      balances,
      ['fill', 'a', 1.5],
      ['order', 'changed', 'a', 'filled', 2],
      balances,
    ]);
  });

  test('a restart finds what is open, and what became of a ref', () => {
    const { run, seen, ctx } = open();
    run.bars('BTC', '5m', [100]).fill('a', { size: 0.5 });
    seen.length = 0;
    run.restart();
    expect(seen).toContainEqual(['order', 'snapshot', 'a', 'open', 0.5]);
    expect(ctx().byRef('a')).toMatchObject({ state: 'accepted', filled: 0.5, remaining: 1.5 });
  });

  test('a restart has no fills of before, and of what ended the order as answered', () => {
    const { run, ctx } = open();
    run.bars('BTC', '5m', [100]).fill('a', { size: 0.5 });
    run.restart();
    expect(ctx().byRef('a')).toMatchObject({
      order: { status: 'open', filled_size: 0.5 },
      fills: [],
      filled: 0.5,
      ended: false,
    });
    run.fill('a');
    expect(ctx().byRef('a')).toMatchObject({ fills: [{ size: 1.5 }], filled: 2, ended: true });
    run.restart();
    expect(ctx().byRef('a')).toMatchObject({
      state: 'accepted',
      order: { status: 'open', filled_size: 0 },
      fills: [],
      filled: 0,
      remaining: 2,
      ended: true,
    });
  });

  test('a restart knows the answer to a cancel as that of its order', () => {
    const strategy = planted((ctx) => {
      context = ctx;
      const both = merge(of(rest), of(cancelOrder({ ref: 'a' })));
      return ctx.candles('BTC', '5m').pipe(
        take(1),
        switchMap(() => both),
        (once$) => merge(once$, NEVER),
      );
    });
    let context: Context | undefined;
    const run = testStrategy(strategy, { symbols, answers: 'accept' }).bars('BTC', '5m', [100]);
    run.restart();
    expect(context!.byRef('a')).toMatchObject({ order: { status: 'cancelled' }, ended: true });
  });

  test.each([
    [
      launch.pacemaker(
        { symbol: 'BTC', side: 'buy', total_size: 2, params: { duration_seconds: 60 } },
        { ref: 'a' },
      ),
    ],
    [
      createMonitor(
        {
          trigger: { type: 'price_level', symbol: 'BTC', price: 120, direction: 'above' },
          action: {
            type: 'order',
            request: { order_type: 'market', symbol: 'BTC', side: 'buy', size: 1 },
          },
        },
        { ref: 'a' },
      ),
    ],
  ])('a restart knows that what is not open any more has ended: %o', (intent) => {
    const { run, ctx } = open(intent);
    run.bars('BTC', '5m', [100]).accept('a').restart();
    expect(ctx().byRef('a').ended).toBe(false);
    if (intent.kind === 'launch') run.execution('a', 'ended');
    else run.monitor('a', 'stopped');
    expect(ctx().byRef('a').ended).toBe(true);
    run.restart();
    const { ended, executions, monitor } = ctx().byRef('a');
    expect(ended).toBe(true);
    expect(executions[0]?.status ?? monitor?.status).toBe(
      intent.kind === 'launch' ? 'running' : 'armed',
    );
  });

  test('what an outage ended is gone: its record stays as it was, and no later start finds it', () => {
    const seen: unknown[] = [];
    let context: Context | undefined;
    const work = [
      launch.pacemaker(
        { symbol: 'BTC', side: 'buy', total_size: 2, params: { duration_seconds: 60 } },
        { ref: 'e' },
      ),
      createMonitor(
        {
          trigger: { type: 'price_level', symbol: 'BTC', price: 120, direction: 'above' },
          action: {
            type: 'order',
            request: { order_type: 'market', symbol: 'BTC', side: 'buy', size: 1 },
          },
        },
        { ref: 'm' },
      ),
    ];
    const strategy = planted((ctx) => {
      context = ctx;
      const shown$ = merge(
        ctx.executions$.pipe(map(({ event, execution }) => [event, execution.status])),
        ctx.monitors$.pipe(map(({ event, monitor }) => [event, monitor.status])),
        ctx.watch$.pipe(map(({ event, row }) => [event, row.status])),
      ).pipe(
        tap((one) => seen.push(one)),
        ignoreElements(),
      );
      const work$ = ctx.candles('BTC', '5m').pipe(
        take(1),
        switchMap(() => work),
      );
      return merge(shown$, work$, NEVER);
    });
    const run = testStrategy(strategy, { symbols, answers: 'accept' }).bars('BTC', '5m', [100]);
    run.leg('leg_armed', { kind: 'stop_loss' });
    seen.length = 0;
    run.execution('e', 'gone').monitor('m', 'gone').leg('gone', { kind: 'stop_loss' });
    expect(seen).toEqual([
      ['gone', 'running'],
      ['gone', 'armed'],
      ['gone', 'armed'],
    ]);
    for (const ref of ['e', 'm']) expect(context!.byRef(ref).ended).toBe(true);
    seen.length = 0;
    run.restart();
    expect(seen).toEqual([]);
    for (const ref of ['e', 'm']) expect(context!.byRef(ref).ended).toBe(true);
    // Its fills may be read after the outage.
    expect(run.fill('e', { size: 1, price: 100 }).positionOf('BTC')).toMatchObject({ size: 1 });
  });

  test('a cancel is shown on its order', () => {
    const both = merge(of(rest), of(cancelOrder({ ref: 'a' }, { ref: 'c' })));
    const seen: string[] = [];
    const strategy = planted((ctx) =>
      merge(
        ctx.orders$.pipe(
          tap(({ order }) => seen.push(order.status)),
          ignoreElements(),
        ),
        ctx.candles('BTC', '5m').pipe(switchMap(() => both)),
      ),
    );
    testStrategy(strategy, { symbols }).bars('BTC', '5m', [100]).accept('a').accept('c');
    expect(seen).toEqual(['open', 'cancelled']);
  });

  test('a fill that is refused has not accepted the order', () => {
    const { run } = open();
    run.bars('BTC', '5m', [100]);
    for (const input of [{ size: 3 }, { price: 0 }, { size: 1e-9 }]) {
      expect(() => run.fill('a', input)).toThrow(/^fill: /);
    }
    expect(run.outcomes).toEqual([]);
    // Its id is the first: the refused ones took none.
    run.fill('a', { size: 2 });
    expect(run.outcomes.map(({ state }) => state)).toEqual(['guarded', 'sending', 'accepted']);
    expect(run.outcomes.at(-1)!.record).toMatchObject({ order_id: 'ord_1' });
  });

  test('monitors are armed when accepted, and fire', () => {
    const create = createMonitor(
      {
        trigger: { type: 'price_level', symbol: 'BTC', direction: 'above', price: 110 },
        action: {
          type: 'order',
          request: { symbol: 'BTC', side: 'buy', size: 1, order_type: 'market' },
        },
      } as never,
      { ref: 'm' },
    );
    const { run, seen } = open(create);
    seen.length = 0;
    run.bars('BTC', '5m', [100]).monitor('m', 'fired');
    expect(seen).toEqual([
      ['monitor', 'armed', 'm', 'armed', 0],
      ['monitor', 'fired', 'm', 'fired', 1],
    ]);
    seen.length = 0;
    run.restart();
    expect(seen).toContainEqual(['monitor', 'snapshot', 'm', 'fired', 1]);
    // What happened during an outage, as the snapshot after it shows it.
    seen.length = 0;
    run.monitor('m', 'snapshot', { status: 'stopped' });
    expect(seen).toEqual([['monitor', 'snapshot', 'm', 'stopped', 1]]);
    expect(() => run.monitor('x', 'fired')).toThrow('no intent has ref "x"');
  });

  test('balances are the cash and what is held on spot, or what the test says', () => {
    const spot = placeOrder.market({ symbol: 'ETH/USDC', side: 'buy', size: 2 }, { ref: 'e' });
    const { run, seen } = open(spot);
    run.bars('ETH/USDC', '5m', [1_000]).fill('e', { fee: 1 });
    expect(seen.at(-1)).toEqual([
      ['USDC', 7_999],
      ['ETH', 2],
    ]);
    run.balances([{ asset: 'USDC', total: 5, available: 5, held: 0 }]);
    expect(seen.at(-1)).toEqual([['USDC', 5]]);
  });

  test('spot is held as the runtime shows it: the mark at its last change, and no profit', () => {
    const spot = placeOrder.market({ symbol: 'ETH/USDC', side: 'buy', size: 2 }, { ref: 'e' });
    const { run, seen, ctx } = open(spot);
    const accounts: AccountRecord[] = [];
    run.bars('ETH/USDC', '5m', [1_000]).fill('e', { size: 1, fee: 1 });
    ctx().account$.subscribe((account) => accounts.push(account));
    run.price('ETH/USDC', 1_200).fill('e', { price: 1_200 });
    expect(run.positionOf('ETH/USDC')).toMatchObject({
      side: 'long',
      size: 2,
      entry_price: 1_200,
      mark_price: 1_200,
      notional: 2_400,
      unrealized_pnl: 0,
      realized_pnl: 0,
    });
    expect(accounts.at(-1)).toMatchObject({ equity: 10_199, unrealized_pnl: 0 });
    run.advance('1m').price('ETH/USDC', 1_300);
    // Between its changes the record stays as it is.
    expect(run.positionOf('ETH/USDC')).toMatchObject({ mark_price: 1_200, notional: 2_400 });
    expect(() =>
      run.foreignFill({ symbol: 'ETH/USDC', side: 'sell', size: 3, price: 1_300 }),
    ).toThrow('a sell of 3 ETH/USDC is more than is held: 2');
    run.foreignFill({ symbol: 'ETH/USDC', side: 'sell', size: 1, price: 1_300 });
    expect(accounts.at(-1)).toMatchObject({ equity: 10_399, realized_pnl: 200, unrealized_pnl: 0 });
    const { opened_time, updated_time } = run.positionOf('ETH/USDC')!;
    expect([opened_time, updated_time]).toEqual([run.now, run.now]);
    // A fill is a price, and the record of its own change has it.
    run.foreignFill({ symbol: 'ETH/USDC', side: 'buy', size: 1, price: 1_250 });
    expect(run.positionOf('ETH/USDC')).toMatchObject({ mark_price: 1_250, notional: 2_500 });
    run.foreignFill({ symbol: 'ETH/USDC', side: 'sell', size: 1, price: 1_300 });
    expect(run.positionOf('ETH/USDC')).toMatchObject({ mark_price: 1_300, notional: 1_300 });
    run.position('ETH/USDC', { side: 'long', size: 5, entry_price: 900 });
    expect(run.positionOf('ETH/USDC')).toMatchObject({ entry_price: 1_300, size: 5 });
    expect(seen.at(-1)).toContainEqual(['ETH', 5]);
    run.foreignFill({ symbol: 'ETH/USDC', side: 'sell', size: 5, price: 1_300 });
    expect(run.positionOf('ETH/USDC'), 'all that is held may be sold').toBeNull();
    run.position('ETH/USDC', { side: 'long', size: 5, entry_price: 900 });
    run.position('ETH/USDC', null);
    expect(seen.at(-1)).toHaveLength(1);
    expect(() => run.position('ETH/USDC', { side: 'short', size: 1, entry_price: 1_300 })).toThrow(
      'spot is never short',
    );
  });
});

describe('restart', () => {
  const counting = planted(
    (ctx) =>
      ctx.candles('BTC', '5m').pipe(
        map(() => {
          const { count } = ctx.state.get() as { count: number };
          if (ctx.liveness() === 'live')
            (ctx.state as { set(next: unknown): void }).set({ count: count + 1 });
          return buy(count + 1);
        }),
      ),
    { warmup: 2, state: z.object({ count: z.number().default(0) }) },
  );

  test('keeps the state, and decides no old bar again', () => {
    const run = testStrategy(counting, { symbols });
    run.bars('BTC', '5m', [1, 2], { liveness: 'warm_up' }).bars('BTC', '5m', [3, 4]);
    expect([run.state, run.intents.length]).toEqual([{ count: 2 }, 2]);
    const before = run.suppressed.length;
    run.restart();
    expect([run.intents.length, run.suppressed.length - before]).toEqual([2, 2]);
    run.bars('BTC', '5m', [5]);
    expect(run.intents.of('place_order').at(-1)?.request.size).toBe(3);
  });

  test('a state that is changed in place ends the strategy', () => {
    const changing = planted(
      (ctx) =>
        ctx.candles('BTC', '5m').pipe(
          map(() => {
            (ctx.state.get() as { count: number }).count += 1;
            return buy(1);
          }),
        ),
      { state: z.object({ count: z.number().default(0) }) },
    );
    const run = testStrategy(changing, { symbols });
    expect(() => run.bars('BTC', '5m', [1])).toThrow("read only property 'count'");
    expect(run.state).toEqual({ count: 0 });
  });

  test('migrates the state of an older version', () => {
    const newer = planted(() => NEVER, {
      state: {
        version: 2,
        schema: z.object({ total: z.number() }),
        initial: { total: 0 },
        migrate: (old) => ({ total: (old as { count: number }).count }),
      },
    });
    const run = testStrategy(counting, { symbols, state: { count: 7 } });
    expect(run.restart(newer).state).toEqual({ total: 7 });
    expect(testStrategy(newer, { symbols, state: { count: 3 }, stateVersion: 1 }).state).toEqual({
      total: 3,
    });
    expect(() => run.restart(counting)).not.toThrow();
  });

  test('a state that does not fit ends the strategy with its reason', () => {
    expect(() => testStrategy(counting, { symbols, state: { count: 'two' } })).toThrow(
      /setup_failed.*persisted state \(version 1\) does not fit its schema: count/,
    );
  });

  test('the journal accepts a decision once, and says so', () => {
    const atOnce = planted(() => merge(of(buy()), NEVER));
    const run = testStrategy(atOnce, { symbols });
    expect(run.intents).toHaveLength(1);
    run.restart();
    expect(run.intents).toHaveLength(1);
    expect(run.outcomes.map(({ state }) => state)).toEqual(['duplicate']);
  });

  test('finds position, rows and executions as they are', () => {
    const received: unknown[][] = [];
    const run = testStrategy(scripted([], received), { symbols });
    run.position('BTC', { side: 'long', size: 1, entry_price: 9 });
    run.leg('leg_armed', { kind: 'stop_loss' }).leg('leg_armed', { kind: 'take_profit' });
    run.leg('leg_retired', { kind: 'take_profit' });
    run.execution('exe_old', 'progress', { symbol: 'BTC', side: 'buy', total_size: 2 });
    received.length = 0;
    run.restart();
    expect(received).toEqual([
      ['execution', 'snapshot'],
      ['position', ['long', 1, 9]],
      ['watch', 'snapshot'],
    ]);
    run.execution('exe_old', 'ended').restart();
    expect(received.filter(([name]) => name === 'execution')).toHaveLength(2);
  });
});

describe('faults', () => {
  const faulty: Array<[string, (ctx: Context) => unknown, RegExp, string]> = [
    ['throws in a bar', (ctx) => ctx.candles('BTC', '5m').pipe(map(() => oops())), /oops/, 'THREW'],
    [
      'ends with an error',
      (ctx) => ctx.candles('BTC', '5m').pipe(switchMap(() => throwError(() => new Error('oops')))),
      /oops/,
      'THREW',
    ],
    [
      'completes',
      (ctx) =>
        ctx.candles('BTC', '5m').pipe(
          map(() => buy()),
          take(1),
        ),
      /completed/,
      'COMPLETED',
    ],
    [
      'floods',
      (ctx) =>
        ctx.candles('BTC', '5m').pipe(concatMap(() => Array.from({ length: 1_001 }, () => buy()))),
      /More than 1000/,
      'FLOODED',
    ],
  ];
  const oops = (): never => {
    throw new Error('oops');
  };

  test.each(faulty)(
    'a strategy that %s fails the call that led to it',
    (_name, setup, reason, code) => {
      const run = testStrategy(planted(setup as never), { symbols });
      const thrown = catchError(() => run.bars('BTC', '5m', [1]));
      expect(thrown.message).toMatch(reason);
      expect(thrown).toMatchObject({ code: `TRIMTAB_STRATEGY_${code}` });
      expect(run.faults).toMatchObject([{ instance: 'planted' }]);
      // Once: what follows is about what is left.
      expect(() => run.bars('BTC', '5m', [2])).not.toThrow();
    },
  );

  test('a plugin that throws in setup fails the test itself, at its own place', () => {
    const thrown = catchError(() => testStrategy(planted(oops), { symbols }));
    expect(thrown.message).toMatch(/planted ended \(setup_failed\): oops/);
    expect(thrown.stack).toContain('testStrategy.test.ts');
  });

  test('are only listed where the test asks for that', () => {
    const run = testStrategy(planted(oops), { symbols, onFault: 'list' });
    expect(run.faults).toMatchObject([{ kind: 'setup_failed', reason: 'oops' }]);
  });

  test('a decision outside of a turn is one', async () => {
    const late = planted((ctx) =>
      ctx.candles('BTC', '5m').pipe(switchMap(() => from(Promise.resolve(buy())))),
    );
    const run = testStrategy(late, { symbols }).bars('BTC', '5m', [1]);
    await expect.poll(() => run.faults).toMatchObject([{ kind: 'outside_turn' }]);
    expect(() => run.advance(1)).toThrow('It decided outside of a turn');
  });

  test('a malformed intent costs that intent', () => {
    const wrong = onBars(buy(Number.NaN), buy(2));
    const run = testStrategy(wrong, { symbols, onFault: 'list' }).bars('BTC', '5m', [1]);
    expect(run.faults).toMatchObject([
      { kind: 'malformed_intent', fields: [{ path: 'request.size' }] },
    ]);
    expect(run.intents.of('place_order').map(({ request }) => request.size)).toEqual([2]);
    const strict = testStrategy(wrong, { symbols });
    expect(() => strict.bars('BTC', '5m', [1])).toThrow(
      /malformed_intent.*request\.size: It is NaN/,
    );
    expect(strict.intents).toHaveLength(1);
    // It is thrown once: the strategy goes on.
    expect(() => strict.advance('5m')).not.toThrow();
  });
});

test('a price of bid and ask has its mark between them, and no bid above the ask', () => {
  const run = testStrategy(
    planted((ctx) => ctx.price('BTC').pipe(map(({ mark }) => buy(mark)))),
    { symbols },
  );
  run.price('BTC', { bid: 99, ask: 101 });
  expect(run.intents.of('place_order').map(({ request }) => request.size)).toEqual([100]);
  expect(() => run.price('BTC', { bid: 105, ask: 95 })).toThrow('bid 105 is above ask 95');
});

describe('what can not happen is refused, with value and remedy', () => {
  test.each<[string, () => unknown, string]>([
    ['no plugin', () => testStrategy(undefined as never, { symbols }), 'plugin: undefined.'],
    [
      'another contract',
      () => testStrategy({ ...planted(() => NEVER), contract: 2 } as never, { symbols }),
      'strategy contract 2',
    ],
    [
      'a field that none has',
      () => testStrategy({ ...planted(() => NEVER), warmUp: 3 } as never, { symbols }),
      'a field `warmUp`, which no strategy has',
    ],
    [
      'no options',
      () =>
        testStrategy(
          planted(() => NEVER),
          undefined as never,
        ),
      'options: undefined.',
    ],
    [
      'an option that none has',
      () =>
        testStrategy(
          planted(() => NEVER),
          { symbols, parms: 1 } as never,
        ),
      'options: there is no parms.',
    ],
    [
      'symbols as a text',
      () =>
        testStrategy(
          planted(() => NEVER),
          { symbols: 'BTC' as never },
        ),
      'symbols: "BTC".',
    ],
    [
      'bars that are no list',
      () => testStrategy(onBars(buy()), { symbols }).bars('BTC', '5m', 100 as never),
      'bars of BTC 5m: 100 is not a list.',
    ],
    [
      'a liveness that none is',
      () =>
        testStrategy(onBars(buy()), { symbols }).bars('BTC', '5m', [1], {
          liveness: 'catchup' as never,
        }),
      'bars: liveness catchup.',
    ],
  ])('%s', (_name, call, message) => {
    expect(call).toThrow(message);
  });

  test.each(['accept', 'fill'] as const)('%s of an intent that was not sent', (call) => {
    const run = testStrategy(
      planted(() => NEVER),
      { symbols },
    );
    expect(() => run[call](run.intents[0]!)).toThrow(
      `${call}: undefined is no intent; 0 were sent.`,
    );
  });

  const rest = placeOrder.limit({ symbol: 'BTC', side: 'buy', size: 1, price: 90 }, { ref: 'a' });
  const exit = placeOrder.market(
    { symbol: 'BTC', side: 'sell', size: 1, reduce_only: true },
    { ref: 'x' },
  );
  const open = (): StrategyTest =>
    testStrategy(scripted([rest, exit, cancelOrder({ ref: 'a' }, { ref: 'c' })]), { symbols }).bars(
      'BTC',
      '5m',
      [100, 100, 100],
    );
  const bad: Array<[string, (run: StrategyTest) => unknown, RegExp]> = [
    [
      'unknown symbol',
      (run) => run.bars('DOGE', '5m', [1]),
      /no symbol "DOGE" in this test; there is BTC\.\n {2}Add it to `symbols`/,
    ],
    [
      'unknown interval',
      (run) => run.bars('BTC', '7m' as never, [1]),
      /no interval "7m"\.\n {2}Take one of 1m 3m/,
    ],
    [
      'bars that nobody follows',
      (run) => run.bars('BTC', '1h', [1]),
      /BTC 1h: the strategy follows no such bars; it follows BTC 5m/,
    ],
    [
      'bars out of order',
      (run) =>
        run.bars('BTC', '5m', [
          { close: 1, time: START + 60 * MINUTE },
          { close: 1, time: START + 60 * MINUTE },
        ]),
      /bar 1 opens at 2026-01-05T01:00:00\.000Z, and the one before it at 2026-01-05T01:00/,
    ],
    [
      'a bar of the past',
      (run) => run.advance('1h').bars('BTC', '5m', [{ close: 1, time: START + 15 * MINUTE }]),
      /bar 0 closes at 2026-01-05T00:20:00\.000Z, before the present of the test, 2026-01-05T01:15/,
    ],
    [
      'a bar off the interval',
      (run) => run.bars('BTC', '5m', [{ close: 1, time: START + 91 * MINUTE }]),
      /not the open of a bar of 5m/,
    ],
    ['a negative price', (run) => run.bars('BTC', '5m', [1, -1]), /bar 1: its close is -1\./],
    [
      'a high below the close',
      (run) => run.bars('BTC', '5m', [{ close: 5, open: 4, high: 4.5 }]),
      /its high 4\.5 is below its open or close/,
    ],
    [
      'late history',
      (run) => run.bars('BTC', '5m', [1], { liveness: 'warm_up' }),
      /history comes once, and before all other bars/,
    ],
    [
      'an unknown ref',
      (run) => run.fill('b'),
      /no intent has ref "b"; 3 were sent, and there are a, x, c\./,
    ],
    [
      'too large a fill',
      (run) => run.fill('a', { size: 0.7 }).fill('a', { size: 0.4 }),
      /size 0\.4 of place_order a, of which 0\.3\d* BTC remains/,
    ],
    ['a second whole fill', (run) => run.fill('a').fill('a'), /place_order a is filled/],
    ['a fill of a cancel', (run) => run.fill('c'), /a cancel_order never fills/],
    [
      'a reduction of nothing',
      (run) => run.fill('x'),
      /place_order x only reduces, and a sell of 1 BTC is more than the position: there is none/,
    ],
    ['a price that is none', (run) => run.fill('a', { price: 0 }), /fill: price 0\./],
    [
      'another answer',
      (run) => run.accept('a').outcome('a', 'rejected', 'would_cross'),
      /place_order a is accepted, and can't become rejected/,
    ],
    [
      'absence of what was never unknown',
      (run) => run.outcome('a', 'absent'),
      /has no answer yet, and can't become absent/,
    ],
    [
      'an unknown code',
      (run) => run.outcome('a', 'rejected', 'no_mood' as never),
      /no error code no_mood/,
    ],
    [
      'no duration',
      (run) => run.advance('1 hour' as never),
      /"1 hour" is no span of time\.\n {2}Write whole milliseconds/,
    ],
    ['a leg event', (run) => run.leg('armed' as never, {}), /there is no event "armed"/],
    [
      'a position',
      (run) => run.position('BTC', { side: 'long', size: 0, entry_price: 1 }),
      /position of BTC: \{"side":"long","size":0/,
    ],
    ['a price of nothing', (run) => run.price('BTC', Number.NaN), /price of BTC: mark NaN/],
    [
      'an execution of an order',
      (run) => run.execution('a', 'ended'),
      /place_order a is no execution/,
    ],
  ];
  test.each(bad)('%s', (_name, call, words) => {
    const thrown = catchError(() => call(open()));
    expect(thrown.message).toMatch(words);
    expect(thrown).toMatchObject({ code: 'TRIMTAB_TEST_CALL' });
  });

  test('an intent of warm-up', () => {
    const strategy = planted(
      (ctx) => ctx.candles('BTC', '5m').pipe(map(() => buy(1, { ref: 'a' }))),
      { warmup: 2 },
    );
    const run = testStrategy(strategy, { symbols }).bars('BTC', '5m', [1, 2]);
    expect(() => run.fill('a')).toThrow('decided in warm-up, and is never sent');
  });

  test('options', () => {
    const strategy = planted(() => NEVER);
    expect(() => testStrategy(strategy, { symbols: [] })).toThrow('at least one symbol');
    expect(() => testStrategy(strategy, { symbols, params: { fast: 1 } })).toThrow(
      /fast: There is no such parameter/,
    );
    expect(() => testStrategy(strategy, { symbols, capital: -1 })).toThrow('capital: -1');
    expect(() => testStrategy(strategy, { symbols, state: {} })).toThrow('declares no state');
    expect(() => testStrategy(strategy, { symbols, startTime: 0.5 })).toThrow('startTime: 0.5');
    const instruments = { BTC: { size_decimals: 'two' as never } };
    expect(() => testStrategy(strategy, { symbols, instruments })).toThrow(
      /instruments\.BTC\.size_decimals/,
    );
  });
});

function catchError(call: () => unknown): Error {
  try {
    call();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It did not throw.');
}
