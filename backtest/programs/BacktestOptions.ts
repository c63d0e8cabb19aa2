import type { BotInput } from '../../src/config/botSettings.ts';
import type { Log } from '../../src/env/index.ts';
import type { PaperSettingsInput } from '../../src/paper/index.ts';
import type { Strategy } from '../../src/strategy/index.ts';
import type { TimeRange } from '../TimeRange.ts';
import type { FeedInput } from './FeedInput.ts';

/** Where a run is. */
export interface BacktestProgress {
  /** Bars of all feeds. */
  barsDone: number;
  barsTotal: number;
  /** Epoch milliseconds. */
  marketTime: number;
  /** Quote units, over all wallets. */
  equity: number;
}

interface CommonOptions {
  /** Markets beside, or in place of, those of the configuration; the last of a symbol counts. */
  feeds?: readonly FeedInput[];
  /** As `--timerange` (`'20250601-20250614'`), or epoch milliseconds, the end exclusive. Default: the whole tape. */
  timerange?: string | TimeRange;
  /** Parameters by name; with several strategies `{ 'trend.period': 20 }`. Others keep their values. */
  params?: Readonly<Record<string, unknown>>;
  /** Seed of the strategies' randomness. Default: the configuration's, else 1. */
  seed?: number;
  /** Delays as `paper.latency`: `{ order_ms, cancel_ms, data_ms }`, each milliseconds or `{ median, p99 }`. */
  latency?: PaperSettingsInput['latency'];
  /** Fees, as `paper.fees`. */
  fees?: PaperSettingsInput['fees'];
  /** Ends the run: the promise is rejected with the signal's reason. */
  signal?: AbortSignal;
  /** Called some times a second, in real time. */
  onProgress?: (progress: BacktestProgress) => void;
  /** Receives the log of bot and venue. Default: none. */
  log?: Log;
}

/** One strategy on its feeds; everything else has the defaults of a configuration. */
export interface StrategyBacktest extends CommonOptions {
  /** A plugin of this process, or what a configuration calls `use`: a path from the working directory, or a package. */
  strategy: Strategy | string;
  config?: never;
  feeds: readonly FeedInput[];
  /** Symbols that it trades. Default: those of all feeds. */
  symbols?: readonly string[];
  /** Cash of its wallet, USDC. Default: 10,000. */
  balance?: number;
  /** Bars of each feed that are history when trading begins. Default: 0, so that every bar is traded. */
  warmup?: number;
}

/** A bot's configuration: a path, or the content of such a file. */
export interface ConfigBacktest extends CommonOptions {
  config: string | BotInput;
  strategy?: never;
  /** Base of relative paths in a `config` that is not a path. Default: the working directory. */
  directory?: string;
  /** Plugins of this process, by the `use` that stands for each in the configuration. */
  plugins?: Readonly<Record<string, Strategy>>;
}

/** A backtest of a strategy, or of a configuration. */
export type BacktestOptions = StrategyBacktest | ConfigBacktest;
