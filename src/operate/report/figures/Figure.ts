import type { DrawdownPeriod, TimedValue } from '../../../statistics/index.ts';
import type { YearRow } from '../performance.ts';
import type { ReportData } from '../ReportData.ts';
import type { Statistics } from '../statistics.ts';
import type { Benchmark } from './benchmarkOf.ts';
import type { Capacity } from './capacityOf.ts';
import type { Exposure } from './exposureOf.ts';
import type { MeasuredTrade } from './measureTrades.ts';

/**
 * Unit of a figure: `share` is a fraction (0.1 is 10 %), `quote` money, `ms` a duration and `time` an instant of the
 * epoch, both in milliseconds; `ratio` has none.
 */
export type FigureUnit = 'ratio' | 'share' | 'quote' | 'count' | 'ms' | 'time';

export const FIGURE_GROUPS = [
  'returns',
  'risk',
  'drawdown',
  'benchmark',
  'trades',
  'activity',
] as const;
export type FigureGroup = (typeof FIGURE_GROUPS)[number];

/** One figure of a run. */
export interface Figure {
  name: string;
  label: string;
  group: FigureGroup;
  unit: FigureUnit;
  /** Null if it can't be computed; `why` then says the reason. */
  value: number | null;
  why?: string;
  /** What a reader should know of the value. */
  note?: string;
}

/** What figures are computed of. */
export interface FigureInput {
  data: ReportData;
  statistics: Statistics;
  /** Of whole UTC days; the benchmark's of the same days. */
  returns: readonly number[];
  benchmark: Benchmark | null;
  /** Equity at the finest resolution that the run reports, from its start to its end. */
  equity: readonly TimedValue[];
  /** Instants are missing in `equity` that may have been its extremes. */
  isThinned: boolean;
  /** Deepest first. */
  drawdowns: readonly DrawdownPeriod[];
  years: readonly YearRow[];
  exposure: Exposure;
  capacity: Capacity;
  /** By entry; round trips or lots. */
  trades: readonly MeasuredTrade[];
}

/** What must be there before a figure is computed: days of returns, a benchmark of these days, a closed trade. */
type Need = 'week' | 'day' | 'benchmark' | 'trade' | 'nothing';

/** A figure's name, meaning and computation. */
export interface FigureDefinition {
  name: string;
  label: string;
  unit: FigureUnit;
  needs: Need;
  /** What else is missing for it; null if nothing is. */
  lacks?: (input: FigureInput) => string | null;
  of: (input: FigureInput) => number | null;
  /** As published. */
  formula: string;
  /** Who publishes it. */
  source: string;
  note?: (input: FigureInput) => string | null;
  /** Why there is none although all that it needs is there. */
  unless?: string;
}
