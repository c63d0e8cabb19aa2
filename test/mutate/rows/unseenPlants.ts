/** Bugs that no test had found, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const paperAlgos = {
  station: 'paper/algos',
  rows: [
    [
      'controls.ts',
      'what unwinds goes on beside another execution that came before it',
      'if (!unwinds || record.symbol !== symbol || reducible(account, record) > 0) continue;',
      'if (!unwinds || record.symbol !== symbol || reducible(account, record) > 0) break;',
    ],
    [
      'smartexit.ts',
      'no patience is the default patience',
      'patience_seconds: patience = ALGO_DEFAULTS.smartExitPatienceSeconds } = launch.params;',
      'patience_seconds: sent } = launch.params;\n  const patience = sent || ALGO_DEFAULTS.smartExitPatienceSeconds;',
    ],
  ],
} as const;

export const guards = {
  station: 'guards',
  rows: [
    [
      'allowedSymbols.ts',
      'a symbol that begins with an allowed one is allowed',
      'allowed?.includes(entry.symbol) === false',
      'allowed?.some((one) => entry.symbol.startsWith(one)) === false',
    ],
    ['priceCollar.ts', 'a price of zero is none', 'price === undefined || last', '!price || last'],
  ],
} as const;

export const streams = {
  station: 'streams',
  rows: [
    [
      'createBarSequence.ts',
      'what was delivered counts as held',
      'place.isAwaited = place.hasHeld = false;',
      'place.isAwaited = false;',
    ],
  ],
} as const;

export const runtime = {
  station: 'runtime',
  rows: [
    [
      'createBot.ts',
      'a stopped bot goes on asking for its kill level',
      '      kills.stop();\n',
      '',
    ],
    [
      'createBot.ts',
      'a stop drops the exits that are held for the end of a burst',
      '      catchUp.flush();\n',
      '',
    ],
    [
      'createBot.ts',
      'what waits for its turn is sent for a paused strategy',
      '      pipe.reconsider();\n      await durable;',
      '      await durable;',
    ],
  ],
} as const;

export const runtimePipe = {
  station: 'runtime/pipe',
  rows: [
    [
      'createIntentRate.ts',
      'an intent of exactly a minute ago counts after a restart',
      'if (first.marketTime <= since) break;',
      'if (first.marketTime < since) break;',
      { equivalent: 'the window drops what is a minute old when it is asked' },
    ],
  ],
} as const;

export const paperLegs = {
  station: 'paper/legs',
  rows: [
    [
      'trailLeg.ts',
      'a trailing target moves onto the price, and fires',
      'direction * (to - engine.market.mark(symbol)) > 0',
      'direction * (to - engine.market.mark(symbol)) >= 0',
    ],
    [
      'TrailGroup.ts',
      'trails of longs and shorts follow the first of them',
      "['leg', leg.record.kind, leg.positionSide, least, trail]",
      "['leg', leg.record.kind, least, trail]",
    ],
    [
      'TrailGroup.ts',
      'trailing targets follow the stops',
      "['leg', leg.record.kind, leg.positionSide, least, trail]",
      "['leg', leg.positionSide, least, trail]",
    ],
    [
      'TrailGroup.ts',
      'two levels move at a bar, and no third',
      '      count++;\n',
      '      count++;\n      if (count > 1) break;\n',
    ],
    [
      'TrailGroup.ts',
      'a trail that is gone takes those of its level along',
      'delete(slot) === true && this.#levels[at].slots.size === 0) {',
      'delete(slot) === true) {',
    ],
    [
      'TrailGroup.ts',
      'levels of longs are kept in the order of shorts',
      'isUp ? other < trigger : other > trigger',
      'other < trigger',
    ],
  ],
} as const;

export const paperTracking = {
  station: 'paper/tracking',
  rows: [
    [
      'retireWatch.ts',
      'the end of a tracking does not name the level that drifted',
      '    level,\n  );',
      '    null,\n  );',
    ],
  ],
} as const;

export const paperBaskets = {
  station: 'paper/baskets',
  rows: [
    [
      'basketRecord.ts',
      'an interrupted leg is livelier than a paused one',
      "['running', 'paused', 'interrupted']",
      "['running', 'interrupted', 'paused']",
    ],
  ],
} as const;
