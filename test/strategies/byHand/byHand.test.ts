import { describe, expect, test } from 'vitest';
import { runBacktest } from '../../../backtest/programs/index.ts';
import type { Strategy } from '../../../src/index.ts';
import gridTrader from '../../../strategies/gridTrader.ts';
import marketMaker from '../../../strategies/marketMaker.ts';
import pairTrader from '../../../strategies/pairTrader.ts';
import { linesOf } from '../linesOf.ts';
import gridByHand from './gridByHand.ts';
import makerByHand from './makerByHand.ts';
import pairByHand from './pairByHand.ts';
import { rotated } from '../../tiers.ts';

const feedOf = (symbol: string, seed: number, bars: number) =>
  ({
    symbol,
    interval: '1m',
    generate: { seed, bars, start_price: symbol === 'BTC' ? 60_000 : 3_000, volatility_bps: 10 },
  }) as const;

const CASES: ReadonlyArray<[string, Strategy, Strategy, string[], number, object]> = [
  ['grid', gridTrader, gridByHand, ['BTC'], 3_000, { levels: 6, step_bps: 40 }],
  ['maker', marketMaker, makerByHand, ['BTC'], 240, { half_spread_bps: 8 }],
  ['pair', pairTrader, pairByHand, ['ETH', 'BTC'], 6_000, { period: 20, enter: 1.5 }],
];
const FILES: Readonly<Record<string, string>> = {
  grid: 'gridTrader',
  maker: 'marketMaker',
  pair: 'pairTrader',
};

describe.each(rotated(CASES, 1))('%s', (name, helped, byHand, symbols, bars, params) => {
  test('by hand it fills as with the helper', async () => {
    const feeds = symbols.map((symbol, at) => feedOf(symbol, 5 + at, bars));
    const fillsOf = async (strategy: Strategy) => {
      const { fills } = await runBacktest({
        config: {
          name,
          link: { kind: 'paper' },
          paper: { feeds, warmup: 0, balance: 10_000 },
          guards: { price_collar_bps: 5_000 },
          strategies: [{ use: name, name, symbols, params: { ...params } }],
        },
        plugins: { [name]: strategy },
      });
      return fills.map(({ time, symbol, side, price, size }) => ({
        time,
        symbol,
        side,
        price,
        size,
      }));
    };
    const expected = await fillsOf(helped);
    const found = await fillsOf(byHand);
    expect(found.map(({ time, symbol, side }) => `${time} ${symbol} ${side}`)).toEqual(
      expected.map(({ time, symbol, side }) => `${time} ${symbol} ${side}`),
    );
    // A size may be rounded to the next step, which moves the price by its share of the impact.
    for (const [at, { size, price }] of expected.entries()) {
      expect(Math.abs(found[at]!.size - size)).toBeLessThan(1.5e-5);
      expect(found[at]!.price / price).toBeCloseTo(1, 6);
    }
    expect(expected.length).toBeGreaterThan(15);
  });

  test('it takes at least twice the lines', () => {
    const [with_, without] = [
      `strategies/${FILES[name]}.ts`,
      `test/strategies/byHand/${name}ByHand.ts`,
    ].map(linesOf);
    expect(without).toBeGreaterThanOrEqual(2 * with_!);
  });
});
