import { fileFault, TimeScale, type FeedResult } from '../../src/paper/index.ts';
import { readJson, toNumber } from './readJson.ts';
import type { BarRows, FundingRows } from './Rows.ts';
import { BAR_COLUMNS, RowColumns } from './RowColumns.ts';

/**
 * freqtrade stores settlements as candles whose open is the rate; only the file's name identifies them.
 */
const FUNDING_FILE = /-funding_rate\.json(\.gz|\.zip)?$/;

/** `[[time, open, high, low, close, volume], …]`: what ccxt's fetchOHLCV returns and freqtrade stores. */
export function readOhlcvJson(bytes: Uint8Array, file: string): FeedResult<BarRows | FundingRows> {
  const json = readJson(bytes, file);
  if (!json.ok) return json;
  const read = readCandleArrays(json.value, file, BAR_COLUMNS);
  if (!read.ok || !FUNDING_FILE.test(file)) return read;
  const { notes, line, columns } = read.value;
  const rates = { time: columns.time, rate: columns.open };
  return { ok: true, value: { kind: 'funding', file, symbol: null, notes, line, columns: rates } };
}

type BarColumn = (typeof BAR_COLUMNS)[number];

/**
 * Candles that are arrays of numbers.
 *
 * @param order what each number of a row is
 */
export function readCandleArrays(
  rows: readonly unknown[],
  file: string,
  order: readonly BarColumn[],
): FeedResult<BarRows> {
  const read = new RowColumns(BAR_COLUMNS);
  const scale = new TimeScale();
  for (const [index, row] of rows.entries()) {
    if (!Array.isArray(row) || row.length !== order.length) {
      const what = Array.isArray(row) ? `has ${row.length} numbers.` : 'is not an array.';
      return fileFault(file, what, `A row is [${order.join(', ')}].`, index + 1);
    }
    const cells = Object.fromEntries(
      order.map((name, field) => [name, toNumber(row[field])]),
    ) as Record<BarColumn, number>;
    const time = scale.toMs(cells.time);
    if (time === null) {
      const { message, remedy } = scale.mixed();
      return fileFault(file, `${cells.time} ${message}`, remedy, index + 1);
    }
    read.push(index + 1, { ...cells, time });
  }
  const about = { file, symbol: null, interval: null, notes: scale.notes };
  return { ok: true, value: { kind: 'bars', ...about, ...read.toArrays() } };
}
