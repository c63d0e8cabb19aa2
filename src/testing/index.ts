/** A strategy in a test's hands: the real host and context over sources that the test drives, in virtual time. */
export type { TestBar } from './BarFeed.ts';
export type { LogLine } from './createTestLog.ts';
export type { PositionInput } from './createTestAccount.ts';
export type { TestInstrument } from './listInstruments.ts';
export type { Duration } from './parseDuration.ts';
export type {
  BarsOf,
  AdvanceOptions,
  BarsOptions,
  ExecutionEventName,
  BookInput,
  FillInput,
  FundingInput,
  ForeignFill,
  IntentRef,
  LegEvent,
  MonitorEventName,
  StrategyTest,
  StrategyTestOptions,
  TestedPlot,
} from './StrategyTest.ts';
export type { DecisionDetails, TestedIntent, TestedIntents } from './TestedIntent.ts';

export { assertIntents } from './assertIntents.ts';
export { comparedParts } from './comparedParts.ts';
export {
  compareIntents,
  type ExpectedIntent,
  type IntentsOfTest,
  type PartOf,
} from './compareIntents.ts';
export { marbles, type MarbleHelpers, type MarblesOptions } from './marbles.ts';
export { testRefusal } from './testRefusal.ts';
export { TEST_START, testStrategy } from './testStrategy.ts';
export { loadPlugin } from './loadPlugin.ts';
