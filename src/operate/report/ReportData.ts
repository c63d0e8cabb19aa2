import type { Interval } from '../../contract/index.ts';
import type { TimedValue } from '../../statistics/index.ts';

/** Number of intents by final status; a missing status never occurred. */
export interface OutcomeCounts {
  emitted: number;
  denied: number;
  accepted: number;
  rejected: number;
  unknown: number;
  expired: number;
}

/** What a strategy, or the whole bot, did and earned. Money is in quote units. */
export interface RunFigures {
  intents: OutcomeCounts;
  fills: number;
  fees: number;
  /** Positive when paid; absent if a run doesn't report it. */
  funding?: number;
  /** Realised and unrealised, after fees and funding. */
  pnl: number;
  /** Largest fall of the equity from its peak: quote units, and share of that peak (0.02 = 2 %). */
  max_drawdown: number;
  max_drawdown_share: number;
  /** Longest time below an earlier peak; absent if a run doesn't report it. */
  longest_drawdown_ms?: number;
  /**
   * When the fall of `max_drawdown` began and when it was deepest, epoch milliseconds: null without a
   * fall, absent if a run doesn't report it.
   */
  max_drawdown_peak_time?: number | null;
  max_drawdown_trough_time?: number | null;
}

export interface ReportStrategy extends RunFigures {
  name: string;
  /** The configuration's `use`: a path or a package. */
  plugin: string;
  symbols: readonly string[];
  wallet: string;
  /**
   * Its P&L since the start at the times at which bars closed, ascending; zero before its first point.
   * The curve of a long run is thinned, and again for drawing; its extremes and worst drawdowns remain.
   */
  equity: readonly TimedValue[];
  /** The same with the last point of each UTC hour, never thinned; absent: `equity` has them. */
  hourly?: readonly TimedValue[];
}

/** Closed bars as columns, ascending; `time` is the open time, epoch ms. */
export interface ReportCandles {
  interval: Interval;
  time: ArrayLike<number>;
  open: ArrayLike<number>;
  high: ArrayLike<number>;
  low: ArrayLike<number>;
  close: ArrayLike<number>;
  /** Base units; absent if a run doesn't report it. */
  volume?: ArrayLike<number>;
}

export interface ReportFill {
  time: number;
  symbol: string;
  side: 'buy' | 'sell';
  price: number;
  /** Base units. */
  size: number;
  /** Quote units, venue and service together. */
  fee: number;
  strategy: string;
  liquidity: 'maker' | 'taker';
  reduce_only?: boolean;
  /** Realised by this fill, quote units, before fees. */
  closed_pnl?: number;
  order_id?: string;
  execution_id?: string;
  /**
   * What made it: `signal` or `monitor` of an intent, or `stop loss`, `take profit`, `trailing stop`, `trailing take profit`,
   * `liquidation`, `kill L3`, `stop policy`, `flatten`, `operator`; absent if it is not known, or a run doesn't report it.
   */
  cause?: string;
  /** Of the intent that made it: its `tag`, else its `ref` without numbers at the end, else its kind. */
  tag?: string;
}

export interface ReportExecution {
  execution_id: string;
  algo: string;
  symbol: string;
  side: 'buy' | 'sell';
  strategy: string;
  status: string;
  reason?: string;
  total_size: number;
  filled_size: number;
  average_price?: number;
  /** Price when it was launched: the reference of its slippage. */
  arrival_price?: number;
  fees: number;
  start_time: number;
  end_time?: number;
}

export interface ReportIntent {
  time: number;
  strategy: string;
  kind: string;
  symbol: string;
  /** `denied`, `accepted`, `rejected`, `unknown`, `expired`, … */
  outcome: string;
  /** Why it was refused: the guard, the error code, or the budget. */
  reason?: string;
}

/** A line that a strategy computed: an indicator in use, or what it gave to `ctx.plot`. */
export interface ReportPlot {
  strategy: string;
  symbol: string;
  /** `fast ema(10)`, `bands bollinger(20, 2) upper`, or the plotted name. */
  name: string;
  /** The indicator; all of its lines share it. */
  group: string;
  /** Interval of the bars that it was computed from; absent for a plotted value. */
  interval?: Interval;
  /** `price`, or the name of a pane below; absent: chosen by its values. */
  pane?: string;
  /** Market times at which the values were known, epoch milliseconds, ascending; thinned on a long run. */
  times: readonly number[];
  values: readonly number[];
}

/** The trigger of a leg, or the price of a tracked entry, as it moved. */
export interface ReportLevel {
  /** `none` where no strategy owns the symbol. */
  strategy: string;
  symbol: string;
  kind: 'stop' | 'target' | 'trailing stop' | 'trailing target' | 'entry';
  /** Market times at which it was set, epoch milliseconds, ascending, and its price from each on. */
  times: readonly number[];
  prices: readonly number[];
  /** Absent while it is in force. */
  end_time?: number;
  /** `triggered`, `retired`, `stopped`, … */
  end?: string;
}

/** A strategy ended through its own fault, or was restarted after one. */
export interface ReportLife {
  time: number;
  strategy: string;
  state: 'quarantined' | 'restarted';
  reason: string;
}

/** A position that the venue liquidated. */
export interface ReportLiquidation {
  time: number;
  wallet: string;
  symbol: string;
}

export interface ReportTotals extends RunFigures {
  start_equity: number;
  end_equity: number;
  /**
   * The means of all drawdowns over every instant of the run: shares of the equity at their peaks, and milliseconds
   * from the peak to the recovery or the run's end. Null without a fall. A run that does not report them thinned its
   * curve, if it is long, without regard to its extremes.
   */
  average_drawdown?: number | null;
  average_drawdown_ms?: number | null;
  /** Responses with status 429. */
  rate_limited: number;
  uncovered?: UncoveredFigures;
}

/** Positions without an acknowledged stop; absent if a run doesn't report it. */
export interface UncoveredFigures {
  /** Seconds of market time in which any part of any position had none; two at once count once. */
  total_seconds: number;
  /** Longest stretch of one position, in any part: never more than the total. */
  longest_seconds: number;
}

/** The spent rate budget, weights by lane, most urgent first. */
export interface ReportBudget {
  spent: Readonly<Record<string, number>>;
  /** Most that was used in one window, and the limit. */
  peak: number;
  allowance: number;
}

/** Intents that waited for one cause at least once. */
export interface ReportDelay {
  cause: string;
  count: number;
}

/** Closes to compare a run with, ascending: the price at each time, epoch ms. */
export interface ReportBenchmark {
  name: string;
  closes: readonly TimedValue[];
}

/** One symbol's bars as they were read, history included. */
export interface ReportFeed {
  symbol: string;
  interval: Interval;
  bars: number;
  /** Open times of the first and the last bar, epoch ms. */
  from: number;
  until: number;
  /** Over the columns as little-endian doubles, in the order of their names; a recorded tape's included. */
  sha256: string;
}

/** What a run was made from. */
export interface ReportAbout {
  /** Of Trimtab and of Node. */
  version: string;
  node: string;
  seed: number | string;
  strategies: readonly {
    name: string;
    plugin: string;
    /** With defaults filled in. */
    params: Readonly<Record<string, unknown>>;
  }[];
  feeds: readonly ReportFeed[];
}

/** What `trimtab check` found; without findings and notes it found nothing. */
export interface ReportCheck {
  /** Number of backtests that it took. */
  runs: number;
  findings: readonly {
    check: string;
    /** Close of the bar, epoch ms. */
    time: number;
    strategy: string;
    /** The meaning, and the difference. */
    words: readonly string[];
  }[];
  notes: readonly string[];
}

/** Where the time of a backtest went: `--profile`. */
export interface ReportProfile {
  totalMs: number;
  /** Parts of Trimtab, and the plugin; longest first. */
  stations: readonly ProfiledPart[];
  /** Functions of plugins by their place. */
  lines: readonly ProfiledPart[];
  /** Stretches that were walked as a whole, by their number of bars, as `8 to 15`. */
  spans: readonly { bars: string; count: number }[];
  /** How the bars were walked, and what took each of them; a line each. */
  walk: readonly string[];
}

export interface ProfiledPart {
  name: string;
  ms: number;
}

/** All data of a report; a run fills it, {@link renderReport} draws it. */
export interface ReportData {
  title: string;
  /** The configuration of the run. */
  generatedFrom: string;
  /** First and last market time of the run, epoch ms. */
  startTime: number;
  endTime: number;
  strategies: readonly ReportStrategy[];
  /** The bot's equity over all wallets; absent: the sum of the strategies' curves. */
  equity?: readonly TimedValue[];
  /** The same with the last point of each UTC hour, never thinned; absent: `equity` has them. */
  hourly?: readonly TimedValue[];
  symbols: Readonly<Record<string, ReportCandles>>;
  fills: readonly ReportFill[];
  executions?: readonly ReportExecution[];
  intents: readonly ReportIntent[];
  /** Absent if a run doesn't record them; so are `levels`. */
  plots?: readonly ReportPlot[];
  levels?: readonly ReportLevel[];
  lives?: readonly ReportLife[];
  /** Versions of strategies that ran beside them and sent nothing; absent without any. */
  shadows?: readonly ReportShadow[];
  /** Absent if a run doesn't report them. */
  liquidations?: readonly ReportLiquidation[];
  budget?: ReportBudget;
  /** Causes for which intents waited before they were sent or given up, most frequent first. */
  delays?: readonly ReportDelay[];
  totals: ReportTotals;
  /** What the run is compared with; absent: its first symbol, bought and held. */
  benchmark?: ReportBenchmark;
  /** Absent if a run doesn't report it. */
  about?: ReportAbout;
  /** Absent if the run was not checked. */
  check?: ReportCheck;
  /** Absent if the run's time was not measured; then the same run gives the same report. */
  profile?: ReportProfile;
  /** How fills are grouped to trades; absent: `round_trips`. */
  trade_grouping?: 'round_trips' | 'lots';
  /** How fills, fees and funding were simulated, in sentences. */
  assumptions: readonly string[];
  /** Hex digest over intents and fills: equal runs have equal hashes. */
  hash: string;
}

/** A shadow and the version beside it; quote units. */
export interface ReportShadow {
  strategy: string;
  plugin: string;
  state: string;
  /** Why it was ended; null if it was not. */
  reason: string | null;
  /** Intents of both that are the same, and those in which they differ. */
  same: number;
  parted: number;
  pnl: number;
  live_pnl: number;
  /** Net P&L of both: market time, live, shadow. */
  curve: ReadonlyArray<readonly [time: number, live: number, shadow: number]>;
  /** The first of those in which the two differ. */
  partings: readonly ReportParting[];
}

export interface ReportParting {
  time: number;
  cause: string;
  live: string;
  shadow: string;
  differs: string;
}
