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
