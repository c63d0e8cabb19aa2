import fc from 'fast-check';
import { filter, ignoreElements, map, merge, tap } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { placeOrder } from '../../src/intents/index.ts';
import {
  bollinger,
  createStrategyHost,
  defineIndicator,
  ema,
  highest,
  rsi,
  sma,
  withIndicators,
  type PlotLine,
  type StrategyContext,
} from '../../src/strategy/index.ts';
import { runStrategy, START, type RunOptions } from '../strategies/runStrategy.ts';
import { planted } from '../testing/planted.ts';

const MINUTE = 60_000;
type Context = StrategyContext<Record<string, unknown>>;
/** A value on its way to a report. */
type Shown = readonly [line: PlotLine, time: number, value: number];

/** Runs a strategy for a report. */
function runForReport(setup: (ctx: Context) => unknown, options: RunOptions = {}) {
  const shown: Shown[] = [];
  const onPlot = (line: PlotLine, time: number, value: number): void =>
    void shown.push([line, time, value]);
  const run = runStrategy(planted(setup), {
    createHost: (host) => createStrategyHost({ ...host, onPlot }),
    ...options,
  });
  const values = (name: string): Array<readonly [number, number]> =>
    shown.filter(([line]) => line.name === name).map(([, time, value]) => [time, value]);
  const line = (name: string): PlotLine | undefined =>
    shown.find(([one]) => one.name === name)?.[0];
  return { ...run, shown, values, line };
}

const twice = defineIndicator({
  name: 'twice',
  params: z.object({}),
  series: ['value'],
  warmup: () => 1,
  create: () => ({ next: ({ close }) => 2 * close }),
});

test('every indicator in use is a line, with the value that the plugin has, at the close of its bar', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 10, max: 99 }), { minLength: 1 }), (closes) => {
      const seen: Array<readonly [number, number]> = [];
      const run = runForReport((ctx) => {
        const bars$ = ctx.candles('BTC', '1m');
        return merge(
          bars$.pipe(
            withIndicators({ mean: sma(3), double: twice() }),
            tap(({ bar, mean }) => seen.push([bar.time + MINUTE, mean])),
          ),
          bars$.pipe(highest(1)),
          ctx.indicator('BTC', '1m', 'ema', { period: 1 }),
        ).pipe(filter(() => false));
      });
      run.bars(...closes);
      expect(run.values('mean sma(3)')).toEqual(seen);
      const after = closes.map((close, at) => [START + (at + 1) * MINUTE, close] as const);
      expect(run.values('ema(1)')).toEqual(after);
      expect(run.values('highest(1)')).toEqual(after.map(([time, close]) => [time, close + 1]));
      const doubled = after.slice(2).map(([time, close]) => [time, 2 * close]);
      expect(run.values('double twice')).toEqual(doubled);
    }),
    { numRuns: 20 },
  );
});

test('series of one indicator share its group; what is no price names a pane, unknown ones name none', () => {
  const run = runForReport((ctx) => {
    const bars$ = ctx.candles('BTC', '1m');
    return bars$.pipe(
      withIndicators({ bands: bollinger({ period: 2 }), force: rsi(2), double: twice() }),
      filter(() => false),
    );
  });
  run.bars(10, 12, 11);
  const market = { symbol: 'BTC', interval: '1m' };
  const group = 'bands bollinger(2, 2)';
  expect(run.line(`${group} upper`)).toEqual({ name: `${group} upper`, group, ...market });
  expect(run.line(`${group} lower`)).toMatchObject({ group });
  const force = 'force rsi(2)';
  expect(run.line(force)).toEqual({ name: force, group: force, ...market, pane: force });
  expect(run.line('double twice')).not.toHaveProperty('pane');
});

test('a plotted value is one a bar, the last one; what is not finite leaves a gap', () => {
  const run = runForReport((ctx) =>
    ctx.candles('BTC', '1m').pipe(
      tap(({ close }) => {
        ctx.plot('level', 0);
        ctx.plot('level', close);
        ctx.plot('spread', close === 12 ? Number.NaN : close - 10, { pane: 'spread' });
      }),
      filter(() => false),
    ),
  );
  run.bars(10, 12, 11);
  const [first, second, third] = [1, 2, 3].map((minute) => START + minute * MINUTE);
  expect(run.values('level')).toEqual([
    [first, 10],
    [second, 12],
    [third, 11],
  ]);
  expect(run.values('spread')).toEqual([
    [first, 0],
    [third, 1],
  ]);
  expect(run.line('level')).toEqual({
    name: 'level',
    group: 'level',
    symbol: 'BTC',
    pane: 'price',
  });
  expect(run.line('spread')?.pane).toBe('spread');
});

test('a value without a bar has the market time of its turn', () => {
  const run = runForReport((ctx) =>
    merge(
      ctx.every('1m').pipe(tap(() => ctx.plot('ticks', 1))),
      ctx.price('BTC').pipe(
        map(({ last }) => last),
        ema(1),
      ),
    ).pipe(ignoreElements()),
  );
  run.market.advanceTo(START + 90_000);
  run.sources.price$.next({ symbol: 'BTC', last: 7 } as never);
  expect(run.values('ticks')).toEqual([[START + MINUTE, 1]]);
  expect(run.values('ema(1)')).toEqual([[START + 90_000, 7]]);
});

test('warm-up is not shown, and later values of the same line are', () => {
  const run = runForReport(
    (ctx) =>
      ctx.candles('BTC', '1m').pipe(
        tap(({ close }) => ctx.plot('close', close)),
        sma(2),
        ignoreElements(),
      ),
    { history: [1, 2, 3] },
  );
  run.bars(4);
  expect(run.values('close')).toEqual([[START + MINUTE, 4]]);
  expect(run.values('sma(2)')).toEqual([[START + MINUTE, 3.5]]);
});

test('a decision records what was plotted at its bar, and is the same without a report', () => {
  const setup = (ctx: Context) =>
    ctx.candles('BTC', '1m').pipe(
      tap(({ close }) => {
        ctx.plot('half', close / 2);
        ctx.plot('half', Number.NaN);
      }),
      map(() => placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 })),
    );
  const [reported, plain] = [runForReport(setup), runStrategy(planted(setup))];
  reported.bars(10, 12);
  plain.bars(10, 12);
  expect(plain.emissions).toEqual(reported.emissions);
  expect(plain.emissions[1]!.trigger['indicators']).toEqual({ half: 6 });
});

test.each([
  ['an empty name', (ctx: Context) => ctx.plot('', 1), 'its name must be a text'],
  ['an empty pane', (ctx: Context) => ctx.plot('a', 1, { pane: '' }), "must be 'price' or"],
  [
    'a symbol of another instance',
    (ctx: Context) => ctx.plot('a', 1, { symbol: 'ETH' }),
    'a is for ETH; this instance has BTC',
  ],
  [
    'a 65th line',
    (ctx: Context) => Array.from({ length: 65 }, (_, at) => ctx.plot(`line ${at}`, at)),
    'line 64 would be line 65 of at most 64',
  ],
])('refuses %s, with or without a report', (_what, plot, reason) => {
  for (const run of [runForReport, (setup: never) => runStrategy(planted(setup))]) {
    const { faults } = run(((ctx: Context) => plot(ctx)) as never);
    expect(faults).toMatchObject([{ code: 'TRIMTAB_PLOT' }]);
    expect(faults[0]!.reason).toContain(reason);
  }
});
