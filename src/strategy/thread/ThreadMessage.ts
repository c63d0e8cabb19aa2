import type { InstrumentRecord, Interval } from '../../contract/index.ts';
import type { LogFields } from '../../env/index.ts';
import type { Emission } from '../Emission.ts';
import type { PersistedState } from '../openState.ts';
import type { PlotLine } from '../PlotLine.ts';
import type { StrategyFault } from '../StrategyFault.ts';
import type { StrategyNotice } from '../StrategyNotice.ts';

/** Everything that a thread needs to run an instance. Nothing secret is in it. */
export interface ThreadSpec {
  /** The plugin, as a configuration names it, and the folder to which that name is relative. */
  use: string;
  directory: string;
  /** As configured; the thread's copy of the plugin checks them again. */
  params: Readonly<Record<string, unknown>>;
  instance: string;
  wallet: string;
  symbols: readonly string[];
  capitalShare: number;
  /** What decisions are identified under beside the instance; undefined for the wallet. */
  account: string | undefined;
  pacemakerMinSeconds: number | undefined;
  instruments: readonly InstrumentRecord[];
  /** Seed of the instance's random numbers. */
  seed: string;
  /** Megabytes that it may use at the end of a turn. */
  memoryMb: number;
  /** Whether a report asks for what it computes. */
  plots: boolean;
  persisted: PersistedState | undefined;
  /** Market time, epoch milliseconds. */
  now: number;
}

/** One of `StrategySources`, by name. */
export type SourceName =
  | { name: 'account$' | 'balances$' | 'fills$' | 'orders$' | 'watch$' | 'executions$' }
  | { name: 'monitors$' | 'refs$' | 'funding$' | 'outcomes$' }
  | { name: 'position'; symbol: string }
  | { name: 'price' | 'market'; symbol: string; stack?: string | undefined }
  | { name: 'book'; symbol: string; depth?: number | undefined; stack?: string | undefined }
  | {
      name: 'candles';
      symbol: string;
      interval: Interval;
      options: { history: number; forming: boolean; stack?: string };
    };

/** What a source delivers to one of its subscribers. */
export type SourceMessage =
  | { kind: 'event'; subscription: number; event: unknown }
  | { kind: 'failed'; subscription: number; reason: string };

/**
 * Messages into the thread; each is one turn there, and is answered by `done`. `now` is market time, and
 * `frameTime` that of the delivering frame.
 */
export type ToThread = { now: number; frameTime?: number | undefined } & (
  | SourceMessage
  | { kind: 'start' }
  | { kind: 'stop' }
  /** Waits for pending promises and timers at the end of the run. */
  | { kind: 'settle' }
  /** A task is due. */
  | { kind: 'due'; task: number; isLate: boolean }
);

/** Calls for whose result the thread waits, as for a function. */
export type ThreadCall =
  | { kind: 'subscribe'; subscription: number; source: SourceName }
  | { kind: 'emission'; emission: Emission }
  | { kind: 'state'; persisted: PersistedState };

/** The result of a synchronous call: what it caused is delivered before the call returns. */
export interface CallAnswer {
  messages: SourceMessage[];
  /** What the call threw. */
  error?: string;
}

/** Messages out of the thread. */
export type FromThread =
  | { kind: 'call'; call: ThreadCall }
  /** No content: a wait until everything before it was processed. */
  | { kind: 'sync' }
  /** The plugin is loaded, and turns begin. */
  | { kind: 'ready' }
  /** A turn has ended; the counts are the instance's. */
  | { kind: 'done'; emitted: number; suppressed: number }
  | { kind: 'fault'; fault: StrategyFault; hasEnded: boolean }
  | { kind: 'notice'; notice: StrategyNotice }
  | { kind: 'unsubscribe'; subscription: number }
  | { kind: 'at'; task: number; time: number }
  | { kind: 'cancel'; task: number }
  /** What a turn computed for a report: lines not sent before, and `[line, time, value]` one after the other. */
  | { kind: 'plots'; lines: readonly PlotLine[]; values: readonly number[] }
  | { kind: 'log'; level: LogLevel; message: string; fields: LogFields };

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
