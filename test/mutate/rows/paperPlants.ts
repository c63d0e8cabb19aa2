/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const webhooks = {
  station: 'paper/webhooks',
  rows: [
    [
      'deliver.ts',
      'a dry run is neither slowed nor capped',
      "  if (isCooling(webhook, now)) return { outcome: 'cooldown', result: null };\n",
      "  if (webhook.dryRun) return { outcome: 'dry_run', result: { request: rendered.value } };\n  if (isCooling(webhook, now)) return { outcome: 'cooldown', result: null };\n",
    ],
    [
      'deliver.ts',
      'the time of the last delivery is not kept',
      '  webhook.lastDeliveryTime = now;\n',
      '',
    ],
    [
      'deliver.ts',
      'an action that ended without a fill is accepted',
      'return error === null\n',
      'return error !== undefined\n',
    ],
    [
      'checkAction.ts',
      'only buyers’ alerts are tried',
      "(['buy', 'sell'] as const)",
      "(['buy'] as const)",
      { equivalent: 'no rule of a request’s shape depends on its side' },
    ],
  ],
} as const;

export const engine = {
  station: 'paper/engine',
  rows: [
    [
      'routes/orderRoutes.ts',
      'a bulk cancel ends the exits of triggered legs',
      'if (order.persistent || (symbol !== undefined && order.record.symbol !== symbol)) continue;',
      'if (symbol !== undefined && order.record.symbol !== symbol) continue;',
    ],
    [
      'submitOrder.ts',
      'a limit that takes at once is anchored to its limit',
      'const anchorPrice = entryPrice(engine, spec);',
      'const anchorPrice = spec.price ?? entryPrice(engine, spec);',
    ],
    [
      'actionFault.ts',
      'what was filled in part has failed',
      'if (!isOver || filled > 0) return null;',
      'if (!isOver || filled < 0) return null;',
    ],
    [
      'actionFault.ts',
      'an order that was cancelled without a fill has not failed',
      "status === 'cancelled' || status === 'stopped'",
      "status === 'stopped'",
    ],
  ],
} as const;

export const venue = {
  station: 'paper/venue',
  rows: [
    [
      'applyFill.ts',
      'the frame of an entry that fills is older than its legs',
      'const isEntry = order.legIds.length > 0;',
      'const isEntry = order.legIds.length > 1e9;',
    ],
    [
      'modifyOrder.ts',
      'an order is moved past its leg',
      '  if (price !== order.record.price) moveQueuedLegs(engine, account, order, price!);\n',
      '',
    ],
    [
      'marginWatch.ts',
      'isolated positions count among the cross ones',
      'if (margin === null) cross++;',
      'cross++;',
      { equivalent: 'a watch that is nearer is reached earlier, and shares out what is left' },
    ],
  ],
} as const;

export const algos = {
  station: 'paper/algos',
  rows: [
    [
      'AlgoContext.ts',
      'a sweep needs margin beside the order that rests',
      '    this.cancelChildren();\n    this.#place({ price: null',
      '    this.#place({ price: null',
    ],
  ],
} as const;

export const legs = {
  station: 'paper/legs',
  rows: [
    [
      'trailLeg.ts',
      'a trail that moved shows the bar of before',
      '  resolution.bar_time = target.read?.bar_time ?? null;\n',
      '',
    ],
    [
      'rearmLeg.ts',
      'a leg that is armed again is the last one',
      '  account.liveLegs.clear();\n  for (const [id, each] of account.legs.entries()) if (isLive(each)) account.liveLegs.set(id, each);',
      '  account.liveLegs.set(legId, leg);',
    ],
  ],
} as const;

export const core = {
  station: 'paper/core',
  rows: [
    [
      'createPaperCore.ts',
      'what the log repeats is charged to the venue’s budget',
      'writes > 0 && !isRepeating',
      'writes > 0',
    ],
    [
      'createPaperCore.ts',
      'the orders of the log are not known to the meter',
      'const writes = writesOf(event);',
      'const writes = isRepeating ? 0 : writesOf(event);',
    ],
    [
      'createPaperCore.ts',
      'the orders of the snapshot are not known to the meter',
      'createVenueWriteMeter(saved?.engine.accounts ?? [])',
      'createVenueWriteMeter([])',
    ],
    [
      'createPaperCore.ts',
      'nothing is charged after a restart',
      '      } finally {\n        isRepeating = false;',
      '      } finally {\n        void 0;',
    ],
    [
      'commandAdmission.ts',
      'an empty id is one',
      "typeof given[name] !== 'string' || given[name] === ''",
      "typeof given[name] !== 'string'",
    ],
  ],
} as const;

export const feeds = {
  station: 'paper/feed',
  rows: [
    [
      'parseDepth.ts',
      'a stamp that goes back makes the book go back',
      'this.time.push(Math.max(time, last));',
      'this.time.push(time);',
    ],
    [
      'parseParquet.ts',
      'nanoseconds are microseconds',
      'Number(value / 1_000n) / 1e3',
      'Number(value / 1_000n)',
    ],
    [
      'parseParquet.ts',
      'microseconds are nanoseconds',
      'Number(value) / 1e3',
      'Number(value) / 1e6',
    ],
    ['TimeScale.ts', 'a unit ends an instant too late', 'value < below)!', 'value <= below)!'],
    [
      'TimeScale.ts',
      'a fraction of seconds loses a millisecond',
      'Math.round(value * 1e3) : value',
      'Math.floor(value * 1e3) : value',
    ],
    [
      'rowsInOrder.ts',
      'rows of one millisecond change places',
      'time[a]! - time[b]! || a - b',
      'time[a]! - time[b]! || b - a',
    ],
  ],
} as const;

export const importer = {
  station: 'backtest/data',
  rows: [
    [
      'readJsonObjects.ts',
      'objects may change their unit of time',
      'if (time === null) {',
      'if (time === undefined) {',
    ],
  ],
} as const;
