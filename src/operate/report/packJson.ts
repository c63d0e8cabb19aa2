import { hasCandles, packCandles } from './packCandles.ts';
import { differencesOf, scaleNumbers, shorten } from './packNumbers.ts';
import { packRows, type Row } from './packRows.ts';

/** Shorter lists are not worth their frame. */
const LEAST = 16;

/**
 * A value for JSON in which long lists take less room: numbers as the differences of whole numbers, `{ '~n': [decimals,
 * first, difference, …] }`, lists of numbers as one, `{ '~l': [lengths, numbers] }`, rows by column (`packRows`) and
 * candles by how their prices hang together (`packCandles`). The page's `unpackJson` gives the value back; numbers have
 * the twelve significant digits that a page shows.
 */
export function packJson(value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return packJson(Array.from(value as Float64Array));
  if (Array.isArray(value)) return packList(value);
  if (typeof value === 'number') return shorten(value);
  if (typeof value !== 'object' || value === null) return value;
  const candles = hasCandles(value as Row) ? packCandles(value as Row, packJson) : null;
  if (candles !== null) return candles;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, packJson(one)]));
}

function packList(list: readonly unknown[]): unknown {
  if (list.length >= LEAST) {
    if (list.every((one) => Number.isFinite(one))) return packNumbers(list as number[]);
    if (list.every(isRow)) return packRows(list, packJson);
    if (list.every(isNumbers)) return packLists(list);
  }
  return list.map((one) => packJson(one));
}

const isNumbers = (one: unknown): one is number[] =>
  Array.isArray(one) && one.every((value) => Number.isFinite(value));

/** Short lists in one: what follows in them often continues. */
const packLists = (lists: readonly number[][]): unknown => ({
  '~l': [packJson(lists.map(({ length }) => length)), packJson(lists.flat())],
});

const isRow = (one: unknown): one is Row =>
  typeof one === 'object' && one !== null && Object.getPrototypeOf(one) === Object.prototype;

function packNumbers(list: readonly number[]): unknown {
  const scaled = scaleNumbers(list);
  if (scaled === null) return list.map(shorten);
  return { '~n': [scaled.decimals, ...differencesOf(scaled.wholes)] };
}
