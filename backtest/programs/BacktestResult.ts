import type {
  ReportExecution,
  ReportFill,
  ReportIntent,
  ReportTotals,
} from '../../src/operate/report/ReportData.ts';
import type { RoundTrip } from '../../src/operate/report/roundTrips.ts';
import type { Statistics } from '../../src/operate/report/statistics.ts';
import type { TimedValue } from '../../src/statistics/index.ts';

/** What a backtest did and earned. Times are epoch milliseconds of the market, money is in quote units. */
export interface BacktestResult {
  /** Digest over intents and fills: equal runs have equal hashes, and so has the command's. */
  readonly hash: string;
  readonly startTime: number;
  readonly endTime: number;
  /** Profit, costs, drawdown, counts of intents, and the ratios: as in the file of `--json`. */
  readonly figures: ReportTotals & Statistics;
  /** Round trips; `exit_time` is null for one that the run ended with. */
  readonly trades: readonly RoundTrip[];
  readonly fills: readonly ReportFill[];
  readonly intents: readonly ReportIntent[];
  readonly executions: readonly ReportExecution[];
  readonly curves: {
    /** The bot's equity over all wallets, at the times at which bars closed. */
    readonly equity: readonly TimedValue[];
    /** P&L since the start, by strategy. */
    readonly strategies: Readonly<Record<string, readonly TimedValue[]>>;
  };
  /** Intents that were decided in warm-up: counted, not sent. */
  readonly suppressed: number;
  /** Why intents were refused, most frequent first. */
  readonly refusals: readonly {
    /** The guard, the service's code, or the budget. */
    readonly cause: string;
    readonly count: number;
    /** The last one's message. */
    readonly example: string;
  }[];
  /** Assumptions of the simulated venue, in sentences. */
  readonly assumptions: readonly string[];
  /** The file that `--json` writes, byte for byte. */
  toJson(): string;
  /** The file that `--report` writes. */
  toHtml(): string;
}
