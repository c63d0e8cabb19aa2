import type { Env, Link, Timers } from '../../env/index.ts';
import type { Bot, ReplayPosition } from '../../runtime/index.ts';
import type { Client } from '../../wire/index.ts';

export interface DriveOptions {
  bot: Bot;
  onStep(position: ReplayPosition): void;
  /** True once there is no point in continuing. */
  isOver(): boolean;
}

/** A replay that a bot is driven through: the paper service over sockets, or in the same process. */
export interface PaperVenue {
  /** The bot's environment: the machine's time, or the replay's. */
  env: Env;
  /** The machine's timers. */
  timers: Timers;
  link: Link;
  client: Client;
  /** The clock by which the service counts its budgets. */
  budgetClock: 'wall' | 'market';
  /** Driven step by step, so that the order of turns and sends must be reproducible. */
  isStepped: boolean;
  /** Concurrent sends. */
  concurrency: number | undefined;
  position(): Promise<ReplayPosition>;
  /** Runs to the end of the tape, or until it is stopped; returns the market time of its end. */
  drive(options: DriveOptions): Promise<number>;
}
