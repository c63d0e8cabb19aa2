import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, test } from 'vitest';
import { zipOf } from '../backtest/data/writeFiles.ts';
import { root } from '../sourceFiles.ts';
import { createStory } from './createStory.ts';
import { expectRecorded, type Outcome } from './expectRecorded.ts';
import { putBot, shipped, TREND } from './putBot.ts';

const story = createStory([
  [/\S+ thread \d+(?= |"|$)/gm, 'THREAD'],
  [/(?<=^(?:THREAD|shard|all) .*)\b[\d.,]+(?: s)?(?= |$)/gm, 'N'],
  [/"(\w*ms|points_per_second|cpu|memory)":[\d.e-]+/g, '"$1":N'],
  [/[\d.]+ a second, [\d.]+ s left/g, 'PACE'],
]);
afterAll(() => story.end());

type Play = (words: string) => Promise<void>;

/** Runs the steps, whose names are their command lines, and compares what they left. */
async function record(name: string, steps: (play: Play) => Promise<void>): Promise<void> {
  const outcomes = new Map<string, Outcome>();
  await steps(async (words) => void outcomes.set(words, await story.run(...words.split(' '))));
  await expectRecorded(name, outcomes);
}

const START = Date.UTC(2025, 0, 1);
const GRID = `name: grid, use: ${shipped('gridTrader')}, symbols: [BTC], params: { step_bps: 5 }`;

test('what is made of figures and recordings is what it was', async () => {
  putBot(story, 'one.yaml', { bars: 120 });
  putBot(story, 'idle.yaml', {
    bars: 60,
    strategies: [`name: idle, use: ${shipped('hullTrend')}, symbols: [BTC]`],
  });
  putBot(story, 'grid.yaml', { bars: 120, strategies: [GRID] });
  story.put('spx.csv', 'time,close\n2025-01-01T00:00:00Z,100\n2025-01-01T01:30:00Z,101\n');
  story.put('bad.csv', 'time,close\n2025-01-01T00:00:00Z,x\n');
  story.put('foreign.json', '{"a":1}');
  await record('commandReports', async (play) => {
    for (const line of [
      'backtest @one.yaml --no-report --json @one.json --set record=@one.jsonl',
      'backtest @one.yaml --no-report --json @two.json --param trend.fast=6 --set record=@two.jsonl.gz',
      'backtest @idle.yaml --no-report --json @idle.json --set record=@idle.jsonl',
      'backtest @grid.yaml --no-report --json @grid.json --set record=@grid.jsonl --trades lots',
      'report @one.json',
      'report @idle.json',
      'report @one.json @grid.json',
      'report @one.json --html @one.html --csv @one.csv --json @again.json',
      'report @grid.json --json - --trades lots',
      'report @grid.json --trades round-trips --csv @lots.csv --benchmark @spx.csv',
      'report @one.json --benchmark @bad.csv',
      'report @one.json @grid.json @idle.json --html @several.html --csv @several.csv --json @several.json',
      'report @one.json --html @one.html --csv @one.html',
      'report @foreign.json',
      'report @none.json',
      'report @one.yaml',
      'compare @one.json @two.json',
      'compare @one.json @two.json @grid.json @idle.json --report @compared.html',
      'compare @one.json @one.json',
      'compare @one.json',
      'compare @one.json @foreign.json',
      'replay @one.jsonl',
      'replay @two.jsonl.gz',
      'replay @one.jsonl --config @one.yaml',
      'replay @one.jsonl --config @one.yaml --param trend.fast=6',
      'replay @one.jsonl --config @grid.yaml',
      'replay @one.jsonl --param trend.fast=6',
      'replay @grid.jsonl',
      'replay @idle.jsonl',
      'replay @foreign.json',
      'diff @one.jsonl @two.jsonl.gz',
      'diff @one.jsonl @one.jsonl',
      'diff @one.jsonl @grid.jsonl',
      'diff @one.jsonl @none.jsonl',
      'view @one.jsonl --json',
      'view @one.jsonl --json --at 2025-01-01T01:10Z',
      'view @one.jsonl --json --at 2025-01-01T01:30Z',
      'view @one.jsonl --json --at 2030-01-01',
      'view @one.jsonl --json --at yesterday',
      'view @grid.jsonl --json --at 2025-01-01T01:10',
      'view @foreign.json --json',
      'run @one.yaml --no-report --journal @one.sqlite --set record=@ran.jsonl',
      'view @one.sqlite --json --at 2025-01-01T01:10Z',
      'view @ran.jsonl --json --journal @one.sqlite --at 2025-01-01T01:30Z',
    ])
      await play(line);
  });
}, 300_000);

test('sweeps and their files are what they were', async () => {
  putBot(story, 'swept.yaml', { bars: 130, strategies: [TREND] });
  putBot(story, 'walked.yaml', {
    bars: 200,
    strategies: [GRID],
    more: "sweep: { params: { step_bps: '4..8:2' }, objective: pnl }",
  });
  const swept = 'sweep @swept.yaml --threads 1';
  await record('commandSweeps', async (play) => {
    for (const line of [
      `${swept} --param trend.fast=3,-4,5 --param trend.slow=9..11:2 --random 5 --seed 5 --out @grid.sqlite --objective pnl --parquet --reports 1`,
      'status @grid.sqlite',
      `${swept} --param trend.fast=3,4,5 --shard 1/2 --out @a.sqlite`,
      `${swept} --param trend.fast=3,4,5 --shard 2/2 --out @b.sqlite`,
      'status @a.sqlite @b.sqlite',
      'sweep @swept.yaml --merge @a.sqlite @b.sqlite --out @merged.sqlite --top 2',
      'sweep @swept.yaml --merge @a.sqlite --out @half.sqlite',
      'status @a.sqlite',
      'sweep @swept.yaml --merge @a.sqlite @grid.sqlite --out @half.sqlite',
      'sweep @walked.yaml --threads 1 --out @walked.sqlite --walk-forward rolling --train 1h --test 30min --reports 1',
      `${swept} --merge @a.sqlite @b.sqlite --param trend.fast=3 --out @none.sqlite`,
      `${swept} --param trend.fast=3 --out @grid.sqlite`,
      `${swept} --out @none.sqlite`,
      `${swept} --param trend.fsat=3 --out @none.sqlite`,
      `${swept} --param trend.fast=5..3 --out @none.sqlite`,
      `${swept} --param trend.fast=3,3 --param trend.fast=4 --out @none.sqlite --train 1h`,
      `${swept} --param trend.fast=3 --out @none.sqlite --walk-forward rolling`,
      `${swept} --param trend.fast=3 --out @none.sqlite --walk-forward rolling --train 9d --test 9d`,
      `${swept} --param trend.fast=3 --out @none.sqlite --shard 3/2`,
      `${swept} --param trend.fast=3 --out @none.sqlite --random 0`,
      `${swept} --param trend.fast=3 --out @none.csv`,
      `${swept} --param trend.fast=3 --out @none.sqlite --engine postgres://127.0.0.1:1/x --shard 1/2`,
      `${swept} --param trend.fast=3 --out @none.sqlite --pack @packed`,
      'sweep @walked.yaml --objective best --out @none.sqlite',
      'sweep @walked.yaml --within soon --out @none.sqlite',
      'status @none.sqlite',
    ])
      await play(line);
  });
}, 300_000);

test('data are shown, checked and imported as before', async () => {
  const bars = (
    count: number,
    change: (row: string[], at: number) => string[] | null = (row) => row,
  ) =>
    Array.from({ length: count }, (_none, at) =>
      change([String(START + at * 60_000), '100', '101', '99', '100.5', '0.1'], at),
    )
      .filter((row) => row !== null)
      .map((row) => `${row.join(',')}\n`)
      .join('');
  const HEAD = 'timestamp,open,high,low,close,volume\n';
  const files: Record<string, string | Uint8Array> = {
    'good.csv': HEAD + bars(12),
    'good.csv.gz': gzipSync(HEAD + bars(12)),
    'gappy.csv': HEAD + bars(30, (row, at) => (at % 7 === 5 || (at > 10 && at < 20) ? null : row)),
    'double.csv':
      HEAD +
      bars(12, (row, at) => (at === 5 ? [String(START + 4 * 60_000), ...row.slice(1)] : row)),
    'spike.csv':
      HEAD + bars(12, (row, at) => (at === 5 ? [row[0]!, '100', '300', '99', '290', '0.1'] : row)),
    'impossible.csv':
      HEAD + bars(12, (row, at) => (at === 5 ? [row[0]!, '100', '99', '101', '100', '-1'] : row)),
    'volumeless.csv': HEAD + bars(12, (row) => [...row.slice(0, 5), '0']),
    'short.csv': `${HEAD}${bars(3)}1,2\n`,
    'words.csv': HEAD + bars(12, (row, at) => (at === 5 ? [row[0]!, 'x', ...row.slice(2)] : row)),
    'backwards.csv': HEAD + bars(12).split('\n').toReversed().filter(Boolean).join('\n'),
    'offbeat.csv':
      HEAD +
      bars(12, (row, at) => (at === 5 ? [String(Number(row[0]) + 7), ...row.slice(1)] : row)),
    'klines.zip': zipOf([
      { name: 'BTCUSDT-1m-2025-01.csv', text: bars(12).replaceAll('\n', ',0,0,0,0,0,0\n') },
    ]),
    'damaged.zip': zipOf([{ name: 'a.csv', text: bars(3), crc: 1 }]),
    'empty.csv': '',
    'head.csv': HEAD,
    'unknown.csv': 'a,b,c\n1,2,3\n',
    'rows.json': JSON.stringify([
      [START, 1, 2, 0.5, 1.5, 3],
      [START + 60_000, 1, 2, 0.5, 1.5, 3],
    ]),
    'objects.json': JSON.stringify([
      { time: START, open: 1, high: 2, low: 1, close: 1, volume: 1 },
    ]),
    'trades.csv': `timestamp,price,size,side\n${Array.from({ length: 40 }, (_none, at) => `${START + at * 9_000},${100 + (at % 5)},0.5,${at % 2 ? 'buy' : 'sell'}`).join('\n')}\n`,
    'funding.csv': `timestamp,funding_rate\n${Array.from({ length: 5 }, (_none, at) => `${START + at * 28_800_000},0.000${at}`).join('\n')}\n`,
  };
  for (const [name, text] of Object.entries(files)) story.put(name, text);
  const archives = join(root, 'test/data/archives');
  const ARCHIVED = [
    'BTC-USDT-SWAP-trades-2025-06-01.csv',
    'BTCUSD2022-11-17.csv',
    'BTCUSDT_1_2023-01-01_2023-01-31.csv',
    'ETH-USDT-SWAP-candlesticks-2025-10-23.csv',
    'SOLUSDT-aggTrades-2026-01-01.csv',
    'SOLUSDT-bookTicker-2023-07-15.csv',
    'XBTUSD.csv',
    'XBTUSD_60.csv',
  ];
  for (const name of ARCHIVED) copyFileSync(join(archives, name), join(story.folder, name));
  for (const name of [
    'funding/HYPERLIQUID-BTC-funding-1h.csv.gz',
    'normalised/HYPERLIQUID-ETH-1h.csv.gz',
  ])
    story.put(name.split('/')[1]!, readFileSync(join(root, 'test/data', name)));
  await record('commandData', async (play) => {
    for (const name of [
      ...Object.keys(files),
      ...ARCHIVED,
      'HYPERLIQUID-BTC-funding-1h.csv.gz',
      'HYPERLIQUID-ETH-1h.csv.gz',
    ]) {
      await play(`data show @${name} --symbol BTC`);
      await play(`data check @${name} --symbol BTC --json`);
      await play(`data import @${name} --symbol BTC --out @${name}.trimtab`);
    }
    for (const line of [
      'data show @good.csv.trimtab --csv',
      'data show @good.csv.trimtab --json --head 1',
      'data show @trades.csv.trimtab --csv',
      'data show @funding.csv.trimtab --json',
      'data check @gappy.csv --symbol BTC --allow-gaps',
      'data check @spike.csv --symbol BTC --outlier 500',
      'data check @spike.csv --symbol BTC --outlier 0',
      'data import @good.csv --symbol BTC --out @five.trimtab --interval 5m',
      'data import @good.csv --symbol BTC --out @partial.trimtab --interval 5m --keep-partial',
      'data show @five.trimtab --csv',
      'data show @partial.trimtab --csv',
      'data import @trades.csv --symbol BTC --out @bars.trimtab --interval 1m',
      'data import @trades.csv --symbol BTC --out @contracts.trimtab --interval 1m --contract-size 0.01',
      'data show @bars.trimtab --csv',
      'data show @contracts.trimtab --csv',
      'data import @good.csv @gappy.csv --symbol BTC --out @joined.trimtab',
      'data import @good.csv @trades.csv --symbol BTC --out @mixed.trimtab',
      'data import @good.csv --symbol BTC --out @good.csv',
      'data import @good.csv --symbol BTC --out @longer.trimtab --source-interval 5m',
      'data import @good.csv --symbol BTC --out @shorter.trimtab --interval 1m --format binance',
      'data show @good.csv --format kraken --symbol BTC',
      'data show @good.csv',
      'data check @good.csv @spike.csv --symbol BTC',
      'data show @none.csv',
      'data import @good.csv --symbol BTC',
    ])
      await play(line);
  });
}, 300_000);
