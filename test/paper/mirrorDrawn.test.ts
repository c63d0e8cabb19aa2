/**
 * The mirror law for money: two markets whose prices add up to a constant, two wallets whose sides are swapped, and
 * funding rates of the other sign. Fills are each other's image, profits are equal, and what is a share of the price adds
 * up to the same share of the constant: fees, funding, margin.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDialect, type FillRecord } from '../../src/contract/index.ts';
import { createRandom, type Random } from '../../src/env/index.ts';
import { ServiceError } from '../../src/paper/core/ServiceError.ts';
import { holdLaw, Tried } from '../holdLaw.ts';
import { createBench, feedOf, MINUTE, START, walk, type Row } from './engine/bench.ts';

const BARS = 150;
const WARM_UP = 5;
/** Prices and their images add up to this. */
const SUM = 200;
const SYMBOLS = ['BTC', 'ETH'] as const;
const FEES = { maker_bps: 2, taker_bps: 5, service_bps: 1 };
const HOUR = 60 * MINUTE;

/** A least order value is a share of the price: what is too small in one market may be enough in the other. */
const dialect = createDialect({ venue: { minOrderValue: 1, algoMinValue: 1 } });

type Sign = 1 | -1;
type Bench = ReturnType<typeof createBench>;
type Step = (bench: Bench, sign: Sign) => void;

const cents = (price: number): number => Math.round(price * 100) / 100;
const imageOf = (price: number, sign: Sign): number => (sign === 1 ? price : cents(SUM - price));
const sideOf = (isBuy: boolean, sign: Sign): string => (isBuy === (sign === 1) ? 'buy' : 'sell');
const pick = <T>(random: Random, values: readonly T[]): T =>
  values[Math.floor(random.next() * values.length)]!;

/** No bar has its extremes equally far from its open, as its path goes to the nearer one first. */
function rowsOf(seed: string): Row[] {
  return walk(seed, BARS, { move: 0.02, volume: 400 }).map(([open, high, low, close, volume]) => {
    const isEven = Math.abs(high - open - (open - low)) < 0.005;
    return [open, isEven ? cents(high + 0.01) : high, low, close, volume!];
  });
}

const imageOfRow = ([open, high, low, close, volume]: Row): Row => [
  cents(SUM - open),
  cents(SUM - low),
  cents(SUM - high),
  cents(SUM - close),
  volume!,
];

function drawStep(random: Random): Step {
  const symbol = pick(random, SYMBOLS);
  const isBuy = random.next() < 0.5;
  const size = pick(random, [0.5, 1, 3]);
  const offset = cents((random.next() - 0.5) * 2);
  const reduce_only = random.next() < 0.2;
  const kind = pick(random, ['market', 'limit', 'limit', 'ioc', 'close', 'cancel', 'basket']);
  const both = random.next() < 0.7;
  const isNear = random.next() < 0.5;
  return (bench, sign) => {
    const base = { symbol, side: sideOf(isBuy, sign), size, reduce_only };
    // The last close, which is on the tick: a mark within a bar is not.
    const close = cents(bench.engine.market.quote(symbol).mark);
    const price = cents(close + sign * offset);
    if (kind === 'market') bench.order({ ...base, order_type: 'market' });
    if (kind === 'limit') bench.order({ ...base, order_type: 'limit', price });
    if (kind === 'ioc') bench.order({ ...base, order_type: 'limit', price, time_in_force: 'ioc' });
    if (kind === 'close') bench.call('positions.close', { pathParams: { symbol } });
    if (kind === 'cancel') bench.call('orders.bulkCancel', { query: { symbol } });
    if (kind === 'basket') {
      const legs = (both ? SYMBOLS : [symbol]).map((each, at) => ({
        algo: 'pacemaker',
        symbol: each,
        side: sideOf(at === 0 ? isBuy : !isBuy, sign),
        total_size: 2 * size,
        params: { duration_seconds: isNear ? 240 : 600, slices: 4 },
      }));
      bench.call('baskets.launch', { body: { legs } });
    }
  };
}

/** A refusal has no effect, and must be the same in both. */
function refusalOf(act: () => void): string | null {
  try {
    act();
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
}

function openMarket(seed: string, sign: Sign, hourly: readonly number[]): Bench {
  const feeds = SYMBOLS.map((symbol) => {
    const rows = rowsOf(`${seed} ${symbol}`);
    return feedOf(sign === 1 ? rows : rows.map(imageOfRow), { symbol });
  });
  const time = Float64Array.from(hourly, (_rate, at) => START + (at + 1) * HOUR);
  const rates = { time, rate: Float64Array.from(hourly, (rate) => sign * rate) };
  const bench = createBench(
    {
      feeds,
      fundingRates: { BTC: rates, ETH: rates },
      halfSpreadBps: 1e-6,
      impactBps: 0,
      fees: { all: FEES, symbols: {} },
      dialect,
    },
    { balance: 1_000_000 },
  );
  bench.run(WARM_UP);
  return bench;
}

interface PositionRow {
  symbol: string;
  side: string;
  size: number;
  entry_price: number;
  unrealized_pnl: number;
  leverage: number;
}

test('fills, fees, funding, margin and baskets of a mirrored market are the mirror image', async () => {
  const tried = new Tried();
  const drawn = fc.record({
    seed: fc.integer({ min: 0, max: 1e9 }).map(String),
    hourly: fc.array(fc.constantFrom(0.001, -0.0004, 0.003), { minLength: 3, maxLength: 3 }),
    leverage: fc.constantFrom(2, 10, 20),
  });
  await holdLaw(6, drawn, ({ seed, hourly, leverage }) => {
    const here = openMarket(seed, 1, hourly);
    const there = openMarket(seed, -1, hourly);
    const sides = [
      [here, 1],
      [there, -1],
    ] as const;
    for (const [bench] of sides)
      for (const symbol of SYMBOLS)
        bench.call('leverage.set', {
          pathParams: { symbol },
          body: { leverage, mode: 'cross' },
        });
    const random = createRandom(`steps ${seed}`);
    for (let minute = WARM_UP + 1; minute < BARS; minute++) {
      if (random.next() < 0.4) {
        const step = drawStep(random);
        const [mine, others] = sides.map(([bench, sign]) => refusalOf(() => step(bench, sign)));
        expect(others, `minute ${minute}`).toBe(mine);
      }
      for (const [bench] of sides) bench.run(1);
      expectImage(here, there, leverage);
    }
    expectFillsImage(here, there, tried);
    expectFundingImage(here, there, tried);
  });
  expect(tried.rare(['maker', 'taker', 'buy funding', 'sell funding', 'basket'], 1)).toEqual([]);
});

function expectImage(here: Bench, there: Bench, leverage: number): void {
  const [mine, others] = [here.call('account.get'), there.call('account.get')];
  const made = ({ equity, fees_paid, funding_paid }: Record<string, number>): number =>
    equity! + fees_paid! + funding_paid!;
  expect(made(others)).toBeCloseTo(made(mine), 6);
  expect(others.realized_pnl).toBeCloseTo(mine.realized_pnl, 6);
  expect(others.unrealized_pnl).toBeCloseTo(mine.unrealized_pnl, 6);
  const [held, image] = [here, there].map(
    (bench) => bench.call('positions.list').items as PositionRow[],
  ) as [PositionRow[], PositionRow[]];
  expect(
    image.map(
      ({ symbol, side, size }) => `${symbol} ${side === 'long' ? 'short' : 'long'} ${size}`,
    ),
  ).toEqual(held.map(({ symbol, side, size }) => `${symbol} ${side} ${size}`));
  for (const [at, { entry_price: entry, unrealized_pnl: pnl }] of held.entries()) {
    expect(image[at]!.entry_price).toBeCloseTo(SUM - entry, 6);
    expect(image[at]!.unrealized_pnl).toBeCloseTo(pnl, 6);
  }
  for (const bench of [here, there]) {
    expect(bench.call('account.get').used_margin).toBeCloseTo(marginOf(bench, leverage), 6);
  }
  // Orders take the larger of two exposures, which is no sum.
  if (here.call('orders.list').items.length > 0) return;
  const size = held.reduce((sum, each) => sum + each.size, 0);
  expect(mine.used_margin + others.used_margin).toBeCloseTo((size * SUM) / leverage, 6);
}

interface OrderRow {
  symbol: string;
  side: string;
  size: number;
  filled_size: number;
  price: number;
  reduce_only: boolean;
}

/** By definition: of the larger exposure if all buys fill, or all sells; what only closes a position adds nothing. */
function marginOf(bench: Bench, leverage: number): number {
  const held = bench.call('positions.list').items as PositionRow[];
  const orders = (bench.call('orders.list').items as OrderRow[]).filter(
    ({ reduce_only }) => !reduce_only,
  );
  let margin = 0;
  for (const symbol of SYMBOLS) {
    const position = held.find((each) => each.symbol === symbol);
    const exposures = ['buy', 'sell'].map((side) => {
      const own = orders.filter((order) => order.symbol === symbol && order.side === side);
      const size = own.reduce((sum, each) => sum + each.size - each.filled_size, 0);
      const value = own.reduce((sum, each) => sum + (each.size - each.filled_size) * each.price, 0);
      const isHeld = position !== undefined && (position.side === 'long') === (side === 'buy');
      const closing = isHeld ? 0 : (position?.size ?? 0);
      const mark = bench.engine.market.quote(symbol).mark;
      return (
        (isHeld ? position.size * mark : 0) + (value * Math.max(0, size - closing)) / (size || 1)
      );
    });
    const value = (position?.size ?? 0) * bench.engine.market.quote(symbol).mark;
    margin += Math.max(...exposures, value);
  }
  return margin / leverage;
}

function expectFillsImage(here: Bench, there: Bench, tried: Tried): void {
  const [mine, others] = [here, there].map((bench) =>
    bench.named('fill').map(({ data }) => data as FillRecord),
  ) as [FillRecord[], FillRecord[]];
  const lineOf = ({ time, symbol, side, size, price, liquidity }: FillRecord, sign: Sign) =>
    `${time} ${symbol} ${sideOf(side === 'buy', sign)} ${size} ${imageOf(price, sign)} ${liquidity}`;
  expect(others.map((fill) => lineOf(fill, -1))).toEqual(mine.map((fill) => lineOf(fill, 1)));
  for (const [at, fill] of mine.entries()) {
    const isMaker = fill.liquidity === 'maker';
    const bps = (isMaker ? FEES.maker_bps : FEES.taker_bps) + FEES.service_bps;
    expect(fill.fee + others[at]!.fee).toBeCloseTo((bps / 10_000) * fill.size * SUM, 9);
    tried.take(fill.liquidity, ...(fill.execution_id === null ? [] : ['basket']));
  }
}

interface Paid {
  symbol: string;
  amount: number;
  rate: number;
  time: number;
  /** Held when it was paid, by the fills before it. */
  size: number;
}

function fundingOf({ events }: Bench): Paid[] {
  const sizes = new Map<string, number>();
  return events.flatMap(({ event, data }): Paid[] => {
    const { symbol } = data as { symbol: string };
    const size = sizes.get(symbol) ?? 0;
    if (event === 'funding') return [{ ...(data as Paid), size }];
    if (event !== 'fill') return [];
    const fill = data as FillRecord;
    sizes.set(symbol, size + (fill.side === 'buy' ? fill.size : -fill.size));
    return [];
  });
}

/** What both have paid is a share of the constant. */
function expectFundingImage(here: Bench, there: Bench, tried: Tried): void {
  const [mine, others] = [fundingOf(here), fundingOf(there)];
  expect(others.map(({ symbol, time, rate }) => `${symbol} ${time} ${-rate}`)).toEqual(
    mine.map(({ symbol, time, rate }) => `${symbol} ${time} ${rate}`),
  );
  for (const [at, { amount, rate, size }] of mine.entries()) {
    expect(amount + others[at]!.amount).toBeCloseTo(size * SUM * rate, 9);
    tried.take(size > 0 ? 'buy funding' : 'sell funding');
  }
}
