/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const journal = {
  station: 'operate/journal',
  rows: [
    [
      'verifyJournal.ts',
      'a key of another decision is well',
      'if (key !== idempotencyKeyOf(decisionKey, generation)) {',
      'if (key === "") {\n    void [idempotencyKeyOf, decisionKey, generation];',
    ],
    [
      'verifyJournal.ts',
      'an intent that was sent before the guards is well',
      "if (entry.state === 'sending' && !isEvaluated)",
      "if (entry.state === 'sending' && isEvaluated && last === undefined)",
    ],
    [
      'verifyJournal.ts',
      'steps that end elsewhere than the row are well',
      'if (last !== state)',
      'if (last === undefined)',
    ],
    [
      'verifyJournal.ts',
      'the second step that does not follow is well',
      '    last = entry.state;\n  }',
      "    last = entry.state;\n    if (last !== 'emitted') break;\n  }",
    ],
    [
      'verifyJournal.ts',
      'problems beyond the list are not counted',
      '    count++;\n    if (problems',
      '    count = problems.length + 1;\n    if (problems',
    ],
    [
      'verifyJournal.ts',
      'an open intent counts as closed',
      'if (!isFinal(state)) open++;',
      'if (isFinal(state)) open++;',
    ],
    [
      'verifyJournal.ts',
      'the stored states are hashed as replayed',
      "replayed.update(`${key} ${last ?? 'nothing'}\\n`);",
      'replayed.update(`${key} ${state}\\n`);',
    ],
    [
      'verifyJournal.ts',
      'a journal that cannot be read to its end is whole',
      '    isAtLeast = true;\n    note(error instanceof Error ? error.message : String(error));',
      '    void error;',
    ],
    [
      'restoreJournal.ts',
      'the journal of another account is restored',
      'if (owner === undefined || owner === account) return undefined;',
      'if (owner === undefined || account !== "") return undefined;',
    ],
    [
      'restoreJournal.ts',
      'a damaged backup is restored',
      'if (found.problems.length > 0)',
      'if (found.problems.length > 1e9)',
    ],
    [
      'restoreJournal.ts',
      'a restored bot trades at once',
      "if (rankOf(level) < rankOf('L1'))",
      "if (rankOf(level) < rankOf('L0'))",
    ],
    [
      'restoreJournal.ts',
      'a higher level of the backup becomes L1',
      "if (rankOf(level) < rankOf('L1'))",
      "if (rankOf(level) >= rankOf('L0'))",
    ],
    [
      'restoreJournal.ts',
      'what stood there is lost',
      'const aside = await setAside(path, env.clock.wallNow());',
      'const aside = await setAside(path, env.clock.wallNow());\n    if (aside !== null) rmSync(aside);',
    ],
    [
      'restoreJournal.ts',
      'a journal of a bot that runs is replaced',
      "if (error instanceof JournalFault && error.code === 'in_use') throw error;",
      'void error;',
    ],
    [
      'restoreJournal.ts',
      'the log of a journal that is set aside stays',
      "for (const ending of ['', '-wal', '-shm'])\n    if (existsSync",
      "for (const ending of [''])\n    if (existsSync",
    ],
    [
      'restoreJournal.ts',
      'a failed restore leaves its copy',
      "for (const ending of ['', '-wal', '-shm', '.lock']) rmSync(`${part}${ending}`, { force: true });",
      'void rmSync;',
    ],
    [
      'formatLatches.ts',
      'each change of a latch is in force',
      '!changes.slice(index + 1).some((later) => later.name === name)',
      'true',
    ],
    [
      'formatLatches.ts',
      'a day of the past says what is in force now',
      'isWhole && !changes',
      '!changes',
    ],
  ],
} as const;
