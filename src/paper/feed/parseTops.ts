import type { CsvFault, CsvRows } from './CsvRows.ts';
import type { FeedResult } from './FeedProblem.ts';
import { NumberColumn } from './NumberColumn.ts';
import { readStamp } from './readStamp.ts';
import { rowsInOrder } from './rowsInOrder.ts';
import type { BookTape } from './Tape.ts';
import { TimeScale } from './TimeScale.ts';

type Cells = [bid: number, bidSize: number, ask: number, askSize: number];

/** Columns of both sides, as recorders and Binance's archives name them. */
const BOTH_SIDES = [
  ['bid', 'best_bid_price'],
  ['bid_qty', 'best_bid_qty'],
  ['ask', 'best_ask_price'],
  ['ask_qty', 'best_ask_qty'],
] as const;

/** Whether a header names the best prices of both sides. */
export function hasBothSides(header: readonly string[]): boolean {
  return BOTH_SIDES.every((names) => names.some((name) => header.includes(name)));
}

/**
 * Reads best prices: both sides in a row (`bid,bid_qty,ask,ask_qty`), or the side that changed
 * (`price,size,side`). Rows that have only the recorder's stamp are moved to the venue's clock by the
 * difference that the trades show.
 */
export function parseTops(rows: CsvRows, clockOffsetMs: number | null): FeedResult<BookTape> {
  const timeOf = timeReader(rows, clockOffsetMs);
  const update = rows.column('side') < 0 ? bothSides(rows) : oneSide(rows);
  const [times, cells] = [new NumberColumn(), new NumberColumn()];
  const top: Cells = [NaN, NaN, NaN, NaN];
  while (rows.next()) {
    const fault = rows.checkCount() ?? update(top);
    if (fault !== null) return fault;
    const time = timeOf();
    if (typeof time !== 'number') return time;
    if (top.some(Number.isNaN)) continue;
    times.push(Math.floor(time));
    for (const cell of top) cells.push(cell);
  }
  if (times.length === 0) return rows.fault(null, 'has no rows.', 'Add prices of both sides.');
  return {
    ok: true,
    value: rowsInOrder({ time: times.toArray(), depth: 1, cells: cells.toArray() }),
  };
}

function timeReader(rows: CsvRows, clockOffsetMs: number | null): () => number | CsvFault {
  const scale = new TimeScale();
  const [venue, received] = [
    rows.column('exchange_timestamp', 'exchange_ms', 'event_ms', 'transaction_time', 'event_time'),
    rows.column('recv_ns'),
  ];
  return () => {
    if (venue >= 0 && !rows.isEmpty(venue)) return readStamp(rows, venue, scale);
    const stamp = received < 0 ? NaN : rows.number(received);
    if (Number.isFinite(stamp)) return Math.round(stamp / 1e6 + (clockOffsetMs ?? 0));
    return rows.fault(null, 'has no time.', 'It needs exchange_timestamp, event_ms or recv_ns.');
  };
}

function bothSides(rows: CsvRows): (top: Cells) => CsvFault | null {
  const fields = BOTH_SIDES.map((names) => rows.column(...names));
  return (top) => {
    for (const [index, field] of fields.entries()) {
      const fault = checkNumber(rows, field);
      if (fault !== null) return fault;
      top[index] = rows.number(field);
    }
    return null;
  };
}

function oneSide(rows: CsvRows): (top: Cells) => CsvFault | null {
  const [price, size, side] = ['price', 'size', 'side'].map((name) => rows.column(name)) as [
    number,
    number,
    number,
  ];
  return (top) => {
    const fault = checkNumber(rows, price) ?? checkNumber(rows, size);
    if (fault !== null) return fault;
    const start = { bid: 0, ask: 2 }[rows.text(side)];
    if (start === undefined) return rows.fault(side, 'is not a side.', 'It is bid or ask.');
    top[start] = rows.number(price);
    top[start + 1] = rows.number(size);
    return null;
  };
}

function checkNumber(rows: CsvRows, field: number): CsvFault | null {
  if (rows.number(field) >= 0) return null;
  return rows.fault(field, 'is not a number of 0 or more.', 'Write a plain decimal.');
}
