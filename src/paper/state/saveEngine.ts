import type { EngineTimers } from '../engine/EngineTimers.ts';
import type { World } from '../engine/World.ts';
import { saveAccount } from './saveAccount.ts';
import type { SavedEngine } from './SavedEngine.ts';

/** What an engine's state lies in. */
export interface EngineParts {
  world: World;
  timers: EngineTimers;
  /** Last number given, by kind of id. */
  counters: Map<string, number>;
}

/**
 * An engine's state as plain data. Not all of it is copied: it is to be written down before the
 * engine goes on.
 */
export function saveEngine({ world, timers, counters }: EngineParts): SavedEngine {
  return {
    startTime: world.market.startTime,
    ids: [...counters],
    market: world.market.save(),
    hooks: world.barHooks.list(),
    timers: timers.pending(),
    accounts: [...world.accounts.values()].map(saveAccount),
    tokenSecret: world.tokenSecret,
  };
}
