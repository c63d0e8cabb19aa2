/** Bugs at lines of source drawn at random that no test found, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const recording = {
  station: 'operate/recording',
  rows: [
    [
      'replayRecording.ts',
      'a hash does not know when an intent was decided',
      'JSON.stringify([decisionKey, marketTime, intent])',
      'JSON.stringify([decisionKey, intent])',
    ],
    [
      'divideRows.ts',
      'a recording that is not read to its end stays open',
      'close: () => void rows.return?.(),',
      'close: () => {},',
    ],
  ],
} as const;

export const control = {
  station: 'runtime/control',
  rows: [
    [
      'positionTally.ts',
      'a position contradicts a tally of too many sizes',
      '  if (isUndecided(tally)) return false;\n',
      '',
    ],
    [
      'positionTally.ts',
      'the first size of a short is no rounding',
      'greatest: Math.abs(size)',
      'greatest: size',
    ],
  ],
} as const;

export const sweep = {
  station: 'backtest/sweep',
  rows: [
    [
      'importedPackages.ts',
      'of several versions of a package the last counts',
      'versions.set(name, (versions.get(name) ?? new Set()).add(version))',
      'versions.set(name, new Set([version]))',
    ],
  ],
} as const;

export const data = {
  station: 'backtest/data',
  rows: [
    [
      'readCloses.ts',
      'a column of times has one usual name less',
      "'date', 'datetime', 'ts'",
      "'date', 'ts'",
    ],
    ['readDataFile.ts', 'a perpetual is a market', 'PERP|PERPETUAL|', 'PERP|'],
  ],
} as const;

export const run = {
  station: 'operate/run',
  rows: [
    [
      'watchKeyFiles.ts',
      'a key whose files are being written is taken',
      '    if (!isStable) return;\n',
      '',
    ],
  ],
} as const;

export const testing = {
  station: 'testing',
  rows: [
    [
      'createAnswers.ts',
      'an accepted execution changes in the outcome that has it',
      'const execution = { ...work.execution };',
      'const execution = work.execution;',
    ],
    [
      'createRows.ts',
      'an order of a snapshot changes later',
      '[withRef({ ...work.order }, work.intent)]',
      '[withRef(work.order, work.intent)]',
    ],
    [
      'createRows.ts',
      'an execution of a snapshot changes later',
      '[withRef({ ...work.execution }, work.intent)]',
      '[withRef(work.execution, work.intent)]',
    ],
    [
      'listInstruments.ts',
      'a kind that a test gives is that of the symbol',
      '{ symbol, ...namesOf(symbol), ...USUAL, ...given }',
      '{ symbol, ...USUAL, ...given, ...namesOf(symbol) }',
    ],
  ],
} as const;

export const paperServer = {
  station: 'paper/server',
  rows: [
    [
      'feedSettings.ts',
      'a feed’s fault names no field',
      'path: [path], message',
      'path: [], message',
    ],
    [
      'feedSettings.ts',
      'a feed of a book alone is read as a generated one',
      "const FILES = ['path', 'trades', 'book', 'snapshot'] as const;",
      "const FILES = ['path', 'trades'] as const;",
    ],
  ],
} as const;

export const journal = {
  station: 'operate/journal',
  rows: [
    [
      'checkpointJournal.ts',
      'a checkpoint that fails again after one that was made is not reported',
      '      unmade = undefined;\n',
      '',
    ],
  ],
} as const;

export const notify = {
  station: 'operate/notify',
  rows: [
    [
      'createWebhookSender.ts',
      'a receiver’s date is compared with a clock that has none',
      'await postJson(asked), env.clock.wallNow()',
      'await postJson(asked), env.clock.monotonicNow()',
    ],
    [
      'createTelegramSender.ts',
      'Telegram’s date is compared with a clock that has none',
      'readDelivery(answer, env.clock.wallNow())',
      'readDelivery(answer, env.clock.monotonicNow())',
    ],
  ],
} as const;

export const venue = {
  station: 'paper/venue',
  rows: [
    [
      'leverage.ts',
      'the margin of an isolated short moves the wrong way with its leverage',
      'const notional = Math.abs(position.size) * position.entryPrice;\n    const before',
      'const notional = position.size * position.entryPrice;\n    const before',
    ],
  ],
} as const;

export const travel = {
  station: 'operate/travel',
  rows: [
    [
      'travelRecording.ts',
      'a recording without a journal promises to explain',
      'explains: journal !== undefined',
      'explains: true',
    ],
  ],
} as const;

export const programs = {
  station: 'backtest/programs',
  rows: [['runBacktest.ts', 'one malformed intent is none', 'malformed > 0', 'malformed > 1']],
} as const;
