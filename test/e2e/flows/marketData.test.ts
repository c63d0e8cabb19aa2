/** Market data: never a bar before it has closed, unless requested. */
import { describe, expect, test } from 'vitest';
import { MINUTE, still, TAPE_START } from './drawTape.ts';
import { openService, refusal } from './openService.ts';

describe('candles', () => {
  test('MKT-1: closed bars only; the one in progress on request', async () => {
    const { client, controls } = await openService();
    const { time } = await controls.replay();
    await controls.advance({ to_time: time + 30_000 });
    const interval = '1m' as const;
    const closed = await client.market.candles({ symbol: 'BTC', query: { interval, limit: 3 } });
    expect(closed.candles.map((bar) => [(bar.time - time) / MINUTE, bar.closed])).toEqual([
      [-3, true],
      [-2, true],
      [-1, true],
    ]);
    const query = { interval, limit: 3, include_forming: true };
    const forming = await client.market.candles({ symbol: 'BTC', query });
    expect(forming.candles.at(-1)).toMatchObject({ time, closed: false });
  });

  test('MKT-3: the first read fills the wallet’s cache, a bar’s close refreshes it', async () => {
    const { client, controls, advance } = await openService();
    const read = () =>
      client.market.candles({ symbol: 'BTC', query: { interval: '5m', limit: 2 } });
    expect(await read()).toMatchObject({ cached: false });
    expect(await read()).toMatchObject({ cached: true });
    const { time } = await controls.replay();
    await controls.advance({ to_time: time + 40_000 });
    expect(await read()).toMatchObject({ cached: true, age_seconds: 40 });
    await advance(5);
    expect(await read()).toMatchObject({ cached: false, age_seconds: 0 });
  });

  test('a feed of minutes serves every longer interval, and nothing shorter', async () => {
    const { client } = await openService();
    const { candles } = await client.market.candles({ symbol: 'BTC', query: { interval: '1h' } });
    expect(candles.map(({ time }) => (time - TAPE_START) / (60 * MINUTE))).toEqual([0, 1]);
    const { open } = candles[0]!;
    const minutes = await client.market.candles({
      symbol: 'BTC',
      query: { interval: '1m', limit: 120 },
    });
    expect(minutes.candles[0]!.open).toBe(open);
    const odd = { interval: '7m' as '5m' };
    expect(await refusal(client.market.candles({ symbol: 'BTC', query: odd }))).toMatchObject({
      status: 422,
      code: 'validation_failed',
    });
  });

  test('ORD-5: a spot pair’s slash travels percent-encoded, and is signed as it is sent', async () => {
    const { client } = await openService();
    const { candles } = await client.market.candles({
      symbol: 'HYPE/USDC',
      query: { interval: '1m', limit: 1 },
    });
    expect(candles).toHaveLength(1);
  });
});

describe('indicators', () => {
  test('MKT-4: there are fourteen, and the catalogue says which are prices', async () => {
    const { client } = await openService();
    const { items } = await client.market.indicators();
    expect(items).toHaveLength(14);
    const bollinger = items.find(({ id }) => id === 'bollinger');
    expect(JSON.stringify(bollinger)).toContain('upper');
  });

  test('MKT-2: a batch of values, all bound to the last closed bar', async () => {
    const { client, controls } = await openService({ prices: still(60_000, 10) });
    const { time } = await controls.replay();
    const evaluated = await client.market.evaluate({
      body: {
        symbol: 'BTC',
        interval: '1m',
        indicators: [
          { id: 'mean', indicator: 'sma', params: { period: 2 } },
          { id: 'bands', indicator: 'bollinger', params: { period: 2 } },
        ],
      },
    });
    // The open time of the bar that has just closed.
    expect(evaluated.bar_time).toBe(time - MINUTE);
    const [mean, bands] = evaluated.values;
    // The last two closes are 59,980 or 60,020, and 60,000.
    expect(Math.abs(mean!.value! - 60_000)).toBe(10);
    expect(bands!.series).toMatchObject({ mid: mean!.value });
    expect(bands!.series!['upper']).toBeGreaterThan(bands!.series!['lower']!);
  });

  test('a value before its warm-up is refused, with how many bars are missing', async () => {
    const { client } = await openService();
    const body = {
      symbol: 'BTC',
      interval: '1h',
      indicators: [{ id: 'slow', indicator: 'sma', params: { period: 200 } }],
    } as const;
    expect(await refusal(client.market.evaluate({ body: body as never }))).toMatchObject({
      status: 422,
      code: 'indicator_not_ready',
      details: { bars_needed: 200, bars_available: 2 },
    });
  });
});

test('MKT-6: instruments of three kinds, markets, book and price agree with each other', async () => {
  const { client } = await openService();
  const { items } = await client.market.instruments();
  expect(items.map(({ symbol, kind, base, quote }) => [symbol, kind, base, quote])).toEqual([
    ['BTC', 'perp', 'BTC', 'USD'],
    ['HYPE/USDC', 'spot', 'HYPE', 'USDC'],
    ['xyz:TSLA', 'third_party_perp', 'TSLA', 'USD'],
  ]);
  expect(items[2]).toMatchObject({ deployer: 'xyz' });
  const price = await client.market.price({ symbol: 'BTC' });
  const { bids, asks } = await client.market.orderbook({ symbol: 'BTC', query: { depth: 5 } });
  expect([bids[0]![0], asks[0]![0]]).toEqual([price.bid, price.ask]);
  expect(bids).toHaveLength(5);
  expect(price.bid).toBeLessThan(price.mark);
  const { items: markets } = await client.market.markets();
  expect(markets.find(({ symbol }) => symbol === 'BTC')).toMatchObject({
    mark: price.mark,
    funding_rate: 0.0000125,
  });
  expect(await refusal(client.market.price({ symbol: 'DOGE' }))).toMatchObject({
    status: 404,
    code: 'unknown_symbol',
  });
});
