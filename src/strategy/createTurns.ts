import { barCause, type Cause } from './causes.ts';
import { createReadings, enterReadings, type Reading } from './createReadings.ts';
import type { Bar } from './Bar.ts';
import type { Trigger } from './Emission.ts';
import type { ShownReadings } from './showReadings.ts';

/**
 * Relation of an event to the present. `history`: a bar that closed before the bot was live. `standing`: what
 * existed already (setup, the first value of a state). `catch_up`: a bar that closed while the connection was
 * lost. `live`: it happened just now.
 */
export type Liveness = 'history' | 'standing' | 'catch_up' | 'live';

/** What happens to a decision that is made now, as reported to a plugin. */
export type DecisionLiveness = 'warm_up' | 'catch_up' | 'live';

/** The cause of the present turn, for an intent that is emitted in it. */
export interface Origin {
  cause: string;
  trigger: Trigger;
  /** Counts the turns, which distinguishes two emissions of one turn from emissions of two. */
  turn: number;
  /** Market time of the event, epoch milliseconds. */
  time: number;
}

/** How late a turn is after its event: what it defers is as late. */
export interface Lag {
  lateMs: number;
  isCatchUp: boolean;
}

/**
 * Delivers one event at a time to a strategy, and its cause is known meanwhile. What arrives meanwhile waits
 * for its own turn, unless the strategy requested it right now by subscribing.
 */
export interface Turns {
  run<T>(cause: Cause<T>, event: T, liveness: Liveness, deliver: (event: T) => void): void;
  /** As `run`, inside the present turn: for what a subscription returns at once. */
  runNested<T>(cause: Cause<T>, event: T, liveness: Liveness, deliver: (event: T) => void): void;
  /** Whether a turn other than setup is running. */
  isDeciding(): boolean;
  /** Whether the present turn is about the past: what is decided in it is counted, not sent. */
  isSuppressed(): boolean;
  /** What happens to a decision of the present turn. */
  liveness(): DecisionLiveness;
  /** Lateness of the present turn; undefined if it is in time, and in a timer's turn, whose own time counts. */
  lag(now: number): Lag | undefined;
  /** History has arrived, and comes later: what existed already belongs to warm-up as well. */
  expectHistory(): void;
  /** Adds a reading that no operator has, for as long as the instance lives. */
  keep(reading: Reading): void;
  /** Whether a report asks for what operators compute in each turn. */
  readonly areShown: boolean;
  /** Counts the runs: one event and everything that it caused synchronously. */
  runs(): number;
  /**
   * undefined outside of any turn.
   *
   * @param frameTime market time of the delivered frame: used for an event without a time of its own
   */
  origin(now: number, frameTime?: number): Origin | undefined;
}

interface Waiting {
  cause: Cause<unknown>;
  event: unknown;
  liveness: Liveness;
  deliver: (event: unknown) => void;
}

/** Less lateness is normal processing time. */
const LEAST_LAG_MS = 1_000;

/** @param onRead receives the readings at the end of each turn; left out, no report asks for them */
export function createTurns(
  setup: Cause<undefined>,
  onThrow: (error: unknown) => void,
  onRead?: (shown: ShownReadings) => void,
): Turns {
  // Plain variables instead of a turn object: this runs at every bar, and most bars decide nothing.
  let cause: Cause<unknown> | undefined;
  let event: unknown;
  let liveness: Liveness = 'standing';
  let turn = 0;
  let turnsSoFar = 0;
  let runs = 0;
  let historySeen = false;
  let liveSeen = false;
  let draining = false;
  const waiting: Waiting[] = [];
  const bars = barCause as Cause<unknown>;
  const readings = createReadings(() => (cause === bars ? (event as Bar) : undefined));

  function enter<T>(
    nextCause: Cause<T>,
    nextEvent: T,
    nextLiveness: Liveness,
    deliver: (event: T) => void,
  ): void {
    const outerCause = cause;
    const outerEvent = event;
    const outerLiveness = liveness;
    const outerTurn = turn;
    const outerReadings = enterReadings(readings);
    cause = nextCause as Cause<unknown>;
    event = nextEvent;
    liveness = nextLiveness;
    turn = ++turnsSoFar;
    if (outerCause === undefined && !draining) runs += 1;
    if (nextLiveness === 'history') historySeen = true;
    else if (nextLiveness !== 'standing') liveSeen = true;
    try {
      deliver(nextEvent);
    } catch (error) {
      onThrow(error);
    } finally {
      if (onRead !== undefined) onRead({ readings: readings.all(), isLive: !isSuppressed() });
      cause = outerCause;
      event = outerEvent;
      liveness = outerLiveness;
      turn = outerTurn;
      enterReadings(outerReadings);
    }
    if (cause === undefined && waiting.length > 0 && !draining) drain();
  }

  function drain(): void {
    draining = true;
    for (let index = 0; index < waiting.length; index++) {
      const next = waiting[index]!;
      enter(next.cause, next.event, next.liveness, next.deliver);
    }
    waiting.length = 0;
    draining = false;
  }

  const isSuppressed = (): boolean =>
    cause !== undefined &&
    (liveness === 'history' || (liveness === 'standing' && historySeen && !liveSeen));

  return {
    run(nextCause, nextEvent, nextLiveness, deliver) {
      if (cause === undefined && !draining) enter(nextCause, nextEvent, nextLiveness, deliver);
      else
        waiting.push({
          cause: nextCause,
          event: nextEvent,
          liveness: nextLiveness,
          deliver,
        } as Waiting);
    },
    runNested: enter,
    isDeciding: () => cause !== undefined && cause !== (setup as Cause<unknown>),
    isSuppressed,
    liveness() {
      if (isSuppressed()) return 'warm_up';
      return cause !== undefined && liveness === 'catch_up' ? 'catch_up' : 'live';
    },
    lag(now) {
      if (cause === undefined || cause.isTimer === true) return undefined;
      const isCatchUp = liveness === 'catch_up';
      const lateMs = now - (cause.time?.(event) ?? now);
      return isCatchUp || lateMs >= LEAST_LAG_MS ? { lateMs, isCatchUp } : undefined;
    },
    expectHistory: () => void (historySeen = true),
    keep: (reading) => void readings.keep(reading),
    areShown: onRead !== undefined,
    runs: () => runs,
    origin(now, frameTime = now) {
      if (cause === undefined) return undefined;
      const trigger = readings.beside(cause.trigger(event));
      const time = cause.time?.(event) ?? frameTime;
      return { cause: cause.name(event, now), trigger, turn, time };
    },
  };
}
