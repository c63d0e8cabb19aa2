// What a reader can ask for; the page itself asks nothing of a network.
import type { CandlesView, UnansweredRow } from '../../state/BotView.ts';

export type KillLevel = 'L1' | 'L2' | 'L3' | 'L4';

export type Command =
  | { kind: 'kill'; level: KillLevel }
  | { kind: 'rearm' }
  | { kind: 'pause' | 'resume'; strategy: string }
  | { kind: 'settle'; row: Pick<UnansweredRow, 'key' | 'strategy' | 'symbol'> };

export interface PageAsks {
  /** The explanation of an intent. */
  onExplain(key: string): void;
  /** What the bot did on a day of UTC, `2026-11-23`. */
  onDay(day: string): void;
  /** A command is wanted; its reason and its token are still to be asked for. */
  onCommand(command: Command): void;
  /** Candles of a symbol; undefined if there are none. */
  readCandles(symbol: string): Promise<CandlesView | undefined>;
}

/** The bot's own times at which the page is drawn, epoch milliseconds. */
export interface Times {
  market: number;
  wall: number;
}
