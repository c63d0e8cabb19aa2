/** A growing column of numbers whose count is not known in advance, without boxed values. */
export class NumberColumn {
  length = 0;
  #values = new Float64Array(1_024);

  push(value: number): void {
    if (this.length === this.#values.length) {
      const longer = new Float64Array(this.length * 2);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[this.length++] = value;
  }

  at(index: number): number {
    return this.#values[index]!;
  }

  toArray(): Float64Array {
    return this.#values.slice(0, this.length);
  }
}
