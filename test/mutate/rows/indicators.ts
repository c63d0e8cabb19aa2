/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const indicators = {
  station: 'indicators',
  rows: [
    [
      'vwap.ts',
      'a day’s first bar belongs to the day before',
      'Math.floor(time / INTERVAL_MS',
      'Math.floor((time - 1) / INTERVAL_MS',
    ],
    [
      'vwap.ts',
      'a new day begins only when it is later',
      'if (day !== this.#day)',
      'if (day > this.#day || Number.isNaN(this.#day))',
      { equivalent: 'bars come in the order of their times' },
    ],
    [
      'keltner.ts',
      'bands are shown before the range is complete',
      'Math.max(params.period, params.atr_period + 1)',
      'Math.max(params.period, params.atr_period)',
    ],
    [
      'psar.ts',
      'a stop that is just touched holds',
      'if (low <= this.#stop)',
      'if (low < this.#stop)',
    ],
    [
      'psar.ts',
      'a reversal keeps its acceleration',
      '    this.#extreme = extreme;\n    this.#acceleration = this.#step;',
      '    this.#extreme = extreme;',
    ],
    [
      'adx.ts',
      'the average begins a bar early',
      '[2 * params.period, params',
      '[2 * params.period - 1, params',
    ],
    [
      'cci.ts',
      'the window has one bar too few until it turns',
      'this.#at = this.#at + 1 === this.#prices.length ? 0',
      'this.#at = this.#at + 2 >= this.#prices.length + 1 ? 0',
      { equivalent: 'the same bound' },
    ],
    [
      'RollingRange.ts',
      'the first tail keeps its own extreme',
      'for (let i = this.#size - 2; i >= 0; i -= 1) {',
      'for (let i = this.#size - 2; i > 0; i -= 1) {',
      { equivalent: 'the first number of a block has left the window when its tail is read' },
    ],
    [
      'ExponentialAverage.ts',
      'it begins with its first number',
      'this.value = this.#sum / this.#period;',
      'this.value = this.#sum / this.#count + 0;',
      { equivalent: 'the count is the period then' },
    ],
    [
      'IndicatorKernel.ts',
      'it is ready a bar early',
      'this.ready = this.#bars >= this.barsNeeded;',
      'this.ready = this.#bars + 1 >= this.barsNeeded;',
    ],
    [
      'createIndicator.ts',
      'the largest allowed parameter is refused',
      'value <= row.max &&',
      'value < row.max &&',
    ],
    [
      'createIndicator.ts',
      'an unknown parameter is ignored',
      "    if (row === undefined)\n      throw withCode(\n        'TRIMTAB_INDICATOR_PARAMETER',\n        new RangeError(`${id} has no parameter ${name}.`),\n      );\n",
      '    if (row === undefined) continue;\n',
    ],
  ],
} as const;
