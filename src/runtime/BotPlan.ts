import type { Dialect, InstrumentRecord, Interval, Scope } from '../contract/index.ts';
import type { GuardLimits } from '../guards/index.ts';
import type { Strategy } from '../strategy/defineStrategy.ts';
import type { Isolation } from '../strategy/index.ts';
import type { RestartPolicy } from './RestartPolicy.ts';

/** One strategy instance, loaded and checked. */
export interface PlannedStrategy {
  strategy: Strategy;
  /** Defaults filled in. */
  params: Record<string, unknown>;
  name: string;
  /** What it owns on its wallet. */
  symbols: readonly string[];
  /** Connection id. */
  wallet: string;
  /** Of the wallet's equity, above 0 and at most 1. */
  capitalShare: number;
  restart?: RestartPolicy | undefined;
  /** Runs in a thread of its own; absent, in the bot's. */
  isolation?: Isolation | undefined;
}

/** Everything that a bot needs to know before it starts. */
export interface BotPlan {
  dialect: Dialect;
  seed: number | string;
  strategies: readonly PlannedStrategy[];
  guards: GuardLimits;
  /** `reattach`: a stop that the service retired while its position stands is offered again; default `off`. */
  protection?: 'reattach' | 'off';
  budget: {
    /** Weight a minute that the service grants. */
    limit: number;
    share: number;
    reserveShare: number;
    reserveFloor: number;
    /** `market`: the service counts replay time (`budget_clock: replay`). */
    clock: 'wall' | 'market';
    /** What the service says is left of it at the start: an earlier process may have spent the rest. */
    remaining?: number;
  };
  /** Sends at once; 1 on a replay at maximum speed. */
  concurrency: number;
  instruments: readonly InstrumentRecord[];
  /** Scopes of the key; null where they are not known. */
  scopes: readonly Scope[] | null;
  /** Wall milliseconds between snapshots asked for as a check; null for never (a replay). */
  resyncMs: number | null;
  /** Interval of the bars that a symbol is valued by. */
  markInterval(symbol: string): Interval;
}
