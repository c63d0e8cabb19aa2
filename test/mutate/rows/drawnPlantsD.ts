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
    [
      'createSharedBudget.ts',
      'an earlier wait cuts a longer one short',
      'heldUntil = Math.max(heldUntil, now() + holdMs)',
      'heldUntil = now() + holdMs',
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
    ['PaperMarket.ts', 'the last price is the bid', 'ask, last: mark', 'ask, last: bid'],
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

export const drawnDRun = {
  station: 'operate/run',
  rows: [
    [
      'followBot.ts',
      'a line on a rejected intent lacks the service’s words',
      'reason: reason ?? fault?.message',
      'reason',
    ],
  ],
} as const;

export const drawnDJournal = {
  station: 'operate/journal',
  rows: [
    [
      'formatIntents.ts',
      'wall and market time stand below each other’s heading',
      "const times = [formatInstant(opened), marketOpened === null ? '' : formatInstant(marketOpened)];",
      "const times = [marketOpened === null ? '' : formatInstant(marketOpened), formatInstant(opened)];",
    ],
  ],
} as const;

export const drawnDRecovery = {
  station: 'runtime/recovery',
  rows: [
    [
      'reportTakeOver.ts',
      'an order whose intent is compacted has no strategy',
      'store.intent(key)?.instance ?? accepted.instanceOf(key)',
      'store.intent(key)?.instance',
    ],
  ],
} as const;

export const drawnDWallet = {
  station: 'runtime/wallet',
  rows: [
    [
      'createTransfers.ts',
      'of two sales after a balance the first explains both',
      'return Math.abs(size) < Math.abs(units)',
      'return size < units',
    ],
  ],
} as const;

export const drawnDMembers = {
  station: 'runtime/members',
  rows: [
    [
      'followRefs.ts',
      'what a wallet shows goes to another wallet’s strategy on the same symbol',
      'plan.strategies.filter((planned) => planned.wallet === wallet)',
      'plan.strategies',
    ],
  ],
} as const;

export const drawnDPrograms = {
  station: 'backtest/programs',
  rows: [['runBacktest.ts', 'the option warmup is unknown', "'balance', 'warmup'", "'balance'"]],
} as const;

export const drawnDConformance = {
  station: 'conformance',
  rows: [
    [
      'auth.ts',
      'a service needs no signature',
      "['Api-Key-Id', 'Timestamp', 'Signature']",
      "['Api-Key-Id', 'Timestamp']",
    ],
    [
      'requests.ts',
      'the wrong path is the right one where queries are not signed',
      'wrong: isSigned ? path : full',
      'wrong: path',
    ],
    [
      'kit/createActor.ts',
      'a path that is signed instead loses its query',
      'const spoken = isOther ? signingQueries(dialect) : dialect;',
      'const spoken = dialect;',
    ],
    [
      'kit/createActor.ts',
      'a path that is signed instead lacks the prefix',
      'const path = isOther ? prefix + instead.path : message.path;',
      'const path = isOther ? instead.path! : message.path;',
    ],
  ],
} as const;
