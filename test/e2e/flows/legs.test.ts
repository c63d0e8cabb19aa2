/** Take-profit and stop-loss: four forms, resolved when there is something to protect. */
import { describe, expect, test } from 'vitest';
import { still, way } from './drawTape.ts';
import { openService, refusal } from './openService.ts';

const market = { symbol: 'BTC', side: 'buy', size: 0.1, order_type: 'market' } as const;
const limit = { symbol: 'BTC', side: 'buy', size: 0.1, order_type: 'limit' } as const;
const atr = { indicator: 'atr', params: { period: 14 }, interval: '1m' } as const;
const mean = { indicator: 'sma', params: { period: 20 }, interval: '1m' } as const;

describe('legs on an order', () => {
  test('ORD-2, LEG-1: wait while the entry rests, and are armed by its fill', async () => {
    const { client, advance, stream } = await openService({
      prices: [60_000, 60_000, 59_800, 59_900, 60_000],
    });
    await stream.open();
    await stream.subscribe('tpsl.watch', { symbol: 'BTC' });
    const placed = await client.orders.place({
      body: {
        ...limit,
        price: 59_900,
        take_profit: { price: 60_500 },
        stop_loss: { price: 59_000 },
      },
    });
    expect(placed).toMatchObject({
      queued: true,
      take_profit: { status: 'queued', form: 'price' },
      stop_loss: { status: 'queued', form: 'price' },
    });
    await advance(3);
    const { items } = await client.positions.legs({ symbol: 'BTC' });
    expect(items.map(({ kind, status, size }) => [kind, status, size]).sort()).toEqual([
      ['stop_loss', 'armed', 0.1],
      ['take_profit', 'armed', 0.1],
    ]);
    expect(stream.events('tpsl.watch').filter((event) => event === 'leg_armed')).toHaveLength(2);
  });

  test('LEG-2, LEG-7: an offset is anchored to the entry, and the echo shows the result', async () => {
    const { client } = await openService({ prices: still(60_000, 5) });
    const order = await client.orders.place({
      body: {
        ...market,
        take_profit: { offset: { mult: 3, ...atr } },
        stop_loss: { offset: { mult: 2, ...atr } },
      },
    });
    const { take_profit: profit, stop_loss: stop } = order;
    for (const [leg, sign, mult] of [
      [profit, 1, 3],
      [stop, -1, 2],
    ] as const) {
      const found = leg!.resolution!;
      expect(found).toMatchObject({ indicator: 'atr', interval: '1m', anchor: 'entry' });
      expect(Number.isInteger(found.bar_time)).toBe(true);
      const exact = found.anchor_price! + sign * mult * found.indicator_value!;
      // What the service computes is the nearest valid price: at 60,000 a whole number.
      expect(Math.abs(found.trigger_price! - exact)).toBeLessThanOrEqual(0.5);
    }
  });

  test('LEG-3, LEG-6: `at` is the level; a band needs a series; an oscillator is not a level', async () => {
    const { client, advance } = await openService({ prices: way(60_000, 60_400, 40) });
    await advance(30);
    const at = (spec: object) =>
      client.orders.place({ body: { ...market, stop_loss: { at: spec } } as never });
    const order = await at(mean);
    const { resolution } = order.stop_loss!;
    expect(Math.abs(resolution!.trigger_price! - resolution!.indicator_value!)).toBeLessThan(0.51);
    const bands = { indicator: 'bollinger', interval: '1m' };
    expect(await refusal(at(bands))).toMatchObject({ code: 'validation_failed', status: 422 });
    expect((await at({ ...bands, series: 'lower' })).stop_loss).toMatchObject({ form: 'at' });
    expect(await refusal(at({ indicator: 'rsi', interval: '1m' }))).toMatchObject({
      status: 422,
      code: 'oscillator_level',
    });
  });

  test('LEG-8: the wrong side is refused with the resolved value, never clamped', async () => {
    const { client } = await openService({ prices: still(60_000, 5) });
    const place = (legs: object) => client.orders.place({ body: { ...market, ...legs } as never });
    const { code, details } = await refusal(place({ stop_loss: { price: 61_000 } }));
    expect(code).toBe('wrong_side_trigger');
    expect(details).toMatchObject({ resolved_value: 61_000, leg: 'stop_loss' });
    expect(await refusal(place({ take_profit: { price: 59_000 } }))).toMatchObject({
      code: 'wrong_side_trigger',
      details: { leg: 'take_profit' },
    });
    expect((await client.positions.list()).items).toEqual([]);
  });

  test('when one leg is triggered it closes the position, and the other retires', async () => {
    const { client, advance, stream } = await openService({
      prices: [60_000, 60_000, ...way(60_100, 61_000, 6), ...still(61_000, 3)],
    });
    await stream.open();
    await stream.subscribe('tpsl.watch');
    await client.orders.place({
      body: { ...market, take_profit: { price: 60_500 }, stop_loss: { price: 59_000 } },
    });
    await advance(9);
    expect((await client.positions.list()).items).toEqual([]);
    expect(stream.received('tpsl.watch', 'leg_triggered')).toMatchObject([{ kind: 'take_profit' }]);
    expect(stream.received('tpsl.watch', 'leg_retired')).toMatchObject([{ kind: 'stop_loss' }]);
    expect((await client.account.get()).realized_pnl).toBeGreaterThan(0);
  });
});

describe('a trailing stop', () => {
  const climbing = [...way(60_000, 61_000, 21), ...way(60_950, 60_000, 20)];

  test('LEG-4, STR-3: tightens on each closed bar, reports every move, and never loosens', async () => {
    const { client, advance, stream } = await openService({ prices: climbing });
    await stream.open();
    await stream.subscribe('tpsl.watch');
    const trail = { pct: 0.5, interval: '1m' } as const;
    await client.orders.place({ body: { ...market, stop_loss: { trail } } });
    await advance(35);
    const triggers = stream
      .received('tpsl.watch', 'trail_moved')
      .map((row: { trigger_price: number }) => row.trigger_price);
    expect(triggers.length).toBeGreaterThan(5);
    expect(triggers).toEqual(triggers.toSorted((a, b) => a - b));
    // Half a percent below the top of 61,000; the fall reached it there.
    expect(triggers.at(-1)).toBeCloseTo(60_695, -1);
    expect(stream.received('tpsl.watch', 'leg_triggered')).toHaveLength(1);
    expect((await client.positions.list()).items).toEqual([]);
  });

  test('LEG-4: by a distance of ATR, or on a level; nothing else trails', async () => {
    const { client, advance } = await openService({ prices: climbing });
    await advance(15);
    const place = (trail: object) =>
      client.orders.place({ body: { ...market, stop_loss: { trail } } as never });
    expect((await place({ mult: 3, ...atr })).stop_loss).toMatchObject({ form: 'trail' });
    expect((await place(mean)).stop_loss).toMatchObject({ form: 'trail' });
    expect(await refusal(place({ mult: 3, ...mean }))).toMatchObject({ status: 422 });
    expect(await refusal(place(atr))).toMatchObject({ code: 'oscillator_level' });
  });

  test('LEG-5: min_move_bps holds back small moves', async () => {
    const { client, advance, stream } = await openService({ prices: climbing });
    await stream.open();
    await stream.subscribe('tpsl.watch');
    const trail = { pct: 0.5, interval: '1m', min_move_bps: 50 } as const;
    const order = await client.orders.place({ body: { ...market, stop_loss: { trail } } });
    await advance(20);
    const moved = stream.received('tpsl.watch', 'trail_moved') as Array<{ trigger_price: number }>;
    let last = order.stop_loss!.resolution!.trigger_price!;
    expect(moved.length).toBeGreaterThan(0);
    for (const { trigger_price: trigger } of moved) {
      expect(((trigger - last) / last) * 10_000).toBeGreaterThanOrEqual(50);
      last = trigger;
    }
  });

  test('LEG-11: twenty trailing legs a wallet; the next is refused with the count', async () => {
    const { client } = await openService({ prices: still(60_000, 5) });
    const trail = { pct: 5, interval: '1m' } as const;
    const place = () =>
      client.orders.place({
        body: { ...limit, size: 0.001, price: 59_000, stop_loss: { trail } },
      });
    for (let row = 0; row < 20; row++) await place();
    expect(await refusal(place())).toMatchObject({
      status: 422,
      code: 'trailing_limit',
      details: { limit: 20, in_use: 20 },
    });
  });
});

describe('legs on a launch', () => {
  const launch = {
    algo: 'pacemaker',
    symbol: 'BTC',
    side: 'buy',
    total_size: 0.1,
    params: { duration_seconds: 120 },
  } as const;

  test('EXE-3: are resolved at the end, anchored to its average, sized to its fills', async () => {
    const { client, advance } = await openService({ prices: way(60_000, 60_100, 12) });
    const launched = await client.executions.launch({
      body: { ...launch, stop_loss: { offset: { mult: 2, ...atr } } },
      idempotencyKey: 'with-stop',
    });
    expect(launched.stop_loss).toMatchObject({ status: 'queued' });
    await advance(4);
    const ended = await client.executions.get({ id: launched.execution_id });
    expect(ended.status).toBe('completed');
    expect(ended.stop_loss).toMatchObject({
      status: 'armed',
      size: ended.filled_size,
      resolution: { anchor: 'entry', anchor_price: ended.average_price },
    });
  });

  test('LEG-8: are checked against the mark at launch, and refused on the wrong side', async () => {
    const { client } = await openService({ prices: still(60_000, 5) });
    const body = { ...launch, stop_loss: { price: 61_000 } };
    const key = { idempotencyKey: 'wrong' };
    expect(await refusal(client.executions.launch({ body, ...key }))).toMatchObject({
      status: 422,
      code: 'wrong_side_trigger',
    });
    expect((await client.executions.list()).items).toEqual([]);
  });

  test('LEG-5: an algo unwind belongs to the position surface', async () => {
    const { client } = await openService();
    const unwind = { exit_style: 'algo_unwind', unwind_algo: 'ghostsweep' };
    const body = { ...launch, stop_loss: { price: 50_000, ...unwind } } as never;
    expect(
      await refusal(client.executions.launch({ body, idempotencyKey: 'unwind' })),
    ).toMatchObject({ status: 422 });
  });
});
