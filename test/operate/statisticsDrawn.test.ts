/** A run's figures once more, by cash alone: what came in less what went out between flat and flat. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReportFill } from '../../src/operate/report/ReportData.ts';
import { roundTrips } from '../../src/operate/report/roundTrips.ts';
import { statistics } from '../../src/operate/report/statistics.ts';
import { holdLaw, Tried } from '../holdLaw.ts';

const MINUTE = 60_000;

const drawn = fc.array(
  fc.record({
    strategy: fc.constantFrom('one', 'two'),
    symbol: fc.constantFrom('BTC', 'ETH'),
    side: fc.constantFrom('buy' as const, 'sell' as const),
    size: fc.integer({ min: 1, max: 2 }),
    price: fc.constantFrom(4, 4, 5, 6),
    fee: fc.constantFrom(0, 0, 0, 6),
    liquidity: fc.constantFrom('maker' as const, 'taker' as const),
    wait: fc.integer({ min: 0, max: 3 }),
  }),
  { maxLength: 14 },
);

/** A part of a fill on one side of flat. */
interface Part {
  time: number;
  size: number;
  cash: number;
  fee: number;
  held: number;
}

interface NaiveTrade {
  from: number;
  until: number | null;
  pnl: number;
  size: number;
  entryPrice: number;
}

/** A fill that turns a position is two parts: up to flat, and from there. */
function partsOf({ time, side, size, price, fee }: ReportFill, before: number): Part[] {
  const sign = side === 'buy' ? 1 : -1;
  const turns = before * sign < 0 && size > Math.abs(before);
  const sizes = turns ? [Math.abs(before), size - Math.abs(before)] : [size];
  let held = before;
  return sizes.map((part) => {
    held += sign * part;
    return { time, size: part, cash: -sign * part * price, fee: (fee * part) / size, held };
  });
}

function naiveTrades(fills: readonly ReportFill[]): NaiveTrade[] {
  const trades: NaiveTrade[] = [];
  let parts: Part[] = [];
  const end = (until: number | null): void => {
    const [first] = parts;
    const opening = parts.filter(({ cash }) => cash > 0 === first!.cash > 0);
    const sum = (valueOf: (part: Part) => number, all = parts): number =>
      all.reduce((total, part) => total + valueOf(part), 0);
    trades.push({
      from: first!.time,
      until,
      pnl: sum(({ cash, fee }) => cash - fee),
      size: Math.max(...parts.map(({ held }) => Math.abs(held))),
      entryPrice: Math.abs(sum(({ cash }) => cash, opening)) / sum(({ size }) => size, opening),
    });
    parts = [];
  };
  let held = 0;
  for (const fill of fills) {
    for (const part of partsOf(fill, held)) {
      parts.push(part);
      ({ held } = part);
      if (held === 0) end(fill.time);
    }
  }
  if (parts.length > 0) end(null);
  return trades;
}

test('trades and what is made of them are what cash and fees between flat and flat give', async () => {
  const tried = new Tried();
  await holdLaw(800, drawn, (rows) => {
    let time = 10 * MINUTE;
    const fills = rows.map(({ wait, ...fill }): ReportFill => {
      time += wait * MINUTE;
      return { ...fill, time };
    });
    const span = { from: 10 * MINUTE, until: time + MINUTE };
    const { roundTrips: trips } = roundTrips(fills);
    const found = statistics({ fills, trips, curve: [], hourly: [], capital: 1_000, ...span });
    const naive = ['one', 'two'].flatMap((strategy) =>
      ['BTC', 'ETH'].flatMap((symbol) =>
        naiveTrades(fills.filter((fill) => fill.strategy === strategy && fill.symbol === symbol)),
      ),
    );
    const closed = naive.filter(({ until }) => until !== null);
    const sum = (values: readonly number[]): number =>
      values.reduce((total, value) => total + value, 0);
    const over = (part: number, whole: number) =>
      whole === 0 ? null : expect.closeTo(part / whole, 9);
    // Averages of a position may be off by a rounding; no result is as near to zero, but zero.
    const results = closed.map(({ pnl }) => (Math.abs(pnl) < 1e-9 ? 0 : pnl));
    const [gains, losses] = [results.filter((pnl) => pnl > 0), results.filter((pnl) => pnl < 0)];
    const notional = (some: readonly ReportFill[]): number =>
      sum(some.map(({ price, size }) => price * size));
    let minutes = 0;
    for (let at = span.from; at < span.until; at += MINUTE) {
      if (naive.some(({ from, until }) => from <= at && (until ?? span.until) > at)) minutes += 1;
    }
    expect(found).toMatchObject({
      trades: closed.length,
      open_trades: naive.length - closed.length,
      average_trade: over(sum(results), closed.length),
      average_hold_ms: over(sum(closed.map(({ from, until }) => until! - from)), closed.length),
      turnover: notional(fills),
      maker_share: over(
        notional(fills.filter(({ liquidity }) => liquidity === 'maker')),
        notional(fills),
      ),
      fee_bps: over(sum(fills.map(({ fee }) => fee)) * 10_000, notional(fills)),
      time_in_market: expect.closeTo((minutes * MINUTE) / (span.until - span.from), 9),
    });
    const shown = trips
      .map(({ entry_time: from, exit_time: until, size, entry_price }) => [
        from,
        until,
        size,
        entry_price,
      ])
      .map(String);
    const expected = naive
      .map(({ from, until, size, entryPrice }) => [from, until, size, entryPrice])
      .map(String);
    expect(shown.toSorted()).toEqual(expected.toSorted());
    // Where an average is a fraction, a result of zero may come out beside it.
    const isExact = trips.every(({ pnl }) => pnl === 0 || Math.abs(pnl) > 1e-9);
    if (!isExact) return;
    tried.take(...results.map((pnl) => (pnl === 0 ? 'even' : pnl > 0 ? 'won' : 'lost')));
    if (naive.length > closed.length) tried.take('open');
    expect(found.win_rate).toEqual(over(gains.length, closed.length));
    expect(found.profit_factor).toEqual(over(sum(gains), -sum(losses)));
  });
  expect(tried.rare(['even', 'won', 'lost', 'open'], 20)).toEqual([]);
});
