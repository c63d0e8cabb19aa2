import { RollingSum } from '../indicators/index.ts';

/** The plain mean of the last numbers, without drift; NaN until there are as many. */
export class Mean {
  readonly #period: number;
  readonly #sum: RollingSum;
  #count = 0;

  constructor(period: number) {
    this.#period = period;
    this.#sum = new RollingSum(period);
  }

  next(x: number): number {
    const sum = this.#sum.next(x);
    if (this.#count < this.#period) this.#count += 1;
    return this.#count === this.#period ? sum / this.#period : NaN;
  }
}
