/** All that a plugin or a program may import from `trimtab`. */

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

// What a strategy proposes.
export {
  attachTpsl,
  bulkCancel,
  cancelOrder,
  checkIntent,
  closePosition,
  controlExecution,
  createMonitor,
  effectOf,
  launch,
  launchBasket,
  modifyOrder,
  placeOrder,
  retireTpsl,
  setLeverage,
  stopLoss,
  stopMonitor,
  takeProfit,
  unwindBy,
} from './intents/index.ts';
export type {
  ExecutionTarget,
  Intent,
  IntentEffect,
  IntentKind,
  IntentMeta,
  IntentOf,
  MonitorTarget,
  OrderTarget,
} from './intents/index.ts';

// What a strategy is, and the operators that it is made of.
export { checkParams, defineStrategy, isStrategy, loadStrategy } from './strategy/index.ts';
export { STRATEGY_CONTRACT_VERSION } from './strategy/index.ts';
export type {
  Bar,
  ClosedBar,
  Emission,
  FormingBar,
  IndicatorPoint,
  InstrumentView,
  Outcome,
  OutcomeState,
  PluginFault,
  StateHandle,
  Strategy,
  StrategyContext,
  StrategyDefinition,
  StrategyFault,
} from './strategy/index.ts';
export * from './strategy/operators/index.ts';

export type { Log, LogFields } from './env/index.ts';

// For programs of one's own: the signed client, and the paper service to try it on.
export { createDialect, defaultDialect, type Dialect } from './contract/index.ts';
export { createLiveEnv, type Env } from './env/index.ts';
export { decodeFrame } from './frames/index.ts';
export {
  createClient,
  createClockOffset,
  createCommands,
  createHttpClient,
  createSigner,
  createSocket,
  ServiceFaultError,
  type Client,
  type Commands,
  type ServiceSocket,
} from './wire/index.ts';
export { loadMarketData } from './paper/server/loadMarketData.ts';
export { paperSettings } from './paper/server/PaperSettings.ts';
export { startPaperServer, type PaperServer } from './paper/server/startPaperServer.ts';
