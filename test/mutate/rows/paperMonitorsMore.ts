/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const monitors = {
  station: 'paper/monitors',
  rows: [
    [
      'LevelBundle.ts',
      'the newest member stands for all',
      'a.slot.serial - b.slot.serial',
      'b.slot.serial - a.slot.serial',
    ],
    [
      'LevelBundle.ts',
      'the next does not take the place of the first',
      '    if (at === 0) this.#renew();\n',
      '',
    ],
    [
      'LevelBundle.ts',
      'whoever leaves, the first does',
      'const [left] = this.#members.splice(at, 1);',
      'const [left] = this.#members.splice(0, 1);',
    ],
    [
      'LevelBundle.ts',
      'those that leave take no watch with them',
      'if (standing !== null) member.monitor.watch = this.#set(member, standing);',
      '',
    ],
    [
      'LevelBundle.ts',
      'a bundle that is empty still watches',
      '    this.#standing = null;\n    this.#renew();\n    const left',
      '    const left',
    ],
    [
      'LevelBundle.ts',
      'a level that is passed is reached at itself',
      'to.passed ? beyond(to.level, to.side) : to.level',
      'to.level',
    ],
    [
      'LevelGroup.ts',
      'those that wait fire with those that are ready',
      'if (isCrossed && monitor.ready) {',
      'if (isCrossed) {',
      { equivalent: 'one that is called and not ready waits for the other side again' },
    ],
    [
      'LevelGroup.ts',
      'those that waited never turn',
      'for (const { monitor } of turned) monitor.ready = true;',
      '',
    ],
  ],
} as const;
