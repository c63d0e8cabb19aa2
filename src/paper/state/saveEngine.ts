import type { EngineTimers } from '../engine/EngineTimers.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { saveAccount } from './saveAccount.ts';
import type { SavedEngine } from './SavedEngine.ts';

/** What an engine's state lies in. */
export interface EngineParts {
  engine: EngineState;
  timers: EngineTimers;
  /** Last number given, by kind of id. */
  counters: Map<string, number>;
}

/**
 * An engine's state as plain data. Not all of it is copied: it is to be written down before the
 * engine goes on.
 */
export function saveEngine({ engine, timers, counters }: EngineParts): SavedEngine {
  return {
    startTime: engine.market.startTime,
    ids: [...counters],
    market: engine.market.save(),
    hooks: engine.barHooks.list(),
    timers: timers.pending(),
    accounts: [...engine.accounts.values()].map(saveAccount),
    tokenSecret: engine.tokenSecret,
  };
}
