import { describe, expect, test } from 'vitest';
import {
  toValidPrice,
  toValidSize,
  type FillRecord,
  type OrderRecord,
  type Side,
} from '../../../src/contract/index.ts';
import { createRandom, type Random } from '../../../src/env/index.ts';
import type { EngineEvent } from '../../../src/paper/core/Engine.ts';
import { ServiceError } from '../../../src/paper/core/ServiceError.ts';
import { createBench, feedOf, MINUTE, START, type Row } from '../engine/bench.ts';
import { NaiveVenue, type NaiveOrder } from './naiveVenue.ts';

const BARS = 240;
const BALANCE = 20_000_000;

interface Tape {
  symbol: string;
  rows: Array<Row | null>;
  decimals: number;
  /** Typical traded value of a bar, quote units. */
  traded: number;
}

/** A tape with gaps between bars, missing bars, bars without volume, and touches of whole prices. */
function makeTape(random: Random): Tape {
  const price = [100, 20_000, 3.5][Math.floor(random.next() * 3)]!;
  const decimals = price < 10 ? 4 : 2;
  const step = 10 ** decimals;
  const cents = (value: number): number => Math.max(1, Math.round(value * step)) / step;
  const coarse = random.next() < 0.3;
  const toTick = (value: number): number =>
    coarse ? cents(Math.round(value * 20) / 20) : cents(value);
  const traded = random.next() < 0.3 ? 2_000_000 : 100_000;
  const volume = traded / price;
  const move = 0.002 + random.next() * 0.02;
  let last = toTick(price);
  const rows = Array.from({ length: BARS }, (): Row | null => {
    if (random.next() < 0.02) return null;
    const jump = random.next() < 0.2 ? move : move * 0.05;
    const open = toTick(last * (1 + jump * (random.next() - 0.5)));
    const close = toTick(open * (1 + move * (random.next() - 0.5)));
    const high = Math.max(open, close, toTick(open * (1 + move * 0.6 * random.next())));
    const low = Math.min(open, close, toTick(open * (1 - move * 0.6 * random.next())));
    last = close;
    return [open, high, low, close, random.next() < 0.03 ? 0 : volume * (0.2 + random.next())];
  });
  return { symbol: random.next() < 0.25 ? 'HYPE/USDC' : 'BTC', rows, decimals, traded };
}

/** Both venues on one tape, with the same orders at the same times. */
function openBoth(tape: Tape, onEvent: (event: EngineEvent) => void = () => {}) {
  const feed = feedOf(tape.rows, { symbol: tape.symbol });
  const instruments = { [tape.symbol]: { price_decimals: tape.decimals } };
  const bench = createBench({ feeds: [feed], instruments }, { balance: BALANCE, onEvent });
  const grid = bench.engine.market.instrument(tape.symbol)!;
  const bars = tape.rows.flatMap((row, index) => {
    if (row === null) return [];
    const [open, high, low, close, volume = 0] = row;
    return [{ time: START + index * MINUTE, open, high, low, close, volume }];
  });
  const kind = tape.symbol.includes('/') ? 'spot' : 'perp';
  /** Our order numbers by the service's ids. */
  const numbers = new Map<string, number>();
  const chooseFirst = (ids: readonly number[]): number => {
    const next = bench.named('fill')[naive.fills.length]?.data as FillRecord | undefined;
    const number = numbers.get(next?.order_id ?? '');
    return number !== undefined && ids.includes(number) ? number : ids[0]!;
  };
  const startTime = bench.engine.now;
  const naive: NaiveVenue = new NaiveVenue({
    bars,
    grid,
    startTime,
    balance: BALANCE,
    kind,
    chooseFirst,
  });
  const held = (): number =>
    kind === 'spot' ? naive.position - naive.restingSize('sell') : Infinity;
  return { bench, naive, grid, held, numbers };
}

type Both = ReturnType<typeof openBoth>;

/** A random order around the mark: passive, aggressive, at the best price, of every kind in §6. */
function randomOrder(random: Random, { naive, grid, held }: Both, { symbol, traded }: Tape) {
  const side: Side = random.next() < 0.5 && held() > 0 ? 'sell' : 'buy';
  const value = 20 + 0.2 * traded * random.next() ** 3;
  const wanted = Math.min(value / naive.mark, side === 'sell' ? held() : Infinity);
  const size = toValidSize(wanted, grid);
  const order: NaiveOrder = {
    side,
    size,
    reduceOnly: !symbol.includes('/') && random.next() < 0.2,
  };
  if (random.next() < 0.3) {
    if (random.next() < 0.5) order.slippageBps = Math.round(random.next() * 40) / 4;
    return order;
  }
  const near = [naive.bid, naive.ask, naive.mark * (1 + 0.006 * (random.next() - 0.5))];
  order.price = toValidPrice(near[Math.min(2, Math.floor(random.next() * 6))]!, grid);
  order.timeInForce = (['gtc', 'gtc', 'ioc', 'post_only'] as const)[Math.floor(random.next() * 4)]!;
  return order;
}

/** The order as the service takes it. */
function toBody(symbol: string, order: NaiveOrder) {
  const { side, size, price, slippageBps, timeInForce, reduceOnly } = order;
  return {
    symbol,
    side,
    size,
    order_type: price === undefined ? 'market' : 'limit',
    ...(price === undefined ? {} : { price, time_in_force: timeInForce }),
    ...(slippageBps === undefined ? {} : { slippage_bps: slippageBps }),
    ...(reduceOnly === true ? { reduce_only: true } : {}),
  };
}

const REFUSALS: Readonly<Record<string, string>> = {
  would_cross: 'would_cross',
  no_position: 'nothing_to_reduce',
};

/** Plays a seed on both; what each did is compared by the caller. */
function play(
  seed: number,
  watch: (both: Both, symbol: string, event: EngineEvent) => void = () => {},
) {
  const random = createRandom(`naive ${seed}`);
  const tape = makeTape(random);
  const both: Both = openBoth(tape, (event) => watch(both, tape.symbol, event));
  const { bench, naive } = both;
  const { symbol } = tape;
  const ids = new Map<number, string>();
  const verdicts: Array<[ours: string | null, naive: string | null, body: object]> = [];

  const place = (): void => {
    const order = randomOrder(random, both, tape);
    if (order.size * (order.price ?? naive.mark) < 15) return;
    const { refusal, id } = naive.place(order);
    const body = toBody(symbol, order);
    let ours: string | null = null;
    try {
      const { order_id: orderId } = bench.order(body);
      ids.set(id, orderId);
      both.numbers.set(orderId, id);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      ours = REFUSALS[error.code] ?? error.code;
    }
    verdicts.push([ours, refusal, body]);
  };
  const cancelOne = (): void => {
    const resting = [...ids.keys()].filter((id) => naive.isResting(id));
    const id = resting[Math.floor(random.next() * resting.length)];
    if (id === undefined) return;
    naive.cancel(id);
    bench.call('orders.cancel', { pathParams: { id: ids.get(id)! } });
  };

  while (bench.engine.now + 2 * MINUTE <= bench.engine.endTime) {
    const stepMs = random.next() < 0.5 ? MINUTE : Math.ceil(random.next() * 90_000);
    const toBoundary = MINUTE - (bench.engine.now % MINUTE);
    const time = bench.engine.now + (random.next() < 0.5 ? toBoundary : stepMs);
    bench.engine.advanceTo(time);
    naive.advanceTo(time);
    if (random.next() < 0.6) place();
    if (random.next() < 0.1) cancelOne();
  }
  return { ...both, symbol, verdicts };
}

const seeds = Array.from({ length: 100 }, (_, index) => index);

/** Every fill of the real venue, oldest first. */
function fillsOf({ bench }: Both): FillRecord[] {
  return bench.named('fill').map(({ data }) => data as FillRecord);
}

const isClose = (a: number, b: number): boolean =>
  Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

describe('matching on candles, against a second implementation of conventions §6', () => {
  test.each(seeds)('tape %i: the same verdicts, fills, cash and position', (seed) => {
    const { bench, naive, symbol, verdicts, ...rest } = play(seed);
    const fills = fillsOf({ bench, naive, ...rest });
    for (const [index, expected] of naive.fills.entries()) {
      const { time, side, price, size, liquidity, fee } = fills[index] ?? ({} as FillRecord);
      const found = { time, side, price, size, liquidity, fee };
      const agrees =
        time === expected.time &&
        side === expected.side &&
        liquidity === expected.liquidity &&
        isClose(price, expected.price) &&
        isClose(size, expected.size) &&
        isClose(fee, expected.fee);
      if (!agrees) expect(found, `fill ${index} of tape ${seed}`).toEqual(expected);
    }
    expect(fills).toHaveLength(naive.fills.length);
    for (const [ours, theirs, body] of verdicts) expect([ours, body]).toEqual([theirs, body]);
    const balances = bench.call('account.balances').items as Array<{
      asset: string;
      total: number;
    }>;
    const cash = balances.find(({ asset }) => asset === 'USDC')!.total;
    expect(isClose(cash, naive.cash), `cash ${cash} and ${naive.cash}`).toBe(true);
    const position = positionOf(bench, symbol, balances);
    expect(isClose(position, naive.position), `${position} and ${naive.position}`).toBe(true);
  });
});

describe('money', () => {
  test.each(seeds)('tape %i: conserved at every event, to a millionth', (seed) => {
    let events = 0;
    // Cash paid for the holding, plus what the venue charged, must add up.
    let spent = 0;
    let taken = 0;
    let size = 0;
    play(seed, ({ bench }, symbol, { channel, event, data }) => {
      if (channel !== 'account.state') return;
      if (event === 'funding') taken += (data as { amount: number }).amount;
      if (event === 'fill') {
        const fill = data as FillRecord;
        const sign = fill.side === 'buy' ? 1 : -1;
        spent += sign * fill.notional;
        size += sign * fill.size;
        taken += fill.fee;
      }
      const { equity, fees_paid: fees, funding_paid: funding } = bench.call('account.get');
      const value = size * bench.engine.market.quote(symbol).mark;
      expect(Math.abs(equity - value + spent + taken - BALANCE)).toBeLessThan(1e-6);
      expect(Math.abs(fees + funding - taken)).toBeLessThan(1e-6);
      events += 1;
    });
    expect(events).toBeGreaterThan(20);
  });
});

test('the tapes cover all of §6', () => {
  const met = { maker: 0, taker: 0, partial: 0, bound: 0, ioc: 0, reduced: 0, tier: 0, refused: 0 };
  for (const seed of seeds.slice(0, 30)) {
    const { bench, verdicts } = play(seed);
    const orders = bench.call('orders.history', { query: { limit: 500 } }).items as OrderRecord[];
    const fills = bench.named('fill').map(({ data }) => data as FillRecord);
    met.maker += fills.filter(({ liquidity }) => liquidity === 'maker').length;
    met.taker += fills.filter(({ liquidity }) => liquidity === 'taker').length;
    met.tier += fills.filter((fill) => (fill.service_fee ?? 0) < fill.notional * 0.00007).length;
    met.reduced += fills.filter((fill) => fill.reduce_only).length;
    met.refused += verdicts.filter(([verdict]) => verdict === 'would_cross').length;
    for (const { filled_size: filled, status, reject_reason: why, time_in_force } of orders) {
      if (filled > 0 && status === 'cancelled') met.partial += 1;
      if (why === 'price_bound') met.bound += 1;
      if (time_in_force === 'ioc' && filled > 0) met.ioc += 1;
    }
  }
  for (const [what, times] of Object.entries(met)) expect(times, what).toBeGreaterThan(20);
});

function positionOf(
  bench: Both['bench'],
  symbol: string,
  balances: ReadonlyArray<{ asset: string; total: number }>,
): number {
  if (symbol.includes('/')) {
    return balances.find(({ asset }) => asset === symbol.split('/')[0])?.total ?? 0;
  }
  const [open] = bench.call('positions.list').items as Array<{ side: string; size: number }>;
  return open === undefined ? 0 : open.side === 'long' ? open.size : -open.size;
}
