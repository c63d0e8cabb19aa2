import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runBacktest, type BacktestResult } from '../../backtest/programs/index.ts';
import gridTrader from '../../strategies/gridTrader.ts';
import marketMaker from '../../strategies/marketMaker.ts';
import { EXTRACTS } from '../data/places.ts';

const file = (kind: string): string =>
  join(EXTRACTS, `trades_l2/HYPERLIQUID-BTC-20250904-${kind}.csv.gz`);

/** An hour of recorded trades and book. */
const feeds = [
  { symbol: 'BTC', interval: '1m', trades: file('trades'), book: file('l2book20') },
] as const;

function held({ fills }: BacktestResult): number[] {
  let position = 0;
  return fills.map(({ side, size }) => (position += side === 'buy' ? size : -size));
}

describe('on recorded trades and book', () => {
  test('the market maker quotes both sides within its bound', async () => {
    const params = { half_spread_bps: 0.5, skew_bps: 1, tolerance_bps: 0.5 };
    const run = await runBacktest({ strategy: marketMaker, feeds, params });
    const sides = new Set(run.fills.map(({ side }) => side));
    expect([...sides].toSorted()).toEqual(['buy', 'sell']);
    expect(run.fills.every(({ liquidity }) => liquidity === 'maker')).toBe(true);
    const [{ price } = { price: 0 }] = run.fills;
    // A quarter of the capital of 10,000 at the first price.
    const most = (2_500 / price) * 1.01;
    expect(Math.max(...held(run).map(Math.abs))).toBeLessThan(most);
  });

  test('the grid holds no short, and sells above what it paid', async () => {
    const params = { levels: 10, step_bps: 0.3 };
    const run = await runBacktest({ strategy: gridTrader, feeds, params });
    expect(Math.min(...held(run))).toBeGreaterThan(-1e-9);
    const sold = run.fills.filter(({ side }) => side === 'sell');
    expect(sold.length).toBeGreaterThan(0);
    for (const { closed_pnl } of sold) expect(closed_pnl).toBeGreaterThan(-0.5);
  });
});
