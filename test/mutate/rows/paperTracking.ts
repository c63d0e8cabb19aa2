/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const paperTracking = {
  station: 'paper/tracking',
  rows: [
    [
      'moveEntry.ts',
      'a tracked entry’s drift is measured from the last price and not from its start',
      'moveBps(watch.firstPrice, level) > watch.maxDriftBps',
      'moveBps(watch.price, level) > watch.maxDriftBps',
    ],
    [
      'moveEntry.ts',
      'a move of just the least is not made',
      'moveBps(watch.price, level) >= watch.minMoveBps',
      'moveBps(watch.price, level) > watch.minMoveBps + 1',
    ],
    [
      'trackEntry.ts',
      'a given least move is not used',
      'spec.min_move_bps ?? LIMITS.defaultMinMoveBps',
      'LIMITS.defaultMinMoveBps',
    ],
  ],
} as const;
