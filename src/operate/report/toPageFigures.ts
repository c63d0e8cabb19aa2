import type { DrawdownPeriod, Histogram } from '../../statistics/index.ts';
import { sampleCurve, type TimeGrid } from './curves.ts';
import { definitions } from './figures/index.ts';
import type {
  Figure,
  MeasuredTrade,
  ReportFigures,
  TradeGroups,
  TradeGrouping,
} from './figures/index.ts';

/** A figure with what a reader may ask of it. */
export interface PageFigure extends Figure {
  formula: string;
  source: string;
}

/** Every figure as the page shows it: series thinned, extremes retained. */
export interface PageFigures {
  grouping: TradeGrouping;
  figures: PageFigure[];
  otherTrades: Figure[];
  /** P&L of the benchmark at the instants of the page's grid; null without one. */
  benchmark: { name: string; pnl: number[] } | null;
  drawdowns: readonly DrawdownPeriod[];
  distribution: Histogram | null;
  rolling: ReportFigures['rolling'];
  exposure: { grid: TimeGrid; gross: number[]; net: number[]; leverage: (number | null)[] };
  groups: TradeGroups;
  /** Closed trades that are drawn as dots: places in the page's list of trades. */
  dots: number[];
}

/** A browser draws this many dots without a pause. */
const MOST_DOTS = 3_000;

export function toPageFigures(
  report: ReportFigures,
  { grid, capital }: { grid: TimeGrid; capital: number },
): PageFigures {
  const { grouping, figures, otherTrades, benchmark, drawdowns, distribution, exposure } = report;
  const { sides, symbols, strategies, entry_tags, exit_reasons, mixed_tags } = report;
  const { hours, weekdays, all } = report;
  const known = new Map(
    Object.values(definitions).flatMap((group) => group.map((one) => [one.name, one] as const)),
  );
  return {
    grouping,
    figures: figures.map((figure) => {
      const { formula, source } = known.get(figure.name)!;
      return { ...figure, formula, source };
    }),
    otherTrades,
    benchmark:
      benchmark === null
        ? null
        : {
            name: benchmark.name,
            pnl: sampleCurve(benchmark.equity, grid, 'extremes').map((worth) =>
              rounded(worth - capital, 3),
            ),
          },
    drawdowns,
    distribution,
    rolling: {
      ...report.rolling,
      sharpe: report.rolling.sharpe.map((value) => rounded(value, 4)),
      volatility: report.rolling.volatility.map((value) => rounded(value, 5)),
      beta: report.rolling.beta.map((value) => rounded(value, 4)),
    },
    exposure: {
      grid: exposure.grid,
      gross: exposure.gross.map((value) => rounded(value, 2)),
      net: exposure.net.map((value) => rounded(value, 2)),
      leverage: exposure.leverage.map((value) => rounded(value, 4)),
    },
    groups: {
      sides,
      symbols,
      strategies,
      entry_tags,
      exit_reasons,
      mixed_tags,
      hours,
      weekdays,
      all,
    },
    dots: toDots(report.trades),
  };
}

function rounded(value: number, decimals: number): number;
function rounded(value: number | null, decimals: number): number | null;
function rounded(value: number | null, decimals: number): number | null {
  return value === null ? null : Number(value.toFixed(decimals));
}

/** Of more trades than a chart has room for, those that stick out and, of the others, equally spaced ones. */
export function toDots(trades: readonly MeasuredTrade[]): number[] {
  const closed = trades.flatMap(({ exit_time: exit }, at) => (exit === null ? [] : [at]));
  if (closed.length <= MOST_DOTS) return closed;
  const part = MOST_DOTS / 10;
  const by = (valueOf: (trade: MeasuredTrade) => number): number[] => {
    const sorted = closed.toSorted((a, b) => valueOf(trades[a]!) - valueOf(trades[b]!));
    return [...sorted.slice(0, part / 2), ...sorted.slice(-part / 2)];
  };
  const extremes = [
    ...by(({ pnl }) => pnl),
    ...by((trade) => trade.exit_time! - trade.entry_time),
    ...by(({ mae }) => mae ?? 0),
    ...by(({ mfe }) => mfe ?? 0),
  ];
  const step = Math.ceil(closed.length / (MOST_DOTS - extremes.length));
  const shown = new Set([...extremes, ...closed.filter((_at, index) => index % step === 0)]);
  return closed.filter((at) => shown.has(at));
}
