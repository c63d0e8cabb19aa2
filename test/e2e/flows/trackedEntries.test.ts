/** An entry whose price is an indicator's level, and which follows it. */
import { describe, expect, test } from 'vitest';
import { still, way } from './drawTape.ts';
import { openService, refusal, type Service } from './openService.ts';

/** A mean that lags behind a rise, so that a buy at it rests below the market. */
const slow = { indicator: 'sma', params: { period: 20 }, interval: '1m' } as const;
const buy = { symbol: 'BTC', side: 'buy', size: 0.1, order_type: 'limit' } as const;

/** A rise of 50 a minute after quiet times: the slow mean follows from below. */
const rising = [...way(60_000, 60_500, 11), ...way(60_550, 62_000, 30)];

async function openRising(track: object = { track: true }) {
  const service = await openService({ prices: rising });
  await service.stream.open();
  await service.stream.subscribe('tpsl.watch');
  await service.advance(5);
  const placed = await service.client.orders.place({
    body: { ...buy, client_order_id: 'entry', price_from: { ...slow, ...track } } as never,
  });
  return { ...service, placed };
}

const moves = ({ stream }: Pick<Service, 'stream'>, event: string) =>
  stream.received('tpsl.watch', event);

test('TRK-1, ORD-2: the price is the level at the last closed bar, and the answer shows how', async () => {
  const { placed } = await openRising({});
  expect(placed.price_from_resolution).toMatchObject({
    indicator: 'sma',
    interval: '1m',
    price: placed.price,
  });
  // Nothing is tracked that was not asked for.
  expect(placed.entry_track ?? null).toBeNull();
});

describe('a tracked entry', () => {
  test('TRK-2, ORD-3: follows the level on each closed bar under the same identity', async () => {
    const { client, advance, placed, ...service } = await openRising();
    expect(placed.entry_track).toMatchObject({ min_move_bps: 5, max_drift_bps: 500 });
    await advance(10);
    const after = await client.orders.get({ id: 'client:entry' });
    expect(after).toMatchObject({ order_id: placed.order_id, size: 0.1, status: 'open' });
    expect(after.price).toBeGreaterThan(placed.price!);
    const rows = moves(service, 'entry_moved');
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.at(-1)).toMatchObject({
      watch_kind: 'entry',
      watch_id: placed.entry_track!.watch_id,
      trigger_price: after.price,
    });
  });

  test('TRK-3: moves no less than min_move_bps at a time', async () => {
    const { advance, placed, ...service } = await openRising({ track: true, min_move_bps: 20 });
    await advance(15);
    let last = placed.price!;
    const rows = moves(service, 'entry_moved');
    expect(rows.length).toBeGreaterThan(0);
    for (const { trigger_price: price } of rows) {
      expect((Math.abs(price - last) / last) * 10_000).toBeGreaterThanOrEqual(20);
      last = price;
    }
  });

  test('TRK-4: stops beyond max_drift_bps, and the order stays where it was', async () => {
    const { client, advance, ...service } = await openRising({ track: true, max_drift_bps: 30 });
    await advance(25);
    expect(moves(service, 'entry_tracking_stopped')).toHaveLength(1);
    const wasOpen = await client.orders.get({ id: 'client:entry' });
    await advance(5);
    expect((await client.orders.get({ id: 'client:entry' })).price).toBe(wasOpen.price);
    // No longer tracked, it can be changed by hand.
    await client.orders.modify({ id: 'client:entry', body: { price: 59_000 } });
  });

  test('TRK-7: can’t be modified while it is tracked; a cancel retires its watch', async () => {
    const { client, advance, ...service } = await openRising();
    expect(
      await refusal(client.orders.modify({ id: 'client:entry', body: { price: 59_000 } })),
    ).toMatchObject({ status: 409, code: 'tracked_entry_immutable' });
    await client.orders.cancel({ id: 'client:entry' });
    await advance(1);
    expect(moves(service, 'entry_retired')).toHaveLength(1);
    expect(moves(service, 'entry_moved')).toHaveLength(0);
  });

  test('TRK-5: holds where its level would cross the book, and writes nothing', async () => {
    // The mean has risen to about 61,500, the order waits far below it for a move of 300 bps; then
    // the price falls between the two: at the mean, a buy would take.
    const service = await openService({ prices: [...rising, ...still(60_300, 3)] });
    const { client, advance, stream } = service;
    await stream.open();
    await stream.subscribe('tpsl.watch');
    await advance(5);
    const placed = await client.orders.place({
      body: { ...buy, price_from: { ...slow, track: true, min_move_bps: 300 } },
    });
    await advance(37);
    expect(stream.events('tpsl.watch').filter((event) => event !== 'snapshot')).toContain(
      'entry_hold',
    );
    expect(moves(service, 'entry_moved')).toHaveLength(0);
    expect(await client.orders.get({ id: placed.order_id })).toMatchObject({
      status: 'open',
      price: placed.price,
    });
  });
});

test('TRK-6: twenty rows a wallet, trailing legs and tracked entries together', async () => {
  const { client, advance } = await openService({ prices: rising });
  await advance(5);
  const place = () =>
    client.orders.place({ body: { ...buy, size: 0.001, price_from: { ...slow, track: true } } });
  for (let row = 0; row < 20; row++) await place();
  expect(await refusal(place())).toMatchObject({
    status: 422,
    code: 'trailing_limit',
    details: { limit: 20, in_use: 20 },
  });
  // An order that doesn't track takes no row.
  await client.orders.place({ body: { ...buy, size: 0.001, price_from: slow } });
});

test('a level that would cross at once is refused, and an oscillator is not a level', async () => {
  const { client, advance } = await openService({ prices: rising });
  await advance(20);
  // The mean lags below the rise: a sell there would take.
  const sell = { ...buy, side: 'sell', price_from: { ...slow, track: true } } as const;
  expect(await refusal(client.orders.place({ body: sell }))).toMatchObject({
    status: 422,
    code: 'would_cross',
  });
  const rsi = { indicator: 'rsi', interval: '1m' } as never;
  expect(await refusal(client.orders.place({ body: { ...buy, price_from: rsi } }))).toMatchObject({
    status: 422,
    code: 'oscillator_level',
  });
});
