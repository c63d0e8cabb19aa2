import type { Env, Link } from '../../env/index.ts';
import type { Bot, ReplayPosition } from '../../runtime/index.ts';
import type { Client } from '../../wire/index.ts';

export interface DriveOptions {
  bot: Bot;
  onStep(position: ReplayPosition): void;
  /** True once there is no point in going on. */
  isOver(): boolean;
}

/** A replay that a bot is driven through: the paper service over sockets, or in the same process. */
export interface PaperVenue {
  /** What the bot runs in: the machine's time, or the replay's. */
  env: Env;
  link: Link;
  client: Client;
  /** Whose time the service counts its budgets by. */
  budgetClock: 'wall' | 'market';
  /** Driven step by step, so that the order of turns and sends must repeat. */
  isStepped: boolean;
  /** Sends at once. */
  concurrency: number | undefined;
  position(): Promise<ReplayPosition>;
  /** Runs to the end of the tape, or until it is over; answers the market time it ended at. */
  drive(options: DriveOptions): Promise<number>;
}
