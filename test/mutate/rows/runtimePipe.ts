/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const runtimePipe = {
  station: 'runtime/pipe',
  rows: [
    [
      'createIntentRate.ts',
      'the window of intents is new after a start',
      'let isRestored = limit === undefined;',
      'let isRestored = true;',
    ],
    [
      'createIntentRate.ts',
      'intents of a catch-up count after a restart',
      "isCatchUp !== true && guard !== 'request'",
      "guard !== 'request'",
    ],
    [
      'createIntentRate.ts',
      'an intent of another instance counts',
      'windows.get(of)?.spend(time, 1);',
      'windows.get(instance)?.spend(time, of === instance ? 1 : 1);',
    ],
    [
      'createIntentRate.ts',
      'what was never sent counts twice after a restart',
      'if (isUnsent(state)) continue;',
      '',
    ],
    [
      'openedBy.ts',
      'an entry that shrinks at a new price opens nothing',
      'if (price !== undefined) return [{ ...one, size: added, price }];',
      'if (price !== undefined && added > 0) return [{ ...one, size: added, price }];',
    ],
    [
      'openedBy.ts',
      'a new size counts whole and not by what it adds',
      '(size ?? 0) - (changed.size ?? 0)',
      'size ?? 0',
    ],
    [
      'openedBy.ts',
      'a changed short counts as a buy',
      "changed.side === 'sell' ? 'sell' : 'buy'",
      "changed.side === 'short' ? 'sell' : 'buy'",
    ],
    [
      'openedBy.ts',
      'the first live execution is taken for the one that is named',
      'find(({ execution_id }) => execution_id === id)',
      'at(0)',
    ],
    [
      'openedBy.ts',
      'an unknown size is taken for none',
      "if (size !== undefined && changed.size === undefined) return 'opaque';",
      '',
    ],
    [
      'laneOf.ts',
      'moving an exit waits among the entries',
      'effect.isExit || effect.reduceOnly || changed?.reduce_only === true',
      'effect.isExit || effect.reduceOnly',
    ],
    [
      'toGuardedIntent.ts',
      'a basket pays for one leg',
      'return weight * (intent.request.legs?.length ?? 1);',
      'return weight;',
    ],
  ],
} as const;
