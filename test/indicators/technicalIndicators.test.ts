import {
  ADX,
  BollingerBands,
  CCI,
  EMA,
  KeltnerChannels,
  MACD,
  PSAR,
  RSI,
  SMA,
  Stochastic,
  WMA,
} from 'technicalindicators';
import { describe, expect, test } from 'vitest';
import { randomBars } from './bars.ts';
import { expectAgreement } from './referenceFiles.ts';
import { seriesOf } from './series.ts';

/** Fifteen hundred bars of a market that moves: the library is NaN on flat windows and leaves them out. */
const bars = randomBars(1500, 'library');
const { high, low, close } = bars;
const near = { tolerance: 1e-9 };

/** The library leaves the warm-up out: its last value is the last bar's. */
function expectTail(ours: number[], theirs: number[], agreement = near): void {
  expect(theirs.length).toBeGreaterThan(1400);
  expectAgreement(ours.slice(-theirs.length), theirs, agreement);
}

describe('the technicalindicators library, where it is right', () => {
  test('MKT-4: sma, ema and wma agree with it', () => {
    const input = { period: 20, values: close };
    expectTail(seriesOf('sma', bars), SMA.calculate(input));
    expectTail(seriesOf('ema', bars), EMA.calculate(input));
    expectTail(seriesOf('wma', bars), WMA.calculate(input));
  });

  test('MKT-4: bollinger agrees with it', () => {
    const theirs = BollingerBands.calculate({ period: 20, stdDev: 2, values: close });
    const pairs = [
      ['upper', 'upper'],
      ['mid', 'middle'],
      ['lower', 'lower'],
    ] as const;
    for (const [series, name] of pairs) {
      const column = theirs.map((row) => row[name]);
      expectTail(seriesOf('bollinger', bars, {}, series), column);
    }
  });

  test('MKT-4: macd agrees with it', () => {
    const theirs = MACD.calculate({
      values: close,
      fastPeriod: 12,
      slowPeriod: 26,
      signalPeriod: 9,
      SimpleMAOscillator: false,
      SimpleMASignal: false,
    });
    expectTail(
      seriesOf('macd', bars, {}, 'macd'),
      theirs.map((row) => row.MACD ?? NaN),
    );
    expectTail(
      seriesOf('macd', bars, {}, 'signal'),
      theirs.map((row) => row.signal ?? NaN),
    );
  });

  test('MKT-4: stochastic, cci, adx and psar agree with it', () => {
    const input = { high, low, close };
    const k = Stochastic.calculate({ ...input, period: 14, signalPeriod: 3 });
    expectTail(
      seriesOf('stochastic', bars, {}, 'k'),
      k.map((row) => row.k),
    );
    expectTail(seriesOf('cci', bars), CCI.calculate({ ...input, period: 20 }));
    const adx = ADX.calculate({ ...input, period: 14 });
    expectTail(
      seriesOf('adx', bars, {}, 'plus_di'),
      adx.map((row) => row.pdi),
    );
    const sar = PSAR.calculate({ high, low, step: 0.02, max: 0.2 });
    // It always starts with a rise; a few reversals later nothing is left of that.
    expectTail(seriesOf('psar', bars), sar.slice(50));
  });

  test('MKT-4: rsi agrees with it to the two decimals that it gives', () => {
    const theirs = RSI.calculate({ period: 14, values: close });
    expectTail(seriesOf('rsi', bars), theirs, { tolerance: 0.0051 });
  });

  test('MKT-4: keltner agrees with it', () => {
    const input = { high, low, close, maPeriod: 20, atrPeriod: 10, multiplier: 2, useSMA: false };
    const theirs = KeltnerChannels.calculate(input);
    expectTail(
      seriesOf('keltner', bars, {}, 'upper'),
      theirs.map((row) => row.upper),
    );
  });
});
