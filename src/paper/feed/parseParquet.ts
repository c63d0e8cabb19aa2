import { parquetMetadataAsync, parquetRead, type DecodedArray } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { Interval } from '../../contract/index.ts';
import { checkCandle, type CandleFault } from './checkCandle.ts';
import type { Feed } from './Feed.ts';
import type { FeedProblem, FeedResult } from './FeedProblem.ts';
import { FEED_COLUMNS } from './parseCsv.ts';

type Column = (typeof FEED_COLUMNS)[number];

/** Timestamps of any unit as epoch milliseconds. */
const PARSERS = {
  timestampFromMilliseconds: (value: bigint) => Number(value),
  timestampFromMicroseconds: (value: bigint) => Number(value) / 1e3,
  timestampFromNanoseconds: (value: bigint) => Number(value / 1_000n) / 1e3,
};

/**
 * Reads candles from Parquet: the columns of the CSV, by name, whatever their order and whatever else
 * is there. The timestamp may be a number or a TIMESTAMP; the others are numbers. A fault's line is
 * the row, from 1.
 */
export async function parseParquet(
  bytes: Uint8Array,
  feed: { symbol: string; interval: Interval; file: string },
): Promise<FeedResult<Feed>> {
  const { symbol, interval, file } = feed;
  const fault = (line: number | null, found: CandleFault): FeedResult<Feed> => ({
    ok: false,
    problem: { file, line, ...found } satisfies FeedProblem,
  });
  const whole = (message: string, remedy: string): FeedResult<Feed> =>
    fault(null, { column: null, value: null, message, remedy });
  const buffer = bytes.slice().buffer;
  try {
    const metadata = await parquetMetadataAsync(buffer, { parsers: PARSERS });
    const names = metadata.schema.slice(1).map(({ name }) => name);
    const missing = FEED_COLUMNS.filter((name) => !names.includes(name));
    if (missing.length > 0) {
      const remedy = `A feed has the columns ${FEED_COLUMNS.join(', ')}.`;
      return whole(`lacks the column ${missing.join(', ')}.`, remedy);
    }
    const rows = Number(metadata.num_rows);
    if (rows === 0) return whole('has no rows.', 'Add candles.');
    const columns = await readColumns(buffer, metadata, rows);
    for (let row = 0; row < rows; row++) {
      const found = columns.notNumber(row) ?? checkCandle(columns.values, row, interval);
      if (found !== null) return fault(row + 1, found);
    }
    return { ok: true, value: { symbol, interval, ...columns.values } };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return whole(`can't be read as Parquet: ${why}.`, 'Write the file again, or export it as CSV.');
  }
}

async function readColumns(
  file: ArrayBuffer,
  metadata: Awaited<ReturnType<typeof parquetMetadataAsync>>,
  rows: number,
) {
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
  await parquetRead({
    file,
    metadata,
    columns: [...FEED_COLUMNS],
    compressors,
    parsers: PARSERS,
    onChunk: ({ columnName, columnData, rowStart }) => put(columnName, columnData, rowStart),
  });
  return {
    values,
    /** Empty cells and text: the first column of the row that holds no number. */
    notNumber(row: number): CandleFault | null {
      const name = FEED_COLUMNS.find((each) => !Number.isFinite(of(each)[row]!));
      if (name === undefined) return null;
      const remedy = 'Numbers only (the timestamp may be a TIMESTAMP), and none may be empty.';
      return { column: name, value: null, message: 'holds no number.', remedy };
    },
  };
}

function toNumber(cell: unknown): number {
  return typeof cell === 'number' || typeof cell === 'bigint' ? Number(cell) : NaN;
}
