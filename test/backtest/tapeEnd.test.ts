import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runLoadedBacktest } from '../../backtest/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import { root } from '../sourceFiles.ts';

const START = Date.UTC(2024, 0, 1);
const MINUTE = 60_000;

const folder = join(tmpdir(), `trimtab-recorded-${process.pid}`);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Seven hours of trades and best prices, every ten seconds; from `fork` on at other prices. */
function recording(fork: number): { trades: string; book: string } {
  const trades = ['timestamp,price,size,id'];
  const book = ['event_ms,bid,bid_qty,ask,ask_qty'];
  for (let at = START; at <= START + 420 * MINUTE; at += 10_000) {
    const wave = 60_000 + Math.round(Math.sin((at - START) / 400_000) * 300);
    const price = at < fork ? wave : wave + 5_000;
    trades.push(`${at},${price},0.5,${at}`);
    book.push(`${at},${price - 1},2,${price + 1},2`);
  }
  return { trades: `${trades.join('\n')}\n`, book: `${book.join('\n')}\n` };
}

async function backtest(fork: number, until: number, interval: string) {
  await mkdir(folder, { recursive: true });
  const { trades, book } = recording(fork);
  await writeFile(join(folder, 'trades.csv'), trades);
  await writeFile(join(folder, 'book.csv'), book);
  const plant = join(root, 'test/backtest/plants/asksAround.ts');
  await writeFile(
    join(folder, 'bot.yaml'),
    `name: recorded
link: { kind: paper }
paper:
  feeds:
    - { symbol: BTC, interval: ${interval}, trades: ./trades.csv, book: ./book.csv }
    - { symbol: ETH, interval: 1m, generate: { seed: 1, bars: 420, start_price: 3000, start_time: ${START} } }
  warmup: 2
  speed: max
  budget_clock: replay
strategies: [{ name: around, use: ${plant}, symbols: [BTC], params: { clock: ETH, low: 59800, high: 60200 } }]
`,
  );
  const loaded = await loadConfig(join(folder, 'bot.yaml'), {
    overrides: { journal: 'memory', onPaper: true },
  });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.faults));
  const env = createLiveEnv();
  const progress = { update: () => {}, finish: () => {} };
  const ran = await runLoadedBacktest({
    loaded,
    env,
    range: { until },
    progress,
    isStopped: () => false,
  });
  if (!ran.ok) throw new Error(ran.failure.message);
  return ran.value.data;
}

test.each(['1m', '1h'])(
  'data recorded after the end of a range changes nothing in it, with bars of %s',
  async (interval) => {
    const until = START + 270 * MINUTE;
    const whole = await backtest(Infinity, until, interval);
    const forked = await backtest(until + 1, until, interval);
    expect(forked).toEqual(whole);
    expect(new Set(whole.fills.map(({ liquidity }) => liquidity)).size).toBe(2);
    expect(whole.executions?.length).toBeGreaterThan(5);
    // A recording that forks within the range is noticed, so that the end is what makes them equal.
    expect((await backtest(until - 2 * MINUTE, until, interval)).hash).not.toBe(whole.hash);
  },
);
