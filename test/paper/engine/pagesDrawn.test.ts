/** Lists by every filter, page by page, while records are added: the same as a plain filter of all records. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/env/index.ts';
import { holdLaw, Tried } from '../../holdLaw.ts';
import { createBench, feedOf, flat, MINUTE, START, walk } from './bench.ts';

const BARS = 40;
const SYMBOLS = ['BTC', 'ETH'] as const;

interface Row {
  symbol: string;
  status?: string;
  time: number;
  created_time: number;
  fill_id?: string;
  order_id: string;
}

interface Page {
  items: Row[];
  next_cursor: string | null;
}

/** Some minutes of orders, some filled, some cancelled, some left open, of two wallets. */
function openTraded(seed: string) {
  const feeds = SYMBOLS.map((symbol) => feedOf(walk(`${seed} ${symbol}`, BARS), { symbol }));
  const bench = createBench({ feeds }, { balance: 1_000_000 });
  bench.engine.addAccount('other', 1_000_000);
  const random = createRandom(seed);
  const trade = (): void => {
    const symbol = SYMBOLS[random.next() < 0.5 ? 0 : 1];
    const wallet = random.next() < 0.8 ? 'main' : 'other';
    const { mark } = bench.engine.market.quote(symbol);
    const at = random.next();
    const base = { symbol, side: random.next() < 0.5 ? 'buy' : 'sell', size: 1 };
    const price = Math.round(mark * (base.side === 'buy' ? 0.8 : 1.2) * 100) / 100;
    if (at < 0.5) bench.order({ ...base, order_type: 'market' }, { wallet });
    else if (at < 0.95) bench.order({ ...base, order_type: 'limit', price }, { wallet });
    else bench.call('orders.bulkCancel', { query: { symbol }, wallet });
  };
  for (let minute = 1; minute < BARS - 2; minute++) {
    for (let orders = Math.floor(random.next() * 3); orders > 0; orders--) trade();
    bench.run(1);
  }
  return { bench, trade };
}

test('each record that a filter allows is on one page, newest first, and no other is', async () => {
  const tried = new Tried();
  const minute = fc.option(fc.integer({ min: 0, max: BARS }), { nil: undefined });
  const drawn = fc.record({
    seed: fc.integer({ min: 0, max: 1e9 }).map(String),
    list: fc.constantFrom('orders.list', 'orders.history', 'orders.fills'),
    wallet: fc.constantFrom('main', 'main', 'other'),
    symbol: fc.constantFrom(undefined, undefined, ...SYMBOLS),
    from: minute,
    to: minute,
    limit: fc.constantFrom(1, 3, 7, 500),
    adds: fc.boolean(),
  });
  await holdLaw(200, drawn, ({ seed, list, wallet, symbol, from, to, limit, adds }) => {
    const { bench, trade } = openTraded(seed);
    const ask = (query: Record<string, unknown>): Page =>
      bench.call(list as never, { wallet, query }) as Page;
    const timeOf = (row: Row): number => (list === 'orders.fills' ? row.time : row.created_time);
    const idOf = (row: Row): string => row.fill_id ?? row.order_id;
    const all = ask({ limit: 500 }).items;
    const times = all.map(timeOf);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const [start, end] = [from, to].map((at) =>
      at === undefined ? undefined : START + at * MINUTE,
    );
    const expected = all.filter(
      (row) =>
        (symbol === undefined || row.symbol === symbol) &&
        (start === undefined || timeOf(row) >= start) &&
        (end === undefined || timeOf(row) < end),
    );
    const filter = {
      ...(symbol && { symbol }),
      ...(start !== undefined && { start_time: start }),
      ...(end !== undefined && { end_time: end }),
    };
    const found: Row[] = [];
    let cursor: string | null = null;
    do {
      const page = ask({ ...filter, limit, ...(cursor !== null && { cursor }) });
      expect(page.items.length).toBeLessThanOrEqual(limit);
      found.push(...page.items);
      cursor = page.next_cursor;
      // What comes later belongs before the first page; an order that ends goes from list to list.
      if (adds && list === 'orders.fills') trade();
    } while (cursor !== null);
    expect(found.map(idOf)).toEqual(expected.map(idOf));
    const isCut = expected.length > 0 && expected.length < all.length;
    if (isCut && start !== undefined) tried.take('start');
    if (isCut && end !== undefined) tried.take('end');
    if (expected.length > limit) tried.take('pages');
  });
  expect(tried.rare(['start', 'end', 'pages'], 1)).toEqual([]);
});

test.each([1, 2, 3, 100])(
  'what an execution and a wallet gather comes once, newest first, %i a page, while it runs on',
  (limit) => {
    const feeds = [feedOf(walk('gathered', BARS, { move: 0.001 }))];
    const bench = createBench({ feeds }, { balance: 1_000_000 });
    bench.run(1);
    const params = { duration_seconds: 1_800, slices: 30 };
    const body = { algo: 'pacemaker', symbol: 'BTC', side: 'buy', total_size: 30, params };
    const { execution_id: id } = bench.call('executions.launch', { body });
    const lists = ['executions.orders', 'executions.fills', 'executions.events'] as const;
    const firstOf = (list: (typeof lists)[number]): unknown => {
      if (list === 'executions.events') return expect.objectContaining({ time: START + MINUTE });
      const ofWallet = list === 'executions.fills' ? 'orders.fills' : 'orders.history';
      const rows: Array<{ execution_id: string }> = bench.call(ofWallet, {
        query: { limit: 500 },
      } as never).items;
      return rows.findLast((row) => row.execution_id === id);
    };
    bench.run(4);
    for (const list of lists) {
      const ask = (query: object) => bench.call(list, { pathParams: { id }, query } as never);
      const all = ask({ limit: 500 }).items;
      expect(all.length).toBeGreaterThan(3);
      const timeOf = (row: Row) => row.created_time ?? row.time;
      expect(all.map(timeOf)).toEqual(all.map(timeOf).toSorted((a: number, b: number) => b - a));
      // From the first on: those of the wallet that name the execution, and the launch itself.
      expect(all.at(-1)).toEqual(firstOf(list));
      const found = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page: Page = ask({ limit, ...(cursor !== undefined && { cursor }) });
        expect(page.items.length).toBeLessThanOrEqual(limit);
        found.push(...page.items);
        cursor = page.next_cursor;
        bench.run(1);
      }
      expect(found).toEqual(all);
      const some = all.slice(1, 3).map(timeOf);
      const range = { start_time: some[1], end_time: some[0] + 1 };
      expect(ask(range).items.map(timeOf)).toEqual(some);
      expect(ask({ cursor: '0' })).toEqual({ items: [], next_cursor: null });
      const unknown = { pathParams: { id }, query: { cursor: 'x' } };
      expect(bench.refusal(list, unknown).code).toBe('validation_failed');
    }
  },
);

test('pages of the P&L repeat no row when a day begins between them', () => {
  const feeds = [feedOf(walk('days', 8), { interval: '12h', stepMs: 12 * 60 * MINUTE })];
  const bench = createBench({ feeds }, { balance: 1_000_000 });
  bench.run(13 * 60);
  bench.order({ side: 'buy', size: 1, order_type: 'market' });
  bench.run(2 * 24 * 60);
  const page = (query: object) => bench.call('account.pnl', { query } as never);
  const first = page({ limit: 1 });
  bench.run(24 * 60);
  const rest = page({ limit: 5, cursor: first.next_cursor });
  const days = [...first.items, ...rest.items].map(({ day }: { day: string }) => day);
  expect(days).toEqual(['2024-01-03', '2024-01-02', '2024-01-01']);
});

test('the P&L is filtered by its days and symbols, positions by when they were opened and by symbol', () => {
  const halfDays = { interval: '12h', stepMs: 12 * 60 * MINUTE } as const;
  const feeds = ['BTC', 'ETH'].map((symbol) => feedOf(walk(symbol, 9), { ...halfDays, symbol }));
  const bench = createBench({ feeds }, { balance: 1_000_000 });
  const opened: Record<string, number> = {};
  for (const symbol of ['ETH', 'BTC']) {
    bench.run(25 * 60);
    bench.order({ symbol, side: 'buy', size: 1, order_type: 'market' });
    opened[symbol] = bench.engine.now;
  }
  bench.run(24 * 60);
  const day = (number: number): number => START + (number - 1) * 24 * 60 * MINUTE;
  const pnl = (query: object): string[] =>
    bench
      .call('account.pnl', { query } as never)
      .items.map((row: { day: string; symbol: string }) => `${row.day.slice(-2)} ${row.symbol}`);
  expect(pnl({})).toEqual(['04 BTC', '04 ETH', '03 BTC', '03 ETH', '02 ETH']);
  expect(pnl({ symbol: 'BTC' })).toEqual(['04 BTC', '03 BTC']);
  expect(pnl({ start_time: day(3), end_time: day(4) })).toEqual(['03 BTC', '03 ETH']);
  expect(pnl({ start_time: day(3) + 1 })).toEqual(['04 BTC', '04 ETH']);
  expect(pnl({ end_time: day(3), symbol: 'ETH' })).toEqual(['02 ETH']);
  const positions = (query: object): string[] =>
    bench
      .call('positions.list', { query } as never)
      .items.map(({ symbol }: { symbol: string }) => symbol);
  expect(positions({})).toEqual(['ETH', 'BTC']);
  expect(positions({ symbol: 'BTC' })).toEqual(['BTC']);
  expect(positions({ start_time: opened['ETH']! + 1 })).toEqual(['BTC']);
  expect(positions({ end_time: opened['BTC']! })).toEqual(['ETH']);
  expect(positions({ start_time: opened['BTC']!, end_time: opened['BTC']! + 1 })).toEqual(['BTC']);
});

const NAMES = ['AAA', 'BTC', 'CCC', 'DDD'] as const;

/** An engine whose wallet has traded these symbols, one at a minute. */
function openHolding(symbols: readonly string[], suffix = '') {
  const feeds = NAMES.map((name) => feedOf(flat(100, BARS), { symbol: `${name}${suffix}` }));
  const bench = createBench({ feeds }, { balance: 1_000_000 });
  const trade = (name: string, side = 'buy'): void => {
    bench.order({ symbol: `${name}${suffix}`, side, size: 1, order_type: 'market' });
    bench.run(1);
  };
  bench.run(1);
  for (const name of symbols) trade(name);
  return { bench, trade };
}

describe('what goes or comes between two pages loses no row that stays', () => {
  test('POS-1: a position that closes', () => {
    for (const [closed, left] of [
      ['CCC', ['BTC', 'DDD']],
      ['AAA', ['CCC', 'BTC', 'DDD']],
    ] as const) {
      const { bench, trade } = openHolding(['CCC', 'AAA', 'BTC', 'DDD']);
      const page = (query: object) => bench.call('positions.list', { query } as never);
      const first = page({ limit: 2 });
      expect(first.items).toMatchObject([{ symbol: 'CCC' }, { symbol: 'AAA' }]);
      trade(closed, 'sell');
      const rest = page({ limit: 2, cursor: first.next_cursor });
      const found = [...first.items, ...rest.items].map(({ symbol }) => symbol);
      expect(found, closed).toEqual(expect.arrayContaining([...left]));
      expect(new Set(found).size).toBe(found.length);
      expect(rest.next_cursor).toBeNull();
    }
  });

  test('ACC-1: a holding that is sold', () => {
    const { bench, trade } = openHolding(['CCC', 'AAA', 'DDD'], '/USDC');
    const page = (query: object) => bench.call('account.balances', { query } as never);
    expect(page({}).items.map(({ asset }: { asset: string }) => asset)[0]).toBe('USDC');
    const first = page({ limit: 2 });
    const [, held] = first.items as Array<{ asset: string }>;
    trade(held!.asset, 'sell');
    const rest = page({ limit: 2, cursor: first.next_cursor });
    const found = [...first.items, ...rest.items].map(({ asset }) => asset);
    expect(found.toSorted()).toEqual(['AAA', 'CCC', 'DDD', 'USDC']);
  });

  test.each(['AAA', 'DDD'])('ACC-1: a symbol that is first traded: %s', (added) => {
    const { bench, trade } = openHolding(['BTC', 'CCC']);
    const page = (query: object) => bench.call('account.pnl', { query } as never);
    const first = page({ limit: 1 });
    trade(added);
    const rest = page({ limit: 2, cursor: first.next_cursor });
    const found = [...first.items, ...rest.items].map(({ symbol }) => symbol);
    expect(found.filter((symbol) => symbol !== added)).toEqual(['BTC', 'CCC']);
  });

  test('the last page has no cursor, and one of another list is refused', () => {
    const { bench } = openHolding(['BTC', 'CCC']);
    for (const list of ['positions.list', 'account.pnl'] as const) {
      const page = (query: object) => bench.call(list, { query } as never);
      expect(page({ limit: 2 })).toMatchObject({ items: [{}, {}], next_cursor: null });
      const { next_cursor: cursor } = page({ limit: 1 });
      expect(page({ limit: 1, cursor })).toMatchObject({ items: [{}], next_cursor: null });
      // Of another length, and of the same with parts of other kinds.
      const foreign = ['[1]', '["a",1]', '[1,2]', '["a","b"]', '[1,"a","b"]'].map((key) =>
        Buffer.from(key).toString('base64url'),
      );
      for (const unknown of ['1', 'x', `${cursor}x`, ...foreign]) {
        const refusal = bench.refusal(list, { query: { cursor: unknown } });
        expect(refusal.details, unknown).toMatchObject({ fields: [{ code: 'unknown_cursor' }] });
      }
    }
  });
});
