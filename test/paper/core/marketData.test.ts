import { describe, expect, test } from 'vitest';
import { INTERVAL_MS, isValidPrice, isValidSize } from '../../../src/contract/index.ts';
import { createIndicator } from '../../../src/indicators/index.ts';
import { codeOf, openTestService, TAPE_START, testFeed, type Answer } from './openTestService.ts';

const MINUTE = 60_000;
const WARM = TAPE_START + 500 * MINUTE;

describe('MKT-1: candles', () => {
  test('are closed bars only, ascending, up to now', () => {
    const { body } = openTestService().ask('/v1/candles/BTC?interval=1m&limit=500');
    const times = body.candles.map((bar: { time: number }) => bar.time);
    expect(times).toEqual(Array.from({ length: 500 }, (_n, at) => TAPE_START + at * MINUTE));
    expect(body.candles.every((bar: { closed: boolean }) => bar.closed)).toBe(true);
    expect(times.at(-1)).toBe(WARM - MINUTE);
  });

  test('longer bars are built from the feed', () => {
    const { body } = openTestService().ask('/v1/candles/BTC?interval=5m&limit=1');
    const feed = testFeed();
    const rows = [495, 496, 497, 498, 499];
    expect(body.candles).toEqual([
      {
        time: WARM - 5 * MINUTE,
        open: feed.open[495],
        high: Math.max(...rows.map((row) => feed.high[row]!)),
        low: Math.min(...rows.map((row) => feed.low[row]!)),
        close: feed.close[499],
        volume: expect.closeTo(
          rows.reduce((sum, row) => sum + feed.volume[row]!, 0),
          6,
        ),
        closed: true,
      },
    ]);
  });

  test('the bar in progress comes with include_forming=true only, and never on a boundary', () => {
    const service = openTestService();
    const ask = (query: string) =>
      service.ask(`/v1/candles/BTC?interval=5m&limit=1${query}`).body.candles;
    expect(ask('&include_forming=true')).toHaveLength(1);
    service.core.engine.advanceTo(WARM + 90_000);
    expect(ask('')).toHaveLength(1);
    expect(ask('&include_forming=false')).toHaveLength(1);
    const [, forming] = ask('&include_forming=true');
    expect(forming).toMatchObject({ time: WARM, open: testFeed().open[500], closed: false });
  });

  test('start_time is inclusive, end_time exclusive; a start takes the first bars', () => {
    const service = openTestService();
    const range = `start_time=${TAPE_START + 60 * MINUTE}&end_time=${TAPE_START + 63 * MINUTE}`;
    const times = (query: string): number[] =>
      service
        .ask(`/v1/candles/BTC?interval=1m&${query}`)
        .body.candles.map((bar: { time: number }) => (bar.time - TAPE_START) / MINUTE);
    expect(times(range)).toEqual([60, 61, 62]);
    expect(times(`start_time=${TAPE_START + 10}&limit=2`)).toEqual([1, 2]);
    expect(times(`end_time=${TAPE_START + 5 * MINUTE}&limit=2`)).toEqual([3, 4]);
    expect(times(`start_time=${WARM}`)).toEqual([]);
  });

  test('the bar in progress follows the last closed bar, inside the range', () => {
    const service = openTestService();
    service.core.engine.advanceTo(WARM + 90_000);
    const times = (query: string): number[] =>
      service
        .ask(`/v1/candles/BTC?interval=5m&include_forming=true${query}`)
        .body.candles.map((bar: { time: number }) => (bar.time - WARM) / MINUTE);
    const from = (minutes: number) => `&start_time=${WARM + minutes * MINUTE}`;
    const until = (minutes: number) => `&end_time=${WARM + minutes * MINUTE}`;
    expect(times(`${from(-100)}&limit=2`)).toEqual([-100, -95]);
    expect(times(`${from(-10)}&limit=1`)).toEqual([-10]);
    expect(times(`${from(-10)}&limit=2`)).toEqual([-10, -5, 0]);
    expect(times(from(0))).toEqual([0]);
    expect(times(from(1))).toEqual([]);
    expect(times(`${until(0)}&limit=2`)).toEqual([-10, -5]);
    expect(times(`${until(1)}&limit=2`)).toEqual([-10, -5, 0]);
    expect(times(`${until(-5)}&limit=2`)).toEqual([-15, -10]);
    expect(times(`${from(-10)}${until(0)}`)).toEqual([-10, -5]);
  });

  test('500 bars come unless another number is asked for, and 5,000 at most', () => {
    const { core, ask } = openTestService({ warmup: 1_200, limits: 'off' });
    const read = (query: string) => ask(`/v1/candles/BTC?interval=1m${query}`);
    const times = ({ body }: Answer): number[] =>
      body.candles.map(({ time }: { time: number }) => time);
    const last = core.engine.now - 60_000;
    const ascending = (count: number, end: number) =>
      Array.from({ length: count }, (_none, at) => end - (count - 1 - at) * 60_000);
    expect(times(read(''))).toEqual(ascending(500, last));
    const start = last - 1_000 * 60_000;
    expect(times(read(`&start_time=${start}`))).toEqual(ascending(500, start + 499 * 60_000));
    expect(times(read('&limit=3'))).toEqual(ascending(3, last));
    expect(times(read('&limit=5000'))).toHaveLength(1_200);
    for (const limit of [0, 5_001]) expect(read(`&limit=${limit}`).status).toBe(422);
  });

  test('an interval shorter than the feed is 422, an unknown symbol 404', () => {
    const hourly = { ...testFeed(), interval: '1h' as const };
    hourly.time = hourly.time.map((_time, row) => TAPE_START + row * INTERVAL_MS['1h']);
    const service = openTestService({}, { feeds: [hourly] });
    const short = service.ask('/v1/candles/BTC?interval=5m');
    expect([short.status, short.body.error.details.fields[0].path]).toEqual([422, 'interval']);
    expect(codeOf(service.ask('/v1/candles/DOGE?interval=1h'))).toBe('unknown_symbol');
  });
});

describe('MKT-3: the cache of candles', () => {
  test('a first read is fresh, the next is cached and ages, a bar boundary refreshes it', () => {
    const service = openTestService({ connections: [{ label: 'second' }] });
    const read = (target = '/v1/candles/BTC?interval=5m', wallet = 'main') => {
      const { body, headers } = service.ask(target, { headers: { 'x-service-wallet': wallet } });
      return [body.cached, body.age_seconds, headers['x-service-weight']];
    };
    expect(read()).toEqual([false, 0, '2']);
    expect(read()).toEqual([true, 0, '1']);
    service.core.engine.advanceTo(WARM + 90_000);
    expect(read()).toEqual([true, 90, '1']);
    expect(read('/v1/candles/BTC?interval=5m&limit=3')).toEqual([true, 90, '1']);
    expect(read('/v1/candles/BTC?interval=1m')).toEqual([false, 0, '2']);
    expect(read('/v1/candles/BTC?interval=5m', 'second')).toEqual([false, 0, '2']);
    service.core.engine.advanceTo(WARM + 5 * MINUTE);
    expect(read()).toEqual([false, 0, '2']);
    expect(read()).toEqual([true, 0, '1']);
  });
});

describe('MKT-2, MKT-4: indicators', () => {
  test('the catalogue names fourteen, with params and price series', () => {
    const { items } = openTestService().ask('/v1/indicators').body;
    expect(items).toHaveLength(14);
    const rsi = items.find(({ id }: { id: string }) => id === 'rsi');
    expect(rsi).toMatchObject({
      params: [{ name: 'period', default: 14, min: 2, max: 500 }],
      series: ['value'],
      price_series: [],
    });
  });

  test('a batch is evaluated at the last closed bar, and again as bars close', () => {
    const service = openTestService();
    const feed = testFeed();
    const body = {
      symbol: 'BTC',
      interval: '1m',
      indicators: [
        { id: 'fast', indicator: 'ema', params: { period: 9 } },
        { id: 'band', indicator: 'bollinger', series: 'upper' },
        { id: 'macd', indicator: 'macd' },
        { id: 'day', indicator: 'vwap' },
      ],
    };
    for (const bars of [500, 501, 620]) {
      service.core.engine.advanceTo(TAPE_START + bars * MINUTE + 10);
      const answer = service.ask('/v1/indicators/evaluate', { body }).body;
      const barTime = TAPE_START + (bars - 1) * MINUTE;
      const at = (id: 'ema' | 'bollinger' | 'macd' | 'vwap', params = {}) => {
        const indicator = createIndicator(id, params);
        for (let row = 0; row < bars; row++) {
          const { time, open, high, low, close, volume } = feed;
          indicator.next(time[row]!, open[row]!, high[row]!, low[row]!, close[row]!, volume[row]!);
        }
        return indicator;
      };
      const macd = at('macd');
      expect(answer).toEqual({
        symbol: 'BTC',
        interval: '1m',
        bar_time: barTime,
        values: [
          {
            id: 'fast',
            indicator: 'ema',
            bar_time: barTime,
            value: at('ema', { period: 9 }).value(),
          },
          {
            id: 'band',
            indicator: 'bollinger',
            bar_time: barTime,
            value: at('bollinger').value('upper'),
          },
          {
            id: 'macd',
            indicator: 'macd',
            bar_time: barTime,
            series: Object.fromEntries(macd.series.map((name) => [name, macd.value(name)])),
          },
          { id: 'day', indicator: 'vwap', bar_time: barTime, value: at('vwap').value() },
        ],
      });
    }
  });

  test('a value before warm-up is 422 indicator_not_ready, with the bars that are missing', () => {
    const service = openTestService({ warmup: 10 });
    const body = {
      symbol: 'BTC',
      interval: '1m',
      indicators: [
        { id: 'quick', indicator: 'sma', params: { period: 5 } },
        { id: 'slow', indicator: 'sma', params: { period: 50 } },
      ],
    };
    const answer = service.ask('/v1/indicators/evaluate', { body });
    expect([answer.status, codeOf(answer)]).toEqual([422, 'indicator_not_ready']);
    expect(answer.body.error.details).toEqual({
      path: 'indicators.1',
      id: 'slow',
      bars_needed: 50,
      bars_available: 10,
    });
  });

  test.each([
    [{ indicator: 'sma', params: { period: 0 } }, 'indicators.0.params.period'],
    [{ indicator: 'bollinger', series: 'middle' }, 'indicators.0.series'],
    [{ indicator: 'alma' }, 'indicators.0.indicator'],
  ])('%j is 422 on %s', (item, path) => {
    const body = { symbol: 'BTC', interval: '1m', indicators: [{ id: 'a', ...item }] };
    const answer = openTestService().ask('/v1/indicators/evaluate', { body });
    expect([answer.status, answer.body.error.details.fields[0].path]).toEqual([422, path]);
  });

  test('two of a batch with one id are 422: their values could not be told apart', () => {
    const item = { id: 'a', indicator: 'sma', params: { period: 2 } };
    const body = { symbol: 'BTC', interval: '1m', indicators: [item, { ...item, id: 'b' }, item] };
    const { status, body: answer } = openTestService().ask('/v1/indicators/evaluate', { body });
    expect([status, answer.error.details.fields]).toMatchObject([
      422,
      [{ path: 'indicators.2.id', code: 'duplicate' }],
    ]);
  });
});

describe('MKT-6: instruments, markets, book, price', () => {
  const service = openTestService(
    {},
    { feeds: [testFeed(), testFeed('HYPE/USDC'), testFeed('xyz:TSLA')] },
  );

  test('an instrument follows from its symbol', () => {
    const { items } = service.ask('/v1/instruments').body;
    expect(
      items.map(({ symbol, kind, base, quote, deployer }: Record<string, unknown>) => [
        symbol,
        kind,
        base,
        quote,
        deployer,
      ]),
    ).toEqual([
      ['BTC', 'perp', 'BTC', 'USD', null],
      ['HYPE/USDC', 'spot', 'HYPE', 'USDC', null],
      ['xyz:TSLA', 'third_party_perp', 'TSLA', 'USD', 'xyz'],
    ]);
  });

  test('ORD-5: a spot symbol travels percent-encoded, and so do colons', () => {
    expect(service.ask('/v1/price/HYPE%2FUSDC').body.symbol).toBe('HYPE/USDC');
    expect(service.ask('/v1/price/xyz%3ATSLA').body.symbol).toBe('xyz:TSLA');
    expect(service.ask('/v1/price/HYPE/USDC').status).toBe(404);
  });

  test('the book is around the mark: valid prices, best prices of the ticker, requested depth', () => {
    const [instrument] = service.ask('/v1/instruments').body.items;
    const { bid, ask, mark, last } = service.ask('/v1/price/BTC').body;
    expect(last).toBe(mark);
    const { bids, asks } = service.ask('/v1/orderbook/BTC?depth=7').body;
    expect([bids.length, asks.length, bids[0][0], asks[0][0]]).toEqual([7, 7, bid, ask]);
    expect(bid < mark && mark < ask).toBe(true);
    for (const [levels, sign] of [
      [bids, -1],
      [asks, 1],
    ] as const) {
      levels.forEach(([price, size]: [number, number], index: number) => {
        expect(isValidPrice(price, instrument) && isValidSize(size, instrument)).toBe(true);
        if (index > 0) expect(Math.sign(price - levels[index - 1][0])).toBe(sign);
      });
    }
  });

  test('the book has twenty levels where no depth is asked for', () => {
    const { bids, asks } = service.ask('/v1/orderbook/BTC').body;
    expect([bids.length, asks.length]).toEqual([20, 20]);
  });

  test('markets have mark, index, funding and the volume of a day', () => {
    const { items } = service.ask('/v1/markets?symbol=BTC').body;
    const feed = testFeed();
    const volume = feed.volume.subarray(0, 500).reduce((sum, one) => sum + one, 0);
    expect(items).toEqual([
      expect.objectContaining({
        symbol: 'BTC',
        funding_rate: 0.0000125,
        volume_24h: expect.closeTo(volume, 6),
        next_funding_time: TAPE_START + 9 * 3_600_000,
      }),
    ]);
    expect(service.ask('/v1/markets?symbol=HYPE%2FUSDC').body.items[0].funding_rate).toBeNull();
  });

  test('lists are paged: limit, cursor, a last page without one', () => {
    const first = service.ask('/v1/instruments?limit=2').body;
    expect(first.items).toHaveLength(2);
    const cursor = encodeURIComponent(first.next_cursor);
    const last = service.ask(`/v1/instruments?limit=2&cursor=${cursor}`).body;
    expect(last.items.map(({ symbol }: { symbol: string }) => symbol)).toEqual(['xyz:TSLA']);
    expect(last.next_cursor).toBeNull();
    expect(service.ask('/v1/instruments?limit=3').body.next_cursor).toBeNull();
    expect(service.ask('/v1/instruments?cursor=mine').status).toBe(422);
  });
});

describe('CON-1: connections', () => {
  test('list linked wallets with stable id, venue, label and status', () => {
    const connections = [{ label: 'Grid Bot' }, { label: 'grid bot', status: 'unlinked' as const }];
    const { items } = openTestService({ connections }).ask('/v1/connections').body;
    expect(items).toMatchObject([
      { id: 'main', venue: 'paper', label: 'main', status: 'active' },
      { id: 'grid-bot', label: 'Grid Bot', status: 'active' },
      { id: 'grid-bot-2', label: 'grid bot', status: 'unlinked' },
    ]);
  });

  test('an unlinked wallet can be read and not traded', () => {
    const service = openTestService({ connections: [{ label: 'off', status: 'unlinked' }] });
    const headers = { 'x-service-wallet': 'off' };
    expect(service.ask('/v1/account', { headers }).status).toBe(200);
    const order = { symbol: 'BTC', side: 'buy', size: 0.001, order_type: 'market' };
    expect(codeOf(service.ask('/v1/order', { body: order, headers }))).toBe('wallet_not_linked');
  });
});

test('status lists every layer and server time; AUTH-5: a key needs a linked wallet', () => {
  const service = openTestService({ connections: [{ label: 'off', status: 'unlinked' }] });
  expect(service.ask('/v1/status').body).toMatchObject({
    status: 'ok',
    server_time: service.wall.now,
    layers: { market_data: 'ok', orders: 'ok' },
  });
  const request = { label: 'x', scopes: ['read'] as const, connectionId: 'off' };
  const add = () => service.core.addKey(request, { keyId: 'vk_x', secret: 'vs_x' }, 0);
  expect(add).toThrow(expect.objectContaining({ code: 'wallet_not_linked', status: 409 }));
});
