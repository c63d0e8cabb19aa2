import type { FundingRates } from '../market/FundingSchedule.ts';
import { isCacheFile } from './CacheFile.ts';
import { impossibleRate, secondRate } from './checkRates.ts';
import { CsvRows, type CsvFault } from './CsvRows.ts';
import { decodeCache } from './decodeCache.ts';
import type { FeedResult } from './FeedProblem.ts';
import { NumberColumn } from './NumberColumn.ts';
import { readPlainFile } from './readPlainFile.ts';
import { TimeScale } from './TimeScale.ts';
import { timeText } from './timeText.ts';

const REMEDY =
  'A funding file has the columns timestamp (epoch seconds, ms or finer), funding_rate, ascending.';

/**
 * Loads funding settlements: CSV with `timestamp,funding_rate` (epoch time, its unit known by its size; a
 * fraction, positive: longs pay), plain or `.gz`, or a cache of `trimtab data import`. Venues stamp a
 * settlement some milliseconds after its hour; it is assigned to the hour.
 *
 * @returns times in epoch milliseconds, or the first fault with its line, column, value and remedy
 */
export async function loadFundingFile(path: string): Promise<FeedResult<FundingRates>> {
  const read = await readPlainFile(path, 'of the funding rates');
  if (!read.ok) return read;
  if (isCacheFile(read.value)) return fundingOfCache(read.value, path);
  const rows = new CsvRows(read.value, path);
  const [time, rate] = [rows.column('timestamp'), rows.column('funding_rate')];
  if (time < 0 || rate < 0) {
    return rows.fault(null, 'is not the header of a funding file.', REMEDY);
  }
  const [times, rates] = [new NumberColumn(), new NumberColumn()];
  const scale = new TimeScale();
  while (rows.next()) {
    const fault = rows.checkCount() ?? checkRow(rows, { time, rate });
    if (fault !== null) return fault;
    const ms = scale.toMs(rows.number(time));
    if (ms === null) {
      const { message, remedy } = scale.mixed();
      return rows.fault(time, message, remedy);
    }
    if (times.length > 0 && ms <= times.at(times.length - 1)) {
      return rows.fault(time, 'is not after the row before it.', REMEDY);
    }
    times.push(ms);
    rates.push(rows.number(rate));
    const second = secondRate({ time: times, rate: rates }, times.length - 1);
    if (second !== null) return rows.fault(rate, second.message, second.remedy);
  }
  if (times.length === 0) return rows.fault(null, 'has no rows.', REMEDY);
  return { ok: true, value: { time: times.toArray(), rate: rates.toArray() } };
}

function fundingOfCache(bytes: Uint8Array, file: string): FeedResult<FundingRates> {
  const read = decodeCache(bytes, file);
  if (!read.ok) return read;
  if (read.value.kind === 'funding') return possible(read.value.columns, file);
  const message = 'holds bars, not funding rates.';
  const remedy = 'It belongs under `feeds`.';
  return { ok: false, problem: { file, line: null, column: null, value: null, message, remedy } };
}

/** An older version imported any rate. A cache has no lines: the row's time is its place. */
function possible(rates: FundingRates, file: string): FeedResult<FundingRates> {
  for (const [row, value] of rates.rate.entries()) {
    const found = impossibleRate(value) ?? secondRate(rates, row);
    if (found === null) continue;
    const message = `of ${timeText(rates.time[row]!)} UTC ${found.message}`;
    const place = { file, line: null, column: 'funding_rate', value: String(value) };
    return { ok: false, problem: { ...place, message, remedy: found.remedy } };
  }
  return { ok: true, value: rates };
}

function checkRow(rows: CsvRows, { time, rate }: { time: number; rate: number }): CsvFault | null {
  if (!Number.isInteger(rows.number(time))) return rows.fault(time, 'is not a time.', REMEDY);
  if (Number.isNaN(rows.number(rate))) return rows.fault(rate, 'is not a number.', REMEDY);
  const impossible = impossibleRate(rows.number(rate));
  return impossible && rows.fault(rate, impossible.message, impossible.remedy);
}
