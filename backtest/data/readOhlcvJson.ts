import { TimeScale, type FeedResult } from '../../src/paper/index.ts';
import { readJson, toNumber } from './readJson.ts';
import { fileFault, type BarRows, type FundingRows } from './Rows.ts';
import { BAR_COLUMNS, RowColumns } from './RowColumns.ts';

/**
 * freqtrade stores settlements as candles whose open is the rate; only the file's name identifies them.
 */
const FUNDING_FILE = /-funding_rate\.json(\.gz|\.zip)?$/;

/** `[[time, open, high, low, close, volume], …]`: what ccxt's fetchOHLCV returns and freqtrade stores. */
export function readOhlcvJson(bytes: Uint8Array, file: string): FeedResult<BarRows | FundingRows> {
  const json = readJson(bytes, file);
  if (!json.ok) return json;
  const columns = new RowColumns(BAR_COLUMNS);
  const scale = new TimeScale();
  for (const [index, row] of json.value.entries()) {
    if (!Array.isArray(row) || row.length !== BAR_COLUMNS.length) {
      const what = Array.isArray(row) ? `has ${row.length} numbers.` : 'is not an array.';
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
  const about = { file, symbol: null, notes: scale.notes };
  const { line, columns: read } = columns.toArrays();
  if (FUNDING_FILE.test(file)) {
    const rates = { time: read.time, rate: read.open };
    return { ok: true, value: { kind: 'funding', ...about, line, columns: rates } };
  }
  return { ok: true, value: { kind: 'bars', ...about, interval: null, line, columns: read } };
}
