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
      'a rearm undoes a kill that comes while the throttles are written',
      '      await kills.rearm(reason);\n      await throttle.rearm(reason);',
      '      await throttle.rearm(reason);\n      await kills.rearm(reason);',
    ],
    [
      'createBot.ts',
      'a rearm leaves the scopes refused',
      '      control.refusedScopes.clear();\n',
      '',
    ],
    [
      'createBot.ts',
      'a pause is said to be durable before it is',
      '      pipe.reconsider();\n      await durable;',
      '      pipe.reconsider();\n      void durable;',
    ],
    [
      'createBot.ts',
      'a rotation that was never refused is refused no more',
      '      if (reason === null && !isRotationRefused) return;\n',
      '',
    ],
    [
      'createBot.ts',
      'a rotation that has taken place is refused no more',
      '      isRotationRefused = false;\n      const durable',
      '      const durable',
    ],
    [
      'createBot.ts',
      'a key that was accepted is refused without a word',
      '      control.keyWatch.accepted();\n',
      '',
    ],
    [
      'createBot.ts',
      'what an operator did is journaled as its reason',
      '{ value: what, reason, time }',
      '{ value: reason, reason: what, time }',
    ],
    [
      'createBot.ts',
      'a bot is settled before its start is over',
      'settled: () => start.begun().then(() => pipe.settled()),',
      'settled: () => pipe.settled(),',
    ],
    [
      'createBot.ts',
      'a bot is idle while it starts',
      'isIdle: () => start.isDone() && pipe.isIdle(),',
      'isIdle: () => pipe.isIdle(),',
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

export const paperEngine = {
  station: 'paper/engine',
  rows: [
    [
      'runDue.ts',
      'timers run before the bars that close with them',
      '    if (engine.barHooks.nextTime <= until) runClosedBars(engine, feedback);\n    timers.advanceTo(until);',
      '    timers.advanceTo(until);\n    if (engine.barHooks.nextTime <= until) runClosedBars(engine, feedback);',
    ],
    [
      'funding.ts',
      'a settlement at a rate of zero is none',
      'if (rate === null) return;',
      'if (!rate) return;',
    ],
  ],
} as const;

export const paperMarket = {
  station: 'paper/market',
  rows: [
    [
      'FundingSchedule.ts',
      'a file’s settlement at a rate of zero is none',
      'file.get(time) ?? null',
      'file.get(time) || null',
    ],
  ],
} as const;

export const operateReport = {
  station: 'operate/report',
  rows: [
    [
      'roundTrips.ts',
      'a trade is as large as after its last entry',
      '  trip.size = Math.max(trip.size, trip.held.size);\n',
      '  trip.size = trip.held.size;\n',
    ],
    [
      'performance.ts',
      'a year’s share is of the equity at the start of the run',
      'rows.get(year) ?? beginYear(year, equity)',
      'rows.get(year) ?? beginYear(year, capital)',
    ],
    [
      'curves.ts',
      'what the last bar was worth is left out',
      'time === endTime && value !== pnl',
      'time === endTime && value === pnl',
    ],
  ],
} as const;

export const operateState = {
  station: 'operate/state',
  rows: [
    [
      'createBotState.ts',
      'a reader that has missed all that is known begins anew',
      'after < first - 1',
      'after < first',
    ],
    [
      'createBotState.ts',
      'the first reader that leaves ends it for the others',
      '        if (listeners.size > 0) return;\n',
      '',
    ],
    [
      'createBotState.ts',
      'a key stays refused when another one is in use',
      "event.kind === 'key_rotated' || event.kind === 'key_accepted'",
      "event.kind === 'key_accepted'",
    ],
  ],
} as const;

export const testing = {
  station: 'testing',
  rows: [
    [
      'createFills.ts',
      'all that is held of spot can’t be sold',
      'if (size <= held) return;',
      'if (size < held) return;',
    ],
    [
      'createFills.ts',
      'a reduce-only fill of others may open',
      "      if (reduce_only) requireReducible('this fill', { symbol, side: side as Side, size });\n",
      '',
    ],
  ],
} as const;

export const backtestData = {
  station: 'backtest/data',
  rows: [
    [
      'checkBars.ts',
      'a move of just the limit is an outlier',
      'if (Math.abs(move) <= limit) continue;',
      'if (Math.abs(move) < limit) continue;',
    ],
    [
      'checkFunding.ts',
      'settlements of one hour are two if their milliseconds differ',
      'watchOrder(time.map((at) => Math.floor(at / HOUR_MS)))',
      'watchOrder(time)',
    ],
    [
      'readHyperliquid.ts',
      'candles of two intervals are bars of the first',
      'row.s !== symbol || row.i !== interval',
      'row.s !== symbol',
    ],
  ],
} as const;
