import { describe, expect, test } from 'vitest';
import type { FillRecord } from '../../../src/contract/index.ts';
import type { Feed } from '../../../src/paper/feed/Feed.ts';
import { createBench, feedOf, flat, MINUTE, START, type Row } from '../engine/bench.ts';

const btc = { pathParams: { symbol: 'BTC' } };

describe('liquidation', () => {
  const crash: Row[] = [...flat(100, 2), [100, 100, 80, 85, 1_000], ...flat(85, 10)];

  test('the venue liquidates when equity reaches half the initial margin at maximum leverage', () => {
    const bench = createBench({ feeds: [feedOf(crash)] }, { balance: 1_000 });
    bench.run(2);
    bench.order({ side: 'buy', size: 90, order_type: 'market' });
    const resting = bench.order({ side: 'buy', size: 1, order_type: 'limit', price: 70 });
    const [before] = bench.call('positions.list').items;
    // cash + 90 (p − entry) = 90 p / 100 at the price of the record.
    const { liquidation_price: price, entry_price: entry } = before;
    const cash = bench.call('account.balances').items[0].total;
    expect(cash + 90 * (price - entry)).toBeCloseTo((90 * price) / 100, 8);
    bench.run(1);
    expect(bench.call('positions.list').items).toEqual([]);
    const [event] = bench.named('liquidation');
    expect(event).toMatchObject({ data: { symbol: 'BTC', size: 90 } });
    const time = (event!.data as { time: number }).time;
    // The low of 80 is at two thirds of the bar (the open is its high).
    const expected = START + 2 * MINUTE + 20_000 + ((100 - price) / 20) * 20_000;
    expect(Math.abs(time - expected)).toBeLessThanOrEqual(1);
    expect(bench.call('orders.get', { pathParams: { id: resting.order_id } })).toMatchObject({
      status: 'cancelled',
      reject_reason: 'liquidated',
    });
  });

  test("executions end with the account's positions, reason liquidated", () => {
    const bench = createBench({ feeds: [feedOf(crash)] }, { balance: 1_000 });
    bench.run(2);
    bench.order({ side: 'buy', size: 90, order_type: 'market' });
    const body = {
      algo: 'pacemaker',
      symbol: 'BTC',
      side: 'sell',
      total_size: 2,
      params: { duration_seconds: 600, slices: 2 },
    };
    const { execution_id: id } = bench.call('executions.launch', { body });
    bench.run(1);
    const record = bench.call('executions.get', { pathParams: { id } });
    expect(record).toMatchObject({ status: 'stopped', reason: 'liquidated' });
  });

  test('a short is liquidated on the way up', () => {
    const spike: Row[] = [...flat(100, 2), [100, 120, 100, 115, 1_000], ...flat(115, 3)];
    const bench = createBench({ feeds: [feedOf(spike)] }, { balance: 1_000 });
    bench.run(2);
    bench.order({ side: 'sell', size: 90, order_type: 'market' });
    bench.run(1);
    expect(bench.named('liquidation')).toHaveLength(1);
  });

  test('two losing positions are liquidated on their total equity', () => {
    const feeds = [feedOf(crash), feedOf(crash, { symbol: 'ETH' })];
    const bench = createBench({ feeds }, { balance: 1_000 });
    bench.run(2);
    bench.order({ side: 'buy', size: 45, order_type: 'market' });
    bench.order({ side: 'buy', size: 45, order_type: 'market', symbol: 'ETH' });
    bench.run(1);
    const times = bench.named('liquidation').map(({ data }) => (data as { time: number }).time);
    expect(times).toHaveLength(2);
    expect(times[0]).toBe(times[1]);
    const fills = bench.call('orders.fills').items.slice(0, 2);
    const [one, two] = fills;
    expect(one.price).toBe(two.price);
    // Between the entry at about 100 and the low of 80 there is a margin of 1000 for 90 units.
    expect(one.price).toBeGreaterThan(88);
    expect(one.price).toBeLessThan(91);
  });
});

describe('funding', () => {
  const hours = flat(100, 150);

  test('longs pay the default rate every hour on the mark', () => {
    const bench = createBench({ feeds: [feedOf(hours)] });
    bench.run(2);
    bench.order({ side: 'buy', size: 10, order_type: 'market' });
    bench.run(130);
    const amount = 10 * 100 * 0.000_012_5;
    expect(bench.named('funding')).toMatchObject([
      { data: { symbol: 'BTC', amount, time: START + 60 * MINUTE } },
      { data: { amount, time: START + 120 * MINUTE } },
    ]);
    expect(bench.call('account.get').funding_paid).toBeCloseTo(2 * amount, 12);
  });

  test.each([
    ['as it is set', { constantRate: 0, intervalMs: 60 * MINUTE }],
    ['of a file', { time: Float64Array.of(START + 60 * MINUTE), rate: Float64Array.of(0) }],
  ])('a settlement at a rate of zero, %s, is one, and shown as one', (_of, BTC) => {
    const bench = createBench({ feeds: [feedOf(flat(100, 70))], fundingRates: { BTC } });
    bench.run(1);
    bench.order({ side: 'buy', size: 10, order_type: 'market' });
    bench.run(60);
    expect(bench.named('funding')).toMatchObject([{ data: { symbol: 'BTC', amount: 0, rate: 0 } }]);
  });

  test('a funding file sets time and rate; shorts receive what longs pay', () => {
    // Venues stamp a settlement some milliseconds after its hour.
    const time = Float64Array.of(START + 60 * MINUTE + 57);
    const fundingRates = { BTC: { time, rate: Float64Array.of(0.001) } };
    const bench = createBench({ feeds: [feedOf(hours)], fundingRates });
    bench.run(2);
    bench.order({ side: 'sell', size: 10, order_type: 'market' });
    expect(bench.engine.market.funding('BTC')?.nextTime).toBe(START + 60 * MINUTE);
    bench.run(130);
    expect(bench.named('funding')).toMatchObject([{ data: { amount: -1 } }]);
    expect(bench.call('account.get').funding_paid).toBe(-1);
  });

  test('a constant rate is paid at the multiples of its interval UTC, and only there', () => {
    // 2 bps of 10 x 100 are 0.2; the tape begins at 00:00 UTC.
    const BTC = { constantRate: 0.000_2, intervalMs: 120 * MINUTE };
    const bench = createBench({ feeds: [feedOf(flat(100, 400))], fundingRates: { BTC } });
    bench.run(62);
    bench.order({ side: 'buy', size: 10, order_type: 'market' });
    const shown = { rate: 0.000_2, nextTime: START + 120 * MINUTE };
    expect(bench.engine.market.funding('BTC')).toEqual(shown);
    bench.run(250 - 62);
    expect(bench.named('funding')).toMatchObject([
      { data: { symbol: 'BTC', amount: 0.2, rate: 0.000_2, time: START + 120 * MINUTE } },
      { data: { symbol: 'BTC', amount: 0.2, rate: 0.000_2, time: START + 240 * MINUTE } },
    ]);
    expect(bench.call('account.get').funding_paid).toBe(0.4);
    expect(bench.engine.market.funding('BTC')?.nextTime).toBe(START + 360 * MINUTE);
  });
});

test('ACC-2: a fill pays the tier of the volume before it, over 14 days to the millisecond', () => {
  const days = 16;
  const rows = flat(1_000, days * 24, 1e9);
  const feeds = [feedOf(rows, { interval: '1h', stepMs: 60 * MINUTE })];
  const bench = createBench({ feeds, impactBps: 0 }, { balance: 1e9 });
  bench.run(60);
  const bpsOf = (): number => {
    const [fill] = bench.call('orders.fills').items;
    return (fill.service_fee / fill.notional) * 10_000;
  };
  bench.order({ side: 'buy', size: 6_000, order_type: 'market' });
  expect(bpsOf()).toBeCloseTo(0.8, 9);
  bench.order({ side: 'sell', size: 20_000, order_type: 'market' });
  expect(bpsOf()).toBeCloseTo(0.6, 9);
  bench.order({ side: 'buy', size: 14_000, order_type: 'market' });
  expect(bpsOf()).toBeCloseTo(0.4, 9);
  expect(bench.call('account.feeTier')).toMatchObject({
    tier: 'institutional',
    bps: 0.4,
    next_tier: { tier: 'elite', bps: 0.25, from_volume: 100e6 },
  });
  bench.run(14 * 24 * 60);
  expect(bench.call('account.feeTier')).toMatchObject({ tier: 'standard', volume_14d: 0 });
});

test('POS-1: leverage is bounded by the instrument and by the margin in use', () => {
  const bench = createBench({ feeds: [feedOf(flat(100, 20))] }, { balance: 1_000 });
  bench.run(2);
  expect(bench.call('leverage.get', btc)).toEqual({
    symbol: 'BTC',
    leverage: 10,
    mode: 'cross',
    max_leverage: 50,
  });
  const high = bench.refusal('leverage.set', { ...btc, body: { leverage: 51 } });
  expect(high.code).toBe('leverage_out_of_range');
  bench.order({ side: 'buy', size: 90, order_type: 'market' });
  const low = bench.refusal('leverage.set', { ...btc, body: { leverage: 5 } });
  expect(low.code).toBe('insufficient_margin');
  expect(bench.call('leverage.get', btc).leverage).toBe(10);
  expect(bench.call('leverage.set', { ...btc, body: { leverage: 20 } }).leverage).toBe(20);
});

/** A long of 95, at leverage 10, whose loss has left less than its initial margin; ETH is flat. */
function belowInitial({ isolated = false } = {}) {
  const rows: Row[] = [...flat(100, 5), [100, 100, 96, 96, 1_000], ...flat(96, 15)];
  const feeds = [feedOf(rows), feedOf(flat(100, 21), { symbol: 'ETH' })];
  const bench = createBench({ feeds }, { balance: 1_000 });
  bench.run(2);
  if (isolated) bench.call('leverage.set', { ...btc, body: { leverage: 10, mode: 'isolated' } });
  bench.order({ side: 'buy', size: 95, order_type: 'market' });
  bench.run(6);
  return { ...bench, available: (): number => bench.call('account.get').available_margin };
}

test('POS-1: a wallet below its initial margin may set a leverage that needs no more of it', () => {
  const bench = belowInitial();
  const missing = bench.available();
  expect(missing).toBeLessThan(-100);
  const eth = { pathParams: { symbol: 'ETH' } };
  for (const leverage of [3, 40])
    expect(bench.call('leverage.set', { ...eth, body: { leverage } }).leverage).toBe(leverage);
  expect(bench.call('leverage.set', { ...btc, body: { leverage: 10 } }).leverage).toBe(10);
  const low = bench.refusal('leverage.set', { ...btc, body: { leverage: 8 } });
  expect(low.code).toBe('insufficient_margin');
  const { required, available } = low.details as { required: number; available: number };
  expect(required).toBeCloseTo(95 * 96 * (1 / 8 - 1 / 10), 6);
  expect(available).toBeCloseTo(missing, 6);
  // It frees margin, and still leaves too little for what is held.
  expect(bench.call('leverage.set', { ...btc, body: { leverage: 11 } }).leverage).toBe(11);
  expect(bench.available()).toBeLessThan(0);
  expect(bench.available()).toBeGreaterThan(missing);
});

test('POS-1: a default leverage that needs no more margin is taken by a wallet below its own', () => {
  const bench = belowInitial();
  const set = (leverage: number) => ({ body: { default_leverage: leverage } });
  const missing = bench.available();
  const low = bench.refusal('account.updateSettings', set(8));
  expect(low.code).toBe('insufficient_margin');
  const { required, available } = low.details as { required: number; available: number };
  expect(required).toBeCloseTo(95 * 96 * (1 / 8 - 1 / 10), 6);
  expect(available).toBeCloseTo(missing, 6);
  expect(bench.call('account.updateSettings', set(11)).default_leverage).toBe(11);
  expect(bench.available()).toBeGreaterThan(missing);
  bench.call('leverage.set', { ...btc, body: { leverage: 11 } });
  // Nothing has it now.
  expect(bench.call('account.updateSettings', set(2)).default_leverage).toBe(2);
});

test('POS-1: a leverage that would liquidate an isolated position says what is missing', () => {
  const bench = belowInitial({ isolated: true });
  const { details, code } = bench.refusal('leverage.set', { ...btc, body: { leverage: 50 } });
  expect(code).toBe('insufficient_margin');
  const { required, available } = details as { required: number; available: number };
  const [{ entry_price: entry }] = bench.call('positions.list').items;
  const surplus = (95 * entry) / 50 + 95 * (96 - entry) - (95 * 96) / 100;
  expect(required).toBeCloseTo(-surplus, 6);
  expect(available).toBe(0);
});

test('AUTH-6: what closes a position has the key of its request', () => {
  const bench = createBench({ feeds: [feedOf(flat(100, 20))] });
  bench.run(2);
  bench.order({ side: 'buy', size: 6, order_type: 'market' });
  const params = { duration_seconds: 600, slices: 10 };
  const launched = bench.call('positions.close', {
    ...btc,
    body: { algo: 'pacemaker', params },
    idempotencyKey: 'by algorithm',
  });
  expect(launched.idempotency_key).toBe('by algorithm');
  const closed = bench.call('positions.close', { ...btc, body: {}, idempotencyKey: 'at once' });
  expect(closed.idempotency_key).toBe('at once');
});

test('POS-1: entry fees and break-even follow the open size', () => {
  const bench = createBench({ feeds: [feedOf(flat(100, 20))] });
  bench.run(2);
  bench.order({ side: 'buy', size: 10, order_type: 'market' });
  const whole = bench.call('positions.entryFees', btc);
  expect(whole).toMatchObject({ maker_share: 0 });
  expect(whole.fee_bps).toBeCloseTo(5.3, 9);
  bench.order({ side: 'sell', size: 5, order_type: 'market' });
  const half = bench.call('positions.entryFees', btc);
  expect(half.entry_fees).toBeCloseTo(whole.entry_fees / 2, 12);
  expect(half.break_even_price).toBeCloseTo(whole.break_even_price, 12);
});

test.each([
  ['buy', 1],
  ['sell', -1],
] as const)('POS-1: a %s breaks even once the price has paid its entry fees', (side, sign) => {
  const bench = createBench({ feeds: [feedOf(flat(100, 20))] });
  bench.run(2);
  bench.order({ side, size: 10, order_type: 'market' });
  const [position] = bench.call('positions.list').items;
  const entry = bench.call('positions.entryFees', btc);
  expect(entry.entry_fees).toBeGreaterThan(0);
  const earned = sign * (entry.break_even_price - position.entry_price) * position.size;
  expect(earned).toBeCloseTo(entry.entry_fees, 9);
});

/** A taker's entry at 100, then a maker's as large, in the bar that passes its price. */
function enteredTwice(held: 'long' | 'short') {
  const [into, out, price] = held === 'long' ? ['buy', 'sell', 95] : ['sell', 'buy', 105];
  const [low, high] = held === 'long' ? [90, 100] : [100, 110];
  const through: Row = [100, high, low, 100, 1e6];
  const feeds = [feedOf([...flat(100, 3, 1e6), through, ...flat(100, 6, 1e6)])];
  const fees = { all: { maker_bps: 1, taker_bps: 5, service_bps: 0 }, symbols: {} };
  const bench = createBench({ feeds, fees, impactBps: 0 });
  bench.run(2);
  bench.order({ side: into, size: 10, order_type: 'market' });
  bench.order({ side: into, size: 10, order_type: 'limit', price });
  bench.run(3);
  const fills = () => bench.call('orders.fills').items as FillRecord[];
  return {
    ...bench,
    entry: () => bench.call('positions.entryFees', btc),
    fills,
    into: into,
    out: out,
  };
}

test.each(['long', 'short'] as const)(
  'POS-1: what closes a part of a %s leaves the share of its maker fills, and a reversal none of it',
  (held) => {
    const { order, entry, fills, out } = enteredTwice(held);
    const [maker, taker] = fills();
    expect([maker!.liquidity, taker!.liquidity]).toEqual(['maker', 'taker']);
    const share = maker!.notional / (maker!.notional + taker!.notional);
    const bps = ((maker!.fee + taker!.fee) / (maker!.notional + taker!.notional)) * 10_000;
    for (const closed of [0, 4, 8]) {
      if (closed > 0) order({ side: out, size: closed, order_type: 'market' });
      const { maker_share: makerShare, fee_bps: feeBps } = entry();
      expect(makerShare, `after ${closed}`).toBeCloseTo(share, 12);
      expect(feeBps, `after ${closed}`).toBeCloseTo(bps, 9);
    }
    // Of 8 that are left: what closes them is no entry of what the order opens.
    order({ side: out, size: 20, order_type: 'market' });
    const [reversal] = fills();
    const reversed = entry();
    expect(reversed.maker_share).toBe(0);
    expect(reversed.entry_fees).toBeCloseTo((reversal!.fee * 12) / 20, 12);
    expect(reversed.fee_bps).toBeCloseTo(5, 9);
  },
);

test('spot: buys use USDC, sells use the holding, and shorting is impossible', () => {
  const symbol = 'HYPE/USDC';
  const feeds = [feedOf(flat(20, 20), { symbol })];
  const bench = createBench(
    { feeds, instruments: { [symbol]: { price_decimals: 3 } } },
    { balance: 1_000 },
  );
  bench.run(2);
  const sell = { symbol, side: 'sell', size: 5, order_type: 'market' };
  expect(bench.refusal('orders.place', { body: sell }).code).toBe('insufficient_balance');
  bench.order({ symbol, side: 'buy', size: 10, order_type: 'market' });
  expect(bench.call('account.balances').items).toMatchObject([
    { asset: 'USDC' },
    { asset: 'HYPE', total: 10, available: 10, held: 0 },
  ]);
  bench.order({ ...sell, order_type: 'limit', price: 21 });
  expect(bench.call('account.balances').items[1]).toMatchObject({ available: 5, held: 5 });
  expect(bench.refusal('orders.place', { body: { ...sell, size: 6 } }).code).toBe(
    'insufficient_balance',
  );
  expect(bench.call('positions.list').items).toEqual([]);
});

describe('a spot holding is closed by selling it', () => {
  const symbol = 'HYPE/USDC';
  const hold = (rows: Row[] = flat(20, 20)) => {
    const instruments = { [symbol]: { price_decimals: 3 } };
    const bench = createBench({ feeds: [feedOf(rows, { symbol })], instruments });
    bench.run(2);
    bench.order({ symbol, side: 'buy', size: 10, order_type: 'market' });
    const held = (): number =>
      bench.call('account.balances').items.find(({ asset }: { asset: string }) => asset === 'HYPE')
        ?.total ?? 0;
    const close = (body: object = {}) =>
      bench.call('positions.close', { pathParams: { symbol }, body });
    return { ...bench, held, close };
  };

  test('completely and at the market, reduce-only, even below the minimum order value', () => {
    const { close, held, order } = hold();
    order({ symbol, side: 'sell', size: 9.9, order_type: 'market' });
    expect(close({ order_type: 'market' })).toMatchObject({
      symbol,
      side: 'sell',
      size: 0.1,
      reduce_only: true,
      status: 'filled',
    });
    expect(held()).toBe(0);
  });

  test('by an algorithm, as a position is', () => {
    const { close, held, run } = hold();
    const params = { duration_seconds: 60, slices: 1 };
    expect(close({ algo: 'pacemaker', params })).toMatchObject({
      side: 'sell',
      total_size: 10,
      reduce_only: true,
    });
    run(3);
    expect(held()).toBe(0);
  });

  test('including the size of a resting sell, and never twice', () => {
    const rows: Row[] = [...flat(20, 3), [20, 25, 20, 25], ...flat(25, 3)];
    const { close, held, order, run, call } = hold(rows);
    const { order_id: id } = order({
      symbol,
      side: 'sell',
      size: 10,
      order_type: 'limit',
      price: 22,
    });
    close();
    expect(held()).toBe(0);
    run(3);
    expect(call('orders.get', { pathParams: { id } })).toMatchObject({
      status: 'cancelled',
      filled_size: 0,
    });
  });

  test('without a holding there is nothing to close', () => {
    const { close, refusal } = hold();
    close();
    expect(refusal('positions.close', { pathParams: { symbol }, body: {} })).toMatchObject({
      code: 'no_position',
      status: 422,
    });
  });
});

describe('spot is delivered', () => {
  const symbol = 'HYPE/USDC';
  const options = { instruments: { [symbol]: { price_decimals: 3 } } };
  const ofAsset = (bench: ReturnType<typeof createBench>, name: string) =>
    bench.call('account.balances').items.find(({ asset }: { asset: string }) => asset === name);

  test('a resting sell does not sell what a stop already sold', () => {
    const rows: Row[] = [...flat(20, 2), [20, 20, 18, 18], [18, 25, 18, 25], ...flat(25, 2)];
    const bench = createBench({ feeds: [feedOf(rows, { symbol })], ...options });
    bench.run(2);
    const entry = { symbol, side: 'buy', size: 10, order_type: 'market' };
    bench.order({ ...entry, stop_loss: { price: 19 } });
    const sell = { symbol, side: 'sell', size: 10, order_type: 'limit', price: 22 };
    const { order_id: id } = bench.order(sell);
    bench.run(3);
    expect(ofAsset(bench, 'HYPE')).toBeUndefined();
    expect(bench.call('orders.get', { pathParams: { id } })).toMatchObject({
      status: 'cancelled',
      filled_size: 0,
      reject_reason: 'insufficient_balance',
    });
  });

  test('what is available is never below zero, where a stop sold what a resting sell holds', () => {
    const rows: Row[] = [...flat(20, 2), [20, 20, 18, 18], ...flat(18, 4)];
    const bench = createBench({ feeds: [feedOf(rows, { symbol })], ...options });
    bench.run(2);
    const buy = { symbol, side: 'buy', order_type: 'market' };
    bench.order({ ...buy, size: 4, stop_loss: { price: 19 } });
    bench.order({ ...buy, size: 6 });
    bench.order({ symbol, side: 'sell', size: 10, order_type: 'limit', price: 22 });
    expect(ofAsset(bench, 'HYPE')).toMatchObject({ total: 10, available: 0, held: 10 });
    bench.run(1);
    expect(ofAsset(bench, 'HYPE')).toMatchObject({ total: 6, available: 0, held: 6 });
    const frames = bench.named('balance').map(({ data }) => data as { available: number });
    expect(frames.filter(({ available }) => available < 0)).toEqual([]);
  });

  test('a resting buy does not spend cash that a perpetual has lost meanwhile', () => {
    const feeds = [
      feedOf([...flat(20, 2), [20, 20, 15, 15], ...flat(15, 3)], { symbol }),
      feedOf([...flat(100, 2, 1e5), [100, 100, 80, 80, 1e5], ...flat(80, 3, 1e5)]),
    ];
    const bench = createBench({ feeds, ...options }, { balance: 1_000 });
    bench.run(2);
    bench.order({ side: 'buy', size: 40, order_type: 'market' });
    const buy = { symbol, side: 'buy', size: 35, order_type: 'limit', price: 16 };
    const { order_id: id } = bench.order(buy);
    bench.run(1);
    // Where HYPE is at 16, BTC is at 84: 1000 less a fee of 2, 640 lost, and a margin of 336 in use.
    const order = bench.call('orders.get', { pathParams: { id } });
    expect(order).toMatchObject({ status: 'cancelled', reject_reason: 'insufficient_balance' });
    expect(order.filled_size).toBeGreaterThan(1);
    expect(order.filled_size).toBeLessThan(22 / 16);
    expect(bench.call('account.get').equity).toBeGreaterThan(0);
  });

  describe('and open profit pays nothing', () => {
    const [gains, losses]: Row[][] = [
      [...flat(100, 2, 1e5), [100, 150, 100, 150, 1e5], ...flat(150, 9, 1e5)],
      [...flat(100, 2, 1e5), [100, 100, 80, 80, 1e5], ...flat(80, 9, 1e5)],
    ];
    const rows: Row[] = [...flat(20, 5, 1e5), [20, 20, 17, 17, 1e5], ...flat(17, 6, 1e5)];
    /** Two bars in, a perpetual is open with a profit beyond the cash; its margin is 400. */
    function inProfit(side: 'buy' | 'sell', more: Feed[] = []) {
      const feeds = [feedOf(rows, { symbol }), feedOf(side === 'buy' ? gains! : losses!), ...more];
      const bench = createBench({ feeds, ...options }, { balance: 1_000 });
      bench.run(2);
      bench.order({ side, size: 40, order_type: 'market' });
      bench.run(1);
      expect(bench.call('account.get').unrealized_pnl).toBeGreaterThan(790);
      return bench;
    }
    const buy = (size: number, price?: number) => ({
      symbol,
      side: 'buy',
      size,
      ...(price === undefined ? { order_type: 'market' } : { order_type: 'limit', price }),
    });
    const cash = (bench: ReturnType<typeof createBench>) => ofAsset(bench, 'USDC').total;

    test.each(['buy', 'sell'] as const)('for an order, beside a perpetual %s', (side) => {
      const bench = inProfit(side);
      expect(bench.call('account.get').available_margin).toBeGreaterThan(1_000);
      const refused = bench.refusal('orders.place', { body: buy(52) });
      expect(refused.code).toBe('insufficient_balance');
      expect(refused.details['available']).toBeCloseTo(cash(bench), 6);
      bench.order(buy(49));
      expect(cash(bench)).toBeGreaterThanOrEqual(0);
      expect(cash(bench)).toBeLessThan(20);
    });

    test('nor for two that rest, or for one that is changed', () => {
      const bench = inProfit('buy');
      bench.order(buy(30, 18));
      expect(bench.refusal('orders.place', { body: buy(30, 18) }).code).toBe(
        'insufficient_balance',
      );
      const { order_id: id } = bench.order(buy(25, 18));
      const change = { pathParams: { id }, body: { size: 30 } };
      expect(bench.refusal('orders.modify', change).code).toBe('insufficient_balance');
      bench.run(4);
      expect(cash(bench)).toBeGreaterThanOrEqual(0);
      expect(ofAsset(bench, 'HYPE').total).toBeCloseTo(55, 9);
    });

    test('nor for an algorithm, whose child has no other check when it fills', () => {
      const bench = inProfit('buy');
      const sweep = { symbol, side: 'buy', total_size: 60, params: { duration_seconds: 3_600 } };
      const body = { algo: 'pacemaker', ...sweep };
      const { execution_id: id } = bench.call('executions.launch', { body });
      bench.call('executions.completeAtMarket', { pathParams: { id } });
      expect(cash(bench)).toBeGreaterThanOrEqual(0);
    });

    test("nor does an isolated position's own margin", () => {
      const bench = inProfit('buy', [feedOf(flat(100, 12, 1e5), { symbol: 'ETH' })]);
      const isolated = { pathParams: { symbol: 'ETH' }, body: { leverage: 10, mode: 'isolated' } };
      bench.call('leverage.set', isolated);
      bench.order({ symbol: 'ETH', side: 'buy', size: 40, order_type: 'market' });
      expect(bench.call('account.get').available_margin).toBeGreaterThan(1_000);
      expect(bench.refusal('orders.place', { body: buy(35) }).code).toBe('insufficient_balance');
      bench.order(buy(29));
    });

    test('nor does the margin in use', () => {
      const feeds = [feedOf(rows, { symbol }), feedOf(flat(100, 12, 1e5))];
      const bench = createBench({ feeds, ...options }, { balance: 1_000 });
      bench.run(2);
      bench.order({ side: 'buy', size: 40, order_type: 'market' });
      expect(bench.refusal('orders.place', { body: buy(35) }).code).toBe('insufficient_balance');
      bench.order(buy(29));
    });
  });

  test('a taker buys at most what its cash covers with impact and fees', () => {
    const bench = createBench({ feeds: [feedOf(flat(20, 10, 600), { symbol })], ...options });
    bench.run(2);
    const size = 4_996;
    // The touch alone would fit: 4996 × 20.002 and a fee of 5.5 bps are 99,985.
    const sweep = { symbol, side: 'buy', total_size: size, params: { duration_seconds: 3_600 } };
    const body = { algo: 'pacemaker', ...sweep };
    const { execution_id: id } = bench.call('executions.launch', { body });
    const done = bench.call('executions.completeAtMarket', { pathParams: { id } });
    expect(done).toMatchObject({ status: 'stopped', reason: 'insufficient_margin' });
    expect(done.filled_size).toBeGreaterThan(0.98 * size);
    expect(done.filled_size + done.remaining_size).toBeCloseTo(size, 9);
    const { total } = ofAsset(bench, 'USDC');
    expect(total).toBeGreaterThanOrEqual(0);
    expect(total).toBeLessThan(1_000);
  });
});

test('instruments take their kind, parts and grid from symbol and feed', () => {
  const feeds = [
    feedOf(flat(100.25, 5)),
    feedOf(flat(20, 5), { symbol: 'HYPE/USDC' }),
    feedOf(flat(250, 5), { symbol: 'xyz:TSLA' }),
  ];
  const { engine } = createBench({ feeds, instruments: { BTC: { max_leverage: 3 } } });
  expect(engine.market.instrument('BTC')).toMatchObject({
    kind: 'perp',
    base: 'BTC',
    quote: 'USD',
    size_decimals: 5,
    price_decimals: 2,
    max_leverage: 3,
    min_order_value: 10,
    algo_min_value: 100,
    deployer: null,
  });
  expect(engine.market.instrument('HYPE/USDC')).toMatchObject({
    kind: 'spot',
    base: 'HYPE',
    quote: 'USDC',
    price_decimals: 3,
  });
  expect(engine.market.instrument('xyz:TSLA')).toMatchObject({
    kind: 'third_party_perp',
    base: 'TSLA',
    deployer: 'xyz',
    price_decimals: 1,
  });
});

test('a past day keeps its unrealised P&L; a position closed today has none', () => {
  const hour = (price: number) => [price, price, price, price, 1_000] as const;
  const rows = [...Array.from({ length: 24 }, () => hour(100)), hour(110), hour(110), hour(110)];
  const feeds = [feedOf(rows, { interval: '1h', stepMs: 60 * MINUTE })];
  const bench = createBench({ feeds });
  bench.run(22 * 60);
  bench.order({ side: 'buy', size: 10, order_type: 'market' });
  bench.run(4 * 60);
  const open = bench.call('account.pnl').items;
  expect(open.map(({ day }: { day: string }) => day)).toEqual(['2024-01-02', '2024-01-01']);
  expect(open[0].unrealized_pnl).toBeGreaterThan(99);
  expect(open[1].unrealized_pnl).toBeLessThan(0);
  const exit = bench.call('positions.close', btc);
  expect(exit).toMatchObject({ side: 'sell', size: 10, reduce_only: true, status: 'filled' });
  const closed = bench.call('account.pnl').items;
  expect(closed[0].unrealized_pnl).toBe(0);
  expect(closed[0].realized_pnl).toBeGreaterThan(99);
  expect(closed[1]).toEqual(open[1]);
});

test('settings: the default leverage may be the highest of any instrument, and not more', () => {
  const feeds = ['BTC', 'ETH', 'SOL'].map((symbol) => feedOf(flat(100, 20), { symbol }));
  const instruments = Object.fromEntries(
    [5, 40, 20].map((most, at) => [feeds[at]!.symbol, { max_leverage: most }]),
  );
  const bench = createBench({ feeds, instruments });
  bench.run(2);
  const set = (leverage: number) => ({ body: { default_leverage: leverage } });
  expect(bench.call('account.updateSettings', set(40)).default_leverage).toBe(40);
  expect(bench.refusal('account.updateSettings', set(41))).toMatchObject({
    code: 'leverage_out_of_range',
    details: { max_leverage: 40 },
  });
});

test('settings: a default leverage that the open positions do not allow is refused', () => {
  const bench = createBench({ feeds: [feedOf(flat(100, 20))] }, { balance: 1_000 });
  bench.run(2);
  bench.order({ side: 'buy', size: 90, order_type: 'market' });
  const body = { default_leverage: 2 };
  expect(bench.refusal('account.updateSettings', { body }).code).toBe('insufficient_margin');
  expect(bench.call('account.settings')).toEqual({
    default_slippage_bps: 50,
    default_leverage: 10,
  });
  const changed = bench.call('account.updateSettings', { body: { default_slippage_bps: 1 } });
  expect(changed.default_slippage_bps).toBe(1);
  const order = bench.order({ side: 'sell', size: 1, order_type: 'market' });
  // One basis point from the mark is the best price itself: nothing is left for the impact.
  expect(order).toMatchObject({ filled_size: 0, reject_reason: 'price_bound' });
});

describe('isolated margin', () => {
  const isolate = { ...btc, body: { leverage: 10, mode: 'isolated' } };
  const crash: Row[] = [...flat(100, 2), [100, 100, 80, 85, 1_000], ...flat(85, 10)];

  test('a position has its own margin: it is liquidated alone, and earlier than a cross position', () => {
    const feeds = [feedOf(crash), feedOf(flat(50, 20), { symbol: 'ETH' })];
    const bench = createBench({ feeds }, { balance: 10_000 });
    bench.run(2);
    expect(bench.call('leverage.set', isolate)).toMatchObject({ mode: 'isolated', leverage: 10 });
    bench.order({ side: 'buy', size: 10, order_type: 'market' });
    bench.order({ side: 'buy', size: 10, order_type: 'market', symbol: 'ETH' });
    const eth = bench.order({
      side: 'buy',
      size: 1,
      order_type: 'limit',
      price: 40,
      symbol: 'ETH',
    });
    const rest = bench.order({ side: 'buy', size: 1, order_type: 'limit', price: 70 });
    const position = bench.call('positions.get', btc);
    expect(position.mode).toBe('isolated');
    // Its margin is a tenth of the entry: margin + 10 (p − entry) = 10 p / 100.
    const { liquidation_price: price, entry_price: entry } = position;
    expect(entry + 10 * (price - entry)).toBeCloseTo((10 * price) / 100, 8);
    bench.run(1);
    expect(bench.named('liquidation')).toMatchObject([{ data: { symbol: 'BTC', size: 10 } }]);
    expect(bench.call('positions.list').items).toMatchObject([{ symbol: 'ETH', mode: 'cross' }]);
    const status = (id: string) => bench.call('orders.get', { pathParams: { id } }).status;
    expect([status(eth.order_id), status(rest.order_id)]).toEqual(['open', 'cancelled']);
    // The isolated margin is about equal to the loss.
    const { equity } = bench.call('account.get');
    expect(equity).toBeGreaterThan(10_000 - 105);
    expect(equity).toBeLessThan(10_000 - 85);
  });

  test.each(['buy', 'sell'] as const)(
    'a position opened by a %s has the margin of its leverage, whatever it was before',
    (side) => {
      const priceAt = (...leverages: number[]): number => {
        const bench = createBench({ feeds: [feedOf(flat(100, 20))] }, { balance: 10_000 });
        bench.run(2);
        for (const [at, leverage] of leverages.entries()) {
          bench.call('leverage.set', { ...btc, body: { leverage, mode: 'isolated' } });
          if (at === 0) bench.order({ side, size: 10, order_type: 'market' });
        }
        return bench.call('positions.get', btc).liquidation_price;
      };
      for (const leverage of [2, 5, 10, 20])
        for (const before of [[4], [20], [3, 15]])
          expect(priceAt(...before, leverage)).toBeCloseTo(priceAt(leverage), 8);
    },
  );

  test('its margin is unavailable elsewhere, and is released on close', () => {
    const bench = createBench({ feeds: [feedOf(flat(100, 20))] }, { balance: 1_000 });
    bench.run(2);
    bench.call('leverage.set', isolate);
    bench.order({ side: 'buy', size: 50, order_type: 'market' });
    const half = bench.call('account.get');
    expect(half.used_margin).toBeCloseTo(500, 0);
    expect(half.available_margin).toBeCloseTo(1_000 - half.used_margin - half.fees_paid, 6);
    bench.order({ side: 'sell', size: 25, order_type: 'market' });
    expect(bench.call('account.get').used_margin).toBeCloseTo(half.used_margin / 2, 6);
  });

  test('a change of leverage adjusts the margin; one that would liquidate is refused', () => {
    const bench = createBench({ feeds: [feedOf(flat(100, 20))] }, { balance: 1_000 });
    bench.run(2);
    bench.call('leverage.set', isolate);
    bench.order({ side: 'buy', size: 50, order_type: 'market' });
    const used = () => bench.call('account.get').used_margin;
    const before = used();
    bench.call('leverage.set', { ...btc, body: { leverage: 20 } });
    expect(used()).toBeCloseTo(before / 2, 6);
    const low = bench.refusal('leverage.set', { ...btc, body: { leverage: 2 } });
    expect(low.code).toBe('insufficient_margin');
    expect(used()).toBeCloseTo(before / 2, 6);
  });

  test('the margin mode of an open position cannot change', () => {
    const bench = createBench({ feeds: [feedOf(flat(100, 20))] });
    bench.run(2);
    bench.order({ side: 'buy', size: 5, order_type: 'market' });
    expect(bench.refusal('leverage.set', isolate).details).toMatchObject({
      fields: [{ path: 'mode', code: 'position_open' }],
    });
    bench.call('positions.close', btc);
    expect(bench.call('leverage.set', isolate).mode).toBe('isolated');
  });
});

test('POS-1: a position that is not there is 404 where it is asked for, 422 where it is needed', () => {
  const feeds = [feedOf(flat(100, 20)), feedOf(flat(70, 20), { symbol: 'ETH' })];
  const bench = createBench({ feeds });
  bench.run(2);
  bench.order({ symbol: 'ETH', side: 'buy', size: 5, order_type: 'market' });
  const btc = { pathParams: { symbol: 'BTC' } };
  for (const [endpoint, more, status] of [
    ['positions.get', {}, 404],
    ['positions.entryFees', {}, 404],
    ['positions.close', { body: {} }, 422],
    ['positions.attachLegs', { body: { stop_loss: { price: 90 } } }, 422],
  ] as const)
    expect(bench.refusal(endpoint, { ...btc, ...more }), endpoint).toMatchObject({
      status,
      code: 'no_position',
      details: { symbol: 'BTC' },
    });
});

describe('STR-2: a position that is closed is shown once more, as nothing', () => {
  test.each(['BTC', 'ETH'])('%s, as of now and with the prices of now', (symbol) => {
    const feeds = [feedOf(flat(100, 20)), feedOf(flat(70, 20), { symbol: 'ETH' })];
    const bench = createBench({ feeds }, { balance: 1_000 });
    bench.run(2);
    for (const each of ['BTC', 'ETH'])
      bench.order({ symbol: each, side: 'sell', size: 5, order_type: 'market' });
    bench.run(3);
    const set = { leverage: 4, mode: 'cross' };
    bench.call('leverage.set', { pathParams: { symbol }, body: set });
    bench.run(1);
    const count = bench.named('position').length;
    bench.call('positions.close', { pathParams: { symbol } });
    const shown = bench.named('position').slice(count);
    expect(shown.map(({ data }) => data)).toEqual([
      {
        symbol,
        side: 'long',
        size: 0,
        entry_price: 0,
        mark_price: symbol === 'BTC' ? 100 : 70,
        notional: 0,
        unrealized_pnl: 0,
        realized_pnl: 0,
        leverage: 4,
        mode: 'cross',
        liquidation_price: null,
        opened_time: 0,
        updated_time: bench.engine.now,
      },
    ]);
    expect(bench.call('positions.list').items).toMatchObject([
      { symbol: symbol === 'BTC' ? 'ETH' : 'BTC', size: 5, side: 'short' },
    ]);
  });
});

describe('STR-2: the stream shows a position as REST does once its leverage has changed', () => {
  const last = (bench: ReturnType<typeof createBench>, event: string, name: string) =>
    bench
      .named(event)
      .map(({ data }) => data as Record<string, unknown>)
      .findLast((row) => row['symbol'] === name || row['asset'] === name);
  const same = (bench: ReturnType<typeof createBench>) => {
    const [position] = bench.call('positions.list').items;
    expect(last(bench, 'position', 'BTC')).toEqual(position);
    expect(last(bench, 'balance', 'USDC')).toEqual(bench.call('account.balances').items[0]);
    return position;
  };

  test.each(['cross', 'isolated'] as const)('of its symbol, %s', (mode) => {
    const bench = createBench({ feeds: [feedOf(flat(100, 20))] }, { balance: 1_000 });
    bench.run(2);
    const set = (leverage: number) =>
      bench.call('leverage.set', { pathParams: { symbol: 'BTC' }, body: { leverage, mode } });
    set(10);
    expect(bench.named('position')).toEqual([]);
    bench.order({ side: 'buy', size: 20, order_type: 'market' });
    const before = same(bench);
    set(5);
    const after = same(bench);
    expect([before.leverage, after.leverage]).toEqual([10, 5]);
    if (mode === 'isolated') expect(after.liquidation_price).toBeLessThan(before.liquidation_price);
    const count = bench.events.length;
    const refused = { pathParams: { symbol: 'BTC' }, body: { leverage: 1, mode } };
    expect(bench.refusal('leverage.set', refused).code).toBe('insufficient_margin');
    expect(bench.events).toHaveLength(count);
  });

  test('by the default of the account, where its symbol has none of its own', () => {
    const feeds = [feedOf(flat(100, 20)), feedOf(flat(100, 20), { symbol: 'ETH' })];
    const bench = createBench({ feeds }, { balance: 1_000 });
    bench.run(2);
    bench.call('leverage.set', { pathParams: { symbol: 'ETH' }, body: { leverage: 10 } });
    for (const symbol of ['BTC', 'ETH'])
      bench.order({ symbol, side: 'buy', size: 5, order_type: 'market' });
    const count = bench.named('position').length;
    bench.call('account.updateSettings', { body: { default_slippage_bps: 40 } });
    expect(bench.named('position')).toHaveLength(count);
    bench.call('account.updateSettings', { body: { default_leverage: 4 } });
    expect(same(bench).leverage).toBe(4);
    const changed = bench.named('position').slice(count);
    expect(changed.map(({ data }) => (data as { symbol: string }).symbol)).toEqual(['BTC']);
  });
});
