import { Observable, Subject } from 'rxjs';
import type { CandleRecord } from '../contract/records.ts';
import type { CandleEvent } from './CandleEvent.ts';

type Signal = CandleEvent | { kind: 'loaded' };

/**
 * The last closed bars of a symbol and interval, each of them once and in order. Every listener first
 * gets as much history as it asked for, whether it came first or later.
 */
export class CandleWindow {
  readonly #signals = new Subject<Signal>();
  readonly #size: number;
  #bars: CandleRecord[] = [];
  #loaded = false;
  #lastTime = Number.NEGATIVE_INFINITY;

  /** @param size bars kept for listeners that come later */
  constructor(size: number) {
    this.#size = size;
  }

  get loaded(): boolean {
    return this.#loaded;
  }

  /** Open time of the last closed bar; −∞ before any. */
  get lastTime(): number {
    return this.#lastTime;
  }

  /** Takes the first closed bars as history. */
  load(bars: readonly CandleRecord[]): void {
    for (const bar of bars) this.#keep(bar);
    this.#loaded = true;
    this.#signals.next({ kind: 'loaded' });
  }

  /** A bar that closed; one that was seen already is dropped. */
  close(bar: CandleRecord): void {
    if (this.#keep(bar)) this.#signals.next({ kind: 'closed', bar, history: false });
  }

  form(bar: CandleRecord): void {
    if (bar.time > this.#lastTime) this.#signals.next({ kind: 'forming', bar });
  }

  forget(): void {
    this.#bars = [];
    this.#loaded = false;
    this.#lastTime = Number.NEGATIVE_INFINITY;
  }

  /** What one listener sees. */
  view(history: number): Observable<CandleEvent> {
    return new Observable((subscriber) => {
      let started = false;
      const start = (): void => {
        started = true;
        for (const bar of this.#last(history)) {
          subscriber.next({ kind: 'closed', bar, history: true });
        }
      };
      if (this.#loaded) start();
      return this.#signals.subscribe((signal) => {
        if (signal.kind !== 'loaded') {
          if (started) subscriber.next(signal);
        } else if (!started) start();
      });
    });
  }

  #last(count: number): CandleRecord[] {
    return count === 0 ? [] : this.#bars.slice(-count);
  }

  #keep(bar: CandleRecord): boolean {
    if (bar.time <= this.#lastTime) return false;
    this.#lastTime = bar.time;
    this.#bars.push(bar);
    // Trimmed rarely and by half, so that a bar costs no shift of the whole window.
    if (this.#bars.length > 2 * this.#size) this.#bars = this.#bars.slice(-this.#size);
    return true;
  }
}
