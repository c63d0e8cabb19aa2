import * as library from 'technicalindicators';
import { expect } from 'vitest';
import type { ClosedBar } from '../../src/technicalindicators.ts';
import {
  adapterOf,
  adapterRows,
  functionOf,
  isPattern,
  libraryBatch,
  NAMES,
  type Name,
  type Params,
  type Row,
} from './catalogue.ts';

interface Agreement {
  /** Largest |ours − theirs|, in units of max(1, |theirs|). */
  near: number;
  /** Bars at which a trap of the library shows, and so are not compared. */
  isTrap?(bars: readonly ClosedBar[], at: number): boolean;
}

const flat = (bars: readonly ClosedBar[], at: number, period: number): boolean => {
  const window = bars.slice(Math.max(0, at - period + 1), at + 1);
  const highs = window.map(({ high }) => high);
  return Math.max(...highs) === Math.min(...window.map(({ low }) => low));
};
const typical = ({ high, low, close }: ClosedBar): number => (high + low + close) / 3;
/** The library's rounding, half of its last digit, and what binary fractions add to it. */
const HALF_OF = (digits: number): number => 0.5 * 10 ** -digits * 1.02;

const EXACT: Agreement = { near: 1e-9 };

/** How close to the library each one comes, where that is not 1e-9. */
const AGREEMENTS: Readonly<Partial<Record<Name, Agreement>>> = {
  rsi: { near: HALF_OF(2) },
  // Only whole numbers come out of the library.
  adl: { near: HALF_OF(0) },
  mfi: {
    near: HALF_OF(2),
    isTrap: (bars, at) => {
      // The prices that are compared for the flows of a window of fourteen.
      const window = bars.slice(Math.max(1, at - 14), at + 1);
      const isStill = (bar: ClosedBar, i: number): boolean =>
        i > 0 && typical(bar) === typical(window[i - 1]!);
      return window.some(isStill) || window.slice(1).every(({ volume }) => volume === 0);
    },
  },
  vwap: {
    near: 1e-9,
    isTrap: (bars, at) =>
      bars[at]!.volume === 0 && bars.slice(0, at).every(({ volume }) => volume === 0),
  },
  cci: { near: 1e-6, isTrap: (bars, at) => flat(bars, at, 20) },
  williamsr: { near: 1e-9, isTrap: (bars, at) => flat(bars, at, 14) },
  bollingerbands: { near: 1e-6, isTrap: (bars, at) => flat(bars, at, 20) },
  sd: { near: 1e-6, isTrap: (bars, at) => flat(bars, at, 20) },
};

/** Runs every indicator over the bars, and compares each value with the library's own. Fails at the first that differs. */
export function compareAll(bars: readonly ClosedBar[]): { compared: number; traps: number } {
  const count = { compared: 0, traps: 0 };
  for (const name of NAMES) {
    const ours = adapterRows(adapterOf(name), bars);
    const first = adapterOf(name).barsNeeded;
    expect(ours.length, name).toBe(bars.length - first + 1);
    const theirs = referenceOf(name, bars);
    // A measured warm-up: the library has its first complete value at the same bar.
    expect(theirs.length, `${name} has its first value at bar`).toBe(ours.length);
    const { near, isTrap } = AGREEMENTS[name] ?? EXACT;
    for (const [at, row] of theirs.entries()) {
      const bar = at + first - 1;
      if (isTrap?.(bars, bar) === true) count.traps += 1;
      else count.compared += compareRow(`${name} at bar ${bar}`, ours[at]!, row, near);
    }
  }
  return count;
}

/** One indicator with parameters of its own, its warm-up included. */
export function compareOne(name: Name, params: Params, bars: readonly ClosedBar[]): void {
  const operator = adapterOf(name, params);
  const ours = adapterRows(operator, bars);
  const first = operator.barsNeeded;
  const place = `${name} ${JSON.stringify(params)}`;
  expect(ours.length, place).toBe(bars.length - first + 1);
  const theirs = libraryBatch(name, bars, params);
  expect(theirs.length, `${place} has its first value at bar`).toBe(ours.length);
  const { near } = AGREEMENTS[name] ?? EXACT;
  for (const [at, row] of theirs.entries())
    compareRow(`${place} at bar ${at + first - 1}`, ours[at]!, row, near);
}

function compareRow(place: string, ours: Row, theirs: Row, near: number): number {
  for (const [line, value] of Object.entries(theirs)) {
    const unit = Math.max(1, Math.abs(value));
    if (Math.abs(ours[line]! - value) / unit <= near) continue;
    expect.fail(`${place}: ${line} is ${ours[line]}, the library has ${value}`);
  }
  return Object.keys(theirs).length;
}

function referenceOf(name: Name, bars: readonly ClosedBar[]): Row[] {
  if (isPattern(name)) return patternRows(name, bars);
  if (name === 'adl') return unroundedLine(bars);
  if (name === 'stochasticrsi') return stochasticOfStrength(bars);
  return libraryBatch(name, bars);
}

/** The library's line, with a bar without range left out, as its definition has it. */
function unroundedLine(bars: readonly ClosedBar[]): Row[] {
  let fromFlat = 0;
  return libraryBatch('adl', bars).map(({ value }, at) => {
    const { high, low, volume } = bars[at]!;
    if (high === low) fromFlat += volume;
    return { value: value! - fromFlat };
  });
}

/** Of the library's unrounded averages, by the definition's own words. */
function stochasticOfStrength(bars: readonly ClosedBar[]): Row[] {
  const values = bars.map(({ close }) => close);
  const gains = library.averagegain({ period: 14, values });
  const losses = library.averageloss({ period: 14, values });
  const strength = gains.map((gain, at) =>
    losses[at] === 0 ? 100 : 100 - 100 / (1 + gain / losses[at]!),
  );
  const raw = strength.slice(13).map((_now, i) => {
    const window = strength.slice(i, i + 14);
    const [high, low] = [Math.max(...window), Math.min(...window)];
    return high === low ? 0 : (100 * (window.at(-1)! - low)) / (high - low);
  });
  const mean3 = (line: number[]) => line.slice(2).map((x, i) => (line[i]! + line[i + 1]! + x) / 3);
  const k = mean3(raw);
  return mean3(k).map((d, i) => ({ stochRSI: raw[i + 4]!, k: k[i + 2]!, d }));
}

type Candles = Record<'open' | 'high' | 'low' | 'close', number[]>;
type Pattern = (candles: Candles) => unknown;

/**
 * A pattern over the last bars. Those that compare a gain with a loss as texts get prices of one scale: theirs are
 * compared where both orders are the same.
 */
function patternRows(name: Name, bars: readonly ClosedBar[]): Row[] {
  const isComplete = functionOf(name) as Pattern;
  const count = adapterOf(name).barsNeeded;
  const ours = adapterRows(adapterOf(name), bars);
  return bars.slice(count - 1).map((_bar, i) => {
    const window = bars.slice(i, i + count);
    // What the library decides by the order of texts is not its word; textOrder.test.ts has those.
    if (count === 5 && !isOrderedAlike(window)) return ours[i]!;
    const candles = Object.fromEntries(
      (['open', 'high', 'low', 'close'] as const).map((field) => [
        field,
        window.map((bar) => bar[field]),
      ]),
    ) as Candles;
    return { value: isComplete(candles) === true ? 1 : 0 };
  });
}

function isOrderedAlike(window: readonly ClosedBar[]): boolean {
  return [3, 4].every((end) => {
    const values = window.slice(0, end).map(({ close }) => close);
    const [gain] = library.averagegain({ values, period: end - 1 });
    const [loss] = library.averageloss({ values, period: end - 1 });
    const [first, last] = [values[0]!, values.at(-1)!];
    // The sum of the changes may round to another sign than their whole.
    if (Math.sign(gain! - loss!) !== Math.sign(last - first)) return false;
    return (
      String(gain) > String(loss) === gain! > loss! && String(gain) < String(loss) === gain! < loss!
    );
  });
}
