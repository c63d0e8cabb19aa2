/**
 * Frames to observables: link → one feed per subscription (sequence, snapshot, resync) → models and events by
 * wallet, candles, prices.
 */
export { Emitter } from './Emitter.ts';
export { NumberedIds } from './NumberedIds.ts';
export { RecentIds } from './RecentIds.ts';
export { RecentValues } from './RecentValues.ts';
export type { AccountModel } from './AccountModel.ts';
export type { CandleEvent, CandleOptions } from './CandleEvent.ts';
export {
  createBarSequence,
  LONGEST_HOLD_MS,
  type BarSequence,
  type BarSequenceOptions,
} from './createBarSequence.ts';
export type { AccountStreams, FundingEvent, LiquidationEvent } from './createAccountStreams.ts';
export {
  READ_BOOK_MS,
  READ_MARKET_MS,
  type BookTick,
  type MarketStreams,
  type MarketTick,
} from './createMarketStreams.ts';
export type { MetaEvent } from './createMetaStreams.ts';
export type { PriceTick } from './createPriceStream.ts';
export { LATE_MS } from './createCandleStreams.ts';
export { createStreams, type Streams, type StreamsOptions } from './createStreams.ts';
export type {
  ExecutionEvent,
  MonitorEvent,
  WalletStreams,
  WatchEvent,
} from './createWalletStreams.ts';
export { streamFailureCode, type StreamFault } from './StreamFault.ts';
