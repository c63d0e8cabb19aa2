/**
 * Frames to observables: link → one feed per subscription (sequence, snapshot, resync) → models and events by
 * wallet, candles, prices.
 */
export { Emitter } from './Emitter.ts';
export { NumberedIds } from './NumberedIds.ts';
export { RecentIds } from './RecentIds.ts';
export { RecentValues } from './RecentValues.ts';
export type { AccountModel } from './AccountModel.ts';
export type { CandleEvent } from './CandleEvent.ts';
export { createBarSequence, LONGEST_HOLD_MS } from './createBarSequence.ts';
export {
  READ_BOOK_MS,
  READ_MARKET_MS,
  type BookTick,
  type MarketTick,
} from './createMarketStreams.ts';
export { LATE_MS } from './createCandleStreams.ts';
export { createStreams, type Streams } from './createStreams.ts';
export type { RecordReading } from './createRecordStreams.ts';
export type { ExecutionEvent, WalletStreams, WatchEvent } from './createWalletStreams.ts';
export { streamFailureCode, type StreamFault } from './StreamFault.ts';
