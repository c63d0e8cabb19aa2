import { describe, expect, test } from 'vitest';
import { INTERVAL_MS } from '../../src/contract/index.ts';
import { seriesOf } from '../indicators/series.ts';
import { readBars } from '../indicators/referenceFiles.ts';
import { adapterOf, adapterRows, toBars, type Name, type Params } from './catalogue.ts';

const columns = readBars('normalised/BINANCEUSDM-ETHUSDT-1m.csv.gz');
const bars = toBars(columns);

/** A line of an operator: NaN before its first bar. */
function lineOf(name: Name, line = 'value', params: Params = {}): number[] {
  const rows = adapterRows(adapterOf(name, params), bars);
  const missing = Array.from({ length: bars.length - rows.length }, () => NaN);
  return [...missing, ...rows.map((row) => row[line]!)];
}

/** Both have the value, and it is the same; from a bar on. */
function expectSame(ours: readonly number[], theirs: readonly number[], from: number): void {
  for (let at = from; at < bars.length; at += 1) {
    const unit = Math.max(1, Math.abs(ours[at]!));
    if (!(Math.abs(ours[at]! - theirs[at]!) / unit <= 1e-9))
      expect.fail(`bar ${at}: ${ours[at]} and ${theirs[at]}`);
  }
}

/** An indicator of the fourteen, its line, and the same in the library. */
const PAIRS = [
  ['sma', 'value', 'sma', 'value'],
  ['ema', 'value', 'ema', 'value'],
  ['wma', 'value', 'wma', 'value'],
  ['atr', 'value', 'atr', 'value'],
  ['rsi', 'value', 'rsi', 'value'],
  ['cci', 'value', 'cci', 'value'],
  ['macd', 'macd', 'macd', 'MACD'],
  ['macd', 'signal', 'macd', 'signal'],
  ['macd', 'histogram', 'macd', 'histogram'],
  ['bollinger', 'upper', 'bollingerbands', 'upper'],
  ['bollinger', 'mid', 'bollingerbands', 'middle'],
  ['bollinger', 'lower', 'bollingerbands', 'lower'],
  ['stochastic', 'k', 'stochastic', 'k'],
  ['stochastic', 'd', 'stochastic', 'd'],
  ['adx', 'adx', 'adx', 'adx'],
  ['adx', 'plus_di', 'adx', 'pdi'],
  ['adx', 'minus_di', 'adx', 'mdi'],
] as const;

describe('where Trimtab has the indicator too, both give the same', () => {
  test.each(PAIRS)('%s %s', (own, series, name, line) => {
    const theirs = lineOf(name, line);
    expectSame(seriesOf(own, columns, {}, series), theirs, adapterOf(name).barsNeeded - 1);
  });

  test('the Keltner channel, with the multiplier that Trimtab has', () => {
    for (const [series, line] of [
      ['upper', 'upper'],
      ['mid', 'middle'],
      ['lower', 'lower'],
    ] as const)
      expectSame(
        seriesOf('keltner', columns, {}, series),
        lineOf('keltnerchannels', line, { multiplier: 2 }),
        19,
      );
  });

  test('Ichimoku’s spans, which Trimtab draws 26 bars later', () => {
    const lines = [
      ['conversion', 'conversion', 0],
      ['base', 'base', 0],
      ['span_a', 'spanA', 26],
      ['span_b', 'spanB', 26],
    ] as const;
    for (const [series, line, later] of lines) {
      const theirs = lineOf('ichimokucloud', line);
      const shifted = [...Array.from({ length: later }, () => NaN), ...theirs];
      expectSame(seriesOf('ichimoku', columns, {}, series), shifted, 51 + later);
    }
  });

  test('the parabolic SAR, but for the trends that one of them turns a bar earlier', () => {
    const [ours, theirs] = [seriesOf('psar', columns), lineOf('psar')];
    const differing = bars.filter((_bar, at) => at > 0 && Math.abs(ours[at]! - theirs[at]!) > 1e-9);
    // At a touch Trimtab's turns, as TA-Lib's does; the library's waits until a price has passed it.
    const touched = bars.filter(
      ({ high, low }, at) => at > 10 && (theirs[at] === high || theirs[at] === low),
    );
    expect(touched.length).toBeGreaterThan(5);
    expect(differing.length / bars.length).toBeLessThan(0.05);
  });

  test('the VWAP of a UTC day that the stream starts with', () => {
    const dayOf = (time: number): number => Math.floor(time / INTERVAL_MS['1d']);
    const days = bars.map(({ time }) => dayOf(time));
    const start = days.findIndex((day, at) => at > 0 && day !== days[at - 1]);
    const own = seriesOf('vwap', columns).slice(start);
    const length = days.slice(start).filter((day) => day === days[start]).length;
    const rows = adapterRows(adapterOf('vwap'), bars.slice(start));
    expect(length).toBeGreaterThan(60);
    for (let at = 0; at < length; at += 1) expect(rows[at]!['value']).toBeCloseTo(own[at]!, 8);
  });
});
