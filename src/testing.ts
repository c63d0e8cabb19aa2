/**
 * `trimtab/testing`: what tests of strategies and of programs need. `testStrategy` runs a plugin on the real host, its
 * market, wallet and answers in the test's hands; `trimtab/testing/vitest` adds matchers. `runBacktest` is the command `backtest` as a
 * function; `startPaper` and `paperVenue` give a paper service in this process, with sockets or without.
 */
export { assertIntents, loadPlugin, marbles, testStrategy } from './testing/index.ts';
export type {
  BarsOf,
  AdvanceOptions,
  BarsOptions,
  DecisionDetails,
  Duration,
  ExecutionEventName,
  ExpectedIntent,
  BookInput,
  FillInput,
  FundingInput,
  ForeignFill,
  IntentRef,
  IntentsOfTest,
  LegEvent,
  LogLine,
  MarbleHelpers,
  MarblesOptions,
  MonitorEventName,
  PartOf,
  PositionInput,
  StrategyTest,
  StrategyTestOptions,
  TestBar,
  TestedIntent,
  TestedIntents,
  TestedPlot,
  TestInstrument,
} from './testing/index.ts';
export type { FailureCode } from './contract/index.ts';
export type { StrategyFault, StrategyNotice } from './strategy/index.ts';
/** Loads the backtester when it is called. */
export { assertReproducible } from '../backtest/assertReproducible.ts';
export type { Reproduced, ReproducibleOptions } from '../backtest/check/Reproduced.ts';
export {
  BacktestError,
  paperVenue,
  runBacktest,
  startPaper,
  type BacktestOptions,
  type BacktestProgress,
  type BacktestResult,
  type BarInput,
  type BotInput,
  type botSettings,
  type ConfigBacktest,
  type FeedInput,
  type OutcomeCounts,
  type PaperVenueOptions,
  type ReportExecution,
  type ReportFill,
  type ReportIntent,
  type ReportTotals,
  type RoundTrip,
  type RunFigures,
  type StartedPaper,
  type StartPaperOptions,
  type Statistics,
  type StrategyBacktest,
  type TimedValue,
  type TimeRange,
  type UncoveredFigures,
  type VenueInProcess,
  type VenueOptions,
} from '../backtest/programs/index.ts';
