/** The plugin contract and the host that runs a plugin: sources → turns → plugin → checked emissions. */
export type { Bar, ClosedBar, FormingBar } from './Bar.ts';
export { createMemoryState, type StateHandle, type StateStore } from './createState.ts';
export {
  createStrategyHost,
  type HostStatus,
  type StrategyHost,
  type StrategyHostOptions,
} from './createStrategyHost.ts';
export {
  defineStrategy,
  isStrategy,
  STRATEGY_CONTRACT_VERSION,
  type Strategy,
  type StrategyDefinition,
} from './defineStrategy.ts';
export type { Emission, Trigger } from './Emission.ts';
export type { IndicatorPoint } from './indicatorPoints.ts';
export { openState, type PersistedState } from './openState.ts';
export {
  outcomeOf,
  type IntentAnswers,
  type Outcome,
  type OutcomeRecord,
  type OutcomeState,
} from './Outcome.ts';
export type {
  OwnExecutionEvent,
  OwnFill,
  OwnMonitorEvent,
  OwnOrder,
  OwnOrderEvent,
  OwnWatchEvent,
} from './OwnEvents.ts';
export type { Funding, FundingPayment } from './createFunding.ts';
export type { OpenOrder } from './createOpenOrders.ts';
export type { RefView } from './refs/createByRef.ts';
export type { RefEvent, RefNews, WithRef } from './refs/RefEvent.ts';
export type { RefState } from './refs/RefState.ts';
export type { StateDefinition } from './StateDefinition.ts';
export type { InstrumentView, StrategyContext } from './StrategyContext.ts';
export { startedByPlugin } from './startedByPlugin.ts';
export { stackPaths } from './stackPaths.ts';
export { strategyFailureCode, type StrategyFault } from './StrategyFault.ts';
export type { StrategyNotice } from './StrategyNotice.ts';
export type { DecisionLiveness } from './createTurns.ts';
export type { CandleEvent, StrategySources } from './StrategySources.ts';
export { checkParams } from './checkParams.ts';
export { loadStrategy } from './loadStrategy.ts';
export type { FreshImport } from './FreshImport.ts';
export { filesFrom, pluginSources } from './pluginSources.ts';
export type { PlotLine, PlotOptions, PlotSink } from './PlotLine.ts';
export type { PluginFault } from './PluginFault.ts';
export * from './operators/index.ts';
export { createThreadHost, type Isolation } from './thread/createThreadHost.ts';
export { createThreadTurns, type ThreadTurns } from './thread/createThreadTurns.ts';
export { checkDefinition } from './checkDefinition.ts';
