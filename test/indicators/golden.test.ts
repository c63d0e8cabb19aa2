import { describe, test } from 'vitest';
import type { IndicatorId } from '../../src/contract/index.ts';
import { expectAgreement, numbers, readBars, readTable, type Agreement } from './referenceFiles.ts';
import { seriesOf, type Params } from './series.ts';

/** One column of the golden files, and the series that has to equal it. */
interface Row {
  column: string;
  id: IndicatorId;
  params?: Params;
  series?: string;
  /** Relative to the price; 1e-9 unless the convention differs while warming up. */
  tolerance?: Agreement['tolerance'];
  /** A price or distance (relative to the price), a percentage (to 100) or a number without unit. */
  kind?: 'price' | 'percent' | 'ratio';
}

const near = 1e-9;

/** TA-Lib seeds MACD's fast EMA 14 bars later than its definition does; that fades as (11/13)^n. */
const macdWarmup = (bar: number) => near + 2e-3 * 0.87 ** (bar - 33);
/** TA-Lib seeds the movements and the range with one bar less than Wilder; that fades as (13/14)^n. */
const diWarmup = (bar: number) => near + 0.01 * 0.95 ** (bar - 14);
const adxWarmup = (bar: number) => near + 0.02 * 0.955 ** (bar - 27);

const ROWS: Row[] = [
  { column: 'ta_sma_20', id: 'sma' },
  { column: 'ta_ema_20', id: 'ema' },
  { column: 'ta_wma_20', id: 'wma' },
  { column: 'ta_rsi_14', id: 'rsi', kind: 'ratio' },
  { column: 'ta_macd_12_26_9', id: 'macd', series: 'macd', tolerance: macdWarmup },
  { column: 'ta_macd_signal', id: 'macd', series: 'signal', tolerance: macdWarmup },
  { column: 'ta_macd_hist', id: 'macd', series: 'histogram', tolerance: macdWarmup },
  // TA-Lib takes the variance as E[x²] − E[x]², which costs it digits.
  { column: 'ta_bb_upper_20_2', id: 'bollinger', series: 'upper', tolerance: 1e-7 },
  { column: 'ta_bb_mid', id: 'bollinger', series: 'mid' },
  { column: 'ta_bb_lower', id: 'bollinger', series: 'lower', tolerance: 1e-7 },
  { column: 'ta_atr_14', id: 'atr' },
  { column: 'ta_adx_14', id: 'adx', series: 'adx', kind: 'percent', tolerance: adxWarmup },
  { column: 'ta_plus_di_14', id: 'adx', series: 'plus_di', kind: 'percent', tolerance: diWarmup },
  {
    column: 'ta_minus_di_14',
    id: 'adx',
    series: 'minus_di',
    kind: 'percent',
    tolerance: diWarmup,
  },
  // TA-Lib's slow %K is the mean of three raw ones, which is our d.
  { column: 'ta_stoch_k_14_3_3', id: 'stochastic', series: 'd', kind: 'ratio' },
  { column: 'ta_cci_20', id: 'cci', kind: 'ratio' },
  { column: 'ta_sar_0.02_0.2', id: 'psar' },
  { column: 'fx_keltner_upper_20_2_10', id: 'keltner', series: 'upper' },
  { column: 'fx_keltner_lower', id: 'keltner', series: 'lower' },
  { column: 'fx_ichimoku_tenkan_9_26_52', id: 'ichimoku', series: 'conversion' },
  { column: 'fx_ichimoku_kijun', id: 'ichimoku', series: 'base' },
  { column: 'fx_ichimoku_spanA', id: 'ichimoku', series: 'span_a' },
  { column: 'fx_ichimoku_spanB', id: 'ichimoku', series: 'span_b' },
  { column: 'fx_vwap_utc_day', id: 'vwap' },
];

const FILES = ['HYPERLIQUID-ETH-1h', 'HYPERLIQUID-kPEPE-15m'];

describe('the golden values', () => {
  for (const file of FILES) {
    const load = () => {
      const golden = readTable(`indicators/golden/${file}-last1500-P1.csv.gz`);
      const bars = readBars(`normalised/${file}.csv.gz`, numbers(golden, 'timestamp')[0]);
      return { golden, bars };
    };
    test.for(ROWS)(`MKT-4: ${file}: $id $series equals $column at every bar`, (row) => {
      const { golden, bars } = load();
      const ours = seriesOf(row.id, bars, row.params, row.series);
      const agreement: Agreement = { tolerance: row.tolerance ?? near };
      if (row.kind === 'percent') agreement.scale = 100;
      else if (row.kind !== 'ratio') agreement.scale = bars.close[0]!;
      expectAgreement(ours, numbers(golden, row.column), agreement);
    });
  }
});
