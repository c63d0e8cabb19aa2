import {
  CsvRows,
  parseIsoTime,
  TimeScale,
  type CsvFault,
  type FeedResult,
} from '../../src/paper/index.ts';
import type { BarRows, FundingRows } from './Rows.ts';
import { BAR_COLUMNS, FUNDING_COLUMNS, RowColumns, SHOWN, type ShownColumn } from './RowColumns.ts';

/** Names of the column of times, the first that is there counts. */
export const TIME: readonly string[] = [
  'timestamp',
  'open_time',
  'time',
  'date',
  'datetime',
  'calc_time',
  'fundingtime',
  'funding_time',
  'open time',
  'opentime',
  'start_time',
  'starttime',
  'unix',
  'ts',
  't',
];
/** What pandas calls an index without a name: `to_csv`, and again after `read_csv`. It is the first column. */
const UNNAMED: readonly (string | undefined)[] = ['', 'unnamed: 0'];
/** Names of a column that says of which market a row is. */
export const MARKET: readonly string[] = [
  'symbol',
  'ticker',
  'pair',
  'market',
  'instrument',
  'coin',
];
/** Names of the column of funding rates that no other table has. */
export const FUNDING_RATE: readonly string[] = ['funding_rate', 'fundingrate', 'last_funding_rate'];

const CANDLE_NAMES = `${TIME[0]} (or ${TIME[1]}, time, date, datetime, ts, t), open, high, low, close, volume`;
/** What the fields of a candle are called, for messages. */
export const CANDLE_REMEDY = `A candle has ${CANDLE_NAMES}.`;

/** A kline of Binance Vision, whose older files have no header. */
export const BINANCE_COLUMNS = [
  'open_time',
  'open',
  'high',
  'low',
  'close',
  'volume',
  'close_time',
  'quote_volume',
  'count',
  'taker_buy_volume',
  'taker_buy_quote_volume',
  'ignore',
] as const;

export interface CsvShape {
  /** The columns of a file without a header. */
  header?: readonly string[] | undefined;
  /** The column with the volume in base units; default: `volume`. */
  volume?: string;
}

/** Candles by the names of their columns, in any order and beside any others. */
export function readCsvBars(
  bytes: Uint8Array,
  file: string,
  { header, volume = 'volume' }: CsvShape = {},
): FeedResult<BarRows> {
  const rows = new CsvRows(bytes, file, header);
  const names: Partial<Record<ShownColumn, readonly string[]>> = { time: TIME, volume: [volume] };
  const fields = BAR_COLUMNS.map((name) => rows.column(...(names[name] ?? [name])));
  if (fields[0] === -1 && isIndexOfTimes(new CsvRows(bytes, file, header))) fields[0] = 0;
  const remedy = `Candles have a header with ${CANDLE_NAMES}.`;
  const twice = fields.find((field) => isNamedTwice(rows, field));
  if (twice !== undefined) return namedTwice(rows, twice);
  // Neither short name says which of both times is that of the bar.
  if (rows.header[fields[0]!] === 'ts' && rows.header.includes('t'))
    return rows.fault(null, 'has two columns of times, ts and t.', RENAME);
  const missing = BAR_COLUMNS.filter((_name, index) => fields[index] === -1);
  if (missing.length > 0) return rows.fault(null, missingColumns(missing, rows.header), remedy);
  const read = readColumns({ rows, file }, BAR_COLUMNS, fields);
  return read.ok ? { ok: true, value: { kind: 'bars', interval: null, ...read.value } } : read;
}

/** An index of row numbers is no column of times. */
function isIndexOfTimes(rows: CsvRows): boolean {
  return UNNAMED.includes(rows.header[0]) && rows.next() && !(rows.number(0) < MOST_ROW_NUMBER);
}

/** Epoch seconds are above it since 1973. */
const MOST_ROW_NUMBER = 100_000_000;
const RENAME = 'Rename the one that is not wanted.';
const isNamedTwice = ({ header }: CsvRows, field: number): boolean =>
  field >= 0 && header.lastIndexOf(header[field]!) > field;

/** Two columns of the same meaning are ambiguous. */
function namedTwice(rows: CsvRows, field: number): CsvFault {
  const message = `has two columns ${rows.header[field]}.`;
  return rows.fault(null, message, RENAME);
}

/** The beginning of a very long header is enough. */
const MOST_SHOWN = 120;

function missingColumns(names: readonly ShownColumn[], header: readonly string[]): string {
  const found = header.join(',');
  const shown = found.length > MOST_SHOWN ? `${found.slice(0, MOST_SHOWN)}…` : found;
  return `no column ${names.map((name) => SHOWN[name]).join(', ')}; found ${shown}.`;
}

/** Funding settlements: a time and a rate as a fraction. */
export function readCsvFunding(bytes: Uint8Array, file: string): FeedResult<FundingRows> {
  const rows = new CsvRows(bytes, file);
  const fields = [rows.column(...TIME), rows.column(...FUNDING_RATE, 'rate')];
  const remedy = `Funding has a header with ${TIME[0]} (or calc_time) and funding_rate (or last_funding_rate).`;
  if (fields.includes(-1)) return rows.fault(null, 'is not the header of funding rates.', remedy);
  const twice = fields.find((field) => isNamedTwice(rows, field));
  if (twice !== undefined) return namedTwice(rows, twice);
  const read = readColumns({ rows, file }, FUNDING_COLUMNS, fields);
  return read.ok ? { ok: true, value: { kind: 'funding', ...read.value } } : read;
}

/**
 * The most cells without a number whose raw text is kept, so that a file of nothing else is not held
 * twice.
 */
const MOST_WRITTEN = 1_000;

/** The first of `fields` is the time; the others are numbers, or NaN. */
function readColumns<Name extends ShownColumn>(
  { rows, file }: { rows: CsvRows; file: string },
  names: readonly Name[],
  fields: readonly number[],
) {
  const columns = new RowColumns(names);
  const scale = new TimeScale();
  const row = {} as Record<Name, number>;
  const written = new Map<string, string>();
  const keep = (name: Name, text: string): void => {
    if (written.size < MOST_WRITTEN) written.set(`${rows.line}:${SHOWN[name]}`, text);
  };
  const checkMarket = createMarketCheck(rows);
  while (rows.next()) {
    const fault = checkRow(rows, fields[0]!) ?? checkMarket();
    if (fault !== null) return fault;
    for (const [index, name] of names.entries()) {
      row[name] = rows.number(fields[index]!);
      if (!Number.isFinite(row[name])) keep(name, rows.text(fields[index]!));
    }
    const time = timeOf(rows, fields[0]!, scale);
    if (time === null) {
      const { message, remedy } = scale.mixed();
      return rows.fault(fields[0]!, message, remedy);
    }
    row['time' as Name] = time;
    columns.push(rows.line, row);
  }
  if (columns.rows === 0) return rows.fault(null, 'has no rows.', 'Is the file cut off?');
  const value = { file, symbol: null, notes: scale.notes, written, ...columns.toArrays() };
  return { ok: true as const, value };
}

/** Refuses a row of another market than the first, where the file has a column of them; call it for each row. */
export function createMarketCheck(rows: CsvRows): () => CsvFault | null {
  const market = rows.column(...MARKET);
  let first: string | null = null;
  return () => {
    if (market < 0) return null;
    const found = rows.text(market).trim();
    first ??= found;
    if (found === first) return null;
    const { message, remedy } = otherMarket(first, rows.header[market]!);
    return rows.fault(market, message, remedy);
  };
}

/** A row of another market than the rows before it; the message follows the row's own. */
export function otherMarket(first: unknown, column: string) {
  return {
    message: `is another market than ${JSON.stringify(first)} of the rows before.`,
    remedy: `One market a file: split this one by its column ${column}.`,
  };
}

function checkRow(rows: CsvRows, time: number): CsvFault | null {
  const fault = rows.checkCount();
  if (fault !== null || rows.header[time] !== rows.text(time).trim().toLowerCase()) return fault;
  const remedy = 'Two files were joined here: give them one by one, in one command.';
  return rows.fault(null, 'is a header in the middle.', remedy);
}

function timeOf(rows: CsvRows, field: number, scale: TimeScale): number | null {
  const value = rows.number(field);
  return Number.isNaN(value) ? parseIsoTime(rows.text(field)) : scale.toMs(value);
}
