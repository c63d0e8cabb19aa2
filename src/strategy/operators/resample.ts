import type { OperatorFunction, Subscriber } from 'rxjs';
import {
  barCloseTime,
  barOpenTime,
  INTERVAL_MS,
  withCode,
  type Interval,
} from '../../contract/index.ts';
import type { ClosedBar } from '../Bar.ts';
import { step } from './step.ts';

/**
 * Closed bars of a shorter interval → closed bars of a longer one, aligned as the service aligns them.
 *
 * A bar is emitted as soon as its last part has closed; if that part is missing (a minute without a trade has
 * no bar), with the first part of a later bar. Only complete bars: a first one that started before the stream
 * did is left out, and so is a last one that the stream's end cuts off. An interval without any part has no
 * bar. Parts that aren't newer than the last one are ignored.
 *
 * The stream ends with a RangeError if the interval isn't a multiple of the parts' interval, or if the parts
 * are of more than one symbol or interval.
 *
 * ```ts
 * ctx.candles(ctx.symbol, '15m').pipe(resample('1h'));
 * ```
 */
export function resample(interval: Interval): OperatorFunction<ClosedBar, ClosedBar> {
  return step(() => {
    const resampler = new Resampler(interval);
    return (part, out) => resampler.next(part, out);
  });
}

class Resampler {
  readonly #interval: Interval;
  #first: ClosedBar | null = null;
  /** Open time of the last part; NaN before the first. */
  #lastTime = NaN;
  /** The bar in progress, and the time at which it closes; none before the first complete one. */
  #bar: Mutable<ClosedBar> | null = null;
  #closeTime = Infinity;

  constructor(interval: Interval) {
    this.#interval = interval;
  }

  next(part: ClosedBar, out: Subscriber<ClosedBar>): void {
    this.#first ??= this.#check(part);
    if (part.symbol !== this.#first.symbol || part.interval !== this.#first.interval) {
      throw withCode(
        'TRIMTAB_OPERATOR_BARS',
        new RangeError('resample takes bars of one symbol and interval.'),
      );
    }
    if (part.time <= this.#lastTime) return;
    if (part.time >= this.#closeTime) this.#give(out);
    this.#add(part);
    this.#lastTime = part.time;
    if (barCloseTime(part.time, part.interval) >= this.#closeTime) this.#give(out);
  }

  #check(part: ClosedBar): ClosedBar {
    if (INTERVAL_MS[this.#interval] % INTERVAL_MS[part.interval] === 0) return part;
    throw withCode(
      'TRIMTAB_OPERATOR_BARS',
      new RangeError(`Bars of ${part.interval} don't add up to bars of ${this.#interval}.`),
    );
  }

  #add(part: ClosedBar): void {
    const bar = this.#bar;
    if (bar === null) {
      this.#open(part);
      return;
    }
    bar.high = Math.max(bar.high, part.high);
    bar.low = Math.min(bar.low, part.low);
    bar.close = part.close;
    bar.volume += part.volume;
  }

  #open(part: ClosedBar): void {
    const time = barOpenTime(part.time, this.#interval);
    // Parts of the very first bar may have been missed; those of a later one can't.
    const whole = part.time === time || barOpenTime(this.#lastTime, this.#interval) < time;
    if (!whole) return;
    this.#bar = { ...part, interval: this.#interval, time };
    this.#closeTime = barCloseTime(time, this.#interval);
  }

  #give(out: Subscriber<ClosedBar>): void {
    const bar = this.#bar;
    this.#bar = null;
    this.#closeTime = Infinity;
    if (bar !== null) out.next(bar);
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
