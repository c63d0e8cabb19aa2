import { beginningOf } from './beginningOf.ts';
import { CsvRows, type CsvFault } from './CsvRows.ts';
import type { FeedResult } from './FeedProblem.ts';
import { headerlessTrades } from './headerlessTrades.ts';
import { marketOfName } from './marketOfName.ts';
import { NumberColumn } from './NumberColumn.ts';
import { readStamp } from './readStamp.ts';
import { SeenIds } from './SeenIds.ts';
import type { TradeTape } from './Tape.ts';
import { TimeScale } from './TimeScale.ts';
import { baseUnits } from './tradeSizes.ts';

/** The names that venues give their columns; the first that a file has is used. */
const TIME = [
  'trade_ms',
  'exchange_timestamp',
  'exchange_ms',
  'event_ms',
  'transact_time',
  'created_time',
  'timestamp',
  'time',
];
const SIZE = ['qty', 'quantity', 'size', 'amount', 'volume'];
const ID = ['trade_id', 'agg_trade_id', 'id', 'trdmatchid'];
const REMEDY = `A trades file has columns for time (${TIME.join(', ')}), price and size (${SIZE.join(', ')}).`;

export interface ParsedTrades {
  tape: TradeTape;
  /**
   * Typical difference of the venue's clock from the recorder's, ms; null if the file has only one of
   * them.
   */
  clockOffsetMs: number | null;
  /** The market of the trades, if a column or the file's name gives it. */
  symbol: string | null;
  /** For messages: the unit of its times, if it is not the usual one. */
  notes: readonly string[];
}

export interface TradesOptions {
  /** Base units of one contract, for files whose sizes are numbers of contracts. */
  contractSize?: number | undefined;
}

/**
 * Reads trades as exchanges and recorders write them; the unit of their times is inferred from their
 * size. Repeated ids (replays after a reconnect) count once; rows whose stamps go back are sorted.
 */
export function parseTrades(
  bytes: Uint8Array,
  file: string,
  { contractSize }: TradesOptions = {},
): FeedResult<ParsedTrades> {
  const rows = new CsvRows(bytes, file, headerlessTrades(beginningOf(bytes)) ?? undefined);
  const [time, price, size] = [rows.column(...TIME), rows.column('price'), rows.column(...SIZE)];
  if (time < 0 || price < 0 || size < 0) {
    return rows.fault(null, 'is not the header of a trades file.', REMEDY);
  }
  const [id, received] = [rows.column(...ID), rows.column('recv_ns')];
  const symbol = rows.column('symbol', 'instrument_name');
  const scale = new TimeScale();
  let name = symbol < 0 ? marketOfName(file) : null;
  let factor = NaN;
  const columns = { time: new NumberColumn(), price: new NumberColumn(), size: new NumberColumn() };
  const seen = new SeenIds();
  const offsets: number[] = [];
  while (rows.next()) {
    const fault = rows.checkCount() ?? checkRow(rows, { price, size });
    if (fault !== null) return fault;
    const ms = readStamp(rows, time, scale);
    if (typeof ms !== 'number') return ms;
    if (symbol >= 0) {
      name ??= rows.text(symbol);
      if (rows.text(symbol) !== name) return otherMarket(rows, symbol, name);
    }
    if (Number.isNaN(factor)) {
      const units = baseUnits(rows, { contractSize, market: name });
      if (!units.ok) return units;
      ({ factor } = units);
    }
    const key = id < 0 || rows.isEmpty(id) ? null : idOf(rows, id);
    if (key !== null && !seen.add(key)) continue;
    columns.time.push(Math.floor(ms));
    columns.price.push(rows.number(price));
    columns.size.push(rows.number(size) * factor);
    if (received >= 0) offsets.push(ms - rows.number(received) / 1e6);
  }
  if (columns.time.length === 0) return rows.fault(null, 'has no rows.', 'Add trades.');
  const tape = inOrder({
    time: columns.time.toArray(),
    price: columns.price.toArray(),
    size: columns.size.toArray(),
  });
  const about = { clockOffsetMs: medianOf(offsets), symbol: name, notes: scale.notes };
  return { ok: true, value: { tape, ...about } };
}

function otherMarket(rows: CsvRows, symbol: number, name: string): CsvFault {
  return rows.fault(symbol, `follows ${name}.`, 'A trades file holds one market: split it.');
}

/** Some venues' ids are text, or numbers beyond the exact range of a double. */
function idOf(rows: CsvRows, id: number): number | string {
  const number = rows.number(id);
  return Number.isSafeInteger(number) ? number : rows.text(id);
}

function checkRow(
  rows: CsvRows,
  { price, size }: { price: number; size: number },
): CsvFault | null {
  if (!(rows.number(price) > 0)) {
    return rows.fault(price, 'is not a price.', 'Prices are above 0.');
  }
  if (!(rows.number(size) >= 0)) {
    return rows.fault(size, 'is not a size.', 'Sizes are 0 or more.');
  }
  return null;
}

/** Trades of the same millisecond keep the order in which they came, which some archives write from the last one. */
function inOrder(tape: TradeTape): TradeTape {
  const { time } = tape;
  if (time.every((at, index) => index === 0 || at >= time[index - 1]!)) return tape;
  const isNewestFirst = time.every((at, index) => index === 0 || at <= time[index - 1]!);
  const tie = isNewestFirst ? -1 : 1;
  const order = Array.from(time.keys()).sort((a, b) => time[a]! - time[b]! || tie * (a - b));
  const sorted = (column: Float64Array) => Float64Array.from(order, (index) => column[index]!);
  return { time: sorted(time), price: sorted(tape.price), size: sorted(tape.size) };
}

function medianOf(values: number[]): number | null {
  if (values.length === 0) return null;
  return values.sort((a, b) => a - b)[values.length >> 1]!;
}
