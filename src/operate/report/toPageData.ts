import {
  RATIO_CONVENTION,
  shortfallByAlgo,
  type Shortfall,
  type TimedValue,
  toDrawdown,
} from '../../statistics/index.ts';
import { toCharts, type SymbolChart } from './chartData.ts';
import { countReasons, type RefusalReason } from './countReasons.ts';
import { type MeasuredTrade, reportFigures } from './figures/index.ts';
import type { YearRow } from './performance.ts';
import { sampleCurve, timeGrid, type TimeGrid } from './curves.ts';
import type {
  ReportAbout,
  ReportBudget,
  ReportCheck,
  ReportProfile,
  ReportData,
  ReportDelay,
  ReportExecution,
  ReportFill,
  ReportIntent,
  ReportLife,
  ReportLiquidation,
  ReportShadow,
  ReportStrategy,
  ReportTotals,
  RunFigures,
} from './ReportData.ts';
import type { FillRole } from './roundTrips.ts';
import { statistics, type Statistics } from './statistics.ts';
import { thinCandles, type CandleColumns } from './thinCandles.ts';
import { toPageFigures, type PageFigures } from './toPageFigures.ts';
import { hourlyOf, pinTo, wholeCourse } from './wholeCourse.ts';

/** Points of a curve and bars of a chart that a browser draws without a pause. */
const MAX_POINTS = 4_000;
const MAX_BARS = 30_000;
/** More rows are not shown of a strategy that is refused at each bar of a year; the reasons count all of them. */
const MOST_REFUSED = 10_000;

export interface PageCurve {
  /** A strategy's name; null for the whole bot. */
  strategy: string | null;
  /** Since the start, quote units, at each instant of the grid. */
  pnl: number[];
  drawdown: number[];
}

/** P&L before fees and funding; null if a run doesn't report its funding. */
export interface Gross {
  gross: number | null;
}

/** A fill with its fee as a share of its notional, which a run has a few of, where each fee is a number of its own. */
export type PageFill = Omit<ReportFill, 'fee'> & { role: FillRole; fee_rate: number };
export type PageTrade = Omit<MeasuredTrade, 'return'>;

/** The page's data: derived figures, thinned curves and candles, all by name. */
export interface PageData {
  title: string;
  generatedFrom: string;
  startTime: number;
  endTime: number;
  hash: string;
  /** Null if a run doesn't report it. */
  about: ReportAbout | null;
  check: ReportCheck | null;
  profile: ReportProfile | null;
  assumptions: readonly string[];
  strategies: (Omit<ReportStrategy, 'equity' | 'hourly'> & Statistics & Gross)[];
  totals: ReportTotals & Statistics & Gross;
  grid: TimeGrid;
  curves: PageCurve[];
  symbols: Record<string, CandleColumns>;
  /** What is drawn over each symbol's candles. */
  charts: Record<string, SymbolChart>;
  fills: PageFill[];
  trades: readonly PageTrade[];
  executions: readonly ReportExecution[];
  /** Intents that ended otherwise than accepted: the first of them, and their number. */
  refused: readonly ReportIntent[];
  refusedCount: number;
  reasons: RefusalReason[];
  lives: readonly ReportLife[];
  shadows: readonly ReportShadow[];
  liquidations: readonly ReportLiquidation[];
  /** Null if a run doesn't report it. */
  budget: ReportBudget | null;
  delays: readonly ReportDelay[];
  months: YearRow[];
  /** Number of whole UTC days. */
  days: number;
  report: PageFigures;
  /** The basis of the ratios, shown beside them. */
  ratios: string;
  shortfalls: Shortfall[];
}

export function toPageData(data: ReportData): PageData {
  const whole = wholeCourse(data);
  const { fills, roles, trips } = whole;
  const report = reportFigures(data);
  const totals = statistics(whole);
  const pin = pinTo(data);
  const curves = new Map(data.strategies.map(({ name, equity, pnl }) => [name, pin(equity, pnl)]));
  const grid = timeGrid(data.startTime, data.endTime, MAX_POINTS);
  const refused = data.intents
    .filter(({ outcome }) => outcome !== 'accepted')
    .toSorted((a, b) => a.time - b.time);
  const symbols = Object.fromEntries(
    Object.entries(data.symbols).map(([symbol, candles]) => [
      symbol,
      thinCandles(candles, MAX_BARS),
    ]),
  );
  const figuresOf = (one: ReportStrategy) =>
    statistics({
      fills: fills.filter(({ strategy }) => strategy === one.name),
      trips: trips.filter(({ strategy }) => strategy === one.name),
      curve: curves.get(one.name)!,
      hourly: pin(hourlyOf(one), one.pnl),
      capital: data.totals.start_equity,
      longestDrawdownMs: one.longest_drawdown_ms,
      from: data.startTime,
      until: data.endTime,
    });
  return {
    title: data.title,
    generatedFrom: data.generatedFrom,
    startTime: data.startTime,
    endTime: data.endTime,
    hash: data.hash,
    about: data.about ?? null,
    check: data.check ?? null,
    profile: data.profile ?? null,
    assumptions: data.assumptions,
    strategies: data.strategies.map((strategy) => {
      const { equity: _equity, hourly: _hourly, ...reported } = strategy;
      return { ...reported, gross: grossOf(strategy), ...figuresOf(strategy) };
    }),
    totals: { ...data.totals, gross: grossOf(data.totals), ...totals },
    grid,
    curves: [
      pageCurve(null, whole.curve, grid),
      ...[...curves].map(([name, curve]) => pageCurve(name, curve, grid)),
    ],
    symbols,
    charts: toCharts(data, symbols),
    fills: fills.map((fill, index) => toPageFill(fill, roles[index]!)),
    trades: report.trades.map(({ return: _return, ...trade }) => roundedRow(trade)),
    executions: (data.executions ?? [])
      .toSorted((a, b) => a.start_time - b.start_time)
      .map(roundedRow),
    refused: refused.slice(0, MOST_REFUSED),
    refusedCount: refused.length,
    reasons: countReasons(refused),
    lives: data.lives ?? [],
    shadows: data.shadows ?? [],
    liquidations: data.liquidations ?? [],
    budget: data.budget ?? null,
    delays: data.delays ?? [],
    months: report.years,
    days: totals.sharpe_days,
    report: toPageFigures(report, { grid, capital: whole.capital }),
    ratios: RATIO_CONVENTION,
    shortfalls: shortfallByAlgo(data.executions ?? []),
  };
}

/** A row shows the execution of a fill, or its order: of a slice the order is not needed. */
function toPageFill(fill: ReportFill, role: FillRole): PageFill {
  const { order_id: order, fee: _fee, ...shown } = roundedRow(fill);
  const isSlice = fill.execution_id !== undefined || order === undefined;
  const notional = fill.price * fill.size;
  const rate = notional === 0 ? 0 : Number((fill.fee / notional).toPrecision(DIGITS));
  return { ...shown, role, fee_rate: rate, ...(isSlice ? {} : { order_id: order }) };
}

/** Decimals that a column shows, and one more: digits that none shows would be half of a long run's page. */
const DECIMALS: Readonly<Record<string, number>> = {
  fees: 3,
  pnl: 3,
  closed_pnl: 3,
  mae: 5,
  mfe: 5,
};
/** Of prices and sizes. */
const DIGITS = 8;

function roundedRow<Row extends object>(row: Row): Row {
  const entries = Object.entries(row).map(([name, value]: [string, unknown]) => {
    if (typeof value !== 'number' || Number.isInteger(value)) return [name, value];
    const decimals = DECIMALS[name];
    const text = decimals === undefined ? value.toPrecision(DIGITS) : value.toFixed(decimals);
    return [name, Number(text)];
  });
  return Object.fromEntries(entries) as Row;
}

function grossOf({ pnl, fees, funding }: RunFigures): number | null {
  return funding === undefined ? null : pnl + fees + funding;
}

function pageCurve(
  strategy: string | null,
  curve: readonly TimedValue[],
  grid: TimeGrid,
): PageCurve {
  return {
    strategy,
    pnl: sampleCurve(curve, grid, 'extremes').map(toMills),
    drawdown: sampleCurve(toDrawdown(curve), grid, 'lowest').map(toMills),
  };
}

/** A curve needs no more than a tenth of a cent, and the page is a third smaller that way. */
function toMills(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
