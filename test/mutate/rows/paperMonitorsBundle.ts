/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const monitors = {
  station: 'paper/monitors',
  rows: [
    [
      'LevelBundle.ts',
      'a watch moves without the place of its bar',
      'const place = { order: order.of(slot), since };',
      'const place = { order: order.of(slot), since: this.#market.now };',
    ],
    [
      'LevelBundle.ts',
      'a former watch stays beside the new one',
      'if (this.#watch !== null) this.#market.unwatch(this.#watch);',
      '',
    ],
    [
      'LevelBundle.ts',
      'a member that left is still of its bundle',
      '    monitor.bundle = null;\n    if (at === 0)',
      '    if (at === 0)',
    ],
  ],
} as const;
