import type { Interval } from '../../src/contract/index.ts';
import type { FeedResult } from '../../src/paper/index.ts';
import { checkBars, largestMove } from './checkBars.ts';
import { checkFunding } from './checkFunding.ts';
import { isFault, type Finding } from './Finding.ts';
import { readSeries, type Series } from './readSeries.ts';
import type { ReadOptions } from './readDataFile.ts';

export type { Finding } from './Finding.ts';

/** A move between two closes of more than this share is worth a look, unless another is asked for. */
export const OUTLIER = 0.2;

export interface CheckOptions extends ReadOptions {
  /** A move beyond this fraction is reported. */
  outlier: number;
  /** Set for venues that omit bars without a trade, whose gaps are not faults. */
  allowGaps: boolean;
}

export interface DataReport {
  file: string;
  format: string;
  kind: Series['kind'];
  symbol: string | null;
  interval: Interval | null;
  rows: number;
  /** Earliest and latest time, epoch milliseconds; null if no row has one. */
  from: number | null;
  until: number | null;
  /** Largest move between two closes, as a fraction; null for funding. */
  largest_move: number | null;
  ok: boolean;
  notes: string[];
  findings: Finding[];
}

/** Counts the faults in each series of a file, with their places. */
export async function checkData(
  path: string,
  options: CheckOptions,
): Promise<FeedResult<DataReport[]>> {
  const read = await readSeries(path, options);
  if (!read.ok) return read;
  return { ok: true, value: read.value.map((series) => reportOn(series, options)) };
}

/** The findings in one series. */
export function reportOn(
  series: Series,
  { outlier, allowGaps }: Pick<CheckOptions, 'outlier' | 'allowGaps'>,
): DataReport {
  const { file, title, kind, symbol, notes } = series;
  const { interval } = series.kind === 'bars' ? series : { interval: null };
  const findings =
    series.kind === 'bars'
      ? checkBars(series, { interval: series.interval, outlier })
      : checkFunding(series);
  const times = series.columns.time.filter(Number.isFinite);
  return {
    file,
    format: title,
    kind,
    symbol,
    interval,
    rows: series.columns.time.length,
    from: times.length === 0 ? null : times.reduce((least, at) => Math.min(least, at)),
    until: times.length === 0 ? null : times.reduce((most, at) => Math.max(most, at)),
    largest_move: series.kind === 'bars' ? largestMove(series.columns) : null,
    ok: !findings.some((finding) => isFault(finding, allowGaps)),
    notes,
    findings,
  };
}
