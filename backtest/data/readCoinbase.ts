import { isMap } from '../../src/contract/isMap.ts';
import type { FeedResult } from '../../src/paper/index.ts';
import { readJson } from './readJson.ts';
import { readCandleArrays } from './readOhlcvJson.ts';
import type { BarRows } from './Rows.ts';

/** Coinbase Exchange's order of columns. A reader that expects ccxt's would take the low for the open. */
const ORDER = ['time', 'low', 'high', 'open', 'close', 'volume'] as const;
/** The same columns by their names in Coinbase's Advanced Trade API. */
const FIELDS = ['start', 'low', 'high', 'open', 'close', 'volume'] as const;

/**
 * Candles of Coinbase: `[[time, low, high, open, close, volume], …]` of its exchange, or `{ "candles": [{ "start", … }] }`
 * of Advanced Trade; times in seconds, the newest first.
 */
export function readCoinbase(bytes: Uint8Array, file: string): FeedResult<BarRows> {
  const json = readJson(bytes, file, 'candles');
  if (!json.ok) return json;
  const rows = json.value.map((row) => (isMap(row) ? FIELDS.map((name) => row[name]) : row));
  const read = readCandleArrays(rows, file, ORDER);
  return read.ok ? { ok: true, value: oldestFirst(read.value) } : read;
}

function oldestFirst(rows: BarRows): BarRows {
  const { time } = rows.columns;
  // A candle that is there twice, as where two pages meet, is one fault: not every row is out of order.
  const isNewestFirst = time.every((at, row) => row === 0 || at <= time[row - 1]!);
  if (!isNewestFirst || time.length < 2) return rows;
  const columns = Object.fromEntries(
    Object.entries(rows.columns).map(([name, column]) => [name, column.toReversed()]),
  ) as unknown as BarRows['columns'];
  return { ...rows, line: rows.line.toReversed(), columns };
}

/**
 * Whether a JSON file is Coinbase's, by its beginning. Arrays of numbers have no names: in Coinbase's the first price is
 * the lowest of the row and the second the highest, and in ccxt's the third is the lowest. Rows that fit both orders
 * give the same candles in both.
 */
export function isCoinbase(text: string): boolean {
  if (/^\s*\{\s*"candles"\s*:/.test(text)) return true;
  const rows = [...text.matchAll(/\[([^[\]]+)\]/g)]
    .map(([, cells]) => cells!.split(',').map((cell) => Number(cell.replaceAll('"', ''))))
    .filter(({ length }) => length === ORDER.length);
  /** Whether the third is the highest of each row, and another one the lowest. */
  const areLowest = (lowest: number): boolean =>
    rows.every((row) => {
      const prices = row.slice(1, 5);
      return row[2] === Math.max(...prices) && row[lowest] === Math.min(...prices);
    });
  return rows.length > 0 && areLowest(1) && !areLowest(3);
}
