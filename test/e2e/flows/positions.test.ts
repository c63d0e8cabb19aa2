/** Open positions, what they cost, how they are protected and closed. */
import { describe, expect, test } from 'vitest';
import { still, way } from './drawTape.ts';
import { openService, refusal, type Service } from './openService.ts';

const long = { symbol: 'BTC', side: 'buy', size: 0.1, order_type: 'market' } as const;
const at = { indicator: 'sma', params: { period: 20 }, interval: '1m' } as const;
const pacemaker = {
  exit_style: 'algo_unwind',
  unwind_algo: 'pacemaker',
  unwind_params: { duration_seconds: 120 },
} as const;

async function openLong(prices: readonly number[]): Promise<Service> {
  const service = await openService({ prices });
  await service.client.orders.place({ body: long });
  return service;
}

test('POS-1: a position, its entry fees, and its break-even', async () => {
  const { client } = await openLong(still(60_000, 5));
  const position = await client.positions.get({ symbol: 'BTC' });
  expect(position).toMatchObject({ side: 'long', size: 0.1, leverage: 10, mode: 'cross' });
  const fees = await client.positions.entryFees({ symbol: 'BTC' });
  // A taker pays the venue's 4.5 and the service's 0.8 bps.
  expect(fees.fee_bps).toBeCloseTo(5.3, 9);
  expect(fees).toMatchObject({ maker_share: 0 });
  expect(fees.break_even_price).toBeGreaterThan(position.entry_price);
  expect(await refusal(client.positions.get({ symbol: 'HYPE/USDC' }))).toMatchObject({
    status: 404,
    code: 'no_position',
  });
});

describe('closing', () => {
  test('POS-1: by a market order, whole', async () => {
    const { client } = await openLong(still(60_000, 5));
    const closed = await client.positions.close({ symbol: 'BTC', body: { slippage_bps: 50 } });
    expect(closed).toMatchObject({ side: 'sell', size: 0.1, reduce_only: true, status: 'filled' });
    expect((await client.positions.list()).items).toEqual([]);
    expect(await refusal(client.positions.close({ symbol: 'BTC', body: {} }))).toMatchObject({
      status: 422,
      code: 'no_position',
    });
  });

  test('POS-1: by an algorithm, worked over time', async () => {
    const { client, advance } = await openLong(still(60_000, 10));
    const body = { algo: 'pacemaker', params: { duration_seconds: 120 } } as const;
    const execution = await client.positions.close({ symbol: 'BTC', body });
    expect(execution).toMatchObject({ algo: 'pacemaker', side: 'sell', reduce_only: true });
    await advance(4);
    expect((await client.positions.list()).items).toEqual([]);
  });
});

describe('native legs', () => {
  test('POS-2: are coupled: they follow the position’s size and end with it', async () => {
    const { client, advance } = await openLong(still(60_000, 10));
    const { legs, group_id } = await client.positions.attachLegs({
      symbol: 'BTC',
      body: { take_profit: { price: 61_000 }, stop_loss: { price: 59_000 } },
    });
    expect(group_id ?? null).toBeNull();
    expect(legs.stop_loss).toMatchObject({
      status: 'armed',
      coupled: true,
      resolution: { anchor: 'current_price', trigger_price: 59_000 },
    });
    await advance(1);
    await client.orders.place({ body: long });
    const sizes = (await client.positions.legs({ symbol: 'BTC' })).items.map(({ size }) => size);
    expect(sizes).toEqual([0.2, 0.2]);
    await advance(1);
    await client.positions.close({ symbol: 'BTC', body: {} });
    expect((await client.positions.legs({ symbol: 'BTC' })).items).toEqual([]);
  });

  test('attaching again replaces the kind given; both retire by a delete', async () => {
    const { client } = await openLong(still(60_000, 5));
    const attach = (body: object) =>
      client.positions.attachLegs({ symbol: 'BTC', body: body as never });
    await attach({ take_profit: { price: 61_000 }, stop_loss: { price: 59_000 } });
    await attach({ stop_loss: { price: 59_500 } });
    const { items } = await client.positions.legs({ symbol: 'BTC' });
    expect(items.map(({ resolution }) => resolution?.trigger_price).sort()).toEqual([
      59_500, 61_000,
    ]);
    await client.positions.retireLegs({ symbol: 'BTC' });
    expect((await client.positions.legs({ symbol: 'BTC' })).items).toEqual([]);
  });

  test('LEG-8: the anchor is the current price; only a leg that would fire at once is refused', async () => {
    const { client, advance } = await openLong([...way(60_000, 61_000, 6), ...still(61_000, 3)]);
    await advance(6);
    // Above the entry and below the market: a stop that secures a profit.
    await client.positions.attachLegs({ symbol: 'BTC', body: { stop_loss: { price: 60_500 } } });
    const body = { stop_loss: { price: 61_500 } };
    expect(await refusal(client.positions.attachLegs({ symbol: 'BTC', body }))).toMatchObject({
      status: 422,
      code: 'wrong_side_trigger',
      details: { resolved_value: 61_500 },
    });
  });

  test('RULE-3: without a position there is nothing to protect', async () => {
    const { client } = await openService();
    const body = { stop_loss: { price: 50_000 } };
    expect(await refusal(client.positions.attachLegs({ symbol: 'BTC', body }))).toMatchObject({
      status: 422,
      code: 'no_position',
    });
  });
});

describe('legs that unwind by an algorithm', () => {
  test('POS-3, POS-4: compile into reduce-only monitors; the first to fire stops the other', async () => {
    const falling = [...way(60_000, 61_000, 6), ...way(60_900, 58_000, 20), ...still(58_000, 10)];
    const { client, advance } = await openLong(falling);
    await advance(6);
    const { legs, group_id: groupId } = await client.positions.attachLegs({
      symbol: 'BTC',
      body: { take_profit: { price: 63_000, ...pacemaker }, stop_loss: { at, ...pacemaker } },
    });
    const profit = await client.monitors.get({ id: legs.take_profit!.monitor_id! });
    const stop = await client.monitors.get({ id: legs.stop_loss!.monitor_id! });
    expect(profit.trigger).toMatchObject({
      type: 'price_level',
      price: 63_000,
      direction: 'above',
    });
    expect(stop.trigger).toMatchObject({ type: 'indicator_level', indicator: 'sma' });
    expect(stop.action).toMatchObject({ type: 'execute', request: { reduce_only: true } });
    const { items: groups } = await client.monitors.groups();
    expect(groups).toMatchObject([{ group_id: groupId, mode: 'oco' }]);

    await advance(25);
    expect(await client.monitors.get({ id: stop.monitor_id })).toMatchObject({
      status: 'fired',
      fired_count: 1,
    });
    expect(await client.monitors.get({ id: profit.monitor_id })).toMatchObject({
      status: 'stopped',
    });
    expect((await client.positions.list()).items).toEqual([]);
    const [unwound] = (await client.executions.list()).items;
    expect(unwound).toMatchObject({ algo: 'pacemaker', side: 'sell', status: 'completed' });
  });

  test('POS-5: side, size and level are frozen at attach', async () => {
    const { client, advance } = await openLong(still(60_000, 10));
    const { legs } = await client.positions.attachLegs({
      symbol: 'BTC',
      body: { stop_loss: { offset: { mult: 2, indicator: 'atr', interval: '1m' }, ...pacemaker } },
    });
    const id = legs.stop_loss!.monitor_id!;
    const before = await client.monitors.get({ id });
    expect(before.trigger).toMatchObject({ price: legs.stop_loss!.resolution!.trigger_price });
    await advance(1);
    await client.orders.place({ body: long });
    const after = await client.monitors.get({ id });
    expect([after.trigger, after.action]).toEqual([before.trigger, before.action]);
    expect(after.action).toMatchObject({ request: { total_size: 0.1, side: 'sell' } });
  });

  test('LEG-9: a trail can’t unwind, and GhostSweep can’t serve a level', async () => {
    const { client } = await openLong(still(60_000, 5));
    const attach = (stop_loss: object) =>
      refusal(client.positions.attachLegs({ symbol: 'BTC', body: { stop_loss } as never }));
    expect(await attach({ trail: { pct: 1, interval: '1m' }, ...pacemaker })).toMatchObject({
      status: 422,
      code: 'trail_cannot_unwind',
    });
    const ghostsweep = { exit_style: 'algo_unwind', unwind_algo: 'ghostsweep' };
    expect(await attach({ at, ...ghostsweep })).toMatchObject({
      code: 'unwind_cannot_serve_level',
    });
  });

  test('LEG-10: Glidemaker needs the algo minimum at the trigger, Pacemaker none', async () => {
    const { client } = await openService({ prices: still(60_000, 5) });
    // 60 of value: above the order minimum of 10, below the algo minimum of 100.
    await client.orders.place({ body: { ...long, size: 0.001 } });
    const attach = (unwind: object) =>
      client.positions.attachLegs({
        symbol: 'BTC',
        body: { stop_loss: { price: 59_000, ...unwind } } as never,
      });
    const glidemaker = { exit_style: 'algo_unwind', unwind_algo: 'glidemaker' };
    expect(await refusal(attach(glidemaker))).toMatchObject({
      status: 422,
      code: 'below_algo_minimum',
      details: { minimum: 100, value: 59 },
    });
    expect((await attach(pacemaker)).legs.stop_loss).toMatchObject({ status: 'armed' });
  });
});
