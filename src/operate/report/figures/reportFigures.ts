import { DAY_MS } from '../../../contract/durations.ts';
import {
  beta,
  dailyReturns,
  drawdownPeriods,
  histogram,
  mergeCurves,
  rolling,
  sharpeRatio,
  volatility,
  type DrawdownPeriod,
  type Histogram,
  type TimedValue,
} from '../../../statistics/index.ts';
import { yearRows, type YearRow } from '../performance.ts';
import type { ReportData } from '../ReportData.ts';
import { roundTrips } from '../roundTrips.ts';
import { statistics } from '../statistics.ts';
import { wholeCourse } from '../wholeCourse.ts';
import { benchmarkOf, type Benchmark } from './benchmarkOf.ts';
import {
  breakdown,
  groupOf,
  HOURS,
  hourOf,
  WEEKDAYS,
  weekdayOf,
  type TradeGroup,
} from './breakdown.ts';
import { capacityOf, type Capacity } from './capacityOf.ts';
import { exposureOf, type Exposure } from './exposureOf.ts';
import type { Figure, FigureInput } from './Figure.ts';
import { figuresOf } from './figuresOf.ts';
import { isCurveThinned } from './isCurveThinned.ts';
import { lots } from './lots.ts';
import { measureTrades, type MeasuredTrade } from './measureTrades.ts';

/** How fills are grouped to trades: from flat to flat, or each closing fill with the oldest open one. */
export type TradeGrouping = 'round_trips' | 'lots';

/** Figures over windows of days, at each window's end; null where one is not defined. */
export interface RollingFigures {
  windowDays: number;
  times: number[];
  sharpe: (number | null)[];
  volatility: (number | null)[];
  /** Empty without a benchmark. */
  beta: (number | null)[];
}

/** All that a report computes of a run. */
export interface ReportFigures extends TradeGroups {
  /** How `trades` and everything made of them are grouped. */
  grouping: TradeGrouping;
  figures: Figure[];
  /** The group `trades` of the figures by the other grouping. */
  otherTrades: Figure[];
  benchmark: Benchmark | null;
  years: YearRow[];
  /** The worst ten, deepest first; none of a run whose curve lacks instants that may belong to them. */
  drawdowns: DrawdownPeriod[];
  /** Of the returns of whole UTC days; null without any. */
  distribution: Histogram | null;
  rolling: RollingFigures;
  exposure: Exposure;
  capacity: Capacity;
  trades: MeasuredTrade[];
}

/** Closed trades apart. */
export interface TradeGroups {
  sides: TradeGroup[];
  symbols: TradeGroup[];
  strategies: TradeGroup[];
  /** By what opened them, what closed them, and both; empty if a run doesn't report what made its fills. */
  entry_tags: TradeGroup[];
  exit_reasons: TradeGroup[];
  mixed_tags: TradeGroup[];
  /** By UTC hour and weekday of the entry. */
  hours: TradeGroup[];
  weekdays: TradeGroup[];
  /** Every one. */
  all: TradeGroup;
}

const MOST_DRAWDOWNS = 10;
const BINS = 20;
const WINDOW_DAYS = 30;
/** A fill that nothing which was recorded made. */
const UNKNOWN = 'unknown';

/** Computes every figure, table and series of a report; nothing of it is rounded or thinned. */
export function reportFigures(data: ReportData): ReportFigures {
  const course = wholeCourse(data);
  const { curve, hourly, capital, fills } = course;
  const grouping = data.trade_grouping ?? 'round_trips';
  const returns = dailyReturns(hourly, capital);
  // Where a long run's curve is thinned, the hours remain.
  const equity = onTopOf(capital, mergeCurves(curve, hourly));
  const benchmark = benchmarkOf(data);
  const years = yearRows(hourly, capital);
  const isThinned = isCurveThinned(data);
  const drawdowns = isThinned ? [] : drawdownPeriods(equity);
  const exposure = exposureOf(data, fills, equity);
  const capacity = capacityOf(data, fills, equity);
  const trades = measureTrades(course.trips, data);
  const other = grouping === 'lots' ? roundTrips(fills).roundTrips : lots(fills);
  const input: FigureInput = {
    data,
    statistics: statistics(course),
    returns,
    benchmark,
    equity,
    isThinned,
    drawdowns,
    years,
    exposure,
    capacity,
    trades,
  };
  return {
    grouping,
    figures: figuresOf(input),
    otherTrades: figuresOf({ ...input, trades: measureTrades(other, data) }, ['trades']),
    benchmark,
    years,
    drawdowns: drawdowns.slice(0, MOST_DRAWDOWNS),
    distribution: histogram(returns.filter(Number.isFinite), BINS),
    rolling: rollingFigures(returns, benchmark, hourly),
    exposure,
    capacity,
    ...groupsOf(trades, capital),
    trades,
  };
}

function groupsOf(trades: readonly MeasuredTrade[], capital: number): TradeGroups {
  const by = (keyOf: (trade: MeasuredTrade) => string, keys?: readonly string[]): TradeGroup[] =>
    breakdown(trades, { capital, keyOf, ...(keys === undefined ? {} : { keys }) });
  const entryOf = ({ entry_tag: tag }: MeasuredTrade): string => tag ?? UNKNOWN;
  const exitOf = ({ exit_reason: reason }: MeasuredTrade): string => reason ?? UNKNOWN;
  const hasOrigins = trades.some(
    (trade) => entryOf(trade) !== UNKNOWN || exitOf(trade) !== UNKNOWN,
  );
  const byOrigin = (keyOf: (trade: MeasuredTrade) => string): TradeGroup[] =>
    hasOrigins ? by(keyOf) : [];
  return {
    sides: by(({ side }) => side, ['long', 'short']),
    symbols: by(({ symbol }) => symbol),
    strategies: by(({ strategy }) => strategy),
    entry_tags: byOrigin(entryOf),
    exit_reasons: byOrigin(exitOf),
    mixed_tags: byOrigin((trade) => `${entryOf(trade)} → ${exitOf(trade)}`),
    hours: by(hourOf, HOURS),
    weekdays: by(weekdayOf, WEEKDAYS),
    all: groupOf(
      'all',
      trades.filter(({ exit_time: exit }) => exit !== null),
      capital,
    ),
  };
}

const onTopOf = (start: number, curve: readonly TimedValue[]): TimedValue[] =>
  curve.map(([time, value]) => [time, start + value] as const);

function rollingFigures(
  returns: readonly number[],
  benchmark: Benchmark | null,
  hourly: readonly TimedValue[],
): RollingFigures {
  const over = (figure: (from: number, until: number) => number | null): (number | null)[] =>
    rolling(returns.length, WINDOW_DAYS, figure);
  const firstDay = Math.ceil((hourly[0]?.[0] ?? 0) / DAY_MS) * DAY_MS;
  const sharpe = over((from, until) => sharpeRatio(returns.slice(from, until)));
  return {
    windowDays: WINDOW_DAYS,
    times: sharpe.map((_value, at) => firstDay + (at + WINDOW_DAYS) * DAY_MS),
    sharpe,
    volatility: over((from, until) => volatility(returns.slice(from, until))),
    beta:
      benchmark === null
        ? []
        : over((from, until) =>
            beta(returns.slice(from, until), benchmark.returns.slice(from, until)),
          ),
  };
}
