/** Bugs of feeds that grow as a live market goes on. */
export const paperGrowthMarket = {
  station: 'paper/market',
  rows: [
    [
      'PriceWatches.ts',
      'an order that waits for the bar after the end of the feed never wakes',
      '    else this.#afterFeed.push(watch);\n',
      '',
    ],
    [
      'PriceWatches.ts',
      'an order that was cancelled wakes with the bar after the end of the feed',
      'if (after >= 0) this.#afterFeed.splice(after, 1);',
      '',
    ],
    [
      'SymbolMarket.ts',
      'at the lowest price of a grid nothing is bid',
      "Math.max(this.#step(below, 'down'), tickAt(below, this.instrument))",
      "this.#step(below, 'down')",
    ],
    [
      'SymbolMarket.ts',
      'a wide spread around the lowest price bids nothing',
      'if (0 < bid && bid < ask)',
      'if (bid < ask)',
    ],
    [
      'SymbolMarket.ts',
      'an order wakes with the bar that closes',
      'this.watches.feedGrew(this.path.nextOpenTime + 1);',
      'this.watches.feedGrew(this.path.time);',
      { equivalent: 'a resting order finds no volume in a bar that is over, and sleeps on' },
    ],
  ],
} as const;

export const paperGrowthEngine = {
  station: 'paper/engine',
  rows: [
    [
      'goOnAfterGrowth.ts',
      'the first trade after the end of the feed is a maker’s',
      'if (order.takesAt !== Infinity) continue;',
      'if (order.takesAt === Infinity) continue;',
    ],
    [
      'goOnAfterGrowth.ts',
      'an exit goes on with no bar after the end of the feed',
      'if (order !== undefined) return nextLiquidityTime(engine, order.record.symbol);',
      'void [order, nextLiquidityTime];',
    ],
    [
      'EngineTimers.ts',
      'a timer that waited for a bar loses its place among those of its time',
      '      cancel();\n      timer.time = timeOf(timer);\n',
      '      const before = timer.time;\n      timer.time = timeOf(timer);\n      if (before === timer.time) continue;\n      cancel();\n',
    ],
    [
      'createEngine.ts',
      'algorithms do not go on with a feed that grew',
      '      goOnAfterGrowth(engine, timers);\n',
      '',
    ],
  ],
} as const;

export const paperGrowthAlgos = {
  station: 'paper/algos',
  rows: [
    [
      'glidemaker.ts',
      'it follows no price after the end of the feed',
      '  wakeTime: (context) => context.nextCornerTime,\n',
      '',
    ],
    ['smartexit.ts', 'it follows no price after the end of the feed', '  wakeTime,\n', ''],
    [
      'staleData.ts',
      'a bar that came after the timer was set does not count',
      '  if (engine.market.at(execution.record.symbol).path.running) return;\n',
      '',
    ],
  ],
} as const;
