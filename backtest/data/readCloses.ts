import { INTERVAL_MS } from '../../src/contract/index.ts';
import { DAY_MS } from '../../src/contract/durations.ts';
import {
  CsvRows,
  fileFault,
  parseIsoTime,
  readPlainFile,
  TimeScale,
  type FeedResult,
} from '../../src/paper/index.ts';
import type { TimedValue } from '../../src/statistics/index.ts';
import { createMarketCheck } from './readCsv.ts';
import { readSeries } from './readSeries.ts';

const TIME = ['time', 'timestamp', 'date', 'datetime', 'ts', 't'];
const CLOSE = ['close', 'price', 'value', 'adj close'];

/**
 * A series of prices to compare a run with: candles of any format that `data import` reads, whose closes count when their
 * bars end, or a CSV file of times and closes, which count at the times given, or at the end of a day that
 * is given without a time. Ascending in time.
 */
export async function readCloses(path: string): Promise<FeedResult<TimedValue[]>> {
  const read = await readPlainFile(path, 'of the benchmark');
  if (!read.ok) return read;
  const rows = new CsvRows(read.value, path);
  const [time, close] = [rows.column(...TIME), rows.column(...CLOSE)];
  const found =
    time === -1 || close === -1 || rows.column('open') !== -1
      ? await closesOfBars(path)
      : closesOfRows(rows, path, { time, close });
  if (!found.ok) return found;
  if (found.value.length === 0) return fileFault(path, 'has no closes.', 'Is the file cut off?');
  return { ok: true, value: found.value.toSorted(([a], [b]) => a - b) };
}

async function closesOfBars(path: string): Promise<FeedResult<TimedValue[]>> {
  const read = await readSeries(path, {});
  if (!read.ok) return read;
  const bars = read.value.filter((series) => series.kind === 'bars');
  const kinds = new Set(bars.map(({ symbol, interval }) => `${symbol ?? 'a market'} ${interval}`));
  if (kinds.size > 1) {
    const remedy = 'One market and one interval a file: name the one to compare with.';
    return fileFault(path, `holds bars of ${[...kinds].join(' and ')}.`, remedy);
  }
  const closes = bars.flatMap((series): TimedValue[] => {
    const { time, close } = series.columns;
    const length = INTERVAL_MS[series.interval];
    return Array.from(time, (open, at) => [open + length, close[at]!] as const);
  });
  const bad = closes.find(([time, close]) => !Number.isFinite(time) || !(close > 0));
  if (bad === undefined) return { ok: true, value: closes };
  return fileFault(
    path,
    `has a bar with the close ${bad[1]}.`,
    'Check it with: trimtab data check',
  );
}

function closesOfRows(
  rows: CsvRows,
  path: string,
  fields: { time: number; close: number },
): FeedResult<TimedValue[]> {
  const scale = new TimeScale();
  const checkMarket = createMarketCheck(rows);
  const closes: TimedValue[] = [];
  while (rows.next()) {
    const fault = rows.checkCount() ?? checkMarket();
    if (fault !== null) return fault;
    const time = timeOf(rows, fields.time, scale);
    if (time === null || !Number.isFinite(time)) {
      const remedy = 'Times are epoch numbers of one unit, or 2024-01-31 08:00:00, or 20240131.';
      return rows.fault(fields.time, 'is not a time.', remedy);
    }
    const close = rows.number(fields.close);
    if (!(close > 0)) return rows.fault(fields.close, 'is not a price.', 'A close is above zero.');
    closes.push([time, close]);
  }
  return closes.length > 0
    ? { ok: true, value: closes }
    : fileFault(path, 'has no rows.', 'Is the file cut off?');
}

/** A close of a day is known when the day ends, as that of its bar is. */
function timeOf(rows: CsvRows, field: number, scale: TimeScale): number | null {
  const number = rows.number(field);
  if (!Number.isNaN(number)) {
    const time = scale.toMs(number);
    return time === null || !scale.isOfDates ? time : time + DAY_MS;
  }
  const text = rows.text(field);
  const hasTime = /[T :]/.test(text.trim());
  return parseIsoTime(text) + (hasTime ? 0 : DAY_MS);
}
