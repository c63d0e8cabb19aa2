import { describe, test } from 'vitest';
import type { IndicatorId } from '../../src/contract/index.ts';
import { expectAgreement, numbers, readTable } from './referenceFiles.ts';
import { seriesOf, type Columns, type Params } from './series.ts';

const FOLDER = 'indicators/stock-indicators/';

interface Row {
  file: string;
  column: string;
  id: IndicatorId;
  params?: Params;
  series?: string;
  /** The first bar that is compared, where the reference starts by another convention. */
  from?: number;
  /** A bar that is left out, for the reason given. */
  without?: number;
}

/** SPY, daily: parameters as its PARAMS.md names them, which are our defaults unless given. */
const ROWS: Row[] = [
  { file: 'sma', column: 'sma', id: 'sma' },
  { file: 'ema', column: 'ema', id: 'ema' },
  { file: 'wma', column: 'wma', id: 'wma', params: { period: 14 } },
  { file: 'bb', column: 'sma', id: 'bollinger', series: 'mid' },
  { file: 'bb', column: 'upperBand', id: 'bollinger', series: 'upper' },
  { file: 'bb', column: 'lowerBand', id: 'bollinger', series: 'lower' },
  { file: 'keltner', column: 'centerline', id: 'keltner', series: 'mid' },
  { file: 'keltner', column: 'upperBand', id: 'keltner', series: 'upper' },
  { file: 'keltner', column: 'lowerBand', id: 'keltner', series: 'lower' },
  { file: 'ichimoku', column: 'tenkanSen', id: 'ichimoku', series: 'conversion' },
  { file: 'ichimoku', column: 'kijunSen', id: 'ichimoku', series: 'base' },
  { file: 'ichimoku', column: 'senkouSpanA', id: 'ichimoku', series: 'span_a' },
  { file: 'ichimoku', column: 'senkouSpanB', id: 'ichimoku', series: 'span_b' },
  { file: 'atr', column: 'atr', id: 'atr' },
  { file: 'rsi', column: 'rsi', id: 'rsi' },
  { file: 'macd', column: 'macd', id: 'macd', series: 'macd' },
  { file: 'macd', column: 'signal', id: 'macd', series: 'signal' },
  { file: 'macd', column: 'histogram', id: 'macd', series: 'histogram' },
  { file: 'adx', column: 'adx', id: 'adx', series: 'adx' },
  { file: 'adx', column: 'pdi', id: 'adx', series: 'plus_di' },
  { file: 'adx', column: 'mdi', id: 'adx', series: 'minus_di' },
  // Its %K is smoothed over three bars, which is our d.
  { file: 'stoch', column: 'oscillator', id: 'stochastic', series: 'd' },
  { file: 'cci', column: 'cci', id: 'cci' },
  // It starts at bar 14 with another first direction; from the second reversal on both are the same,
  // but for bar 250: a reversal's stop may not lie above that bar's own low (Wilder, TA-Lib, Tulip).
  { file: 'psar', column: 'sar', id: 'psar', from: 40, without: 250 },
];

function readQuotes(): Columns {
  const quotes = readTable(`${FOLDER}quotes-default.csv.gz`);
  const column = (name: string) => numbers(quotes, name);
  return {
    time: quotes['date']!.map((date) => Date.parse(date)),
    open: column('open'),
    high: column('high'),
    low: column('low'),
    close: column('close'),
    volume: column('volume'),
  };
}

describe('the values of Stock.Indicators', () => {
  test.for(ROWS)('MKT-4: $id $series equals $file.$column at every bar', (row) => {
    const theirs = numbers(readTable(`${FOLDER}${row.file}.csv.gz`), row.column);
    const ours = seriesOf(row.id, readQuotes(), row.params, row.series);
    theirs.fill(NaN, 0, row.from ?? 0);
    if (row.without !== undefined) theirs[row.without] = NaN;
    expectAgreement(ours, theirs, { tolerance: 1e-11 });
  });

  test('MKT-4: vwap equals its cumulative VWAP when all bars belong to one day', () => {
    const quotes = readQuotes();
    const oneDay = { ...quotes, time: quotes.time.map((_, i) => i * 60_000) };
    const theirs = numbers(readTable(`${FOLDER}vwap.csv.gz`), 'vwap');
    expectAgreement(seriesOf('vwap', oneDay), theirs, { tolerance: 1e-12 });
  });
});
