import type { BarHook } from '../engine/BarHook.ts';
import type { PlannedTimer } from '../engine/EngineTimers.ts';
import type { SavedMarket } from '../market/PaperMarket.ts';
import type { SavedAccount } from './SavedAccount.ts';

/**
 * An engine's state as plain data. Handles in the market (watched prices, bar hooks, timers) are saved
 * with the market, in their order, and reattached to their owner by topic, wallet and id.
 */
export interface SavedEngine {
  startTime: number;
  /** Last number issued, by kind of id. */
  ids: Array<[kind: string, number: number]>;
  market: SavedMarket;
  hooks: BarHook[];
  timers: PlannedTimer[];
  accounts: SavedAccount[];
  tokenSecret: string;
}
