import { from } from 'rxjs';
import * as library from 'technicalindicators';
import * as adapters from '../../src/technicalindicators.ts';
import type { ClosedBar, DefinedIndicator } from '../../src/technicalindicators.ts';
import type { Columns } from '../indicators/series.ts';

export type Name = keyof typeof adapters;
export type Params = Readonly<Record<string, unknown>>;
export type AnyIndicator = DefinedIndicator;
/** A value at a bar: series by name, a single one as `value`. */
export type Row = Readonly<Record<string, number>>;

export const NAMES = Object.keys(adapters) as Name[];

const all = adapters as unknown as Readonly<Record<Name, (params: Params) => AnyIndicator>>;

/** The operator of a function of the library. */
export const adapterOf = (name: Name, params: Params = {}): AnyIndicator => all[name](params);

/** What the package has beside indicators. */
export const NO_INDICATORS = [
  'AvailableIndicators',
  'CandleData',
  'CandleList',
  'ChandelierExitInput',
  'ChandelierExitOutput',
  'FixedSizeLinkedList',
  'KeltnerChannelsInput',
  'KeltnerChannelsOutput',
  'getAvailableIndicators',
  'getConfig',
  'setConfig',
];

/** Functions of the library without an operator, and the reason. */
export const REFUSED: Readonly<Record<string, string>> = {
  crossUp:
    'it reads two lines instead of bars, and each value costs and holds more until they cross; use `crossesOver`',
  crossDown:
    'it reads two lines instead of bars, and each value costs and holds more until they cross; use `crossesUnder`',
  fibonacciretracement: 'it is a table of two prices, and reads no bars',
  renko:
    'it builds its bricks of all bars anew, so that later bars change earlier ones; its `nextValue` gives nothing',
  volumeprofile:
    'it divides the range of all bars, so that later bars change earlier ones; its `nextValue` throws',
};

const theirs = library as unknown as Readonly<Record<string, unknown>>;
/** A function of the library. */
export const functionOf = (name: string): unknown => theirs[name];
/** Names that Node adds for a CommonJS module. */
const ADDED = new Set(['default', '__esModule', 'module.exports']);
export const EXPORTS: readonly string[] = Object.keys(theirs).filter((name) => !ADDED.has(name));

/** The library's class of a function: `SMA` of `sma`. Candlestick patterns have none. */
export function classOf(name: string) {
  const own = EXPORTS.find((one) => one !== name && one.toLowerCase() === name.toLowerCase());
  return own === undefined
    ? undefined
    : (theirs[own] as new (input: object) => { nextValue(value: unknown): unknown });
}

const EMPTY = { values: [], open: [], high: [], low: [], close: [], volume: [] };

/** What the library's own stream gives, value by value. */
export function libraryStream(name: Name, params: Params, inputs: readonly unknown[]): unknown[] {
  const indicator = new (classOf(name)!)({ ...EMPTY, ...params });
  return inputs.map((input) => indicator.nextValue(input));
}

/** What the library computes of all bars at once: a row a bar from its first one on. */
export function libraryBatch(name: Name, bars: readonly ClosedBar[], chosen: Params = {}): Row[] {
  const { params, series } = adapterOf(name, chosen);
  const compute = theirs[name] as (input: object) => unknown;
  const column = (field: 'open' | 'high' | 'low' | 'close' | 'volume') =>
    bars.map((bar) => bar[field]);
  const values = column('close');
  const given = {
    values,
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
  };
  const result = compute({ ...params, ...given }) as unknown;
  if (!Array.isArray(result)) {
    // Heikin-Ashi alone: a list a series.
    const lists = result as Record<string, number[]>;
    return bars.map((_bar, at) =>
      Object.fromEntries(series.map((line) => [line, lists[line]![at]!])),
    );
  }
  const rows = result.map((one: unknown) => toRow(one, series));
  return rows.filter((row) => series.every((line) => row[line] !== undefined));
}

/** What the operator gives: a row a bar from its first one on. */
export function adapterRows(
  operator: AnyIndicator,
  inputs: ReadonlyArray<ClosedBar | number>,
): Row[] {
  const rows: Row[] = [];
  const failures: unknown[] = [];
  from(inputs as ClosedBar[])
    .pipe(operator)
    .subscribe({
      next: (value) => rows.push(toRow(value, operator.series)),
      error: (error: unknown) => failures.push(error),
    });
  if (failures.length > 0) throw failures[0];
  return rows;
}

export function toRow(value: unknown, series: readonly string[]): Row {
  if (series.length === 1) return { [series[0]!]: value as number };
  return Object.fromEntries(
    series.map((line) => [line, (value as Record<string, number> | undefined)?.[line] as number]),
  );
}

/** Whether the library has it as a function over arrays alone: a candlestick pattern. */
export const isPattern = (name: Name): boolean => classOf(name) === undefined;

export function toBars({ time, open, high, low, close, volume }: Columns): ClosedBar[] {
  return time.map((at, i) => ({
    symbol: 'BTC',
    interval: '1m',
    time: at,
    open: open[i]!,
    high: high[i]!,
    low: low[i]!,
    close: close[i]!,
    volume: volume[i]!,
    closed: true,
  }));
}
