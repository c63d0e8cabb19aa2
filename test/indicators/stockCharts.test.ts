import { describe, expect, test } from 'vitest';
import { expectAgreement, numbers, readTable } from './referenceFiles.ts';
import { fromCloses, fromRanges, seriesOf, type Columns } from './series.ts';

/** StockCharts' spreadsheets are rounded to 4 to 10 decimals, and so are their inputs. */
const FOUR_DECIMALS = { tolerance: 1e-4, scale: 1 };
const SIX_DECIMALS = { tolerance: 2e-6, scale: 1 };

const table = (name: string) => readTable(`indicators/ta-stockcharts/cs-${name}.csv`);

/** Some spreadsheets start an average at their first row's price; so does ours after rows that repeat it. */
function repeatFirst(column: number[], times: number): number[] {
  return [...Array.from({ length: times }, () => column[0]!), ...column];
}

function bars(name: string): Columns {
  const sheet = table(name);
  const column = (title: string, lower: string) =>
    numbers(sheet, sheet[title] === undefined ? lower : title);
  return fromRanges(column('High', 'high'), column('Low', 'low'), column('Close', 'close'));
}

/** A bar ahead of the first, with its range: the first bar then counts its high less its low. */
function withLeadingBar({ high, low, close }: Columns): Columns {
  return fromRanges(repeatFirst(high, 1), repeatFirst(low, 1), repeatFirst(close, 1));
}

/** Cells before an average's first value hold zero in these spreadsheets. */
function fromBar(column: number[], first: number): number[] {
  return column.map((x, bar) => (bar < first ? NaN : x));
}

describe('the values of StockCharts', () => {
  test('MKT-4: bollinger equals its bands', () => {
    const sheet = table('bbands');
    const closes = fromCloses(numbers(sheet, 'Close'));
    for (const [series, column] of [
      ['upper', 'HighBand'],
      ['mid', 'MiddleBand'],
      ['lower', 'LowBand'],
    ] as const) {
      const ours = seriesOf('bollinger', closes, {}, series);
      expectAgreement(ours, numbers(sheet, column), SIX_DECIMALS);
    }
  });

  test('MKT-4: cci equals its column', () => {
    // Divided by a mean deviation that carries the inputs' rounding, so fewer digits agree.
    const theirs = numbers(table('cci'), 'CCI');
    expectAgreement(seriesOf('cci', bars('cci')), theirs, { tolerance: 0.05, scale: 1 });
  });

  test('MKT-4: stochastic equals its raw %K and the mean of three', () => {
    const sheet = table('soo');
    const ranges = bars('soo');
    // The first 13 rows have no close: they only widen the range.
    const close = ranges.close.map((x, i) => (Number.isNaN(x) ? ranges.low[i]! : x));
    const full = { ...ranges, close };
    expectAgreement(seriesOf('stochastic', full, {}, 'k'), numbers(sheet, 'SO'), FOUR_DECIMALS);
    const d = seriesOf('stochastic', full, {}, 'd');
    expectAgreement(d, numbers(sheet, 'SO_SIG'), FOUR_DECIMALS);
  });

  test('MKT-4: wma equals its column from the first full window on', () => {
    const sheet = table('wma');
    const ours = seriesOf('wma', fromCloses(numbers(sheet, 'Close')), { period: 9 });
    expectAgreement(ours, fromBar(numbers(sheet, 'WMA'), 8), FOUR_DECIMALS);
  });

  test('MKT-4: vwap equals its column until that rolls over 14 bars', () => {
    const sheet = table('vwap');
    const volume = numbers(sheet, 'Volume');
    const theirs = numbers(sheet, 'vwap').map((x, bar) => (bar < 14 ? x : NaN));
    expectAgreement(seriesOf('vwap', { ...bars('vwap'), volume }), theirs, { tolerance: 1e-12 });
  });

  test('MKT-4: atr equals its column, which counts the first bar, after a bar of that range', () => {
    const theirs = fromBar(numbers(table('atr'), 'ATR'), 13);
    const ours = seriesOf('atr', withLeadingBar(bars('atr'))).slice(1);
    expectAgreement(ours, theirs, { tolerance: 1e-9 });
  });

  test('MKT-4: keltner equals its bands: EMA 20 from the first price, ± 2 ATR 10 with the first bar', () => {
    const sheet = table('kc');
    const middle = numbers(sheet, 'middle_band');
    const upper = numbers(sheet, 'upper_band');
    const padded = fromCloses(repeatFirst(numbers(sheet, 'Close'), 19));
    expectAgreement(seriesOf('keltner', padded, {}, 'mid').slice(19), middle, SIX_DECIMALS);
    const leading = withLeadingBar(bars('kc'));
    const mid = seriesOf('keltner', leading, {}, 'mid');
    const widths = seriesOf('keltner', leading, {}, 'upper').map((x, i) => x - mid[i]!);
    const theirWidths = fromBar(upper, 20).map((x, i) => x - middle[i]!);
    expectAgreement(widths.slice(1), theirWidths, SIX_DECIMALS);
  });

  test('MKT-4: rsi equals its column, whose averages start at zero, after rows without change', () => {
    const sheet = table('rsi');
    const padded = fromCloses(repeatFirst(numbers(sheet, 'Close'), 14));
    expectAgreement(seriesOf('rsi', padded).slice(14), numbers(sheet, 'RSI'), SIX_DECIMALS);
  });

  test('MKT-4: macd equals its line, whose averages start with the first price, after rows of it', () => {
    const sheet = table('macd');
    const padded = fromCloses(repeatFirst(numbers(sheet, 'Close'), 33));
    const line = seriesOf('macd', padded, {}, 'macd').slice(33);
    expectAgreement(line, numbers(sheet, 'MACD_line'), SIX_DECIMALS);
    // Its signal starts from rows that the spreadsheet doesn't have; that fades as 0.8^n.
    const signal = seriesOf('macd', padded, {}, 'signal').slice(33);
    const tolerance = (bar: number) => 2e-6 + 0.3 * 0.8 ** bar;
    expectAgreement(signal, numbers(sheet, 'MACD_signal'), { tolerance, scale: 1 });
  });

  test('MKT-4: psar equals its columns from its first reversal on', () => {
    const sheet = table('psar');
    const rising = numbers(sheet, 'psar_up');
    const falling = numbers(sheet, 'psar_down');
    const theirs = rising.map((x, i) => (Number.isNaN(x) ? falling[i]! : x));
    const reversal = numbers(sheet, 'psar_up_ind').findIndex((x, i) => i > 2 && x === 1);
    expect(reversal).toBeGreaterThan(2);
    const ours = seriesOf('psar', bars('psar'));
    expectAgreement(ours, fromBar(theirs, reversal), FOUR_DECIMALS);
  });
});
