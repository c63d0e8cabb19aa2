import type { StrategyFault } from '../strategy/index.ts';

/** How often a strategy that ended by its own fault is restarted; absent, never. */
export interface RestartPolicy {
  /** Restarts within {@link withinMs}; after them it stays quarantined. */
  max: number;
  /** Market milliseconds before the first restart; each further one waits twice as long. */
  backoffMs: number;
  /** Market milliseconds. */
  withinMs: number;
}

/** An instance ended by its own fault, or was restarted after one; market time. */
export type LifeEvent = { instance: string; time: number } & (
  | {
      state: 'quarantined';
      fault: StrategyFault;
      /** When it restarts; absent if an operator decides. */
      restartAt?: number;
    }
  | { state: 'restarted'; restart: number; max: number }
);
