import { withCode } from '../../contract/index.ts';
import type { RunningIndicator } from './RunningIndicator.ts';

/** Creates a fresh object of a bar and the current values of the indicators it was compiled for. */
export type MakeRow = (bar: unknown) => unknown;

/**
 * Compiles `(bar) => ({ bar, fast: …, bands: { upper: …, … } })` for the names of one `withIndicators`.
 *
 * Code is generated because the object is created at every bar, and filling it by computed names costs three
 * times as much as a literal. A name enters as a quoted string only.
 */
export function compileRow(named: Readonly<Record<string, RunningIndicator>>): MakeRow {
  const indicators = Object.values(named);
  const fields = Object.keys(named).map(
    (name, at) => `${quote(name)}: ${valueSource(indicators[at]!, at)}`,
  );
  return compile(`(bar) => ({ ${['bar', ...fields].join(', ')} })`, indicators);
}

/** Compiles the reading of one indicator: its number, or a fresh object of its series. */
export function compileValue(indicator: RunningIndicator): () => unknown {
  return compile(`() => (${valueSource(indicator, 0)})`, [indicator]) as () => unknown;
}

function valueSource({ series }: RunningIndicator, at: number): string {
  if (series.length === 1) return `values${at}[0]`;
  const fields = series.map((name, line) => `${quote(name)}: values${at}[${line}]`);
  return `{ ${fields.join(', ')} }`;
}

function quote(name: string): string {
  if (name === '__proto__')
    throw withCode(
      'TRIMTAB_INDICATOR_PARAMETER',
      new RangeError('`__proto__` cannot name a value.'),
    );
  return JSON.stringify(name);
}

function compile(source: string, indicators: readonly RunningIndicator[]): MakeRow {
  const names = indicators.map((_, at) => `values${at}`);
  // oxlint-disable-next-line typescript/no-implied-eval
  const bind = new Function(...names, `'use strict'; return ${source};`);
  return bind(...indicators.map(({ values }) => values)) as MakeRow;
}
