/** The public API of `trimtab`, for plugins and programs. */

// The v1 nouns: records, requests and vocabulary as types, and the tables and roundings as values.
export type * from './contract/index.ts';
export {
  ALGOS,
  barCloseTime,
  barOpenTime,
  checkShape,
  INDICATOR_IDS,
  INDICATORS,
  INTERVAL_MS,
  INTERVALS,
  isValidPrice,
  isValidSize,
  toValidPrice,
  toValidSize,
} from './contract/index.ts';

// Intents.
export {
  attachTpsl,
  bulkCancel,
  cancelOrder,
  closePosition,
  controlExecution,
  createMonitor,
  launch,
  launchBasket,
  modifyOrder,
  pauseMonitor,
  placeOrder,
  retireTpsl,
  setLeverage,
  stopLoss,
  stopMonitor,
  takeProfit,
  unwindBy,
} from './intents/index.ts';
export type {
  AttachTpslIntent,
  BulkCancelIntent,
  CancelOrderIntent,
  ClosePositionIntent,
  ControlExecutionIntent,
  CreateMonitorIntent,
  ExecutionTarget,
  Intent,
  IntentKind,
  IntentMeta,
  IntentOf,
  LaunchBasketIntent,
  LaunchInput,
  LaunchIntent,
  LegBuilder,
  LevelInput,
  LimitInput,
  MarketInput,
  ModifyOrderIntent,
  MonitorTarget,
  OrderTarget,
  PauseMonitorIntent,
  PlaceOrderIntent,
  RetireTpslIntent,
  SetLeverageIntent,
  StopMonitorIntent,
} from './intents/index.ts';

// Strategies, and the operators to build them.
export { defineStrategy } from './strategy/index.ts';
export { STRATEGY_CONTRACT_VERSION } from './strategy/index.ts';
export type {
  Bar,
  ClosedBar,
  DecisionLiveness,
  FormingBar,
  IndicatorPoint,
  InstrumentView,
  Outcome,
  OutcomeState,
  StateDefinition,
  StateHandle,
  Strategy,
  StrategyContext,
  StrategyDefinition,
  Trigger,
} from './strategy/index.ts';
export * from './strategy/operators/index.ts';
export type { ReadLine } from './strategy/operators/crossing.ts';
export type { Sized } from './strategy/operators/whilePosition.ts';
export type { ExecutionEvent, WatchEvent } from './streams/index.ts';

export type { Log, LogFields } from './env/index.ts';
