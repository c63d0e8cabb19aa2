import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { concat, map, NEVER, take } from 'rxjs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import {
  runBacktest,
  type BacktestError,
  type BarInput,
} from '../../../backtest/programs/index.ts';
import { defineStrategy, placeOrder } from '../../../src/index.ts';
import { root } from '../../sourceFiles.ts';
import { MINUTE, risingBars, START } from './risingBars.ts';

const buyer = defineStrategy({
  name: 'buyer',
  contract: 1,
  description: 'Buys once.',
  scopes: ['trade'],
  params: z.object({ size: z.number().positive().default(1) }),
  setup: (ctx) => {
    const order = { symbol: ctx.symbol, side: 'buy', size: ctx.params.size } as const;
    const buy = () => placeOrder.market(order, { ref: 'in' });
    return concat(ctx.candles(ctx.symbol, '1m').pipe(take(1), map(buy)), NEVER);
  },
});

const feeds = [{ symbol: 'BTC', interval: '1m', bars: risingBars(20) }] as const;

describe('a plugin on bars of this process', () => {
  test('gives fills, trades, figures, curves and intents', async () => {
    const run = await runBacktest({ strategy: buyer, feeds });
    expect(run.intents).toMatchObject([
      { kind: 'place_order', symbol: 'BTC', outcome: 'accepted' },
    ]);
    expect(run.fills).toMatchObject([{ symbol: 'BTC', side: 'buy', size: 1, strategy: 'buyer' }]);
    expect(run.trades).toHaveLength(1);
    expect(run.figures.start_equity).toBe(10_000);
    const [, last] = run.curves.equity.at(-1)!;
    expect(last).toBe(run.figures.end_equity);
    // It bought near 101, and the last close is 120.
    expect(run.figures.pnl).toBeGreaterThan(18);
    expect([run.startTime, run.endTime]).toEqual([START, START + 20 * MINUTE]);
    expect(run.curves.strategies['buyer']!.at(-1)![1]).toBeCloseTo(run.figures.pnl, 9);
  });

  test('takes params, balance, fees and a time range', async () => {
    const timerange = { from: START + 10 * MINUTE };
    const fees = { maker_bps: 0, taker_bps: 0, service_bps: 0 };
    const options = { params: { size: 3 }, balance: 50_000, fees, timerange };
    const run = await runBacktest({ strategy: buyer, feeds, ...options });
    expect(run.fills).toMatchObject([{ size: 3, fee: 0 }]);
    expect(run.figures.start_equity).toBe(50_000);
    expect(run.startTime).toBe(START + 10 * MINUTE);
  });

  test('takes a parameter that is undefined for one that is not given', async () => {
    const run = await runBacktest({ strategy: buyer, feeds, params: { size: undefined } });
    expect(run.fills).toMatchObject([{ size: 1 }]);
  });

  test('takes the first bars for history, and only the symbols that it is given', async () => {
    const both = [...feeds, { symbol: 'ETH', interval: '1m', bars: risingBars(20) } as const];
    const options = { warmup: 5, symbols: ['ETH'], seed: 3 };
    const run = await runBacktest({ strategy: buyer, feeds: both, ...options });
    expect(run.startTime).toBe(START + 5 * MINUTE);
    expect(run.fills).toMatchObject([{ symbol: 'ETH' }]);
    expect(run.fills[0]!.time).toBeGreaterThanOrEqual(START + 6 * MINUTE);
  });

  test('delays requests by the latency', async () => {
    const at = async (order_ms: number) => {
      const { fills } = await runBacktest({ strategy: buyer, feeds, latency: { order_ms } });
      return fills[0]!.time;
    };
    expect((await at(2_000)) - (await at(0))).toBe(2_000);
  });

  test('runs of one process follow one another and do not differ', async () => {
    const runs = await Promise.all([1, 2, 3].map(() => runBacktest({ strategy: buyer, feeds })));
    expect(new Set(runs.map(({ hash }) => hash)).size).toBe(1);
  });

  test('reports progress, and an abort rejects with its reason', async () => {
    const seen: number[] = [];
    const generated = [{ symbol: 'BTC', interval: '1m', generate: { bars: 200_000 } }] as const;
    const stop = new AbortController();
    const run = runBacktest({
      strategy: buyer,
      feeds: generated,
      signal: stop.signal,
      onProgress: ({ barsDone, barsTotal }) => {
        seen.push(barsDone / barsTotal);
        stop.abort(new Error('enough'));
      },
    });
    await expect(run).rejects.toThrow('enough');
    expect(seen[0]).toBeGreaterThan(0);
    expect(seen.at(-1)).toBeLessThan(1);
    const later = runBacktest({ strategy: buyer, feeds, signal: stop.signal });
    await expect(later).rejects.toThrow('enough');
    expect((await runBacktest({ strategy: buyer, feeds })).fills).toHaveLength(1);
  });
});

describe('what can not be run is refused with place, value and remedy', () => {
  const bars = (change: (all: BarInput[]) => void) => {
    const all = risingBars(5);
    change(all);
    return runBacktest({ strategy: buyer, feeds: [{ symbol: 'BTC', interval: '1m', bars: all }] });
  };

  test.each([
    [
      'a bar before its predecessor',
      (all: BarInput[]) => void all.sort((a, b) => b.time - a.time),
      /feeds\[0\]\.bars\[1\]\.time: .*Sort the bars by time/,
    ],
    [
      'a bar off the grid',
      (all: BarInput[]) => void (all[2]!.time += 1),
      /bars\[2\]\.time: .*is not the open time of a bar/,
    ],
    [
      'a low above the high',
      (all: BarInput[]) => void (all[3]!.low = 500),
      /bars\[3\]\.high: .*is below the low, 500/,
    ],
    [
      'a price that is none',
      (all: BarInput[]) => void (all[1]!.close = Number.NaN),
      /bars\[1\]\.close: "NaN" is not a number/,
    ],
    ['no bar', (all: BarInput[]) => void all.splice(0), /feeds\[0\]\.bars: there is none/],
  ])('%s', async (_name, change, message) => {
    await expect(bars(change)).rejects.toThrow(message);
  });

  test.each([
    ['a parameter of another type', { params: { size: 'big' } }, /^params\.size: .*number/ms],
    ['a parameter that is unknown', { params: { sise: 1 } }, /^params\.sise: .*unknown/ms],
    ['a time range', { timerange: '2025-01-01' }, /timerange 2025-01-01: .*20250101/],
    ['a latency', { latency: { order_ms: -1 } }, /latency/],
    ['a feed as text', { feeds: ['BTC:1m'] }, /feeds\[0\]: .*SYMBOL@INTERVAL=PATH/],
    ['a file that is missing', { feeds: ['BTC@1m=none.csv'] }, /none\.csv/],
    ['a symbol without a feed', { symbols: ['ETH'] }, /ETH/],
  ])('%s', async (_name, change, message) => {
    const run = runBacktest({ strategy: buyer, feeds, ...change });
    await expect(run).rejects.toThrow(message);
    await expect(run).rejects.toMatchObject({ code: expect.stringMatching(/^TRIMTAB_/) });
  });

  test.each<[string, unknown, RegExp]>([
    ['no options', undefined, /options are undefined, not an object. It takes strategy/],
    ['an option that does not exist', { strategy: buyer, feeds, balanse: 1 }, /no option balanse/],
    ['neither of the two', { feeds }, /neither `strategy` nor `config`/],
    ['both of them', { strategy: buyer, config: 'bot.yaml', feeds }, /there are both/],
    ['an option of the other', { strategy: buyer, feeds, plugins: {} }, /with strategy: .*plugins/],
    [
      'another key of a time range',
      { strategy: buyer, feeds, timerange: { start: 1 } },
      /timerange: .*start. It takes from, until/,
    ],
    [
      'what is no strategy',
      { strategy: {}, feeds },
      /^runBacktest: strategy: an object is no strategy; give what defineStrategy returns/,
    ],
    ['no strategy at all', { strategy: null, feeds }, /strategy: null is no strategy/],
    [
      'a time range that ends before it begins',
      { strategy: buyer, feeds, timerange: { from: 5, until: 3 } },
      /timerange: from \(5\) must be before until \(3\)/,
    ],
    [
      'a time range without a length',
      { strategy: buyer, feeds, timerange: { from: 5, until: 5 } },
      /timerange: from \(5\) must be before until \(5\)/,
    ],
    [
      'a time range of what is no number',
      { strategy: buyer, feeds, timerange: { from: new Date(5) } },
      /timerange: from: an object is not a time; it is a number, epoch milliseconds/,
    ],
    ['feeds that are none', { strategy: buyer, feeds: {} }, /feeds: object, not an array/],
    ['a feed that is none', { strategy: buyer, feeds: [null] }, /feeds\[0\]: null is no feed/],
    [
      'bars that are none',
      { strategy: buyer, feeds: [{ symbol: 'BTC', interval: '1m', bars: [null] }] },
      /bars\[0\]: null is no bar/,
    ],
    [
      'a path beside bars',
      { strategy: buyer, feeds: [{ symbol: 'BTC', interval: '1m', bars: [], path: 'x' }] },
      /feeds\[0\].path: .*bars only/,
    ],
  ])('%s', async (_name, given, message) => {
    const run = runBacktest(given as never);
    await expect(run).rejects.toThrow(message);
    await expect(run).rejects.toMatchObject({ code: expect.stringMatching(/^TRIMTAB_/) });
  });

  test.each([
    ['as it is written, from the directory', './plugins/none.ts', '/some/bot'],
    ['by its absolute path', '/some/bot/plugins/none.ts', '/some/bot'],
    ['from the working directory', './plugins/none.ts', undefined],
  ])(
    'a plugin of this process stands for a `use` that is a path: %s',
    async (_how, key, directory) => {
      const config = {
        name: 'bot',
        link: { kind: 'paper' as const },
        paper: { feeds: [{ symbol: 'BTC', interval: '1m' as const, generate: {} }], warmup: 0 },
        strategies: [{ name: 'buyer', use: './plugins/none.ts', symbols: ['BTC'], params: {} }],
      };
      const options = { config, feeds, plugins: { [key]: buyer } };
      const run = await runBacktest(directory === undefined ? options : { ...options, directory });
      expect(run.fills).toEqual((await runBacktest({ strategy: buyer, feeds })).fills);
    },
  );

  test('a plugin of this process stands for a shadow’s `use`, too', async () => {
    const config = {
      name: 'bot',
      link: { kind: 'paper' as const },
      paper: { feeds: [], warmup: 0 },
      strategies: [
        { name: 'buyer', use: 'mine', symbols: ['BTC'], shadow: { use: 'next', params: {} } },
      ],
    };
    const run = await runBacktest({ config, feeds, plugins: { mine: buyer, next: buyer } });
    expect(run.fills).toHaveLength(1);
  });

  test('a plugin of this process stands for a `use` of a file, as it is written there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trimtab-programs-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'bot.yaml');
    const strategy = '{ name: buyer, use: ./none.ts, symbols: [BTC] }';
    await writeFile(
      file,
      `name: bot\nlink: { kind: paper }\npaper: { feeds: [], warmup: 0 }\nstrategies: [${strategy}]\n`,
    );
    const run = await runBacktest({ config: file, feeds, plugins: { './none.ts': buyer } });
    expect(run.fills).toHaveLength(1);
  });

  test('a plugin for a `use` that no strategy has', async () => {
    const config = {
      name: 'bot',
      link: { kind: 'paper' },
      paper: { feeds: [{ symbol: 'BTC', interval: '1m', generate: { bars: 20 } }], warmup: 0 },
      strategies: [{ name: 'a', use: 'mine', symbols: ['BTC'] }],
    } as const;
    const run = runBacktest({ config: config as never, plugins: { mine: buyer, main: buyer } });
    await expect(run).rejects.toThrow('plugins: no strategy has use: main; there are mine.');
  });

  test('what is no plugin, and a plugin in the place of a configuration', async () => {
    const none = { name: 'none' } as unknown as typeof buyer;
    await expect(runBacktest({ strategy: none, feeds })).rejects.toThrow(/defineStrategy/);
    const misplaced = runBacktest({ config: buyer as never });
    await expect(misplaced).rejects.toThrow(/config: not plain data.*`strategy`/);
  });
});

test('a strategy that ends is an error, with what it did until then', async () => {
  const breaking = defineStrategy({
    ...buyer,
    name: 'breaking',
    params: z.object({}),
    setup: (ctx) =>
      ctx.candles(ctx.symbol, '1m').pipe(
        map((_bar, index) => {
          if (index > 0) throw new Error('a bug');
          return placeOrder.market({ symbol: 'BTC', side: 'buy', size: 1 });
        }),
      ),
  });
  const failure: unknown = await runBacktest({ strategy: breaking, feeds }).catch((error) => error);
  expect(failure).toMatchObject({ code: 'TRIMTAB_STRATEGY_ENDED' });
  expect((failure as BacktestError).message).toMatch(/a bug/);
  expect((failure as BacktestError).result.fills).toHaveLength(1);
});

describe('a configuration', () => {
  const short = { generate: { bars: 2_500, start_price: 61_000, seed: 11 } };
  const shortFeeds = [
    { symbol: 'BTC', interval: '1m', ...short },
    { symbol: 'ETH', interval: '1m', ...short },
  ] as const;

  test('gives the bytes of the command', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trimtab-programs-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'figures.json');
    const config = join(root, 'configs/demo.yaml');
    const set = shortFeeds.flatMap(({ generate }, at) => [
      '--set',
      `paper.feeds[${at}].generate=${JSON.stringify(generate)}`,
    ]);
    const flags = ['--param', 'trend.fast=9', '--seed', '5', '--no-report', '--json', file];
    const program = [join(root, 'bin/trimtab.js'), 'backtest', config, ...set, ...flags];
    await promisify(execFile)(process.execPath, program);
    const params = { 'trend.fast': 9 };
    const run = await runBacktest({ config, feeds: shortFeeds, params, seed: 5 });
    const written = await readFile(file, 'utf8');
    expect(run.fills.length).toBeGreaterThan(3);
    expect(JSON.parse(written)).toMatchObject({ hash: run.hash });
    expect(run.toJson()).toBe(written);
    expect(run.toHtml()).toContain(run.hash);
  });

  test('may be a value, with a plugin and bars of this process', async () => {
    const config = {
      name: 'one',
      link: { kind: 'paper' as const },
      paper: { feeds: [{ symbol: 'BTC', interval: '1m' as const, generate: {} }], warmup: 0 },
      strategies: [{ use: 'buyer', name: 'buyer', symbols: ['BTC'], params: {} }],
    };
    const byConfig = await runBacktest({ config, feeds, plugins: { buyer } });
    const byStrategy = await runBacktest({ strategy: buyer, feeds });
    expect(byConfig.fills).toEqual(byStrategy.fills);
    const wrong = { ...config, guards: { max_leverag: 3 } };
    const run = runBacktest({ config: wrong as never, feeds, plugins: { buyer } });
    await expect(run).rejects.toThrow(/config: guards\.max_leverag: unknown key.*Did you mean/s);
  });
});

test.each([1, 2])('%i malformed intents end a run that went on', async (count) => {
  const malformed = defineStrategy({
    name: 'malformed',
    contract: 1,
    description: 'Proposes what is no intent.',
    scopes: ['trade'],
    params: z.object({}),
    setup: (ctx) =>
      concat(
        ctx.candles('BTC', '1m').pipe(
          take(count),
          map(() => ({ kind: 'place_order' }) as never),
        ),
        NEVER,
      ),
  });
  const failure = await runBacktest({ strategy: malformed, symbols: ['BTC'], feeds }).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ code: 'TRIMTAB_RUN_MALFORMED_INTENTS' });
  expect(String(failure)).toContain(count === 1 ? 'One intent was' : '2 intents were');
});
