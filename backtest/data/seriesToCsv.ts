import { toPlainDecimal } from '../../src/contract/index.ts';
import { BAR_COLUMNS, FUNDING_COLUMNS, SHOWN, type ShownColumn } from './RowColumns.ts';
import type { Series } from './readSeries.ts';

/** Rows per chunk of text: a file of millions of rows is never one string. */
const CHUNK = 10_000;

/** The series as CSV that reads back to the same numbers, in chunks. */
export function* seriesToCsv(series: Pick<Series, 'kind' | 'columns'>): Generator<string> {
  const columns = series.columns as unknown as Record<string, Float64Array>;
  const names: readonly ShownColumn[] = series.kind === 'bars' ? BAR_COLUMNS : FUNDING_COLUMNS;
  yield `${names.map((name) => SHOWN[name]).join(',')}\n`;
  const { length } = series.columns.time;
  for (let start = 0; start < length; start += CHUNK) {
    let text = '';
    for (let row = start; row < Math.min(start + CHUNK, length); row++) {
      text += `${names.map((name) => toPlainDecimal(columns[name]![row]!)).join(',')}\n`;
    }
    yield text;
  }
}
