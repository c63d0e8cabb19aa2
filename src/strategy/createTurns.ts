import { barCause, type Cause } from './causes.ts';
import { createReadings, enterReadings } from './createReadings.ts';
import type { Bar } from './Bar.ts';
import type { Trigger } from './Emission.ts';

/**
 * How an event stands to the present. `history`: a bar that closed before the bot looked. `standing`:
 * what was so already (setup, the first value of a state). `catch_up`: a bar that closed while the line was
 * gone. `live`: it happened just now.
 */
export type Liveness = 'history' | 'standing' | 'catch_up' | 'live';

/** What becomes of a decision that is made now, as a plugin is told. */
export type DecisionLiveness = 'warm_up' | 'catch_up' | 'live';

/** What the present turn was caused by, for an intent that is emitted in it. */
export interface Origin {
  cause: string;
  trigger: Trigger;
  /** Counts the turns, so that two emissions of one turn can be told from emissions of two. */
  turn: number;
  /** Market time of the event, epoch milliseconds. */
  time: number;
}

/** How far a turn is behind its event: what is put off in it until later is as late. */
export interface Lag {
  lateMs: number;
  isCatchUp: boolean;
}

/**
 * One event at a time goes into a strategy, and while it does, its cause is known. What arrives
 * meanwhile waits for its own turn, unless the strategy asked for it right now by subscribing.
 */
export interface Turns {
  run<T>(cause: Cause<T>, event: T, liveness: Liveness, deliver: (event: T) => void): void;
  /** As `run`, inside the present turn: for what a subscription answers at once. */
  runNested<T>(cause: Cause<T>, event: T, liveness: Liveness, deliver: (event: T) => void): void;
  /** A turn other than setup is on. */
  isDeciding(): boolean;
  /** The present turn looks at the past: what is decided in it is counted, not sent. */
  isSuppressed(): boolean;
  /** What becomes of a decision of the present turn. */
  liveness(): DecisionLiveness;
  /** Of the present turn; undefined where it is in time, and in a timer's, whose own time counts. */
  lag(now: number): Lag | undefined;
  /** Counts the runs: one event and everything that came of it at once. */
  runs(): number;
  /**
   * undefined outside of any turn.
   *
   * @param frameTime market time of the frame that is delivered: that of an event with no time of its own
   */
  origin(now: number, frameTime?: number): Origin | undefined;
}

interface Waiting {
  cause: Cause<unknown>;
  event: unknown;
  liveness: Liveness;
  deliver: (event: unknown) => void;
}

/** Less is the machine's own doing. */
const LEAST_LAG_MS = 1_000;

export function createTurns(setup: Cause<undefined>, onThrow: (error: unknown) => void): Turns {
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
    runs: () => runs,
    origin(now, frameTime = now) {
      if (cause === undefined) return undefined;
      const trigger = readings.beside(cause.trigger(event));
      const time = cause.time?.(event) ?? frameTime;
      return { cause: cause.name(event, now), trigger, turn, time };
    },
  };
}
