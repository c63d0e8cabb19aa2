import {
  barCloseTime,
  barOpenTime,
  INTERVAL_MS,
  type CandleRecord,
  type Interval,
} from '../contract/index.ts';
import { CandleWindow } from '../streams/CandleWindow.ts';
import { testRefusal } from './testRefusal.ts';

/**
 * A bar of a test. A number is its close: it opens at the close before it, and its extremes are those two.
 * Of an object, `time` (its open, epoch milliseconds) follows the bar before, `volume` is 1 if left out.
 */
export type TestBar =
  | number
  | {
      readonly time?: number;
      readonly open?: number;
      readonly high?: number;
      readonly low?: number;
      readonly close: number;
      readonly volume?: number;
    };

/** As many bars as the service retains for a subscription (conventions §5). */
const MOST_BARS = 5_000;

/** The bars of one symbol and interval: what a test writes becomes records, each in its place. */
export class BarFeed {
  readonly window: CandleWindow;
  /** Whether the strategy ever requested these bars. */
  requested = false;
  readonly name: string;
  readonly #interval: Interval;
  #last: CandleRecord | undefined;

  /** @param now market time, epoch milliseconds */
  constructor(symbol: string, interval: Interval, now: () => number) {
    this.window = new CandleWindow({ size: MOST_BARS, interval, now });
    this.name = `${symbol} ${interval}`;
    this.#interval = interval;
  }

  /** Close of the last bar, epoch milliseconds. */
  get closedUntil(): number {
    return this.#last === undefined ? -Infinity : barCloseTime(this.#last.time, this.#interval);
  }

  #requireBars(inputs: unknown): void {
    if (Array.isArray(inputs)) return;
    const what = `bars of ${this.name}: ${JSON.stringify(inputs)} is not a list.`;
    throw testRefusal(what, 'Write closes or bars in a list: [100, 98].');
  }

  /** The next bars, of which the first opens at `now` or later unless it has a time of its own. */
  live(inputs: readonly TestBar[], now: number): CandleRecord[] {
    this.#requireBars(inputs);
    const first = Math.max(this.closedUntil, barOpenTime(now, this.#interval));
    return this.#toRecords(inputs, first, (record, at) => {
      if (barCloseTime(record.time, this.#interval) >= now) return;
      throw testRefusal(
        `bars of ${this.name}: bar ${at} closes at ${iso(barCloseTime(record.time, this.#interval))}, before the present of the test, ${iso(now)}.`,
        "Set `startTime` to the open of the first bar, or give it as history: { liveness: 'warm_up' }.",
      );
    });
  }

  /** Bars that had closed by `now`, the last of them just before unless they have times of their own. */
  history(inputs: readonly TestBar[], now: number): CandleRecord[] {
    this.#requireBars(inputs);
    if (this.window.loaded) {
      throw testRefusal(
        `bars of ${this.name}: history comes once, and before all other bars.`,
        "Give all of it in the first call for that symbol and interval: { liveness: 'warm_up' }.",
      );
    }
    const end = barOpenTime(now, this.#interval);
    return this.#toRecords(inputs, end - inputs.length * INTERVAL_MS[this.#interval], (bar, at) => {
      if (barCloseTime(bar.time, this.#interval) <= now) return;
      throw testRefusal(
        `bars of ${this.name}: bar ${at} is history, and closes after the present of the test, ${iso(now)}.`,
        'Set `startTime` to the close of the last bar of history, or later.',
      );
    });
  }

  /** The bar in progress at `now`. */
  forming(input: TestBar, now: number): CandleRecord {
    const opens = Math.max(this.closedUntil, barOpenTime(now, this.#interval));
    return { ...this.#toRecord(input, opens, this.#last?.close, 'forming'), closed: false };
  }

  #toRecords(
    inputs: readonly TestBar[],
    firstTime: number,
    check: (record: CandleRecord, at: number) => void,
  ): CandleRecord[] {
    let time = firstTime;
    let last = this.#last;
    const records = inputs.map((input, at) => {
      const record = this.#toRecord(input, time, last?.close, `bar ${at}`);
      if (last !== undefined && record.time < barCloseTime(last.time, this.#interval)) {
        throw testRefusal(
          `bars of ${this.name}: bar ${at} opens at ${iso(record.time)}, and the one before it at ${iso(last.time)}.`,
          `Write bars oldest first, at least ${this.#interval} apart.`,
        );
      }
      check(record, at);
      last = record;
      time = barCloseTime(record.time, this.#interval);
      return record;
    });
    this.#last = last;
    return records;
  }

  #toRecord(input: TestBar, time: number, before: number | undefined, what: string): CandleRecord {
    const given = typeof input === 'number' ? { close: input } : input;
    const { close, open = before ?? close } = given;
    const { high = Math.max(open, close), low = Math.min(open, close), volume = 1 } = given;
    const record = { time: given.time ?? time, open, high, low, close, volume, closed: true };
    const refusal = this.#refusalOf(record);
    if (refusal === undefined) return record;
    throw testRefusal(
      `bars of ${this.name}: ${what}: ${refusal}`,
      'Write a close, or { open, high, low, close }, with low ≤ open, close ≤ high, all above 0.',
    );
  }

  #refusalOf({ time, open, high, low, close, volume }: CandleRecord): string | undefined {
    for (const [name, price] of Object.entries({ close, open, high, low })) {
      if (!(Number.isFinite(price) && price > 0)) return `its ${name} is ${price}.`;
    }
    if (!(volume >= 0)) return `its volume is ${volume}.`;
    if (low > Math.min(open, close)) return `its low ${low} is above its open or close.`;
    if (high < Math.max(open, close)) return `its high ${high} is below its open or close.`;
    if (Number.isInteger(time) && barOpenTime(time, this.#interval) === time) return undefined;
    return `its time ${time} is not the open of a bar of ${this.#interval}.`;
  }
}

/** Epoch milliseconds as people read them. */
export const iso = (time: number): string =>
  Number.isFinite(time) && Math.abs(time) < 8.64e15 ? new Date(time).toISOString() : String(time);
