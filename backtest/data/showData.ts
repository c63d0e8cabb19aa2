import { toPlainDecimal } from '../../src/contract/index.ts';
import { timeText, type FeedResult } from '../../src/paper/index.ts';
import { OUTLIER, reportOn, type DataReport } from './checkData.ts';
import { isFault, type Finding } from './Finding.ts';
import { count, headline } from './formatReport.ts';
import type { ReadOptions } from './readDataFile.ts';
import { readSeries, type Series } from './readSeries.ts';
import { BAR_COLUMNS, FUNDING_COLUMNS } from './RowColumns.ts';

type Row = Record<string, number>;

/** A description of a file, and the rows at its ends. */
export interface Shown extends Omit<DataReport, 'findings' | 'ok' | 'notes'> {
  gaps: number;
  /** Number of bars or settlements that are missing in gaps. */
  missing: number;
  faults: number;
  /** Moves beyond the share that a check reports by default, and the first of them. */
  outliers: number;
  first_outlier: Pick<Finding, 'time' | 'detail'> | null;
  /** Of prices, or of rates. */
  lowest: number;
  highest: number;
  /** The origin of a cache; null for other files. */
  source: string | null;
  first: Row[];
  last: Row[];
  series: Series;
}

/** Describes each series of a file, with a number of rows from its beginning and its end. */
export async function showData(
  path: string,
  options: ReadOptions & { head: number },
): Promise<FeedResult<Shown[]>> {
  const read = await readSeries(path, options);
  return read.ok ? { ok: true, value: read.value.map((each) => show(each, options.head)) } : read;
}

function show(series: Series, head: number): Shown {
  const report = reportOn(series, { outlier: OUTLIER, allowGaps: true });
  const { findings, ok: _ok, notes: _notes, ...about } = report;
  const gaps = findings.filter(({ kind }) => kind === 'gap');
  const outliers = findings.filter(({ kind }) => kind === 'outlier');
  const [earliest] = outliers.toSorted((a, b) => a.time - b.time);
  const [low, high] =
    series.kind === 'bars'
      ? [series.columns.low, series.columns.high]
      : [series.columns.rate, series.columns.rate];
  const { length } = low;
  return {
    ...about,
    gaps: gaps.length,
    missing: gaps.reduce((sum, { rows }) => sum + rows, 0),
    faults: findings.filter((finding) => isFault(finding, true)).length,
    outliers: outliers.length,
    first_outlier: earliest === undefined ? null : { time: earliest.time, detail: earliest.detail },
    lowest: low.reduce((least, value) => Math.min(least, value)),
    highest: high.reduce((most, value) => Math.max(most, value)),
    source: 'source' in series ? String(series.source) : null,
    first: rowsOf(series, 0, Math.min(head, length)),
    last: rowsOf(series, Math.max(length - head, head, 0), length),
    series,
  };
}

function rowsOf(series: Series, from: number, until: number): Row[] {
  const columns = series.columns as unknown as Record<string, Float64Array>;
  const names = series.kind === 'bars' ? BAR_COLUMNS : FUNDING_COLUMNS;
  const rows: Row[] = [];
  for (let row = from; row < until; row++) {
    rows.push(Object.fromEntries(names.map((name) => [name, columns[name]![row]!])));
  }
  return rows;
}

/** For a terminal. */
export function formatData(shown: Shown): string {
  const { gaps, missing, faults, kind, lowest, highest, source, format, first, last } = shown;
  const { outliers, first_outlier: outlier } = shown;
  const fields: Array<[string, string]> = [
    ['format', format],
    ...(source === null ? [] : [['source', source] as [string, string]]),
    ['gaps', gaps === 0 ? 'none' : `${count(gaps)}: ${count(missing)} missing`],
    ['faults', faults === 0 ? 'none' : `${count(faults)} (trimtab data check lists them)`],
    ...(outlier === null
      ? []
      : [['outliers', describeOutliers(outliers, outlier)] as [string, string]]),
    [
      kind === 'bars' ? 'prices' : 'rates',
      `${toPlainDecimal(lowest)} … ${toPlainDecimal(highest)}`,
    ],
  ];
  const { series } = shown;
  if (series.kind === 'bars' && series.columns.volume.every((each) => each === 0))
    fields.push(['volume', 'none in any bar: no order will fill on them']);
  const lines = [
    headline(shown),
    ...fields.map(([name, value]) => `  ${name.padEnd(8)} ${value}`),
    ...tableOf(first, last),
  ];
  return `${lines.join('\n')}\n`;
}

/** A wrong tick trades like a real one, so that it is said before anything is traded on it. */
function describeOutliers(
  total: number,
  { time, detail }: Pick<Finding, 'time' | 'detail'>,
): string {
  const where = `${timeText(time)} ${detail.replace(/\.$/, '')}`;
  return total === 1 ? where : `${count(total)}, first ${where} (trimtab data check lists them)`;
}

function tableOf(first: readonly Row[], last: readonly Row[]): string[] {
  const names = Object.keys(first[0] ?? last[0] ?? {});
  if (names.length === 0) return [];
  const text = (row: Row): string[] =>
    names.map((name) => (name === 'time' ? timeText(row[name]!) : toPlainDecimal(row[name]!)));
  const rows = [names, ...first.map(text), ...last.map(text)];
  const widths = names.map((_name, column) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]!.length), 0),
  );
  const lines = rows.map(
    (row) => `  ${row.map((cell, i) => cell.padStart(widths[i]!)).join('  ')}`,
  );
  if (last.length > 0) lines.splice(1 + first.length, 0, '  …');
  return ['', ...lines];
}
