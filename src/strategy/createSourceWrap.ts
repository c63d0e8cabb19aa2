import { Observable, type Subscription } from 'rxjs';
import type { ClosedBar } from './Bar.ts';
import { barCause, type Cause } from './causes.ts';
import type { Liveness, Turns } from './createTurns.ts';
import type { CandleEvent } from './StrategySources.ts';

export interface SourceWrap {
  /** Events: each is live and has its own turn. */
  events<T>(source$: Observable<T>, cause: Cause<T>): Observable<T>;
  /** State: its first value existed already, the others are changes. */
  state<T>(source$: Observable<T>, cause: Cause<T>): Observable<T>;
  /** Closed bars, live or not as `livenessOf` returns: the most frequent source by far. */
  bars(
    source$: Observable<CandleEvent>,
    livenessOf: (event: CandleEvent) => Liveness,
  ): Observable<ClosedBar>;
  /** Anything else: `read` returns what an event is, or undefined for one that the plugin doesn't get. */
  custom<E, T>(source$: Observable<E>, read: (event: E) => Delivery<T> | undefined): Observable<T>;
}

export interface Delivery<T> {
  cause: Cause<T>;
  event: T;
  liveness: Liveness;
}

export interface SourceWrapOptions {
  turns: Turns;
  /** Every subscription of the instance is added here, and ends with it. */
  lifetime: Subscription;
  onSourceFailed(error: unknown): void;
}

/**
 * Puts the host between a source and the plugin: events come in turns, an instance that ended gets nothing
 * more, and a source's end or failure reaches the host and not the plugin.
 */
export function createSourceWrap(options: SourceWrapOptions): SourceWrap {
  const { turns, lifetime } = options;

  function connect<E, T>(
    source$: Observable<E>,
    take: (event: E, isFirst: boolean, asked: boolean, deliver: (event: T) => void) => void,
  ): Observable<T> {
    return new Observable<T>((subscriber) => {
      let asked = true;
      let isFirst = true;
      const deliver = (event: T): void => subscriber.next(event);
      const subscription = source$.subscribe({
        next: (event) => {
          const first = isFirst;
          isFirst = false;
          take(event, first, asked, deliver);
        },
        error: (error) => options.onSourceFailed(error),
      });
      asked = false;
      lifetime.add(subscription);
      return subscription;
    });
  }

  function hand<T>(delivery: Delivery<T>, asked: boolean, deliver: (event: T) => void): void {
    const { cause, event, liveness } = delivery;
    if (asked) turns.runNested(cause, event, liveness, deliver);
    else turns.run(cause, event, liveness, deliver);
  }

  return {
    events: (source$, cause) =>
      connect(source$, (event, _first, asked, deliver) =>
        hand({ cause, event, liveness: 'live' }, asked, deliver),
      ),
    state: (source$, cause) =>
      connect(source$, (event, isFirst, asked, deliver) => {
        // If state is subscribed during a decision, it is part of that decision.
        if (asked && turns.isDeciding()) deliver(event);
        else hand({ cause, event, liveness: isFirst ? 'standing' : 'live' }, asked, deliver);
      }),
    bars: (source$, livenessOf) =>
      connect(source$, (event, _first, asked, deliver) => {
        const liveness = livenessOf(event);
        if (event.kind !== 'closed') return;
        if (asked) turns.runNested(barCause, event.bar, liveness, deliver);
        else turns.run(barCause, event.bar, liveness, deliver);
      }),
    custom: (source$, read) =>
      connect(source$, (event, _first, asked, deliver) => {
        const delivery = read(event);
        if (delivery !== undefined) hand(delivery, asked, deliver);
      }),
  };
}
