import { describe, expect, test } from 'vitest';
import type { FillRecord } from '../../../src/contract/index.ts';
import type { FeeSettings } from '../../../src/paper/venue/venueFees.ts';
import { createBench, feedOf, flat, type Row } from '../engine/bench.ts';

describe('configured fees', () => {
  const symbols = ['BTC', 'ETH', 'HYPE/USDC'];
  const paid = (fees: FeeSettings) => {
    const feeds = symbols.map((symbol) => feedOf(flat(20, 10), { symbol }));
    const bench = createBench({ feeds, fees }, { balance: 100_000 });
    bench.run(2);
    for (const symbol of symbols)
      bench.order({ symbol, side: 'buy', size: 100, order_type: 'market' });
    const fills = bench.call('orders.fills').items as FillRecord[];
    return fills
      .toReversed()
      .map(({ venue_fee: venue, service_fee: service, notional }) =>
        [venue, service].map((fee) => Number(((fee! / notional) * 10_000).toFixed(9))),
      );
  };

  test.each<[string, FeeSettings, number[][]]>([
    [
      'nothing',
      { all: {}, symbols: {} },
      [
        [4.5, 0.8],
        [4.5, 0.8],
        [4.5, 0.8],
      ],
    ],
    [
      'for all',
      { all: { taker_bps: 3, service_bps: 0 }, symbols: {} },
      [
        [3, 0],
        [3, 0],
        [3, 0],
      ],
    ],
    [
      'a venue, by the kind of instrument, and a number that wins',
      { all: { venue: 'hyperliquid', service_bps: 2 }, symbols: { ETH: { taker_bps: 1 } } },
      [
        [4.5, 2],
        [1, 2],
        [7, 2],
      ],
    ],
    [
      'a symbol’s venue wins over numbers for all',
      { all: { taker_bps: 3 }, symbols: { ETH: { venue: 'bybit' }, BTC: { service_bps: 5 } } },
      [
        [3, 5],
        [5.5, 0.8],
        [3, 0.8],
      ],
    ],
  ])('%s', (_name, fees, expected) => {
    expect(paid(fees)).toEqual(expected);
  });

  test('a maker rebate is paid to the wallet, and a fee never makes cash negative', () => {
    const rows: Row[] = [...flat(20, 2), [20, 20, 18, 18], ...flat(18, 3)];
    const feeds = [feedOf(rows, { symbol: 'HYPE/USDC' })];
    const fees = { all: { maker_bps: -1, taker_bps: 50, service_bps: 30 }, symbols: {} };
    const bench = createBench({ feeds, fees }, { balance: 1_000 });
    bench.run(2);
    const buy = { symbol: 'HYPE/USDC', side: 'buy', order_type: 'market' };
    expect(bench.refusal('orders.place', { body: { ...buy, size: 49.7 } }).code).toBe(
      'insufficient_balance',
    );
    bench.order({ ...buy, size: 20 });
    bench.order({ ...buy, order_type: 'limit', size: 20, price: 19 });
    bench.run(2);
    const [maker] = bench.call('orders.fills').items as FillRecord[];
    expect(maker!.venue_fee).toBeCloseTo((-20 * 19) / 10_000, 9);
    expect(bench.call('account.balances').items[0].total).toBeGreaterThanOrEqual(0);
  });
});
