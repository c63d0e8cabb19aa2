import { describe, expect, test } from 'vitest';
import { createBench, feedOf, flat, MINUTE, START, type Row } from '../engine/bench.ts';

/** Quiet bars around 100 with a true range of 2, then the bars given. */
const quiet: Row = [100, 101, 99, 100, 1_000];
const after = (rows: Row[], warm = 30) => [
  feedOf([...Array.from({ length: warm }, () => quiet), ...rows]),
];

function opened(rows: Row[], { side = 'buy', size = 1 } = {}) {
  const bench = createBench({ feeds: after(rows) });
  bench.run(30);
  bench.order({ side, size, order_type: 'market' });
  const attach = (body: unknown) =>
    bench.call('positions.attachLegs', { pathParams: { symbol: 'BTC' }, body });
  const legs = (query = {}) =>
    bench.call('positions.legs', { pathParams: { symbol: 'BTC' }, query }).items;
  return { ...bench, attach, legs };
}

const atr = { indicator: 'atr', params: { period: 14 }, interval: '1m' };

describe('resolution', () => {
  test('LEG-1: an absolute price stays as sent, its resolution has trigger and anchor only', () => {
    const { attach } = opened(flat(100, 5));
    const { legs, group_id } = attach({ stop_loss: { price: 95 } });
    expect(group_id).toBeNull();
    expect(legs.take_profit).toBeNull();
    expect(legs.stop_loss).toMatchObject({
      kind: 'stop_loss',
      form: 'price',
      status: 'armed',
      coupled: true,
      request: { price: 95 },
      resolution: {
        trigger_price: 95,
        anchor: 'current_price',
        anchor_price: 100,
        indicator: null,
        bar_time: null,
      },
    });
  });

  test('LEG-2, LEG-7: an offset is anchor ∓ mult × value, echoed with the last closed bar', () => {
    const { attach } = opened(flat(100, 5));
    const { legs } = attach({
      stop_loss: { offset: { mult: 1.5, ...atr } },
      take_profit: { offset: { mult: 2, ...atr } },
    });
    expect(legs.stop_loss.resolution).toMatchObject({
      indicator: 'atr',
      interval: '1m',
      series: 'value',
      indicator_value: 2,
      bar_time: START + 29 * MINUTE,
      trigger_price: 97,
    });
    expect(legs.take_profit.resolution.trigger_price).toBe(104);
  });

  test('LEG-2: the signs turn for a short', () => {
    const { attach } = opened(flat(100, 5), { side: 'sell' });
    const { legs } = attach({
      stop_loss: { offset: { mult: 1.5, ...atr } },
      take_profit: { offset: { mult: 2, ...atr } },
    });
    expect(legs.stop_loss.resolution.trigger_price).toBe(103);
    expect(legs.take_profit.resolution.trigger_price).toBe(96);
  });

  test('LEG-3, LEG-6: an at leg is the level of the named series', () => {
    const { attach } = opened([[100, 100, 98, 99.5, 1_000], ...flat(99.5, 3)]);
    const bands = { indicator: 'keltner', params: { period: 5, atr_period: 5 }, interval: '1m' };
    const { legs } = attach({ stop_loss: { at: { ...bands, series: 'lower' } } });
    expect(legs.stop_loss.resolution).toMatchObject({ series: 'lower', trigger_price: 96 });
  });

  test('a computed trigger is the nearest valid price, the value stays raw', () => {
    const { attach } = opened(flat(100, 5));
    const { legs } = attach({ stop_loss: { offset: { mult: 1.23456, ...atr } } });
    expect(legs.stop_loss.resolution).toMatchObject({ indicator_value: 2, trigger_price: 97.53 });
  });

  test('LEG-8: on a position only a leg that would trigger at once is refused, with the resolved value', () => {
    const { refusal, legs } = opened(flat(100, 5));
    const body = { stop_loss: { price: 100 }, take_profit: { price: 110 } };
    const refused = refusal('positions.attachLegs', { pathParams: { symbol: 'BTC' }, body });
    expect(refused.code).toBe('wrong_side_trigger');
    expect(refused.details).toEqual({ resolved_value: 100, anchor_price: 100, leg: 'stop_loss' });
    expect(legs()).toEqual([]);
  });

  test.each([
    ['stop_loss', 'buy', 101, /stop loss.*long.* 101,.*below.* 100\.$/],
    ['take_profit', 'buy', 99, /take profit.*long.* 99,.*above.* 100\.$/],
    ['stop_loss', 'sell', 99, /stop loss.*short.* 99,.*above.* 100\.$/],
    ['take_profit', 'sell', 101, /take profit.*short.* 101,.*below.* 100\.$/],
  ] as const)(
    'a %s of a %s at %d is refused with its name, its price and the current one',
    (kind, side, price, says) => {
      const { refusal } = opened(flat(100, 5), { side });
      const body = { [kind]: { price } };
      const { message } = refusal('positions.attachLegs', { pathParams: { symbol: 'BTC' }, body });
      expect(message).toMatch(says);
      expect(message).toContain('mark');
    },
  );

  test("an entry's leg on the wrong side is refused against the entry price", () => {
    const { refusal } = opened(flat(100, 5));
    const order = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'limit', price: 99 };
    const { message } = refusal('orders.place', {
      body: { ...order, stop_loss: { price: 99.5 } },
    });
    expect(message).toMatch(/stop loss.*long.* 99\.5,.*below.*entry.* 99\.$/);
  });

  test('an indicator before its warm-up refuses the leg', () => {
    const bench = createBench({ feeds: after([], 5) });
    bench.run(5);
    const body = {
      symbol: 'BTC',
      side: 'buy',
      size: 1,
      order_type: 'limit',
      price: 99,
      stop_loss: { offset: { mult: 1, ...atr } },
    };
    const refused = bench.refusal('orders.place', { body });
    expect(refused.code).toBe('indicator_not_ready');
    expect(refused.details).toMatchObject({ bars_available: 5 });
    expect(bench.call('orders.list').items).toEqual([]);
  });
});

describe('on a position (POS-2)', () => {
  test('a stop fires when the path reaches it, closes the whole position, the other leg retires', () => {
    const { attach, run, order, call, named } = opened([[100, 100, 95, 96, 1_000], ...flat(96, 3)]);
    attach({ stop_loss: { price: 97.5 }, take_profit: { price: 110 } });
    order({ side: 'buy', size: 2, order_type: 'market' });
    run(1);
    expect(call('positions.list').items).toEqual([]);
    const [fill] = call('orders.fills').items;
    expect(fill).toMatchObject({ size: 3, reduce_only: true, liquidity: 'taker' });
    // The low is at two thirds; half of the way down is half of the second third.
    expect(fill.time).toBe(START + 30 * MINUTE + 30_000);
    expect(named('leg_triggered')).toMatchObject([
      { data: { kind: 'stop_loss', status: 'triggered' } },
    ]);
    expect(named('leg_retired')).toMatchObject([{ data: { kind: 'take_profit' } }]);
  });

  test('a stop that is gapped over fills at the available price', () => {
    const { attach, run, call } = opened([...flat(90, 3)]);
    attach({ stop_loss: { price: 97 } });
    run(1);
    const [fill] = call('orders.fills').items;
    expect(fill.price).toBeLessThan(90);
    expect(fill.price).toBeGreaterThan(89.9);
  });

  test('closing the position retires its legs', () => {
    const { attach, call, named, legs } = opened(flat(100, 5));
    attach({ stop_loss: { price: 95 }, take_profit: { price: 110 } });
    call('positions.close', { pathParams: { symbol: 'BTC' } });
    expect(named('leg_retired')).toHaveLength(2);
    expect(legs()).toEqual([]);
    expect(legs({ status: 'retired' })).toHaveLength(2);
  });

  test('attaching again replaces the given kinds and leaves the other', () => {
    const { attach, legs } = opened(flat(100, 5));
    const first = attach({ stop_loss: { price: 95 }, take_profit: { price: 110 } });
    attach({ stop_loss: { price: 96 } });
    const live = legs().map(
      (leg: { resolution: { trigger_price: number } }) => leg.resolution.trigger_price,
    );
    expect(live).toEqual([96, 110]);
    expect(legs({ status: 'retired' })[0].leg_id).toBe(first.legs.stop_loss.leg_id);
  });

  test('a refused attach leaves the attached legs unchanged', () => {
    const { attach, refusal, legs } = opened(flat(100, 5));
    attach({ stop_loss: { price: 95 } });
    const body = { stop_loss: { price: 96 }, take_profit: { price: 90 } };
    refusal('positions.attachLegs', { pathParams: { symbol: 'BTC' }, body });
    expect(legs()).toMatchObject([{ resolution: { trigger_price: 95 } }]);
  });

  test('DELETE retires both; without a position attaching is refused', () => {
    const { attach, call, refusal, legs } = opened(flat(100, 5));
    attach({ stop_loss: { price: 95 }, take_profit: { price: 110 } });
    const retired = call('positions.retireLegs', { pathParams: { symbol: 'BTC' } });
    expect(retired.legs).toMatchObject({
      take_profit: { status: 'retired' },
      stop_loss: { status: 'retired' },
    });
    expect(legs()).toEqual([]);
    call('positions.close', { pathParams: { symbol: 'BTC' } });
    const body = { stop_loss: { price: 95 } };
    const refused = refusal('positions.attachLegs', { pathParams: { symbol: 'BTC' }, body });
    expect([refused.code, refused.status]).toEqual(['no_position', 422]);
  });

  test('an exit larger than its share of the volume continues with the next closed bars', () => {
    const rows: Row[] = [[100, 100, 100, 100, 100], [100, 100, 90, 90, 100], ...flat(90, 5, 300)];
    const bench = createBench({ feeds: after(rows) });
    bench.run(30);
    bench.order({ side: 'buy', size: 60, order_type: 'market' });
    const body = { stop_loss: { price: 95 } };
    bench.call('positions.attachLegs', { pathParams: { symbol: 'BTC' }, body });
    const sizes = [1, 1, 1, 1].map(() => {
      bench.run(1);
      return bench.call('positions.list').items[0]?.size ?? 0;
    });
    // 10 of the last closed bar at the trigger, 10 more at its own bar's close; then 30 of 300.
    expect(sizes).toEqual([60, 40, 10, 0]);
    expect(bench.call('orders.history').items[0]).toMatchObject({ status: 'filled', size: 60 });
  });
});

describe('trails (LEG-4)', () => {
  const rising: Row[] = [
    [100, 102, 100, 102, 1_000],
    [102, 104, 102, 104, 1_000],
    [104, 104, 103, 103, 1_000],
    [103, 103, 100, 100, 1_000],
  ];

  test('a percentage trail follows closes, tightens only, and fires on the path', () => {
    const { attach, run, named, call } = opened([...rising, ...flat(100, 3)]);
    const { legs } = attach({ stop_loss: { trail: { pct: 2, interval: '1m' } } });
    expect(legs.stop_loss.resolution).toMatchObject({ trigger_price: 98, interval: '1m' });
    run(3);
    const moved = named('trail_moved').map(
      (event) => (event.data as { trigger_price: number }).trigger_price,
    );
    expect(moved).toEqual([99.96, 101.92]);
    run(1);
    expect(named('leg_triggered')).toHaveLength(1);
    expect(call('positions.list').items).toEqual([]);
  });

  test('LEG-5: min_move_bps suppresses small moves', () => {
    const { attach, run, named } = opened([...rising, ...flat(100, 3)]);
    attach({ stop_loss: { trail: { pct: 2, interval: '1m', min_move_bps: 250 } } });
    run(2);
    // 98 → 99.96 is 200 bps, 98 → 101.92 is 400.
    expect(named('trail_moved')).toMatchObject([{ data: { trigger_price: 101.92 } }]);
  });

  test('a distance trail is mult × ATR from the close', () => {
    const { attach, run, named, call } = opened([...rising, ...flat(100, 3)]);
    const { legs } = attach({ stop_loss: { trail: { mult: 2, ...atr } } });
    expect(legs.stop_loss.resolution.trigger_price).toBe(96);
    const { bar_time: before, indicator_value: value } = legs.stop_loss.resolution;
    run(1);
    // What it was worked out from is of the bar that closed.
    const [leg] = call('positions.legs', { pathParams: { symbol: 'BTC' } }).items;
    expect(leg.resolution).toMatchObject({
      trigger_price: 98,
      bar_time: before + MINUTE,
      indicator_value: value,
      anchor_price: 100,
    });
    expect(named('trail_moved')).toMatchObject([{ data: { trigger_price: 98 } }]);
  });

  test('a trail of a longer interval waits for its bars', () => {
    const { attach, run, named } = opened([...rising, ...flat(103.9, 30)]);
    attach({ stop_loss: { trail: { pct: 10, interval: '15m' } } });
    run(14);
    expect(named('trail_moved')).toEqual([]);
    run(1);
    expect(named('trail_moved')).toMatchObject([{ data: { trigger_price: 93.51 } }]);
  });

  test('a take-profit trail comes towards the price and never past it', () => {
    const { attach, run, named } = opened([
      [100, 100, 98, 98, 1_000],
      [98, 98, 97, 97, 1_000],
      ...flat(97, 3),
    ]);
    const { legs } = attach({ take_profit: { trail: { pct: 5, interval: '1m' } } });
    expect(legs.take_profit.resolution.trigger_price).toBe(105);
    run(3);
    const moved = named('trail_moved').map(
      (event) => (event.data as { trigger_price: number }).trigger_price,
    );
    expect(moved).toEqual([102.9, 101.85]);
  });

  test('a take-profit level that falls behind the mark holds on the profit side', () => {
    const rows: Row[] = [
      [100, 104, 100, 104, 1_000],
      [104, 104, 102, 102, 1_000],
      [102, 102, 100, 100, 1_000],
      [100, 101.5, 100, 101.5, 1_000],
      ...flat(101.5, 2),
    ];
    const bench = createBench({ feeds: after(rows) });
    bench.run(33);
    bench.order({ side: 'buy', size: 1, order_type: 'market' });
    const level = { indicator: 'sma', params: { period: 3 }, interval: '1m' };
    const { legs } = bench.call('positions.attachLegs', {
      pathParams: { symbol: 'BTC' },
      body: { take_profit: { trail: level } },
    });
    expect(legs.take_profit.resolution.trigger_price).toBe(102);
    bench.run(1);
    // The level is at 101.17 now, tighter but behind a mark of 101.5: moving there would fire.
    expect(bench.named('trail_moved')).toEqual([]);
    expect(bench.named('leg_triggered')).toEqual([]);
  });

  test.each([
    ['buy', 1],
    ['sell', -1],
  ] as const)(
    'a take-profit level of a %s that meets the mark stays, and does not fire',
    (side, sign) => {
      const at = (price: number): number => 100 + sign * price;
      const row = (from: number, to: number): Row => {
        const [one, other] = [at(from), at(to)];
        return [one, Math.max(one, other), Math.min(one, other), other, 1_000];
      };
      const rows = [row(0, 4), row(4, 2), row(2, 0), row(0, 1), ...flat(at(1), 2)];
      const bench = createBench({ feeds: after(rows) });
      bench.run(33);
      bench.order({ side, size: 1, order_type: 'market' });
      const level = { indicator: 'sma', params: { period: 3 }, interval: '1m' };
      const body = { take_profit: { trail: level } };
      const { legs } = bench.call('positions.attachLegs', { pathParams: { symbol: 'BTC' }, body });
      expect(legs.take_profit.resolution.trigger_price).toBe(at(2));
      bench.run(1);
      // The mean of 2, 0 and 1 is where the price is now.
      expect(bench.named('trail_moved')).toEqual([]);
      expect(bench.named('leg_triggered')).toEqual([]);
    },
  );

  test('LEG-11: the 21st trailing leg of a wallet is refused', () => {
    const symbols = Array.from({ length: 21 }, (_, index) => `C${index}`);
    const feeds = symbols.map((symbol) =>
      feedOf(
        Array.from({ length: 30 }, () => quiet),
        { symbol },
      ),
    );
    const instruments = Object.fromEntries(
      symbols.map((symbol) => [symbol, { price_decimals: 2 }]),
    );
    const bench = createBench({ feeds, instruments });
    bench.run(20);
    const place = (symbol: string) => ({
      symbol,
      side: 'buy',
      size: 1,
      order_type: 'limit',
      price: 99,
      stop_loss: { trail: { pct: 2, interval: '1m' } },
    });
    for (const symbol of symbols.slice(0, 20)) bench.order(place(symbol));
    const refused = bench.refusal('orders.place', { body: place('C20') });
    expect(refused.code).toBe('trailing_limit');
    expect(refused.details).toEqual({ limit: 20, in_use: 20 });
    bench.call('orders.bulkCancel');
    expect(bench.order(place('C20')).stop_loss.status).toBe('queued');
  });
});

describe('of orders (ORD-2, LEG-8)', () => {
  test('LEG-4: a trail on bars that the feed cannot build is refused before the order', () => {
    const step = { interval: '5m', stepMs: 5 * MINUTE } as const;
    const bench = createBench({ feeds: [feedOf(flat(100, 40), step)] });
    bench.run(30);
    const body = {
      symbol: 'BTC',
      side: 'buy',
      size: 1,
      order_type: 'market',
      stop_loss: { trail: { pct: 2, interval: '1m' } },
    };
    expect(bench.refusal('orders.place', { body }).code).toBe('validation_failed');
    expect(bench.call('positions.list').items).toEqual([]);
    expect(bench.call('orders.history').items).toEqual([]);
  });

  const dip: Row[] = [[100, 100, 96, 97, 1_000], ...flat(97, 3)];

  test('legs wait for the fill, then are armed with the filled size', () => {
    const bench = createBench({ feeds: after(dip) });
    bench.run(30);
    const placed = bench.order({
      side: 'buy',
      size: 1,
      order_type: 'limit',
      price: 98,
      stop_loss: { price: 90 },
      take_profit: { offset: { mult: 2, ...atr } },
    });
    expect(placed).toMatchObject({
      queued: true,
      stop_loss: {
        status: 'queued',
        coupled: false,
        resolution: { anchor: 'entry', anchor_price: 98 },
      },
      take_profit: { status: 'queued', resolution: { trigger_price: 102 } },
    });
    bench.run(1);
    const now = bench.call('orders.get', { pathParams: { id: placed.order_id } });
    expect(now).toMatchObject({
      status: 'filled',
      queued: false,
      stop_loss: { status: 'armed', size: 1 },
      take_profit: { status: 'armed', size: 1 },
    });
  });

  test('a stop above a long entry is refused and the order with it', () => {
    const bench = createBench({ feeds: after(dip) });
    bench.run(30);
    const body = { symbol: 'BTC', side: 'buy', size: 1, order_type: 'limit', price: 98 };
    const refused = bench.refusal('orders.place', { body: { ...body, stop_loss: { price: 99 } } });
    expect(refused.details).toEqual({ resolved_value: 99, anchor_price: 98, leg: 'stop_loss' });
    expect(bench.call('orders.list').items).toEqual([]);
  });

  test('cancelling the entry retires its legs', () => {
    const bench = createBench({ feeds: after(dip) });
    bench.run(30);
    const placed = bench.order({
      side: 'buy',
      size: 1,
      order_type: 'limit',
      price: 90,
      stop_loss: { price: 80 },
    });
    const done = bench.call('orders.cancel', { pathParams: { id: placed.order_id } });
    expect(done).toMatchObject({ queued: false, stop_loss: { status: 'retired' } });
  });

  test('a leg closes its own size only, and takes its pair with it', () => {
    const bench = createBench({ feeds: after(dip) });
    bench.run(30);
    bench.order({ side: 'buy', size: 3, order_type: 'market' });
    const legged = bench.order({
      side: 'buy',
      size: 1,
      order_type: 'market',
      stop_loss: { price: 98 },
      take_profit: { price: 120 },
    });
    expect(legged.stop_loss.resolution.anchor_price).toBe(legged.average_price);
    bench.run(1);
    expect(bench.call('positions.list').items).toMatchObject([{ size: 3 }]);
    const now = bench.call('orders.get', { pathParams: { id: legged.order_id } });
    expect(now).toMatchObject({
      stop_loss: { status: 'triggered' },
      take_profit: { status: 'retired' },
    });
  });

  test('legs of an order that flips a position wait until it has flipped', () => {
    // The first bar has volume for a part of what closes the long, the next for all the rest.
    const rows: Row[] = [
      [101, 101, 101, 101, 40],
      ...flat(101, 1),
      [101, 110, 101, 110],
      ...flat(110, 2),
    ];
    const bench = createBench({ feeds: after(rows) });
    bench.run(30);
    bench.order({ side: 'buy', size: 10, order_type: 'market' });
    const turn = { side: 'sell', size: 20, order_type: 'limit', price: 100.5 };
    const { order_id: id } = bench.order({ ...turn, stop_loss: { price: 105 } });
    const order = () => bench.call('orders.get', { pathParams: { id } });
    bench.run(1);
    expect(order()).toMatchObject({ filled_size: 4, stop_loss: { status: 'queued' } });
    bench.run(1);
    expect(order()).toMatchObject({ status: 'filled', stop_loss: { status: 'armed', size: 20 } });
    bench.run(1);
    expect(bench.call('positions.list').items).toEqual([]);
    const [exit] = bench.call('orders.fills').items;
    expect(exit).toMatchObject({ side: 'buy', size: 10 });
    expect(exit.price).toBeCloseTo(105.01, 1);
  });

  test('legs on a reduce-only order are refused: there is nothing to protect', () => {
    const bench = createBench({ feeds: after(dip) });
    bench.run(30);
    const body = {
      symbol: 'BTC',
      side: 'sell',
      size: 1,
      order_type: 'market',
      reduce_only: true,
      stop_loss: { price: 110 },
    };
    expect(bench.refusal('orders.place', { body }).details).toMatchObject({
      fields: [{ path: 'stop_loss' }],
    });
  });
});

test.each(['take_profit', 'stop_loss'])('RULE-2: a sale of spot with a %s is refused', (kind) => {
  const symbol = 'HYPE/USDC';
  const bench = createBench({ feeds: [feedOf(flat(100, 20), { symbol })] });
  bench.run(5);
  bench.order({ symbol, side: 'buy', size: 5, order_type: 'market', [kind]: legOf('buy', kind) });
  const sale = { symbol, side: 'sell', [kind]: legOf('sell', kind) };
  const refused = [
    bench.refusal('orders.place', { body: { ...sale, size: 2, order_type: 'market' } }),
    bench.refusal('executions.launch', {
      body: { ...sale, algo: 'pacemaker', total_size: 2, params: { duration_seconds: 60 } },
    }),
  ];
  for (const { status, details } of refused) {
    expect(status).toBe(422);
    expect(details).toMatchObject({ fields: [{ path: kind, code: 'needs_entry' }] });
  }
  // A monitor would fail when it fires, with the holding unsold.
  const trigger = { type: 'price_below', symbol, price: 80 };
  const order = { ...sale, size: 2, order_type: 'market' };
  const launch = { ...sale, algo: 'pacemaker', total_size: 2, params: { duration_seconds: 60 } };
  for (const action of [
    { type: 'order', request: order },
    { type: 'execute', request: launch },
  ]) {
    const { status, details } = bench.refusal('monitors.create', { body: { trigger, action } });
    expect(status).toBe(422);
    const fields = [{ path: `action.request.${kind}`, code: 'needs_entry' }];
    expect(details).toMatchObject({ fields });
  }
  expect(bench.call('orders.fills').items).toHaveLength(1);
});

/** On the right side of an entry at 100. */
const legOf = (side: 'buy' | 'sell', kind: string) => ({
  price: (side === 'buy') === (kind === 'stop_loss') ? 90 : 110,
});

describe('LEG-4: a percent is of the decimal that was written', () => {
  // In doubles, 100.1 × 0.95 is 95.09499999999998, and 95.095 rounds to 95.1.
  test.each([
    ['buy', 'stop_loss', 100.1, 5, 95.1],
    ['buy', 'take_profit', 100.1, 2.5, 102.6],
    ['sell', 'stop_loss', 100.7, 1.5, 102.21],
    ['sell', 'take_profit', 100.1, 5, 95.1],
  ] as const)('of a %s, %s: %d and %d percent are %d', (side, kind, price, pct, trigger) => {
    const bench = createBench({ feeds: [feedOf([...flat(100, 5), ...flat(price, 9)])] });
    bench.run(3);
    bench.order({ side, size: 1, order_type: 'market' });
    const spec = { [kind]: { trail: { pct, interval: '1m' } } };
    const attach = () =>
      bench.call('positions.attachLegs', { pathParams: { symbol: 'BTC' }, body: spec });
    bench.run(4);
    expect(attach().legs[kind].resolution).toMatchObject({
      anchor_price: price,
      trigger_price: trigger,
    });
  });

  test('and a trail that moves is there, too', () => {
    const bench = createBench({ feeds: [feedOf([...flat(100, 5), ...flat(100.1, 9)])] });
    bench.run(3);
    const trail = { pct: 5, interval: '1m', min_move_bps: 0 };
    bench.order({ side: 'buy', size: 1, order_type: 'market', stop_loss: { trail } });
    bench.run(5);
    const [leg] = bench.call('positions.legs', { pathParams: { symbol: 'BTC' } }).items;
    expect(leg.resolution.trigger_price).toBe(95.1);
  });
});
