import type { Budget, Lane } from '../../budget/index.ts';
import type { ServiceRequest } from '../../contract/index.ts';
import type { Cancel, MarketClock } from '../../env/index.ts';
import type { Judgement } from '../../guards/index.ts';
import type { Journal } from '../../journal/index.ts';
import type { Emission } from '../../strategy/Emission.ts';
import type { SendingOptions } from './createSending.ts';
import type { PendingIntent, Room } from './createRowReservations.ts';
import type { PersistedIntent } from './PersistedIntent.ts';
import type { PipeEvent } from '../PipeEvent.ts';

/** An emission as a request, with what the guards say of it. */
export interface Prepared {
  request: ServiceRequest;
  lane: Lane;
  weight: number;
  /** It may add exposure. */
  opens: boolean;
  verdict: Judgement;
  /** Only a maintained row is lacking, and can be had: it waits, and is evaluated anew. */
  room?: Room | undefined;
}

/** An emission that can become a request, or why it can't. */
export type Preparation = { ok: true; prepared: Prepared } | { ok: false; reason: string };

type FromPipe =
  'tell' | 'requeue' | 'whyTooLate' | 'isPastEnd' | 'isClosed' | 'detach' | 'background' | 'steps';

export interface PipeOptions extends Omit<SendingOptions, FromPipe> {
  market: MarketClock;
  journal: Journal;
  budget: Budget;
  /** Waits on the budget's own clock: market time on a replay, wall time live. */
  at(time: number, run: () => void): Cancel;
  /** Turns an emission into a request and evaluates it. */
  prepare(emission: Emission, key: string): Preparation;
  /** Resumes what waited for a maintained row; calls back when it is to be looked at again. */
  waitForRow(pendingIntent: PendingIntent, wake: () => void): void;
  onEvent(event: PipeEvent): void;
  /** Why an intent may not add exposure now; undefined where it may. */
  whyNoEntry(emission: Emission): string | undefined;
  /** The journal failed: nothing more is sent. */
  onFatal(error: unknown): void;
  /** 1 on a replay at maximum speed: sends go one at a time, in the order of their intents. */
  concurrency: number;
  /** What an instance may take of a lane that is full, in relation to the others. */
  shareOf(instance: string): number;
  /** Requests under way that only market time brings further; absent where there are none. */
  held?: (() => number) | undefined;
}

export interface Pipe {
  /** Takes an intent at once: its verdict is known when this returns, its sending follows. */
  submit(emission: Emission): void;
  /** Goes on with an intent that the journal holds from an earlier process. */
  resume(kept: PersistedIntent): void;
  /**
   * The same is on its way already, and this would come after it: one waits for its turn, or as many as may
   * try at once rest before they are sent again. One that is under way is no reason: its line may be dead.
   */
  isPending(emission: Emission): boolean;
  /** What waits is looked at again: entries that may no longer be sent end at once. */
  reconsider(): void;
  /** Ends an intent of an earlier process that was never sent and is too late now. */
  drop(kept: PersistedIntent, reason: string): void;
  /** Sends at once what would go out after this turn, for a loop that waits for nothing. */
  flush(): void;
  /**
   * Resolves when nothing is being sent or found out about; what waits for the budget's clock may
   * wait on.
   */
  settled(): Promise<void>;
  /** Nothing is being sent or found out about: {@link Pipe.settled} would resolve at once. */
  isIdle(): boolean;
  /** No further sends; resolves when those under way are concluded. */
  close(): Promise<void>;
  /** Requests sent so far. */
  sends(): number;
}
