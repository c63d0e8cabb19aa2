import type { DecodedArray, FileMetaData } from 'hyparquet';
import type { Interval } from '../../contract/index.ts';
import type { Candles } from './barsOfTrades.ts';
import { checkCandle } from './checkCandle.ts';
import { checkNumbers } from './checkNumbers.ts';
import type { Feed } from './Feed.ts';
import type { FeedResult } from './FeedProblem.ts';
import { FEED_COLUMNS } from './parseCsv.ts';

type Column = (typeof FEED_COLUMNS)[number];

/** Timestamps of any unit as epoch milliseconds. */
const PARSERS = {
  timestampFromMilliseconds: (value: bigint) => Number(value),
  timestampFromMicroseconds: (value: bigint) => Number(value) / 1e3,
  timestampFromNanoseconds: (value: bigint) => Number(value / 1_000n) / 1e3,
};

/**
 * Reads candles from Parquet: the columns of the CSV, by name, in any order and beside any others. The
 * timestamp may be a number or a TIMESTAMP; the others are numbers. The line of a fault is the row, from
 * 1.
 */
export async function parseParquet(
  bytes: Uint8Array,
  feed: { symbol: string; interval: Interval; file: string },
): Promise<FeedResult<Feed>> {
  const { symbol, interval, file } = feed;
  const read = await readParquet(bytes, file);
  if (!read.ok) return read;
  const columns = read.value;
  for (let row = 0; row < columns.time.length; row++) {
    const found = checkNumbers(columns, row) ?? checkCandle(columns, row, interval);
    if (found !== null) return { ok: false, problem: { file, line: row + 1, ...found } };
  }
  return { ok: true, value: { symbol, interval, ...columns } };
}

/** The columns as stored, not validated; NaN if a cell has no number. */
export async function readParquet(bytes: Uint8Array, file: string): Promise<FeedResult<Candles>> {
  const fault = (message: string, remedy: string): FeedResult<Candles> => ({
    ok: false,
    problem: { file, line: null, column: null, value: null, message, remedy },
  });
  // A Buffer may be a part of a longer one, and its `slice` does not copy.
  const { buffer } = new Uint8Array(bytes);
  try {
    // Few feeds are Parquet, and every backtest would load its reader.
    const { parquetMetadataAsync } = await import('hyparquet');
    const metadata = await parquetMetadataAsync(buffer, { parsers: PARSERS });
    const names = metadata.schema.slice(1).map(({ name }) => name);
    const missing = FEED_COLUMNS.filter((name) => !names.includes(name));
    if (missing.length > 0) {
      const remedy = `A feed has the columns ${FEED_COLUMNS.join(', ')}.`;
      return fault(`lacks the column ${missing.join(', ')}.`, remedy);
    }
    const rows = Number(metadata.num_rows);
    if (rows === 0) return fault('has no rows.', 'Add candles.');
    return { ok: true, value: await readColumns(buffer, metadata, rows) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return fault(`can't be read as Parquet: ${why}.`, 'Write the file again, or export it as CSV.');
  }
}

async function readColumns(
  file: ArrayBuffer,
  metadata: FileMetaData,
  rows: number,
): Promise<Candles> {
  const column = (): Float64Array => new Float64Array(rows).fill(NaN);
  const values = {
    time: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  };
  const of = (name: Column): Float64Array => values[name === 'timestamp' ? 'time' : name];
  const put = (name: string, data: DecodedArray, rowStart: number): void => {
    const target = of(name as Column);
    for (let row = 0; row < data.length; row++) target[rowStart + row] = toNumber(data[row]);
  };
  const { parquetRead } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  await parquetRead({
    file,
    metadata,
    columns: [...FEED_COLUMNS],
    compressors,
    parsers: PARSERS,
    onChunk: ({ columnName, columnData, rowStart }) => put(columnName, columnData, rowStart),
  });
  return values;
}

function toNumber(cell: unknown): number {
  return typeof cell === 'number' || typeof cell === 'bigint' ? Number(cell) : NaN;
}
