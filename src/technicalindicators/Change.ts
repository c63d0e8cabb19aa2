import { Delay } from '../indicators/index.ts';

/** The change of a number over the last bars, in percent of the earlier one; NaN until there is one. */
export class Change {
  readonly #earlier: Delay;

  constructor(bars: number) {
    this.#earlier = new Delay(bars);
  }

  next(x: number): number {
    const earlier = this.#earlier.next(x);
    return ((x - earlier) / earlier) * 100;
  }
}
