import { NumberColumn } from './NumberColumn.ts';

/** V8 refuses twice as many values in one set. */
const MOST_OF_SET = 2 ** 23;

/**
 * The ids of a file's rows, of which there may be more than a set holds. Numbers that go on in the direction of the
 * first two, as those of most files do, take eight bytes each; sets hold the others.
 */
export class SeenIds {
  readonly #mostOfSet: number;
  readonly #run = new NumberColumn();
  /** Whether the run ascends (1) or descends (-1); 0 before its second id. */
  #direction = 0;
  readonly #sets: Array<Set<number | string>> = [];

  constructor(mostOfSet = MOST_OF_SET) {
    this.#mostOfSet = mostOfSet;
  }

  /** @returns whether it is new */
  add(id: number | string): boolean {
    if (typeof id === 'number') {
      if (this.#isNext(id)) {
        this.#run.push(id);
        return true;
      }
      if (this.#isInRun(id)) return false;
    }
    if (this.#sets.some((set) => set.has(id))) return false;
    let set = this.#sets.at(-1);
    if (set === undefined || set.size >= this.#mostOfSet) this.#sets.push((set = new Set()));
    set.add(id);
    return true;
  }

  #isNext(id: number): boolean {
    const { length } = this.#run;
    if (length === 0) return true;
    const step = id - this.#run.at(length - 1);
    if (this.#direction === 0) this.#direction = Math.sign(step);
    return step * this.#direction > 0;
  }

  /** Binary search: the run is in order. */
  #isInRun(id: number): boolean {
    let [low, high] = [0, this.#run.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const step = (id - this.#run.at(middle)) * this.#direction;
      if (step === 0) return true;
      if (step > 0) low = middle + 1;
      else high = middle - 1;
    }
    return false;
  }
}
