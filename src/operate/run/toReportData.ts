import type { ShadowCourse } from '../shadow/index.ts';
import { toReportShadow } from './toReportShadow.ts';
import type { BotConfig } from '../../config/index.ts';
import type { ExecutionRecord, Side } from '../../contract/index.ts';
import type { Feed } from '../../paper/feed/index.ts';
import type { Bot, RunRecord, LifeEvent } from '../../runtime/index.ts';
import type { AverageDrawdown, DrawdownTimes, TimedValue } from '../../statistics/index.ts';
import { barsOfRun } from './barsOfRun.ts';
import { figuresOf, totalsOf } from './toClosingFigures.ts';
import type {
  ReportData,
  ReportExecution,
  ReportFill,
  ReportIntent,
  ReportLife,
  ReportPlot,
} from '../report/index.ts';
import { describeLife } from './describeLife.ts';

export interface RunSummary {
  config: BotConfig;
  bot: Bot;
  record: RunRecord;
  startTime: number;
  endTime: number;
  startEquity: number;
  endEquity: number;
  /** The traded tape. */
  feeds: readonly Feed[];
  assumptions: readonly string[];
  shadows: readonly ShadowCourse[];
}

/**
 * The record of a run, in the shape of the closing table and the report. Its lists are made when they are first read: a
 * sweep reads figures only, and a run's points, fills and intents are most of what it would make.
 */
export function toReportData(summary: RunSummary): ReportData {
  const { config, bot, record, startTime, endTime, shadows } = summary;
  const run = { from: startTime, until: endTime };
  const strategies = config.strategies.map(({ name, use, symbols, wallet }) => {
    const equity = once(() => record.curve(name));
    const hourly = once(() => record.hourly(name));
    return {
      name,
      plugin: use,
      symbols,
      wallet,
      get equity() {
        return equity();
      },
      get hourly() {
        return hourly();
      },
      ...figuresOf(bot, record, name),
      ...timesOf(record.drawdownTimes(run, name)),
    };
  });
  const symbols = strategies.flatMap((strategy) => strategy.symbols);
  const bars = barsOfRun(summary.feeds, { symbols, startTime, endTime });
  const fills = once(() => record.fills.map(toReportFill));
  const intents = once(() => record.intents.map(toReportIntent));
  const equity = once(() => onTopOf(summary.startEquity, record.total));
  const hourly = once(() => onTopOf(summary.startEquity, record.hourlyTotal));
  return {
    title: config.name,
    generatedFrom: config.file,
    startTime,
    endTime,
    strategies,
    symbols: bars,
    get fills() {
      return fills();
    },
    executions: record.executions.map(({ instance, execution }) =>
      toReportExecution(instance, execution),
    ),
    get intents() {
      return intents();
    },
    plots: toReportPlots(record, config, Object.keys(bars)),
    levels: record.levels.map(({ instance = 'none', ...level }) => ({
      ...level,
      strategy: instance,
    })),
    lives: record.lives.map(toReportLife),
    ...(shadows.length === 0 ? {} : { shadows: shadows.map(toReportShadow) }),
    liquidations: record.liquidations.map(({ time, wallet, symbol }) => ({ time, wallet, symbol })),
    budget: bot.budgetUse(),
    delays: record.delays,
    get equity() {
      return equity();
    },
    get hourly() {
      return hourly();
    },
    totals: {
      ...totalsOf(strategies, { bot, record }),
      ...timesOf(record.drawdownTimes(run)),
      ...meansOf(record.averageDrawdown(run)),
      start_equity: summary.startEquity,
      end_equity: summary.endEquity,
    },
    assumptions: summary.assumptions,
    hash: record.hash(),
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** An indicator of a market that is only read is drawn below the market that it decides on. */
function toReportPlots(
  { plots }: RunRecord,
  { strategies }: BotConfig,
  drawn: readonly string[],
): ReportPlot[] {
  return plots.flatMap(({ instance, ...plot }): ReportPlot[] => {
    const line = { ...plot, strategy: instance };
    if (drawn.includes(plot.symbol)) return [line];
    const own = strategies.find(({ name }) => name === instance);
    const symbol = own?.symbols.find((one) => drawn.includes(one));
    if (symbol === undefined) return [];
    const name = `${plot.symbol} ${plot.name}`;
    return [{ ...line, symbol, name, pane: `${plot.symbol} ${plot.pane ?? plot.group}` }];
  });
}

function timesOf({ longestMs, peakTime, troughTime }: DrawdownTimes) {
  return {
    longest_drawdown_ms: longestMs,
    max_drawdown_peak_time: peakTime,
    max_drawdown_trough_time: troughTime,
  };
}

function meansOf({ share, durationMs }: AverageDrawdown) {
  return { average_drawdown: share, average_drawdown_ms: durationMs };
}

function onTopOf(start: number, curve: readonly TimedValue[]): TimedValue[] {
  return curve.map(([time, value]) => [time, start + value] as const);
}

function toReportLife(life: LifeEvent): ReportLife {
  const { time, instance: strategy, state } = life;
  const fault = state === 'quarantined' ? `${life.fault.kind}: ${life.fault.reason}; ` : '';
  return { time, strategy, state, reason: `${fault}${describeLife(life)}` };
}

function toReportIntent({
  instance: strategy,
  time,
  kind,
  symbol,
  outcome,
  reason,
}: RunRecord['intents'][number]): ReportIntent {
  const shown = { time, kind, symbol, outcome };
  return reason === undefined ? { ...shown, strategy } : { ...shown, reason, strategy };
}

function toReportFill(fill: RunRecord['fills'][number]): ReportFill {
  const shown: ReportFill = {
    time: fill.time,
    symbol: fill.symbol,
    side: sideOf(fill),
    price: fill.price,
    size: fill.size,
    fee: fill.fee,
    strategy: fill.instance ?? 'none',
    liquidity: fill.liquidity === 'maker' ? 'maker' : 'taker',
  };
  if (fill.reduce_only !== undefined) shown.reduce_only = fill.reduce_only;
  if (fill.order_id !== undefined) shown.order_id = fill.order_id;
  if (fill.closed_pnl != null) shown.closed_pnl = fill.closed_pnl;
  if (fill.cause !== undefined) shown.cause = fill.cause;
  if (fill.tag !== undefined) shown.tag = fill.tag;
  if (fill.execution_id != null) shown.execution_id = fill.execution_id;
  return shown;
}

const sideOf = (record: { side: string }): Side => (record.side === 'sell' ? 'sell' : 'buy');

function toReportExecution(
  instance: string | undefined,
  execution: ExecutionRecord,
): ReportExecution {
  const { reason, average_price, arrival_price, ended_time } = execution;
  return {
    execution_id: execution.execution_id,
    algo: execution.algo,
    symbol: execution.symbol,
    side: sideOf(execution),
    strategy: instance ?? 'none',
    status: execution.status,
    total_size: execution.total_size,
    filled_size: execution.filled_size,
    fees: execution.fees,
    start_time: execution.created_time,
    ...(reason == null ? {} : { reason }),
    ...(average_price == null ? {} : { average_price }),
    ...(arrival_price == null ? {} : { arrival_price }),
    ...(ended_time == null ? {} : { end_time: ended_time }),
  };
}
