/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const pairs = {
  station: 'strategy',
  rows: [
    [
      'pairs/createPairLeg.ts',
      'a leg whose order is on its way may send another',
      'silent !== undefined || views.some(isOpen)',
      'views.some(isOpen)',
    ],
    [
      'pairs/createPairLeg.ts',
      'an order without a state is on its way',
      'state !== undefined && !ended',
      '!ended',
    ],
    [
      'pairs/createPairLeg.ts',
      'after frames that came apart the position is believed at once',
      'if (ctx.now() - apartSince < APART_MS) return undefined;',
      '',
    ],
    [
      'pairs/createPairLeg.ts',
      'frames that came together are still apart',
      'if (long - short < halfStep) {\n      apartSince = undefined;',
      'if (long - short < halfStep) {',
    ],
    [
      'pairs/createPairLeg.ts',
      'a refusal counts twice',
      '      last = undefined;\n      if (remaining',
      '      if (remaining',
    ],
    [
      'pairs/createPairKeeper.ts',
      'refused entries lengthen the wait of an exit',
      'leg.refusals[kind] - 1',
      'leg.refusals.entry + leg.refusals.reduction - 1',
    ],
    ['pairs/createPairLeg.ts', 'refusals are not counted', '      this.refusals[kind]++;\n', ''],
    [
      'pairs/createPairLeg.ts',
      'a size a hair below its step is a step less',
      'floorSize(Math.abs(size), instrument.size_decimals)',
      'instrument.roundSize(Math.abs(size))',
    ],
    [
      'pairs/createPairLeg.ts',
      'a large size is rounded up',
      'floorSize(Math.abs(size), instrument.size_decimals)',
      'instrument.roundSize(Math.abs(size) * (1 + 1e-9))',
    ],
  ],
} as const;
