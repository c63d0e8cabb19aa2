/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const budget = {
  station: 'budget',
  rows: [
    [
      'takeTurn.ts',
      'a process that leaves replaces what others spent before they left',
      'left.spent = [...left.spent, ...own.spent].sort(([a], [b]) => a - b);',
      'left.spent = [...own.spent];',
    ],
    [
      'takeTurn.ts',
      'the exits of a process that has left are reserved for ever',
      '  own.exitWeight = 0;\n',
      '',
    ],
    [
      'takeTurn.ts',
      'what the service counts a little longer is another client',
      'spentOf(members, windowMs + LATE_MS, now)',
      'spentOf(members, windowMs, now)',
    ],
    [
      'createSharedBudget.ts',
      'a process that nobody knows yet takes a share',
      'isCounted: turns.answeredAt - joinedAt >= 2 * HEARTBEAT_MS,',
      'isCounted: true,',
    ],
    [
      'createPostgresLedger.ts',
      'who waits for the row leaves a session that waits',
      'SET lock_timeout = ${LOCK_TIMEOUT_MS};',
      '',
    ],
    [
      'createPostgresLedger.ts',
      'a stopped process keeps the row',
      'SET idle_in_transaction_session_timeout = ${IDLE_TIMEOUT_MS}',
      'SET lock_timeout = ${LOCK_TIMEOUT_MS}',
    ],
  ],
} as const;
