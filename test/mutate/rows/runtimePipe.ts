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
  ],
} as const;
