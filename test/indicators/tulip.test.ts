import { describe, expect, test } from 'vitest';
import { expectAgreement, readText } from './referenceFiles.ts';
import { fromCloses, fromRanges, seriesOf, type Columns } from './series.ts';

/** One of Tulip's test vectors; the outputs are aligned with the end of the inputs. */
interface Vector {
  name: string;
  options: number[];
  columns: number[][];
}

/** Tulip prints three decimals; the book's values (atoz) are worked by hand with as many. */
const PRINTED = { tolerance: 0.0011, scale: 1 };

function readVectors(file: string): Vector[] {
  const vectors: Vector[] = [];
  for (const line of readText(`indicators/tulip/${file}.txt`).split('\n')) {
    const [name, ...options] = line.trim().split(/\s+/);
    if (line.startsWith('{')) vectors.at(-1)!.columns.push(columnOf(line));
    else if (name && !name.startsWith('#'))
      vectors.push({ name, options: options.map(Number), columns: [] });
  }
  return vectors;
}

const columnOf = (line: string) =>
  line
    .replace(/[{}\s]/g, '')
    .split(',')
    .map(Number);

const repeatFirst = (column: number[], times: number) => [
  ...Array.from({ length: times }, () => column[0]!),
  ...column,
];

/** A bar ahead of the first, with its range: Tulip counts the first bar's high less its low. */
function ranges(columns: number[][], leading = 0): Columns {
  const [high, low, close] = columns.slice(0, 3).map((column) => repeatFirst(column, leading));
  return fromRanges(high!, low!, close!);
}

function expectTail(ours: number[], theirs: number[]): void {
  expectAgreement(ours.slice(-theirs.length), theirs, PRINTED);
}

/** How each of Tulip's vectors maps to our indicators. Absent: `adx` and `di`, whose seeds differ and need some 150
 * bars to fade, more than any vector has; MACD's signal, which Tulip starts with the line's first value.
 */
const CHECKS: Record<string, (vector: Vector) => void> = {
  sma: ({ options: [period], columns: [close, sma] }) =>
    expectTail(seriesOf('sma', fromCloses(close!), { period: period! }), sma!),
  wma: ({ options: [period], columns: [close, wma] }) =>
    expectTail(seriesOf('wma', fromCloses(close!), { period: period! }), wma!),
  // Tulip's EMA starts with the first price; ours does after rows that repeat it.
  ema: ({ options: [period], columns: [close, ema] }) => {
    const padded = fromCloses(repeatFirst(close!, period! - 1));
    expectTail(seriesOf('ema', padded, { period: period! }), ema!);
  },
  bbands: ({ options: [period, factor], columns: [close, ...bands] }) => {
    for (const [at, series] of ['lower', 'mid', 'upper'].entries()) {
      const params = { period: period!, std_dev: factor! };
      expectTail(seriesOf('bollinger', fromCloses(close!), params, series), bands[at]!);
    }
  },
  atr: ({ options: [period], columns }) =>
    expectTail(seriesOf('atr', ranges(columns, 1), { period: period! }), columns[3]!),
  rsi: ({ options: [period], columns: [close, rsi] }) =>
    expectTail(seriesOf('rsi', fromCloses(close!), { period: period! }), rsi!),
  // Tulip needs twice the bars before its first CCI; the values are the same.
  cci: ({ options: [period], columns }) =>
    expectTail(seriesOf('cci', ranges(columns), { period: period! }), columns[3]!),
  // Its %K is smoothed over three bars, which is our d.
  stoch: ({ options: [kPeriod, smoothing], columns }) => {
    const params = { k_period: kPeriod!, d_period: smoothing! };
    expectTail(seriesOf('stochastic', ranges(columns), params, 'd'), columns[3]!);
  },
  psar: ({ options: [step, max], columns: [high, low, sar] }) => {
    // An acceleration of 2 overshoots the extreme: outside of the catalogue's bounds.
    if (max! > 1) return;
    const bars = fromRanges(high!, low!, low!);
    // It extends its first rise one bar earlier than TA-Lib; the first reversal, at bar 8, ends that.
    expectTail(seriesOf('psar', bars, { step: step!, max: max! }), sar!.slice(7));
  },
  macd: ({ options: [fast, slow, signal], columns: [close, line] }) => {
    // For 12 and 26 Tulip takes fixed factors, 0.15 and 0.075: another line altogether.
    if (fast === 12 && slow === 26) return;
    const params = { fast_period: fast!, slow_period: slow!, signal_period: signal! };
    const padded = fromCloses(repeatFirst(close!, slow! - 1));
    expectTail(seriesOf('macd', padded, params, 'macd'), line!);
  },
};

describe('the vectors of Tulip', () => {
  for (const file of ['untest', 'atoz', 'extra']) {
    test(`MKT-4: every vector of ${file} with our conventions matches`, () => {
      const vectors = readVectors(file);
      const ours = vectors.filter(({ name }) => Object.hasOwn(CHECKS, name));
      for (const vector of ours) CHECKS[vector.name]!(vector);
      if (file !== 'extra') expect(ours.length).toBeGreaterThanOrEqual(9);
    });
  }
});
