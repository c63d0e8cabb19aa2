import { Observable, type Subscriber } from 'rxjs';
import type { CandleRecord } from '../contract/records.ts';
import type { BarColumns, BarTaker } from '../env/BarSpan.ts';
import { INTERVAL_MS, type Interval } from '../contract/intervals.ts';
import type { CandleEvent, CandleOptions } from './CandleEvent.ts';
import type { BarKind, BarPlace } from './createBarSequence.ts';
import { RetainedBars, recordAt } from './RetainedBars.ts';

/** One listener; `started` once it received its history. */
interface View {
  subscriber: Subscriber<CandleEvent>;
  history: number;
  started: boolean;
  onLoaded: CandleOptions['onLoaded'];
  taker: BarTaker | undefined;
  /** Read from the taker once: it is asked at every bar. */
  takes: BarTaker['takes'];
  passive: boolean;
  place: BarPlace | undefined;
}

export interface CandleWindowOptions {
  /** Bars retained for later listeners. */
  size: number;
  interval: Interval;
  /** Market time, epoch milliseconds. */
  now(): number;
  /** A listener is about to join bars that came already. */
  onJoin?: (() => void) | undefined;
}

/**
 * The last closed bars of a symbol and interval, each once and in order. Every listener first gets as much
 * history as it requested, no matter when it subscribed.
 */
export class CandleWindow {
  /** Replaced, never mutated: subscribing or unsubscribing during delivery doesn't affect the delivery. */
  #views: readonly View[] = [];
  readonly #bars: RetainedBars;
  readonly #onJoin: () => void;
  readonly #barMs: number;
  readonly #now: () => number;
  #loaded = false;
  #lastTime = Number.NEGATIVE_INFINITY;

  constructor({ size, interval, now, onJoin = () => {} }: CandleWindowOptions) {
    this.#bars = new RetainedBars(size);
    this.#barMs = INTERVAL_MS[interval];
    this.#now = now;
    this.#onJoin = onJoin;
  }

  get loaded(): boolean {
    return this.#loaded;
  }

  /** Open time of the last closed bar; −∞ before any. */
  get lastTime(): number {
    return this.#lastTime;
  }

  /** Accepts the first closed bars as history. */
  load(bars: readonly CandleRecord[]): void {
    for (const bar of bars) this.#keep(bar);
    this.#loaded = true;
    const views = this.#views;
    for (const view of views) if (!view.started) this.#start(view);
    this.settle();
  }

  /** Bars after the last of these are as if they had not been: they closed in a time that has not come. */
  rewind(closed: readonly CandleRecord[]): void {
    const last = closed.at(-1);
    if (last === undefined || last.time >= this.#lastTime) return;
    const known = this.#bars.last(Infinity).filter(({ time }) => time <= last.time);
    this.#bars.clear();
    this.#lastTime = Number.NEGATIVE_INFINITY;
    for (const bar of known.length > 0 ? known : closed) this.#keep(bar);
  }

  /** Bars may be missing until the next block of them. */
  awaitBlock(): void {
    for (const { started, place } of this.#views) if (started) place?.awaitBlock();
  }

  /** No block will come, not even the history. */
  giveUp(): void {
    const views = this.#views;
    for (const { place } of views) place?.settle();
  }

  /** That block has come. */
  settle(): void {
    const views = this.#views;
    for (const { started, place } of views) if (started) place?.settle();
  }

  /**
   * A bar that closed; one that was seen already is dropped.
   *
   * @param isLate it closed while the connection was lost
   */
  close(bar: CandleRecord, isLate = false): void {
    if (!this.#keep(bar)) return;
    const event = { kind: 'closed', bar, history: false } as const;
    this.#emit(isLate ? { ...event, catchUp: true } : event);
  }

  /** Whether every listener takes bars as columns. */
  get takesColumns(): boolean {
    const views = this.#views;
    for (let at = 0; at < views.length; at++) {
      const { taker, place } = views[at]!;
      if (taker === undefined || place?.isPassing === false) return false;
    }
    return this.#loaded;
  }

  /** Whether no listener decides anything by the next bar. */
  get isPassive(): boolean {
    // With the first bar of all a price is known, which something may wait for.
    if (this.#lastTime === Number.NEGATIVE_INFINITY) return false;
    return this.#loaded && this.#views.every(({ started, passive }) => started && passive);
  }

  /** The first row in [from, to) that a listener has to take; `to` if there is none. */
  next(bars: BarColumns, from: number, to: number): number {
    const views = this.#views;
    let next = to;
    for (let at = 0; at < views.length && next > from; at++) {
      const { started, taker, takes } = views[at]!;
      if (!started || takes === 'none') continue;
      next = taker === undefined || takes === 'each' ? from : taker.next(bars, from, next);
    }
    return next;
  }

  /** A bar that closed just now, as a row of columns. */
  take(bars: BarColumns, at: number): void {
    const views = this.#views;
    this.#keepRows(bars, at, at + 1);
    for (let index = 0; index < views.length; index++) {
      const { started, subscriber, taker, takes } = views[index]!;
      if (!started || subscriber.closed) continue;
      if (taker === undefined)
        this.#hand(views[index]!, { kind: 'closed', bar: recordAt(bars, at), history: false });
      else if (takes === 'none') taker.pass(bars, at, at + 1);
      else if (takes === 'each' || taker.next(bars, at, at + 1) === at) taker.take(bars, at);
      else taker.pass(bars, at, at + 1);
    }
  }

  /** Bars that closed and that no listener has to take. */
  pass(bars: BarColumns, from: number, to: number): void {
    const views = this.#views;
    this.#keepRows(bars, from, to);
    for (let at = 0; at < views.length; at++) {
      const { started, taker } = views[at]!;
      if (started) taker?.pass(bars, from, to);
    }
  }

  form(bar: CandleRecord, isLate = false): void {
    if (bar.time <= this.#lastTime) return;
    const event = { kind: 'forming', bar } as const;
    this.#emit(isLate ? { ...event, catchUp: true } : event);
  }

  forget(): void {
    this.#bars.clear();
    this.#loaded = false;
    this.#lastTime = Number.NEGATIVE_INFINITY;
  }

  /** What one listener receives. */
  view(options: CandleOptions): Observable<CandleEvent> {
    const { history, onLoaded, taker, passive = false, place } = options;
    return new Observable((subscriber) => {
      const takes = taker?.takes;
      const started = false;
      const view = { subscriber, history, started, onLoaded, taker, takes, passive, place };
      if (this.#loaded) {
        this.#onJoin();
        this.#start(view);
        place?.settle();
      }
      this.#views = [...this.#views, view];
      return () => {
        this.#views = this.#views.filter((each) => each !== view);
      };
    });
  }

  #start(view: View): void {
    view.started = true;
    const bars = this.#bars.last(view.history);
    for (const bar of bars) this.#hand(view, { kind: 'closed', bar, history: true });
    const { onLoaded, place } = view;
    if (onLoaded === undefined) return;
    const loaded = (): void => onLoaded(bars.length);
    const last = bars.at(-1);
    if (place === undefined) loaded();
    else place.hand('loaded', last === undefined ? -Infinity : last.time + this.#barMs, loaded);
  }

  /** In its order among the bars of the listener's strategy. */
  #hand({ subscriber, place }: View, event: CandleEvent): void {
    if (place === undefined) return subscriber.next(event);
    const kind = kindOf(event);
    if (kind === 'live' && place.isPassing) return subscriber.next(event);
    const time = event.kind === 'closed' ? event.bar.time + this.#barMs : this.#now();
    place.hand(kind, time, () => subscriber.next(event));
  }

  /** A plain list instead of a Subject: there are millions of bars. */
  #emit(event: CandleEvent): void {
    const views = this.#views;
    for (let at = 0; at < views.length; at++) {
      if (views[at]!.started) this.#hand(views[at]!, event);
    }
  }

  #keepRows(bars: BarColumns, from: number, to: number): void {
    this.#lastTime = bars.time[to - 1]!;
    this.#bars.pushRows(bars, from, to);
  }

  #keep(bar: CandleRecord): boolean {
    if (bar.time <= this.#lastTime) return false;
    this.#lastTime = bar.time;
    this.#bars.push(bar);
    return true;
  }
}

function kindOf(event: CandleEvent): BarKind {
  if (event.catchUp === true) return 'catch_up';
  return event.kind === 'closed' && event.history ? 'history' : 'live';
}
