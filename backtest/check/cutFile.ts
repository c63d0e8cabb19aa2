import { readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { HOUR_MS } from '../../src/contract/durations.ts';
import {
  beginningOf,
  CsvRows,
  headerlessTrades,
  parseIsoTime,
  TimeScale,
} from '../../src/paper/index.ts';

/** What a row's time is: of a bar its open, of a settlement an instant shortly after its hour. */
export type RowTimes =
  { kind: 'bars'; length: number } | { kind: 'settlements' } | { kind: 'times' };

/** The names of times in candles, funding, trades and books; of several in a row the first that is not empty counts. */
const TIMES = [
  'trade_ms',
  'exchange_timestamp',
  'exchange_ms',
  'txn_ms',
  'event_ms',
  'transact_time',
  'transaction_time',
  'event_time',
  'created_time',
  'timestamp',
  'time',
];

/**
 * A CSV file, packed as it is, without the rows that were not known at an instant: its other rows are the same bytes.
 * null for any other file, and for one without a column of times.
 *
 * @throws if it can't be read
 */
export function cutFile(path: string, until: number, times: RowTimes): Uint8Array | null {
  const written = readFileSync(path);
  const isPacked = written[0] === 0x1f && written[1] === 0x8b;
  const bytes = isPacked ? gunzipSync(written) : written;
  const cut = cutRows(bytes, path, (time) => knownAt(time, times) <= until);
  return cut !== null && isPacked ? gzipSync(cut) : cut;
}

function knownAt(time: number, times: RowTimes): number {
  if (times.kind === 'bars') return time + times.length;
  return times.kind === 'settlements' ? time - (time % HOUR_MS) : Math.floor(time);
}

function cutRows(
  bytes: Uint8Array,
  path: string,
  isKnown: (time: number) => boolean,
): Uint8Array | null {
  const rows = new CsvRows(bytes, path, headerlessTrades(beginningOf(bytes)) ?? undefined);
  const fields = TIMES.map((name) => rows.column(name)).filter((field) => field >= 0);
  if (fields.length === 0) return null;
  const scale = new TimeScale();
  const parts: Uint8Array[] = [];
  // The rows do not say where they are in the file: its lines are counted beside them.
  let [line, at, isKept] = [0, 0, true];
  const passTo = (last: number): void => {
    const start = at;
    for (; line < last; line++) at = endOfLine(bytes, at);
    if (isKept) parts.push(bytes.subarray(start, at));
  };
  passTo(rows.line);
  while (rows.next()) {
    const stamp = fields.find((field) => field < rows.fields && !rows.isEmpty(field));
    const time = stamp === undefined ? NaN : timeOf(rows, stamp, scale);
    if (Number.isFinite(time)) isKept = isKnown(time);
    passTo(rows.line);
  }
  return Buffer.concat(parts);
}

function timeOf(rows: CsvRows, field: number, scale: TimeScale): number {
  const value = rows.number(field);
  return Number.isNaN(value) ? parseIsoTime(rows.text(field)) : (scale.toMs(value) ?? NaN);
}

function endOfLine(bytes: Uint8Array, at: number): number {
  const end = bytes.indexOf(0x0a, at);
  return end < 0 ? bytes.length : end + 1;
}
