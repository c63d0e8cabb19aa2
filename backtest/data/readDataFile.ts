import { INTERVAL_MS, INTERVALS, type Interval } from '../../src/contract/index.ts';
import {
  fileFault,
  fileNameOf,
  isZip,
  readPlainFile,
  TIME_REMEDY,
  unzip,
  type FeedResult,
} from '../../src/paper/index.ts';
import { orderOf } from './findGaps.ts';
import { readFormat, type FormatName } from './formats.ts';
import type { BarRows, FundingRows, TradeRows } from './Rows.ts';

/** How to read files that don't identify themselves. */
export interface ReadOptions {
  format?: FormatName | undefined;
  /** Interval of the bars in the files. */
  sourceInterval?: Interval | undefined;
  symbol?: string | undefined;
  /** Base units of one contract, for files whose sizes are numbers of contracts. */
  contractSize?: number | undefined;
}

interface Known {
  /** A readable description of the file. */
  title: string;
  /** Null if neither file, name nor user gives it. */
  symbol: string | null;
}
/** The content of one file, or of one entry of an archive. */
export type DataFile =
  | (Omit<BarRows, 'symbol'> & Known & { interval: Interval })
  | (Omit<FundingRows, 'symbol'> & Known)
  | (Omit<TradeRows, 'symbol'> & Known);

/** Reads a file, plain, `.gz` or `.zip`: its first bytes identify it, not its name. */
export async function readDataFile(
  path: string,
  options: ReadOptions,
): Promise<FeedResult<DataFile[]>> {
  const read = await readPlainFile(path, 'of the data');
  if (!read.ok) return read;
  const { buffer, byteOffset, byteLength } = read.value;
  const whole = Buffer.from(buffer, byteOffset, byteLength);
  const parts = isZip(whole)
    ? await unzip(whole, path)
    : { ok: true as const, value: [{ file: path, bytes: whole }] };
  if (!parts.ok) return parts;
  const files: DataFile[] = [];
  for (const { file, bytes } of parts.value) {
    const found = await readOne(bytes, file, options);
    if (!found.ok) return found;
    files.push(found.value);
  }
  return { ok: true, value: files };
}

async function readOne(
  bytes: Uint8Array,
  file: string,
  options: ReadOptions,
): Promise<FeedResult<DataFile>> {
  const read = await readFormat(bytes, file, options);
  if (!read.ok) return read;
  const { title, rows } = read.value;
  const named = aboutName(file);
  const symbol = options.symbol ?? rows.symbol ?? named.symbol;
  if (rows.kind !== 'bars') return { ok: true, value: { ...rows, title, symbol } };
  const interval =
    options.sourceInterval ?? rows.interval ?? spacingOf(rows.columns.time) ?? named.interval;
  const isUntimed = rows.line.length > 0 && rows.columns.time.every(Number.isNaN);
  if (isUntimed) return noTimes(file, rows);
  if (interval === null) {
    const remedy = `Bars are ${INTERVALS.join(', ')}; name theirs with --source-interval.`;
    return fileFault(file, 'does not show the interval of its bars.', remedy);
  }
  return { ok: true, value: { ...rows, title, symbol, interval } };
}

/** The most frequent distance between bars in their order of time: a shuffled file's refusal is about its order. */
function spacingOf(time: Float64Array): Interval | null {
  const counts = new Map<number, number>();
  const order = orderOf(time);
  for (let at = 1; at < order.length; at++) {
    const step = time[order[at]!]! - time[order[at - 1]!]!;
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  const of = (interval: Interval): number => counts.get(INTERVAL_MS[interval]) ?? 0;
  const best = INTERVALS.toSorted((a, b) => of(b) - of(a))[0]!;
  return of(best) > 0 ? best : null;
}

/** `BTCUSDT-1m-2024-08.zip`, `BINANCE-BTCUSDT-1m.csv.gz`, `BTC_USDT-5m.json`, `…-BTC-funding-1h…`. */
function aboutName(file: string): { symbol: string | null; interval: Interval | null } {
  const name = fileNameOf(file);
  const match = /^(.*?-)?([A-Za-z0-9_]+)-(?:funding-)?(\d+[mhdw])(?=[-.])/.exec(name);
  const interval = INTERVALS.find((each) => each === match?.[3]) ?? null;
  if (match === null || interval === null) return { symbol: null, interval };
  const [, before = '', market] = match;
  return { symbol: isPartOfMarket(before, market!) ? null : market!, interval };
}

/** Quote currencies, kinds of contract and the day of its end: with the part before, they make a market. */
const NO_MARKET =
  /^(USD[A-Z\d]?|[FTB]D?USD|DAI|EUR|GBP|JPY|AUD|CAD|CHF|BRL|TRY|KRW|SWAP|PERP|PERPETUAL|FUTURES?|SPOT|\d+)$/i;
/** Markets that others are quoted in, too. */
const COIN = /^(BTC|XBT|ETH|BNB|SOL)$/;
/** The name of a coin, which no short name of a venue is. */
const AFTER_COIN = /(?:^|-)(?!OKX-|BYBIT-|DYDX-)[A-Z\d]{2,5}-$/;

/** `BTC-USDT-1h.csv` is no file of USDT, and `ETH-BTC-1h.csv` none of BTC; `BINANCE-BTC-1h.csv` is. */
function isPartOfMarket(before: string, market: string): boolean {
  if (before === '') return false;
  const isQuoteCoin = COIN.test(market) && AFTER_COIN.test(before);
  return isQuoteCoin || market.split('_').every((part) => NO_MARKET.test(part));
}

/** Whatever the interval: not a single time is valid. */
function noTimes(file: string, { line, written }: BarRows): FeedResult<never> {
  const [first] = line;
  const text = written?.get(`${first}:timestamp`);
  const what = text === undefined ? 'has no time.' : `${JSON.stringify(text)} is not a time.`;
  return fileFault(file, what, TIME_REMEDY, first);
}
