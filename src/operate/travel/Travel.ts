import type { IntentLife } from '../../journal/index.ts';
import type { CandlesView, WholeView } from '../state/index.ts';

/** What was recorded of a bot, and for how long. */
export interface TravelAbout {
  /** The bot's. */
  name: string;
  source: 'recording' | 'journal';
  /** As it was named. */
  path: string;
  /** Times of the first and the last view, epoch milliseconds; market time. */
  from: number;
  until: number;
  /** Number of instants at which something changed. */
  changes: number;
  /** Whether intents can be explained. */
  explains: boolean;
  /** False for a recording that ends before its bot did. */
  isComplete: boolean;
}

/** A bot as it was: the views of a recording, or what a journal alone has. */
export interface Travel {
  readonly about: TravelAbout;
  /** The view as it was at a time, epoch milliseconds; the first one for an earlier time. */
  at(time: number): WholeView;
  /** Times of the changes before and after a time; null if there is none. */
  around(time: number): { before: number | null; after: number | null };
  /** The bars that had closed by then, with what had happened on them; undefined for an unknown symbol. */
  candles(symbol: string, time: number): CandlesView | undefined;
  /** An intent's life; a sentence if there is none, or several. */
  life(key: string): Promise<IntentLife | string>;
  close(): Promise<void>;
}
