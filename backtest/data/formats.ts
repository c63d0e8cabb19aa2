import {
  beginningOf,
  columnName,
  decodeCache,
  fileFault,
  firstLineOf,
  headerlessTrades,
  isCacheFile,
  isEpochSeconds,
  isNumber,
  parseTrades,
  readParquet,
  refuseByName,
  refuseInverse,
  TimeScale,
  type FeedResult,
  type TradesOptions,
} from '../../src/paper/index.ts';
import { aboutArchive } from './aboutArchive.ts';
import { readBinance } from './readBinance.ts';
import { isCoinbase, readCoinbase } from './readCoinbase.ts';
import { BINANCE_COLUMNS, FUNDING_RATE, readCsvBars, readCsvFunding } from './readCsv.ts';
import { isJsonCandles, readJsonObjects } from './readJsonObjects.ts';
import { readHyperliquid } from './readHyperliquid.ts';
import { readOhlcvJson } from './readOhlcvJson.ts';
import { OKX_COLUMNS, readOkx } from './readOkx.ts';
import type { Rows } from './Rows.ts';

/** The beginning of a file, by which its format is detected. */
interface Head {
  bytes: Uint8Array;
  text: string;
  /** Fields of the first line, in lower case. */
  fields: string[];
}

interface Format {
  /** Its displayed name. */
  title: string;
  fits: (head: Head) => boolean;
  read: (
    bytes: Uint8Array,
    file: string,
    options: TradesOptions,
  ) => FeedResult<Rows> | Promise<FeedResult<Rows>>;
}

const has = (head: Head, ...names: string[]): boolean =>
  names.every((name) => head.fields.includes(name));
const BAR_NAMES = ['timestamp', 'open', 'high', 'low', 'close', 'volume'] as const;
/** Of Kraken's archive, which has no header. */
const KRAKEN_COLUMNS = [...BAR_NAMES, 'trades'] as const;
const CANDLE = ['open', 'high', 'low', 'close', 'volume'];
/** For a header with a typo the message names the missing column, not an unknown format. */
const isNearCandles = (head: Head): boolean =>
  has(head, 'open', 'close') || CANDLE.filter((name) => head.fields.includes(name)).length >= 3;
const BOOKS = [
  ['bid_price_0'],
  ['bp0'],
  ['bid', 'ask', 'bid_qty', 'ask_qty'],
  ['best_bid_price', 'best_ask_price'],
  ['u', 'side', 'price', 'qty'],
  ['last_update_id', 'side', 'price', 'qty'],
];
/** A book's header, or rows of one side each, whose price could be a trade's. */
const isBook = (head: Head): boolean =>
  BOOKS.some((names) => has(head, ...names)) ||
  (has(head, 'price', 'size', 'side') && /[\r\n][^\r\n]*,(bid|ask)(,|\r|\n|$)/.test(head.text));
const isBare = ({ fields }: Head): boolean =>
  fields.length === BINANCE_COLUMNS.length && /^\d+$/.test(fields[0]!);

/** Formats in the order in which they are tried. */
const FORMATS = {
  trimtab: {
    title: 'a Trimtab cache',
    fits: ({ bytes }) => isCacheFile(bytes),
    read: readCache,
  },
  parquet: {
    title: 'Parquet',
    fits: ({ text }) => text.startsWith('PAR1'),
    read: readParquetBars,
  },
  coinbase: {
    title: 'Coinbase candles',
    fits: ({ text }) => isCoinbase(text),
    read: readCoinbase,
  },
  ccxt: {
    title: 'OHLCV JSON (ccxt, freqtrade)',
    fits: ({ text }) => /^\s*\[\s*\[/.test(text),
    read: readOhlcvJson,
  },
  freqtrade: { title: 'freqtrade JSON', fits: () => false, read: readOhlcvJson },
  json: {
    title: 'JSON objects',
    fits: ({ text }) => isJsonCandles(text),
    read: readJsonObjects,
  },
  hyperliquid: {
    title: 'Hyperliquid JSON',
    fits: ({ text }) => /^\s*\[\s*\{/.test(text),
    read: readHyperliquid,
  },
  binance: {
    title: 'Binance klines',
    fits: (head) => isBare(head) || has(head, 'open_time', 'close_time', 'open'),
    read: (bytes, file) =>
      readBinance(bytes, file, isBare(headOf(bytes)) ? BINANCE_COLUMNS : undefined),
  },
  bybit: {
    title: 'Bybit klines (MetaTrader)',
    fits: ({ text }) => /^\d{4}\.\d\d\.\d\d \d\d:\d\d,/.test(text),
    read: readBybit,
  },
  kraken: {
    title: 'Kraken OHLCVT',
    fits: ({ fields }) =>
      fields.length === KRAKEN_COLUMNS.length &&
      isEpochSeconds(fields[0]!) &&
      fields.every(isNumber),
    read: (bytes, file) => readArchive(bytes, file, KRAKEN_COLUMNS),
  },
  okx: {
    title: 'OKX candles',
    fits: (head) => has(head, ...OKX_COLUMNS),
    read: readOkx,
  },
  tardis: {
    title: 'Tardis trades',
    fits: (head) => has(head, 'local_timestamp', 'price', 'amount'),
    read: readTradeRows,
  },
  funding: {
    title: 'funding rates',
    fits: (head) => FUNDING_RATE.some((name) => has(head, name)),
    read: readCsvFunding,
  },
  csv: { title: 'CSV', fits: isNearCandles, read: (bytes, file) => readCsvBars(bytes, file) },
  trades: {
    title: 'trades',
    fits: (head) => has(head, 'price') || headerlessTrades(head.text) !== null,
    read: readTradeRows,
  },
} satisfies Readonly<Record<string, Format>>;

export type FormatName = keyof typeof FORMATS;
export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

/** Reads one file's bytes, in the detected or the given format. */
export async function readFormat(
  bytes: Uint8Array,
  file: string,
  { format: forced, ...options }: { format?: FormatName | undefined } & TradesOptions = {},
): Promise<FeedResult<{ title: string; rows: Rows }>> {
  const head = headOf(bytes);
  if (forced === undefined && isBook(head)) {
    const flag = has(head, 'last_update_id') ? '--snapshot' : '--book';
    const remedy = `It is for the paper service: trimtab paper ${flag} SYMBOL=${file}.`;
    return fileFault(file, 'is a recorded book, and holds no candles.', remedy, 1);
  }
  const found = forced ?? formatOf(head);
  if (found === null) return unknownFormat(bytes, file);
  const { title, read }: Format = FORMATS[found];
  const rows = await read(withoutMark(bytes), file, options);
  if (!rows.ok) return rows;
  // A cache was refused when it was made, or its volumes were known to be base units.
  const hasVolumes = rows.value.kind === 'bars' && found !== 'trimtab';
  const inverse = hasVolumes ? refuseInverse(file, rows.value.symbol) : null;
  return inverse ?? { ok: true, value: { title, rows: rows.value } };
}

/** A byte-order mark is not part of JSON. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb ? bytes.subarray(3) : bytes;
}

function formatOf(head: Head): FormatName | null {
  return FORMAT_NAMES.find((name) => (FORMATS[name] as Format).fits(head)) ?? null;
}

function headOf(bytes: Uint8Array): Head {
  const text = beginningOf(bytes);
  return { bytes, text, fields: firstLineOf(text).split(',').map(columnName) };
}

function unknownFormat(bytes: Uint8Array, file: string) {
  const { text, fields } = headOf(bytes);
  if (bytes.length === 0) return fileFault(file, 'is empty.', 'Download it again.');
  if (text.startsWith('ARROW1') || text.startsWith('FEA1')) {
    const remedy =
      'Convert it: `freqtrade convert-data --format-from feather --format-to json`, or write Parquet.';
    return fileFault(file, 'is a feather file, which is not supported.', remedy);
  }
  const dialect = dialectOf(bytes, text);
  if (dialect !== null) return fileFault(file, dialect.what, dialect.remedy, 1);
  const what =
    fields.length > 1 && fields.every((field) => /^-?[\d.]+$/.test(field))
      ? `has ${fields.length} columns and no header.`
      : 'has an unknown format.';
  const remedy = `Formats are ${FORMAT_NAMES.join(', ')}; a CSV's first line names its columns: timestamp,open,high,low,close,volume.`;
  return fileFault(file, what, remedy);
}

/** A table in another dialect of CSV; to guess the meaning of its commas would be to guess numbers. */
function dialectOf(bytes: Uint8Array, text: string): { what: string; remedy: string } | null {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return { what: 'is UTF-16 text.', remedy: 'Save it as UTF-8.' };
  }
  const [line = '', ...others] = text.split(/\r?\n|\r/, MOST_BEFORE_HEADER + 1);
  const header = others.findIndex((other) => isNearCandles(headOf(Buffer.from(other))));
  if (header >= 0) {
    const remedy = 'Remove what is before its header, the line that names the columns.';
    return { what: `begins with ${JSON.stringify(line.slice(0, 60))}, no row of a table.`, remedy };
  }
  if (!/(time|date|close|price|rate)/i.test(line)) return null;
  if (line.includes('"')) {
    return { what: 'has quotes in its header.', remedy: 'Write names and numbers without quotes.' };
  }
  const [name] = Object.entries(SEPARATORS).find(([, sign]) => line.includes(sign)) ?? [];
  if (name === undefined) return null;
  const remedy =
    'Separate them with commas, and write numbers with a dot and no thousands separators.';
  return { what: `has columns separated by ${name}.`, remedy };
}

/** Lines of a title or an address that a table may have above its header. */
const MOST_BEFORE_HEADER = 5;
const SEPARATORS = { semicolons: ';', tabs: '\t', bars: '|' } as const;

function readCache(bytes: Uint8Array, file: string): FeedResult<Rows> {
  const read = decodeCache(bytes, file);
  if (!read.ok) return read;
  const { symbol, columns } = read.value;
  const about = { file, symbol, notes: [], line: rowNumbers(columns.time) };
  return { ok: true, value: { ...read.value, ...about } };
}

async function readParquetBars(bytes: Uint8Array, file: string): Promise<FeedResult<Rows>> {
  const read = await readParquet(bytes, file);
  if (!read.ok) return read;
  const scale = new TimeScale();
  const line = rowNumbers(read.value.time);
  const { time } = read.value;
  for (const [row, value] of time.entries()) {
    const ms = scale.toMs(value);
    if (ms === null) {
      const { message, remedy } = scale.mixed();
      return fileFault(file, `${value} ${message}`, remedy, row + 1);
    }
    time[row] = ms;
  }
  const about = { file, symbol: null, interval: null, notes: scale.notes };
  return { ok: true, value: { kind: 'bars', ...about, line, columns: read.value } };
}

/** Candles without a header, of an archive whose file names show market and interval: `XBTUSD_60.csv`. */
function readArchive(
  bytes: Uint8Array,
  file: string,
  columns: readonly string[],
): FeedResult<Rows> {
  const read = readCsvBars(bytes, file, { header: columns });
  if (!read.ok) return read;
  const named = aboutArchive(file);
  return { ok: true, value: { ...read.value, ...named } };
}

/** Bybit's inverse contracts end in USD, those with an end in its month: `BTCUSD`, `BTCUSDH24`. */
const BYBIT_INVERSE = /USD([HMUZ]\d{2})?$/;

function readBybit(bytes: Uint8Array, file: string): FeedResult<Rows> {
  const { symbol } = aboutArchive(file);
  if (symbol === null || !BYBIT_INVERSE.test(symbol)) return readArchive(bytes, file, BAR_NAMES);
  return refuseByName(file, symbol);
}

function readTradeRows(bytes: Uint8Array, file: string, options: TradesOptions): FeedResult<Rows> {
  const read = parseTrades(bytes, file, options);
  if (!read.ok) return read;
  const { tape, symbol, notes } = read.value;
  return { ok: true, value: { kind: 'trades', file, symbol, notes: [...notes], tape } };
}

function rowNumbers(time: Float64Array): Float64Array {
  return Float64Array.from(time, (_at, row) => row + 1);
}
