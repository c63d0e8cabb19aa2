/** Bugs of recorded trades and books, and of what fills used of them. */
export const paperTapes = {
  station: 'paper/market',
  rows: [
    [
      'TakenLevels.ts',
      'a second fill of a level forgets the first',
      'taken: before + amount',
      'taken: amount',
    ],
    [
      'TakenLevels.ts',
      'a level of another size keeps what was taken',
      'entry.size !== size',
      'size === 0',
    ],
    [
      'TakenLevels.ts',
      'a level that is gone from a row keeps what was taken',
      'this.show(side, price, sizes.get(price) ?? 0);',
      'if (sizes.has(price)) this.show(side, price, sizes.get(price)!);',
    ],
    [
      'TakenLevels.ts',
      'a level is whole for whoever looks again',
      'return size - (this.#levels[side].get(price)?.taken ?? 0);',
      'return side === undefined ? price : size;',
    ],
    [
      'BookCursor.ts',
      'changes of a book leave what was taken',
      '        taken.show(side, price[index]!, size[index]!);\n',
      '',
    ],
    [
      'BookCursor.ts',
      'changes are as new as those that come next',
      'return this.#tape.time[this.#message - 1] ?? -Infinity;',
      'return this.#tape.time[this.#message] ?? -Infinity;',
    ],
    [
      'BookCursor.ts',
      'what was taken without a side is of the asks',
      'level.side ?? this.#sideOf(level)',
      "level.side ?? 'ask'",
    ],
    [
      'SymbolMarket.ts',
      'a book is saved as it was when somebody looked last',
      '    this.#book?.seek(now);\n    const taken',
      '    const taken',
    ],
    [
      'SymbolMarket.ts',
      'what was taken is restored to a book before its first message',
      '    this.#book?.seek(now);\n    this.#book?.restoreTaken(taken);',
      '    this.#book?.restoreTaken(taken);',
    ],
    [
      'TradedTick.ts',
      'a second order finds what the first used of a trade',
      'used.set(price, (used.get(price) ?? 0) + taken);',
      'used.set(price, taken);',
    ],
    [
      'TradedTick.ts',
      'a fill of a buy uses the trades of a sell',
      'const left = size - (this.#used[side].get(price) ?? 0);',
      'const left = size - (this.#used.below.get(price) ?? this.#used.above.get(price) ?? 0);',
    ],
    [
      'TradedTick.ts',
      'an order uses the trades first that all others reach',
      'nearest * (b - a)',
      'nearest * (a - b)',
    ],
    [
      'TradedTick.ts',
      'a later millisecond has what the former left',
      'if (time !== this.#time) this.restore({ time, below: [], above: [] });',
      'void time;',
    ],
    [
      'TickPath.ts',
      'the first tick after skipped ones is skipped, too',
      'index = (block + 1) * BLOCK - 1;',
      'index = (block + 1) * BLOCK;',
    ],
    [
      'TickPath.ts',
      'the low of a stretch is its last price',
      'this.#blockLow[block] = Math.min(this.#blockLow[block]!, price);',
      'this.#blockLow[block] = price;',
    ],
    [
      'TickPath.ts',
      'the high of a stretch is its last price',
      'this.#blockHigh[block] = Math.max(this.#blockHigh[block]!, price);',
      'this.#blockHigh[block] = price;',
    ],
  ],
} as const;

export const paperVolume = {
  station: 'paper/venue',
  rows: [
    [
      'VolumeWindow.ts',
      'what was forgotten is forgotten again',
      '    this.#notionals = this.#notionals.slice(this.#first);\n    this.#first = 0;',
      '    this.#notionals = this.#notionals.slice(this.#first);',
    ],
    ['VolumeWindow.ts', 'what is too old is saved', 'const from = this.#first;', 'const from = 0;'],
    [
      'VolumeWindow.ts',
      'a volume that nothing reads grows without end',
      '    this.at(time);\n',
      '',
    ],
    [
      'VolumeWindow.ts',
      'an empty window keeps the rounding error of its sum',
      '    // Subtraction leaves rounding errors; an empty window is exactly zero.\n    this.#total = 0;',
      '',
    ],
  ],
} as const;

export const paperPatches = {
  station: 'paper/engine',
  rows: [
    [
      'routes/webhookRoutes.ts',
      'a webhook keeps its cooldown',
      '  webhook.cooldownSeconds = patch.cooldown_seconds ?? webhook.cooldownSeconds;\n',
      '',
    ],
    [
      'routes/webhookRoutes.ts',
      'a webhook keeps its name',
      'patch.name ?? webhook.name',
      'webhook.name',
    ],
    [
      'closePosition.ts',
      'the order of a close has no key',
      '    reduceOnly: true,\n    idempotencyKey,\n',
      '    reduceOnly: true,\n',
    ],
  ],
} as const;
