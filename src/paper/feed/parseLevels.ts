import type { CsvFault, CsvRows } from './CsvRows.ts';
import type { FeedResult } from './FeedProblem.ts';
import { NumberColumn } from './NumberColumn.ts';
import { readStamp } from './readStamp.ts';
import { rowsInOrder } from './rowsInOrder.ts';
import type { BookTape } from './Tape.ts';
import { TimeScale } from './TimeScale.ts';

/** Names that recorders use for bid price, bid size, ask price and ask size of a level. */
const NAMINGS: ReadonlyArray<(level: number) => [string, string, string, string]> = [
  (n) => [`bid_price_${n}`, `bid_size_${n}`, `ask_price_${n}`, `ask_size_${n}`],
  (n) => [`bp${n}`, `bq${n}`, `ap${n}`, `aq${n}`],
];
const REMEDY =
  'Levels go from the best price outwards, each with its size; missing ones are empty.';

/** Reads whole books, one per row: `exchange_timestamp,bid_price_0,bid_size_0,ask_price_0,…`. */
export function parseLevels(rows: CsvRows): FeedResult<BookTape> {
  const time = rows.column('exchange_timestamp', 'exchange_ms', 'event_ms');
  const fields = fieldsOf(rows);
  if (time < 0 || fields.length === 0) {
    return rows.fault(
      null,
      'lacks the column exchange_timestamp.',
      'Times are epoch seconds, milliseconds or finer.',
    );
  }
  const [times, cells] = [new NumberColumn(), new NumberColumn()];
  const scale = new TimeScale();
  while (rows.next()) {
    const fault = rows.checkCount() ?? checkRow(rows, fields);
    if (fault !== null) return fault;
    const ms = readStamp(rows, time, scale);
    if (typeof ms !== 'number') return ms;
    times.push(Math.floor(ms));
    for (const level of fields) {
      for (const field of level) cells.push(rows.isEmpty(field) ? NaN : rows.number(field));
    }
  }
  if (times.length === 0) return rows.fault(null, 'has no rows.', 'Add books.');
  const [time_, all] = [times.toArray(), cells.toArray()];
  return { ok: true, value: rowsInOrder({ time: time_, depth: fields.length, cells: all }) };
}

function fieldsOf(rows: CsvRows): number[][] {
  const naming = NAMINGS.find((each) => rows.column(each(0)[0]) >= 0);
  const fields: number[][] = [];
  for (let level = 0; naming !== undefined; level++) {
    const columns = naming(level).map((name) => rows.column(name));
    if (columns.includes(-1)) break;
    fields.push(columns);
  }
  return fields;
}

function checkRow(rows: CsvRows, fields: number[][]): CsvFault | null {
  for (const side of [0, 2]) {
    let before = side === 0 ? Infinity : 0;
    for (const level of fields) {
      const [priceField, sizeField] = [level[side]!, level[side + 1]!];
      if (rows.isEmpty(priceField)) break;
      const price = rows.number(priceField);
      const isOutwards = side === 0 ? price < before && price > 0 : price > before;
      if (!isOutwards)
        return rows.fault(priceField, 'is not a price farther from the best.', REMEDY);
      if (!(rows.number(sizeField) >= 0)) return rows.fault(sizeField, 'is not a size.', REMEDY);
      before = price;
    }
  }
  return null;
}
