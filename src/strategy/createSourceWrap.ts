import { Observable, type Subscription } from 'rxjs';
import type { Interval } from '../contract/index.ts';
import type { ClosedBar } from './Bar.ts';
import { barCause, type Cause } from './causes.ts';
import type { Turns } from './createTurns.ts';
import type { Delivery } from './Delivery.ts';
import type { BarTaker } from '../env/index.ts';
import type { CandleEvent, StrategySources } from './StrategySources.ts';
import { SubscribedRows } from './rows/SubscribedRows.ts';
import { stageOf } from './rows/RowStage.ts';
import { takeRows } from './rows/takeRows.ts';
import { subscribingOperator } from './subscribingOperator.ts';
import type { BarLiveness } from './warmUp.ts';

export interface SourceWrap {
  /** Events: each is live and has its own turn. */
  events<T>(source$: Observable<T>, cause: Cause<T>): Observable<T>;
  /** State: its first value existed already, the others are changes. */
  state<T>(source$: Observable<T>, cause: Cause<T>): Observable<T>;
  /** Closed bars of a symbol, live or not as `liveness` says: the most frequent source by far. */
  bars(source: BarSource, liveness: BarLiveness): Observable<ClosedBar>;
  /** Anything else: `read` returns what an event is, or undefined for one that the plugin doesn't get. */
  custom<E, T>(source$: Observable<E>, read: (event: E) => Delivery<T> | undefined): Observable<T>;
}

/** A stream of closed bars, which come as events or as rows. */
export interface BarSource {
  symbol: string;
  interval: Interval;
  /** Of the plugin's call. */
  stack: string;
  open(taker: BarTaker): Observable<CandleEvent>;
}

export interface SourceWrapOptions {
  turns: Turns;
  /** Every subscription of the instance is added here, and ends with it. */
  lifetime: Subscription;
  onSourceFailed(error: unknown): void;
  sources: Pick<StrategySources, 'spans'>;
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
    bars: ({ symbol, interval, stack, open }, liveness) =>
      new Observable((subscriber) => {
        const rows = new SubscribedRows(symbol, interval, options.sources.spans);
        const taker = takeRows(subscriber, { rows, liveness, turns });
        const stage = stageOf(subscriber);
        if (stage === undefined || stage.isLast === true) {
          const known = stage === undefined ? 0 : 1;
          const describe = () => ({ symbol, interval, operator: subscribingOperator(known) });
          options.sources.spans?.noteReader(stack, describe);
        }
        return connect<CandleEvent, ClosedBar>(open(taker), (event, _first, asked, deliver) => {
          const lively = liveness.of(event);
          if (event.kind !== 'closed') return;
          rows.takeBar(event.bar);
          if (asked) turns.runNested(barCause, event.bar, lively, deliver);
          else turns.run(barCause, event.bar, lively, deliver);
        }).subscribe(subscriber);
      }),
    custom: (source$, read) =>
      connect(source$, (event, _first, asked, deliver) => {
        const delivery = read(event);
        if (delivery !== undefined) hand(delivery, asked, deliver);
      }),
  };
}
