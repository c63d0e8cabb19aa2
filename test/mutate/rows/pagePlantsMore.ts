/** Bugs planted in the command line and in the workers of a sweep, which no test had found: as tables’ rows. */
export const cliCommands = {
  station: 'cli',
  rows: [
    [
      'replay.ts',
      'a fault that made the difference is not shown',
      '  for (const { reason } of faults) process.stdout.write(`  fault: ${reason}\\n`);\n',
      '',
    ],
    [
      'replay.ts',
      'the hashes of both runs are swapped',
      '[hashEmissions(recorded), hashEmissions(replayed)]',
      '[hashEmissions(replayed), hashEmissions(recorded)]',
    ],
    [
      'replay.ts',
      'the counts of both runs are swapped',
      "counted(recorded.length, 'intent')} recorded, ${replayed.length}",
      "counted(replayed.length, 'intent')} recorded, ${recorded.length}",
    ],
    [
      'replay.ts',
      'what was recorded is said to be what was replayed',
      'diffEmissions(recorded, replayed)',
      'diffEmissions(replayed, recorded)',
    ],
    [
      'replay.ts',
      'the first strategy that differs is named alone',
      'namesOf(differing)}.`',
      'namesOf(differing.slice(0, 1))}.`',
    ],
    [
      'diff.ts',
      'chance and other code are never named',
      "const cause = settings.length > 0 ? ''",
      "const cause = settings.length >= 0 ? ''",
    ],
    [
      'init.ts',
      'a bot is offered over one that is there',
      'const canAddBot = taken.every(',
      'const canAddBot = taken.some(',
    ],
    [
      'init.ts',
      'a project has a name that npm refuses',
      "name === '' || name === 'node_modules'",
      "name === ''",
    ],
    ['init.ts', 'a name begins with a dot', String.raw`/^[._-]+|-+$/g`, String.raw`/^[-]+|-+$/g`],
    [
      'project/projectTemplates.ts',
      'the key of a sweep’s workers is committed',
      '\nsweep.key\n',
      '\n',
    ],
    ['project/projectTemplates.ts', 'an environment is committed', '.env.*\n', ''],
    [
      'report.ts',
      'the day of several bots is that of the first',
      'files.length > 1\n',
      'files.length > 2\n',
    ],
    [
      'report.ts',
      'a page of a day is left out without a word',
      "(['html', 'csv', 'benchmark', 'trades'] as const)",
      "(['csv', 'benchmark', 'trades'] as const)",
    ],
    [
      'runs/reportDay.ts',
      'a day that is none has no intents',
      'if (!isDay(asked))',
      'if (asked.length < 0)',
    ],
    [
      'runs/reportDay.ts',
      'the P&L of a day of UTC is that of a day elsewhere',
      "zone.name === 'UTC'\n",
      "zone.name !== ''\n",
    ],
    [
      'sweep/planSweep.ts',
      'ranges of the file are left out beside a flag',
      'ranges.set(name, { name, values: read.list });',
      'if (flags.length === 0) ranges.set(name, { name, values: read.list });',
    ],
    [
      'sweep/planSweep.ts',
      'the file’s objective is ignored',
      "flags.objective ?? written?.objective ?? 'sharpe'",
      "flags.objective ?? 'sharpe'",
    ],
    [
      'sweep/planSweep.ts',
      'a test is as long as its training',
      'written.test_days * DAY_MS',
      'written.train_days * DAY_MS',
    ],
    [
      'sweep/planSweep.ts',
      'a million points are too many',
      '<= MOST_POINTS) return',
      '< MOST_POINTS) return',
    ],
    [
      'sweep.ts',
      'a shard shows as many of its best as were asked for, which are none',
      "[...FOR_WORKERS, 'reports', 'top', 'parquet', 'force']",
      "[...FOR_WORKERS, 'reports', 'parquet', 'force']",
    ],
    [
      'sweep.ts',
      'the seed of a merge is ignored',
      "  'seed',\n  ...FOR_WORKERS",
      '  ...FOR_WORKERS',
    ],
  ],
} as const;

export const operateDiffs = {
  station: 'operate/recording',
  rows: [
    [
      'diffRecordings.ts',
      'what came after one run had decided is said to have come before',
      "    if (a === 'decided' || b === 'decided') return undefined;\n",
      "    if (a === 'decided' && b === 'decided') return undefined;\n    if (a === 'decided' || b === 'decided') return { time: 0, source: 'nothing', fields: [] };\n",
    ],
  ],
} as const;

export const sweepWorkers = {
  station: 'backtest/sweep',
  rows: [
    [
      'workers/workOnSweeps.ts',
      'a worker ends while a refusal may pass',
      'taken.size === 0 && !refusals.isAnyOpen()',
      'taken.size === 0',
    ],
    [
      'workers/workOnSweeps.ts',
      'the queue is closed before what was computed is written',
      '    await Promise.all(leaving.values());\n',
      '',
    ],
    [
      'workers/workOnSweeps.ts',
      'a refused sweep is never tried again',
      '    refusals.keep(waited);\n',
      '',
    ],
    [
      'workers/workOnSweeps.ts',
      'a lost batch is computed as a whole',
      'if (retries > 0 && jobs.length > 1)',
      'if (retries > 1 && jobs.length > 1)',
    ],
    [
      'workers/workOnSweeps.ts',
      'a point that was lost is put again for ever',
      'retries > 0 && jobs.length > 1',
      'retries > 0',
    ],
    [
      'workers/workOnSweeps.ts',
      'a batch whose point a passing fault ended is done',
      'if (!isFinal(error)) throw error;',
      'if (!isFinal(error)) return;',
    ],
    [
      'workers/workOnSweeps.ts',
      'a batch that is another’s goes on',
      '!signal.aborted && taken',
      'taken',
    ],
  ],
} as const;
