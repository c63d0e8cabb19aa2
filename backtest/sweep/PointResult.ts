/** The result of a backtest. Money is in quote units; a figure without enough data is null. */
export interface PointFigures {
  /** Length of the tape. */
  days: number;
  pnl: number;
  max_drawdown: number;
  max_drawdown_share: number;
  sharpe: number | null;
  sortino: number | null;
  calmar: number | null;
  profit_factor: number | null;
  win_rate: number | null;
  trades: number;
  fills: number;
  fees: number;
  turnover: number;
  time_in_market: number;
  intents: number;
  denied: number;
  /** Positions that the venue liquidated. */
  liquidations: number;
  hash: string;
}

export const FIGURES = [
  'pnl',
  'max_drawdown',
  'max_drawdown_share',
  'sharpe',
  'sortino',
  'calmar',
  'profit_factor',
  'win_rate',
  'trades',
  'fills',
  'fees',
  'turnover',
  'time_in_market',
  'days',
  'intents',
  'denied',
  'liquidations',
  'hash',
] as const satisfies readonly (keyof PointFigures)[];

/** A job's result: figures, or why there are none. */
export type PointResult = PointRun | PointFault;

export interface PointRun {
  index: number;
  figures: PointFigures;
  /** Return of each whole UTC day: the basis of its ratios and probabilities. */
  returns: number[];
  /** Return before its first midnight of UTC, and after its last. */
  edges: readonly [head: number, tail: number];
  /** P&L of each closed trade, in the order of their exits. */
  trades: number[];
}

export interface PointFault {
  index: number;
  fault: string;
}

/** The fault of a point whose plugin ended the thread that computed it. */
export const endedThread = (index: number, code: number): PointFault => ({
  index,
  fault: `It ended its thread, with code ${code}`,
});

export const isRun = (result: PointResult): result is PointRun => 'figures' in result;
