/** When a position is flat is judged by the steps that were filled: a last step left is held, a rounding is not. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FillRecord } from '../../src/contract/index.ts';
import { createSymbolCapacity } from '../../src/operate/report/figures/createSymbolCapacity.ts';
import { exposureOf } from '../../src/operate/report/figures/exposureOf.ts';
import { lots } from '../../src/operate/report/figures/lots.ts';
import type { ReportData, ReportFill } from '../../src/operate/report/ReportData.ts';
import { roundTrips } from '../../src/operate/report/roundTrips.ts';
import type { TimedValue } from '../../src/statistics/index.ts';
import { createLedger } from '../../src/runtime/record/createLedger.ts';
import { holdLaw } from '../holdLaw.ts';

const DECIMALS = 5;

interface Step {
  side: 'buy' | 'sell';
  /** In units of the last decimal. */
  steps: number;
}

const fillsOf = (rows: readonly Step[]): ReportFill[] =>
  rows.map(({ side, steps }, at) => ({
    time: 60_000 * (at + 1),
    side,
    size: Number(`${steps}e-${DECIMALS}`),
    price: 100,
    fee: 0,
    symbol: 'BTC',
    strategy: 's',
    liquidity: 'taker',
  }));

const recordOf = (fill: ReportFill) =>
  ({ ...fill, fill_id: `${fill.time}` }) as unknown as FillRecord;

/** Positions after each fill, by whole numbers. */
function heldAfter(rows: readonly Step[]): number[] {
  let held = 0;
  return rows.map(({ side, steps }) => (held += side === 'buy' ? steps : -steps));
}

/** Every magnitude up to ten million units; some take back what is held, whole or but for a few steps. */
const drawn = fc.array(
  fc.record({
    digits: fc.integer({ min: 1, max: 12 }),
    steps: fc.integer({ min: 1, max: 10 ** 12 }),
    isBuy: fc.boolean(),
    rest: fc.constantFrom(undefined, undefined, 0, 0, 1, -1, 3),
  }),
  { minLength: 1, maxLength: 25 },
);

function rowsOf(draws: typeof drawn extends fc.Arbitrary<infer T> ? T : never): Step[] {
  let held = 0;
  const rows: Step[] = [];
  for (const { digits, steps, isBuy, rest } of draws) {
    const delta =
      rest === undefined || held === 0
        ? ((steps % 10 ** digits) + 1) * (isBuy ? 1 : -1)
        : rest - held;
    if (delta === 0) continue;
    held += delta;
    rows.push({ side: delta > 0 ? 'buy' : 'sell', steps: Math.abs(delta) });
  }
  return rows;
}

const PHANTOMS: Step[][] = [
  [
    { side: 'buy', steps: 2e9 },
    { side: 'sell', steps: 1_999_999_999 },
    { side: 'sell', steps: 1 },
    { side: 'buy', steps: 2e9 },
    { side: 'sell', steps: 2e9 },
  ],
  [
    { side: 'buy', steps: 1e11 },
    ...Array.from({ length: 3 }, () => ({ side: 'sell', steps: 33_333_333_000 }) as const),
    { side: 'sell', steps: 1_000 },
    { side: 'buy', steps: 500_000 },
  ],
  [
    { side: 'buy', steps: 1e11 },
    { side: 'sell', steps: 99_999_999_999 },
  ],
];

function expectEqualTrades(rows: readonly Step[]): void {
  const fills = fillsOf(rows);
  const held = heldAfter(rows);
  const isEnd = (at: number): boolean =>
    at >= 0 && Math.sign(held[at]!) !== Math.sign(held[at - 1] ?? 0);
  const ends = held.flatMap((_none, at) =>
    at > 0 && held[at - 1] !== 0 && isEnd(at) ? [fills[at]!.time] : [],
  );
  const starts = held.flatMap((size, at) => (size !== 0 && isEnd(at) ? [fills[at]!.time] : []));
  const trips = roundTrips(fills).roundTrips;
  expect(trips.map(({ entry_time: time }) => time)).toEqual(starts);
  expect(trips.flatMap(({ exit_time: time }) => time ?? [])).toEqual(ends);
  // As large as the most that was held from its entry to its exit, whatever was given back and taken again.
  for (const { entry_time: entry, exit_time: exit, size } of trips) {
    const during = held.filter((_size, at) => {
      const { time } = fills[at]!;
      return time >= entry && (exit === null || time < exit);
    });
    const most = during.reduce((found, one) => Math.max(found, Math.abs(one)), 0);
    expect(size).toBeCloseTo(most * 10 ** -DECIMALS, DECIMALS + 1);
  }

  const open = lots(fills).filter(({ exit_time: time }) => time === null);
  const left = open.reduce((sum, { size }) => sum + size, 0);
  expect(left).toBeCloseTo(Math.abs(held.at(-1)!) * 10 ** -DECIMALS, DECIMALS + 1);
  for (const { size } of lots(fills)) expect(size).toBeGreaterThan(0.5 * 10 ** -DECIMALS);

  const ledger = createLedger();
  ledger.fund(1_000);
  const isFlat = fills.map((fill) => {
    ledger.fill(recordOf(fill));
    return ledger.position('BTC') === 0;
  });
  expect(isFlat).toEqual(held.map((size) => size === 0));
}

test.each(PHANTOMS)('of a last step, and of the rounding of sums (%#)', (...rows) => {
  expectEqualTrades(rows);
});

test('of any fills', async () => {
  await holdLaw(300, drawn, (draws) => expectEqualTrades(rowsOf(draws)));
});

test.each(PHANTOMS.slice(0, 2))('what is flat is exposed to nothing (%#)', (...rows) => {
  const last = rows.findLastIndex((_row, at) => heldAfter(rows)[at] === 0);
  const fills = fillsOf(rows.slice(0, last + 1));
  const data = {
    startTime: 0,
    endTime: fills.at(-1)!.time + 60_000,
    symbols: {},
  } as unknown as ReportData;
  const equity: TimedValue[] = [[0, 1_000]];
  const { gross } = exposureOf(data, fills, equity);
  expect(gross.at(-1)).toBe(0);
  const capacity = createSymbolCapacity(undefined, fills);
  const worth = fills.map(({ time }) => {
    capacity.advance(time);
    return capacity.held();
  });
  expect(worth.at(-1)).toBe(0);
  expect(
    Math.min(...worth.slice(0, -1).filter((_worth, at) => heldAfter(rows)[at] !== 0)),
  ).toBeGreaterThan(0);
  const before = exposureOf(data, fills.slice(0, 2), equity);
  expect(before.gross.at(-1)).toBeGreaterThan(0);
});
