import type { DecodedArray, FileMetaData } from 'hyparquet';
import type { Interval } from '../../contract/index.ts';
import { DAY_MS } from '../../contract/durations.ts';
import type { Candles } from './barsOfTrades.ts';
import type { Feed } from './Feed.ts';
import type { FeedResult } from './FeedProblem.ts';
import { firstFault } from './firstFault.ts';
import { FEED_COLUMNS } from './parseCsv.ts';
import { parseIsoTime } from './parseIsoTime.ts';

type Column = (typeof FEED_COLUMNS)[number];

const EPOCH = /^\d+(\.\d+)?$/;
/** Names of the column of times; the first that is there counts. */
const TIME_NAMES: readonly string[] = [
  'timestamp',
  'open_time',
  'time',
  'date',
  'datetime',
  'ts',
  't',
  // An index of pandas without a name.
  '__index_level_0__',
];

/** Timestamps and dates of any unit as epoch milliseconds. */
const PARSERS = {
  dateFromDays: (value: number) => value * DAY_MS,
  timestampFromMilliseconds: (value: bigint) => Number(value),
  timestampFromMicroseconds: (value: bigint) => Number(value) / 1e3,
  timestampFromNanoseconds: (value: bigint) => Number(value / 1_000n) / 1e3,
};

/**
 * Reads candles from Parquet: the columns of the CSV, by name, in any order and beside any others. The
 * timestamp may be a number, a TIMESTAMP, a DATE or a text as in a CSV; the others are numbers. The line of a fault is
 * the row, from 1.
 */
export async function parseParquet(
  bytes: Uint8Array,
  feed: { symbol: string; interval: Interval; file: string },
): Promise<FeedResult<Feed>> {
  const { symbol, interval, file } = feed;
  const read = await readParquet(bytes, file);
  if (!read.ok) return read;
  const columns = read.value;
  const found = firstFault(columns, interval);
  if (found !== null) {
    const { row, ...wrong } = found;
    return { ok: false, problem: { file, line: row + 1, ...wrong } };
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
    const columns = namesIn(names);
    const missing = FEED_COLUMNS.filter((name) => ![...columns.values()].includes(name));
    if (missing.length > 0) {
      const remedy = `A feed has the columns ${FEED_COLUMNS.join(', ')}; ${TIME_NAMES.slice(1).join(', ')} stand for ${TIME_NAMES[0]}.`;
      return fault(`lacks the column ${missing.join(', ')}.`, remedy);
    }
    const rows = Number(metadata.num_rows);
    if (rows === 0) return fault('has no rows.', 'Add candles.');
    return { ok: true, value: await readColumns(buffer, { metadata, rows, columns }) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return fault(`can't be read as Parquet: ${why}.`, 'Write the file again, or export it as CSV.');
  }
}

/** What the columns of a file are, by their names; upper and lower case are one, as in a CSV's header. */
function namesIn(names: readonly string[]): Map<string, Column> {
  const found = new Map<string, Column>();
  for (const column of FEED_COLUMNS) {
    const known = column === 'timestamp' ? TIME_NAMES : [column];
    const all = known.map((each) => names.find((name) => name.toLowerCase() === each));
    const name = all.find((each) => each !== undefined);
    if (name !== undefined) found.set(name, column);
  }
  return found;
}

interface Content {
  metadata: FileMetaData;
  rows: number;
  /** By their names in the file. */
  columns: ReadonlyMap<string, Column>;
}

async function readColumns(
  file: ArrayBuffer,
  { metadata, rows, columns }: Content,
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
  const put = (name: string, data: DecodedArray, rowStart: number): void => {
    const column = columns.get(name)!;
    const isTime = column === 'timestamp';
    const target = values[isTime ? 'time' : column];
    const read = isTime ? toTime : toNumber;
    for (let row = 0; row < data.length; row++) target[rowStart + row] = read(data[row]);
  };
  const { parquetRead } = await import('hyparquet');
  const { compressors } = await import('hyparquet-compressors');
  await parquetRead({
    file,
    metadata,
    columns: [...columns.keys()],
    compressors,
    parsers: PARSERS,
    onChunk: ({ columnName, columnData, rowStart }) => put(columnName, columnData, rowStart),
  });
  return values;
}

function toNumber(cell: unknown): number {
  return typeof cell === 'number' || typeof cell === 'bigint' ? Number(cell) : NaN;
}

/** Text is a number or a calendar time, as in a CSV. */
function toTime(cell: unknown): number {
  if (typeof cell !== 'string') return toNumber(cell);
  return EPOCH.test(cell) ? Number(cell) : parseIsoTime(cell);
}
