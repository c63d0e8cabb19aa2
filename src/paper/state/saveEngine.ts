import type { EngineTimers } from '../engine/EngineTimers.ts';
import type { EngineState } from '../engine/EngineState.ts';
import { saveAccount } from './saveAccount.ts';
import type { SavedEngine } from './SavedEngine.ts';

/** The parts of an engine that have state. */
export interface EngineParts {
  engine: EngineState;
  timers: EngineTimers;
  /** Last number issued, by kind of id. */
  counters: Map<string, number>;
}

/** An engine's state as plain data. Not all of it is copied: write it before the engine continues. */
export function saveEngine({ engine, timers, counters }: EngineParts): SavedEngine {
  engine.barHooks.loosen();
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
