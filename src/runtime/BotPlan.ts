import type { Dialect, InstrumentRecord, Interval, Scope } from '../contract/index.ts';
import type { GuardLimits } from '../guards/index.ts';
import type { Strategy } from '../strategy/defineStrategy.ts';
import type { Isolation } from '../strategy/index.ts';
import type { RestartPolicy } from './RestartPolicy.ts';

/** One strategy instance, loaded and validated. */
export interface PlannedStrategy {
  strategy: Strategy;
  /** With defaults filled in. */
  params: Record<string, unknown>;
  name: string;
  /** The symbols that it owns on its wallet. */
  symbols: readonly string[];
  /** Connection id. */
  wallet: string;
  /** Share of the wallet's equity, above 0 and at most 1. */
  capitalShare: number;
  restart?: RestartPolicy | undefined;
  /** Runs in its own thread; absent, in the bot's. */
  isolation?: Isolation | undefined;
  /** Which version of it decides, if not its first: part of its decisions' identity and of its state's name. */
  version?: string | undefined;
  /** The version before that, whose state it may begin with. */
  former?: string | undefined;
  /** Another version of it, which runs beside it on a virtual account; absent for none. */
  shadow?: PlannedShadow | undefined;
}

/** A version of a strategy that gets the same market data, and sends nothing. */
export interface PlannedShadow {
  strategy: Strategy;
  /** As configured; {@link strategy} has accepted them. */
  params: Readonly<Record<string, unknown>>;
  /** The plugin, as configured, and the folder to which that name is relative. */
  use: string;
  directory: string;
  /** {@link params} with defaults filled in. */
  accepted: Record<string, unknown>;
  /** Part of the strategy's capital at the stage canary, above 0 and at most 1. */
  canary: number;
  /** Runs in its own thread; absent, in the bot's. */
  isolation: Isolation | undefined;
}

/** Everything that a bot needs to know before it starts. */
export interface BotPlan {
  dialect: Dialect;
  seed: number | string;
  strategies: readonly PlannedStrategy[];
  guards: GuardLimits;
  /** `reattach`: a stop that the service retired while its position is open is submitted again; default `off`. */
  protection?: 'reattach' | 'off';
  budget: {
    /** Weight per minute that the service grants. */
    limit: number;
    share: number;
    reserveShare: number;
    reserveFloor: number;
    /** `market`: the service counts replay time (`budget_clock: replay`). */
    clock: 'wall' | 'market';
    /** Weight left at the start, as the service reports it: an earlier process may have spent the rest. */
    remaining?: number;
  };
  /** Concurrent sends; 1 on a replay at maximum speed. */
  concurrency: number;
  instruments: readonly InstrumentRecord[];
  /** Scopes of the key; null if they are not known. */
  scopes: readonly Scope[] | null;
  /** Wall milliseconds between snapshots requested as a check; null for never (a replay). */
  resyncMs: number | null;
  /** Interval of the bars by which a symbol is valued. */
  markInterval(symbol: string): Interval;
}
