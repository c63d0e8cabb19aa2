import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { describeFeedProblem, loadMarketData, paperSettings } from '../../../src/paper/index.ts';
import { CsvRows } from '../../../src/paper/feed/CsvRows.ts';
import { readPlainFile } from '../../../src/paper/feed/readPlainFile.ts';
import { writeFiles } from '../../backtest/data/writeFiles.ts';
import { EXTRACTS } from '../../data/places.ts';
import type { Answer } from '../core/openTestService.ts';
import { openTestServer, type TestServer } from './openTestServer.ts';

const tape = (name: string): string => join(EXTRACTS, `trades_l2/${name}.csv.gz`);
const recording = (name: string, book: string) => ({
  trades: tape(`${name}-trades`),
  book: tape(`${name}-${book}`),
});

const HYPERLIQUID = 'HYPERLIQUID-BTC-20250904';
const FEEDS = [
  { symbol: 'BTC', interval: '1m', ...recording(HYPERLIQUID, 'l2book20') },
  { symbol: 'ETH', interval: '3m', ...recording('HYPERLIQUID-ETH-20250904', 'bbo') },
] as const;

async function openTapes(state?: string): Promise<TestServer> {
  const settings = paperSettings.parse({ feeds: FEEDS, warmup: 5 });
  const data = await loadMarketData(settings, '.');
  if (!data.ok) throw new Error(describeFeedProblem(data.problem));
  const { feeds } = data.value;
  const server = await openTestServer(
    { warmup: 5, balance: 1_000_000, limits: 'off', ...(state === undefined ? {} : { state }) },
    { feeds },
  );
  onTestFinished(() => server.close());
  return server;
}

async function ok(answering: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answering;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body;
}

describe('a replay of recorded markets', () => {
  test('MKT-6: serves the recorded levels, at several intervals and symbols at once', async () => {
    const server = await openTapes();
    const read = await readPlainFile(tape(`${HYPERLIQUID}-l2book20`), '');
    if (!read.ok) throw new Error('It is not there.');
    const rows = new CsvRows(read.value, '');
    const time = rows.column('exchange_timestamp');
    const start = (await ok(server.control('GET', '/paper/replay'))).time;
    for (let looked = 0; looked < 5 && rows.next();) {
      const at = rows.number(time);
      if (at <= start || rows.line % 300 !== 0) continue;
      looked++;
      await ok(server.control('POST', '/paper/replay/advance', { to_time: at }));
      const book = await ok(server.ask('/v1/orderbook/BTC?depth=20'));
      const level = (side: string, index: number) =>
        ['price', 'size'].map((name) => rows.number(rows.column(`${side}_${name}_${index}`)));
      const levels = Array.from({ length: 20 }, (_none, index) => index);
      expect(book.bids).toEqual(levels.map((index) => level('bid', index)));
      expect(book.asks).toEqual(levels.map((index) => level('ask', index)));
      const quote = await ok(server.ask('/v1/price/BTC'));
      expect([quote.bid, quote.ask]).toEqual([book.bids[0][0], book.asks[0][0]]);
      const [top] = (await ok(server.ask('/v1/orderbook/ETH'))).bids;
      expect(top).toHaveLength(2);
    }
    const bars = await ok(server.ask('/v1/candles/ETH?interval=3m&limit=500'));
    expect(bars.candles.length).toBeGreaterThan(3);
    expect(await server.ask('/v1/candles/ETH?interval=1m')).toMatchObject({ status: 422 });
  });

  test('every algorithm works on it, and money is conserved', async () => {
    const server = await openTapes();
    const { mark } = await ok(server.ask('/v1/price/BTC'));
    const round = (share: number): number => Math.round(mark * share);
    const launch = (algo: string, params: object, more: object = {}) =>
      ok(
        server.ask('/v1/execute', {
          body: { algo, symbol: 'BTC', side: 'buy', total_size: 0.5, params, ...more },
          headers: { 'idempotency-key': algo },
        }),
      );
    await ok(
      server.ask('/v1/order', {
        body: { symbol: 'BTC', side: 'buy', size: 2, order_type: 'market' },
      }),
    );
    await launch('pacemaker', { duration_seconds: 600 });
    await launch('flowscale', { participation: 0.2 });
    await launch('flowband', { band_low: round(0.9), band_high: round(1.1) });
    await launch('glidemaker', { strategy: 'passive', limit_price: round(1.02) });
    await launch('ghostsweep', { trigger_price: round(1.0003) });
    await launch(
      'smartexit',
      { stop_price: round(0.98), take_price: round(1.0002) },
      { side: 'sell', reduce_only: true },
    );
    await ok(server.control('POST', '/paper/replay/advance', { bars: 20, interval: '1m' }));
    const { items } = await ok(server.ask('/v1/executions'));
    const filled = items.filter(({ filled_size: size }: { filled_size: number }) => size > 0);
    expect(filled.length).toBeGreaterThan(3);
    const account = await ok(server.ask('/v1/account'));
    const { realized_pnl, unrealized_pnl, fees_paid, funding_paid, equity } = account;
    const expected = 1_000_000 + realized_pnl + unrealized_pnl - fees_paid - funding_paid;
    expect(equity).toBeCloseTo(expected, 6);
    const fills = await ok(server.ask('/v1/fills?limit=500'));
    // On recorded data every price is a quoted one.
    for (const { price } of fills.items) expect(Number.isInteger(price)).toBe(true);
  });

  test('steps of any size give the same fills', async () => {
    const fillsOf = async (steps: number[]): Promise<unknown> => {
      const server = await openTapes();
      const { bid, ask } = await ok(server.ask('/v1/price/BTC'));
      for (const away of [1, 20, 60]) {
        for (const [side, price] of [
          ['buy', bid - away],
          ['sell', ask + away],
        ] as const) {
          const body = { symbol: 'BTC', side, size: 1, order_type: 'limit', price };
          await ok(server.ask('/v1/order', { body }));
        }
      }
      const start = (await ok(server.control('GET', '/paper/replay'))).time;
      for (const step of steps) {
        await ok(server.control('POST', '/paper/replay/advance', { to_time: start + step }));
      }
      return (await ok(server.ask('/v1/fills?limit=500'))).items;
    };
    const whole = await fillsOf([600_000]);
    expect(whole).not.toEqual([]);
    expect(await fillsOf([1, 77, 10_001, 59_999, 60_000, 60_001, 333_333, 600_000])).toEqual(whole);
  });
});

describe('settings', () => {
  test('a feed is candles or trades; a snapshot belongs to a book; each fault names its field', () => {
    const faultsOf = (feed: object) =>
      paperSettings
        .safeParse({ feeds: [{ symbol: 'BTC', interval: '1m', ...feed }] })
        .error?.issues.map(({ path }) => path.join('.'))
        .join();
    expect(faultsOf({ trades: 't.csv' })).toBeUndefined();
    expect(faultsOf({ path: 'c.csv', book: 'b.csv', snapshot: 's.csv' })).toBeUndefined();
    expect(faultsOf({ book: 'b.csv' })).toBe('feeds.0.path');
    expect(faultsOf({ path: 'c.csv', snapshot: 's.csv' })).toBe('feeds.0.snapshot');
    expect(faultsOf({ snapshot: 's.csv' })).toBe('feeds.0.path,feeds.0.snapshot');
  });

  test('an unreadable recording is reported with its file', async () => {
    const settings = paperSettings.parse({
      feeds: [{ symbol: 'BTC', interval: '1m', trades: 'none.csv' }],
    });
    const loaded = await loadMarketData(settings, '/nowhere');
    expect(loaded).toMatchObject({ ok: false, problem: { file: join('/nowhere', 'none.csv') } });
  });

  test.each<[string, object, string]>([
    ['trades', { trades: 't.csv' }, 't.csv'],
    ['trades and a book', { trades: 't.csv', book: 'b.csv' }, 't.csv'],
    ['candles and a book', { path: 'c.csv', book: 'b.csv' }, 'b.csv'],
  ])(
    '%s that cover no whole bar are reported with the file that is too short',
    async (_what, named, file) => {
      const paths = await writeFiles({
        't.csv': 'timestamp,price,size\n1725148805000,100,1\n1725148806000,100,1\n',
        'b.csv':
          'event_ms,bid,bid_qty,ask,ask_qty\n1725148805000,99,1,101,1\n1725148806000,99,1,101,1\n',
        'c.csv':
          'timestamp,open,high,low,close,volume\n1725148800000,100,100,100,100,1\n1725148860000,100,100,100,100,1\n',
      });
      const folder = dirname(paths[0]!);
      onTestFinished(() => rm(folder, { recursive: true }));
      const settings = paperSettings.parse({
        feeds: [{ symbol: 'BTC', interval: '1m', ...named }],
      });
      const loaded = await loadMarketData(settings, folder);
      if (loaded.ok) throw new Error('It was loaded.');
      expect(loaded.problem).toMatchObject({ file: join(folder, file), line: null });
      expect(describeFeedProblem(loaded.problem)).toContain('covers no complete bar of 1m.');
    },
  );
});
