/**
 * The paper service: the whole v1 interface over a simulated venue.
 *
 * request → core (credentials, gate) → handler → answer; feed → engine → events → frames.
 */
export type { Outcome } from './core/Admission.ts';
export { MAIN_WALLET } from './core/createPaperCore.ts';
export type { Engine, EngineEvent } from './core/Engine.ts';
export type { PaperCore } from './core/PaperCore.ts';
export type { RawRequest, RawResponse } from './core/RawExchange.ts';
export { ServiceError } from './core/ServiceError.ts';
export type { Session } from './core/Session.ts';
export type { StreamPort } from './core/StreamPort.ts';
export type { StreamSubscription } from './core/StreamSubscription.ts';
export { createPaperService, startTimeOf } from './createPaperService.ts';
export { createEngine } from './engine/createEngine.ts';
export * from './feed/index.ts';
export { fundingSpan, uncoveredStretches, type Stretch } from './market/fundingCoverage.ts';
export {
  DEFAULT_FUNDING_RATE,
  type ConstantFunding,
  type FundingRates,
  type SymbolFunding,
} from './market/FundingSchedule.ts';
export { settlementRules } from './market/settlementRules.ts';
export { createCredentials } from './server/createCredentials.ts';
export type { Replay, ReplayRecord, ReplaySpeed } from './server/createReplay.ts';
export { toFeeSettings, type FeesBySymbol } from './server/feeSettings.ts';
export { loadMarketData, type MarketData } from './server/loadMarketData.ts';
export {
  paperSettings,
  type PaperSettings,
  type PaperSettingsInput,
} from './server/PaperSettings.ts';
export { StateRefusal } from './server/state/StateRefusal.ts';
export { differenceOf, tapeOf, type TapeMark } from './server/state/tapeOf.ts';
export {
  startPaperServer,
  type PaperServer,
  type PaperServerOptions,
} from './server/startPaperServer.ts';
export { feesOf } from './venue/venueFees.ts';
