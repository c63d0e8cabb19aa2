/** Bugs at lines of source drawn at random that no test found, and what lies beside them: as tables’ rows. */
export const drawnDBudget = {
  station: 'budget',
  rows: [
    [
      'createPostgresLedger.ts',
      'a ledger that is refused keeps its connection',
      '    await client.end().catch(() => {});\n    throw error',
      '    throw error',
    ],
    [
      'createPostgresLedger.ts',
      'a connection that does not take its settings is kept',
      '      await fresh.end().catch(() => {});\n',
      '',
    ],
  ],
} as const;

export const drawnDControl = {
  station: 'cli/control',
  rows: [
    [
      'readJournalOf.ts',
      'each read of a journal keeps a connection',
      '    await reader.close();\n',
      '',
    ],
  ],
} as const;

export const drawnDWatchdog = {
  station: 'operate/control',
  rows: [
    [
      'watchdog.ts',
      'an entry that can not be ended is not named as left',
      '    asked.add(text);\n',
      '',
    ],
  ],
} as const;

export const drawnDMarket = {
  station: 'paper/market',
  rows: [
    [
      'PaperMarket.ts',
      'a symbol whose feed grows late has the price of before',
      '    this.#lastAsked = null;\n    for',
      '    for',
    ],
  ],
} as const;

export const drawnDMerge = {
  station: 'cli/sweep',
  rows: [
    [
      'mergeSweep.ts',
      'a merge overwrites what lies beside it',
      'prepareSweepFiles(files, flags.force ?? false)',
      'prepareSweepFiles(files, true)',
    ],
  ],
} as const;
