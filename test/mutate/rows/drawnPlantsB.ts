/** Bugs planted on lines drawn at random along the way of money, which no fast test of their folder had found: as tables’ rows. */
export const drawnBJournal = {
  station: 'journal',
  rows: [
    [
      'createMemoryStore.ts',
      'a decision’s generations are one',
      '`${row.decisionKey}/${row.generation}`',
      '`${row.decisionKey}`',
    ],
  ],
} as const;

export const drawnBJournalPostgres = {
  station: 'journal/postgres',
  rows: [
    [
      'loadAccount.ts',
      'the oldest latch counts',
      'ORDER BY name, seq DESC`',
      'ORDER BY name, seq`',
    ],
    [
      'schema.ts',
      'a database takes one generation of a decision',
      '  UNIQUE (account, decision_key, generation)',
      '  UNIQUE (account, decision_key)',
    ],
  ],
} as const;

export const drawnBJournalSqlite = {
  station: 'journal/sqlite',
  rows: [
    [
      'schema.ts',
      'a file takes one generation of a decision',
      '  UNIQUE (decision_key, generation)\n) STRICT;\nCREATE INDEX open_intents',
      '  UNIQUE (decision_key)\n) STRICT;\nCREATE INDEX open_intents',
    ],
  ],
} as const;

export const drawnBOperateJournal = {
  station: 'operate/journal',
  rows: [
    [
      'formatLife.ts',
      'a long gap backwards is in milliseconds',
      'Math.abs(gapMs) < 10_000',
      'gapMs < 10_000',
    ],
  ],
} as const;

export const drawnBOperateRun = {
  station: 'operate/run',
  rows: [
    [
      'openSocketVenue.ts',
      'a paced run over the socket shows no progress',
      '    onStep(position);\n  }\n  let isSettled',
      '  }\n  let isSettled',
    ],
    [
      'openSocketVenue.ts',
      'an interrupted run waits until its market rests',
      '>= LEFT_MS) break;',
      '>= 1e9) break;',
    ],
  ],
} as const;

export const drawnBOperateState = {
  station: 'operate/state',
  rows: [
    [
      'readBlocks.ts',
      'an execution’s total is what remains of it',
      'total_size: execution.total_size,',
      'total_size: execution.remaining_size,',
    ],
    [
      'createBotState.ts',
      'every symbol’s candles have the first one’s interval',
      'INTERVAL_MS[plan.markInterval(symbol)]',
      'INTERVAL_MS[plan.markInterval(symbols[0]!)]',
    ],
  ],
} as const;

export const drawnBRuntime = {
  station: 'runtime',
  rows: [
    [
      'createSpans.ts',
      'no rounding is allowed for',
      'const ROUNDING = 1e-6;',
      'const ROUNDING = 0;',
    ],
    [
      'createBooks.ts',
      'the stops of one unreadable position hide the others',
      'readStops({ ...reading(wallet), until, onUnreadable }),',
      'readStops({ ...reading(wallet), until }),',
    ],
    [
      'createSpans.ts',
      'only the first wallet is sampled',
      'for (let at = 0; at < all.length; at++) all[at]!.sample(time);',
      'all[0]!.sample(time);',
    ],
    [
      'createSpans.ts',
      'only the first wallet may reach its limit within a span',
      'const headroom = all[at]!.dayHeadroom();',
      'const headroom = all[0]!.dayHeadroom();',
    ],
    [
      'createBooks.ts',
      'one unreadable execution hides the others',
      'readWork({ ...reading(wallet), until, kinds, onUnreadable });',
      'readWork({ ...reading(wallet), until, kinds });',
    ],
  ],
} as const;

export const drawnBRuntimeControl = {
  station: 'runtime/control',
  rows: [
    [
      'reattachStops.ts',
      'taking off one symbol’s legs takes off all stops',
      'return stops.filter(({ symbol }) => symbol === intent.symbol);',
      'return stops;',
    ],
    [
      'checkPositions.ts',
      'spot fills are tallied as positions',
      'if (isSpot(symbol) || snapshot === undefined) return;\n    const tally = tallyOf(symbol);\n    if (isUndecided',
      'if (snapshot === undefined) return;\n    const tally = tallyOf(symbol);\n    if (isUndecided',
    ],
  ],
} as const;

export const drawnBRuntimeMembers = {
  station: 'runtime/members',
  rows: [
    [
      'latchLife.ts',
      'restarts are counted the wrong way round',
      '`restart ${event.restart} of ${event.max}`',
      '`restart ${event.max} of ${event.restart}`',
    ],
    [
      'createSources.ts',
      'what exists is emitted always',
      'options.emitsExisting ? withExisting(model$, events$, toEvent) : events$;',
      'withExisting(model$, events$, toEvent);',
    ],
  ],
} as const;

export const drawnBRuntimeRecord = {
  station: 'runtime/record',
  rows: [
    [
      'createEquity.ts',
      'the first wallet’s equity counts for each',
      'equity += books[at]!.startEquity();',
      'equity += books[0]!.startEquity();',
    ],
  ],
} as const;

export const drawnBRuntimeWallet = {
  station: 'runtime/wallet',
  rows: [
    [
      'createWalletBook.ts',
      'a shown position leaves the exposure as it was',
      'work.positionShown(symbol);\n      exposed = null;',
      'work.positionShown(symbol);',
    ],
    [
      'openBooks.ts',
      'a wallet has the symbols of every strategy',
      'strategies.filter((one) => one.wallet === wallet).flatMap((one) => one.symbols),',
      'strategies.flatMap((one) => one.symbols),',
    ],
    [
      'createWalletBook.ts',
      'a fill leaves the exposure as it was',
      'work.fillInTurn(fill);\n      exposed = null;',
      'work.fillInTurn(fill);',
    ],
    [
      'readWork.ts',
      'a read asks for a page of the service’s own size',
      'const asked = { ...query, limit, ...(cursor',
      'const asked = { ...query, ...(cursor',
    ],
    [
      'createWalletBook.ts',
      'executions leave the exposed symbols as they were',
      'work.executions(next);\n      exposed = null;',
      'work.executions(next);',
    ],
    [
      'createWalletBook.ts',
      'monitors leave the exposed symbols as they were',
      'work.monitors(next);\n      exposed = null;',
      'work.monitors(next);',
    ],
  ],
} as const;
