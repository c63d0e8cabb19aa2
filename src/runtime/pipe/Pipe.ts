import type { Budget, Lane } from '../../budget/index.ts';
import type { ServiceRequest } from '../../contract/index.ts';
import type { Cancel, MarketClock } from '../../env/index.ts';
import type { Entry, GuardEvaluation } from '../../guards/index.ts';
import type { Reduction } from '../../intents/IntentEffect.ts';
import type { Journal } from '../../journal/index.ts';
import type { Emission } from '../../strategy/Emission.ts';
import type { SendingOptions } from './createSending.ts';
import type { PendingIntent, Room } from './createRowReservations.ts';
import type { PersistedIntent } from './PersistedIntent.ts';
import type { PipeEvent } from '../PipeEvent.ts';
import type { Meant, Refs, Resized } from '../wallet/index.ts';

/** An emission as a request, with the guards' verdict. */
export interface Prepared {
  request: ServiceRequest;
  lane: Lane;
  weight: number;
  /** It may add exposure. */
  opens: boolean;
  /** Symbols on which it may, as the guards saw them: a change names none itself. */
  enters?: readonly string[];
  verdict: GuardEvaluation;
  /** Exposure that it adds by changing something else, which the intent alone does not show. */
  added?: readonly Entry[];
  /** The same of what it closes. */
  reduced?: readonly Reduction[];
  /** The size that it gives to an order that is there. */
  resized?: Resized | undefined;
  /**
   * The one name of the order or execution that it changes, if the request has another: both ids of a record name the
   * same.
   */
  target?: string | undefined;
  /** Only a maintained row is lacking, and can be freed: it waits, and is evaluated again. */
  room?: Room | undefined;
}

/** An emission that can become a request, or why it can't. */
export type Preparation = { ok: true; prepared: Prepared } | { ok: false; reason: string };

type FromPipe =
  | 'report'
  | 'requeue'
  | 'explainTooLate'
  | 'isPastEnd'
  | 'isClosed'
  | 'detach'
  | 'background'
  | 'steps'
  | 'comesBack'
  | 'beforeSending';

export interface PipeOptions extends Omit<SendingOptions, FromPipe> {
  market: MarketClock;
  /** Market time as far as it is known, epoch milliseconds; never before `market.now()`. */
  present(): number;
  journal: Journal;
  budget: Budget;
  /** Waits on the budget's clock: market time on a replay, wall time live. */
  at(time: number, run: () => void): Cancel;
  /** Turns an emission into a request, which names what its ref meant at the decision, and evaluates it. */
  prepare(emission: Emission, key: string, meant?: Meant): Preparation;
  /** Resumes what waited for a maintained row; calls back when it is to be evaluated again. */
  waitForRow(pendingIntent: PendingIntent, wake: () => void): void;
  /** Absent if there are no refs. */
  meant?: Refs['meant'];
  onEvent(event: PipeEvent): void;
  /** Why an intent may not add exposure now; undefined if it may. */
  entryRefusal(emission: Emission, enters?: readonly string[]): string | undefined;
  /** The journal failed: nothing more is sent. */
  onFatal(error: unknown): void;
  /** Concurrent sends; 1 on a replay at maximum speed. */
  concurrency: number;
  /**
   * Whether all that the budget admits is sent in the order of the emissions, not by lanes (false): on a replay, where
   * only the budget makes anything wait.
   */
  inOrder?: boolean;
  /** An instance's share of a lane that is full, relative to the others. */
  shareOf(instance: string): number;
  /** Requests in flight that only market time advances; absent if there are none. */
  held?: (() => number) | undefined;
}

export interface Pipe {
  /** Accepts an intent synchronously: its verdict is known when this returns, its sending follows. */
  submit(emission: Emission): void;
  /** Goes on with an intent that the journal holds from an earlier process. */
  resume(persisted: PersistedIntent): void;
  /**
   * Whether an equal intent is pending and this one would come after it: one waits for its turn, or as many as
   * may try at once rest before they are sent again. One that is in flight does not count: its connection may
   * be dead.
   */
  isPending(emission: Emission): boolean;
  /** The streams show more than before: what waits for an id has it now, perhaps. */
  shown(): void;
  /** Checks what waits again: entries that may no longer be sent end at once. */
  reconsider(): void;
  /** Ends an intent of an earlier process that was never sent and is too late now. */
  drop(persisted: PersistedIntent, reason: string): void;
  /** Sends at once what would go out after this turn, for a loop that does not wait. */
  flush(): void;
  /** Resolves when nothing is being sent or reconciled; what waits for the budget's clock may go on waiting. */
  settled(): Promise<void>;
  /** Whether nothing is being sent or reconciled: {@link Pipe.settled} would resolve at once. */
  isIdle(): boolean;
  /** No further sends; resolves when those in flight are concluded. */
  close(): Promise<void>;
  /** Requests sent so far. */
  sends(): number;
}
