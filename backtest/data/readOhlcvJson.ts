import type { FeedResult } from '../../src/paper/index.ts';
import { readJson, toNumber } from './readJson.ts';
import { fileFault, type BarRows } from './Rows.ts';
import { BAR_COLUMNS, RowColumns } from './RowColumns.ts';
import { TimeScale } from './TimeScale.ts';

/** `[[time, open, high, low, close, volume], …]`: what ccxt's fetchOHLCV gives and freqtrade stores. */
export function readOhlcvJson(bytes: Uint8Array, file: string): FeedResult<BarRows> {
  const read = readJson(bytes, file);
  if (!read.ok) return read;
  const columns = new RowColumns(BAR_COLUMNS);
  const scale = new TimeScale();
  for (const [index, row] of read.value.entries()) {
    if (!Array.isArray(row) || row.length !== BAR_COLUMNS.length) {
      const what = Array.isArray(row) ? `has ${row.length} numbers.` : 'is no array.';
      return fileFault(file, what, `A row is [${BAR_COLUMNS.join(', ')}].`, index + 1);
    }
    const [first, open, high, low, close, volume] = row.map(toNumber) as [number, ...number[]];
    const time = scale.toMs(first);
    if (time === null) {
      const { message, remedy } = scale.mixed();
      return fileFault(file, `${first} ${message}`, remedy, index + 1);
    }
    columns.push(index + 1, {
      time,
      open: open!,
      high: high!,
      low: low!,
      close: close!,
      volume: volume!,
    });
  }
  const about = { file, symbol: null, interval: null, notes: scale.notes };
  return { ok: true, value: { kind: 'bars', ...about, ...columns.toArrays() } };
}
