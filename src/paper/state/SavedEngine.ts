import type { BarHook } from '../engine/BarHook.ts';
import type { PlannedTimer } from '../engine/EngineTimers.ts';
import type { SavedMarket } from '../market/PaperMarket.ts';
import type { SavedAccount } from './SavedAccount.ts';

/**
 * An engine's state as plain data. What hangs in the market (watched prices, bar hooks, timers) is
 * saved where it hangs, in its order, and tied to its owner again by topic, wallet and id.
 */
export interface SavedEngine {
  startTime: number;
  /** Last number given, by kind of id. */
  ids: Array<[kind: string, number: number]>;
  market: SavedMarket;
  hooks: BarHook[];
  timers: PlannedTimer[];
  accounts: SavedAccount[];
  tokenSecret: string;
}
