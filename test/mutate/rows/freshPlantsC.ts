/** Bugs that a reader planted who had seen no test, which nothing found that each commit runs: as tables’ rows. */
export const freshCBudget = {
  station: 'budget',
  rows: [
    [
      'createPostgresLedger.ts',
      'a process can’t end without its database',
      'leave(state, member, last, now)).catch(() => {});',
      'leave(state, member, last, now));',
    ],
    [
      'createPostgresLedger.ts',
      'a member’s name ends the statement',
      '.replaceAll("\'", "\'\'")',
      '',
    ],
    [
      'createPostgresLedger.ts',
      'a turn writes the ledgers of all keys',
      "SET state = '${text}' WHERE key = '${key}'; COMMIT",
      "SET state = '${text}'; COMMIT",
    ],
    [
      'createPostgresLedger.ts',
      'a turn waits for ten seconds',
      ', queryTimeoutMs: TURN_TIMEOUT_MS });',
      ' });',
    ],
    [
      'createPostgresLedger.ts',
      'a process that joins empties the ledger',
      'ON CONFLICT DO NOTHING`',
      'ON CONFLICT (key) DO UPDATE SET state = excluded.state`',
    ],
    [
      'createReplaceableBudget.ts',
      'the end does not wait for the former key’s booking',
      'await Promise.all([closing, current.close()]);',
      'await current.close();',
    ],
    [
      'readWeight.ts',
      'a list since a time weighs no more',
      "query['start_time'] !== undefined || query['end_time']",
      "query['end_time']",
    ],
    [
      'readWeight.ts',
      'a list until a time weighs no more',
      "query['start_time'] !== undefined || query['end_time'] !== undefined",
      "query['start_time'] !== undefined",
    ],
  ],
} as const;
