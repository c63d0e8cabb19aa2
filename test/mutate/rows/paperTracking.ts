/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const paperTracking = {
  station: 'paper/tracking',
  rows: [
    [
      'moveEntry.ts',
      'a tracked entry’s drift is measured from the last price and not from its start',
      'compareMove(watch.firstPrice, level, watch.maxDriftBps) > 0',
      'compareMove(watch.price, level, watch.maxDriftBps) > 0',
    ],
    [
      'moveEntry.ts',
      'a move of just the least is not made',
      'compareMove(watch.price, level, watch.minMoveBps) >= 0',
      'compareMove(watch.price, level, watch.minMoveBps + 1) > 0',
    ],
    [
      'moveEntry.ts',
      'a level that stays is written again',
      'level !== watch.price && compareMove',
      'compareMove',
    ],
    [
      'moveEntry.ts',
      'a tracked entry moves without the funds for it',
      'return !isPossible || !canMove(engine, account, order, level);',
      'return !isPossible;',
    ],
    [
      'trackEntry.ts',
      'a given least move is not used',
      'spec.min_move_bps ?? LIMITS.defaultMinMoveBps',
      'LIMITS.defaultMinMoveBps',
    ],
  ],
} as const;
