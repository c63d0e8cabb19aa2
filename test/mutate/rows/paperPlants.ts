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
      'checkAction.ts',
      'only buyers’ alerts are tried',
      "(['buy', 'sell'] as const)",
      "(['buy'] as const)",
      { equivalent: 'no rule of a request’s shape depends on its side' },
    ],
  ],
} as const;

export const venue = {
  station: 'paper/venue',
  rows: [
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
