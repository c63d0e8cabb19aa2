/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const guards = {
  station: 'guards',
  rows: [
    [
      'exposureOf.ts',
      'a basket’s second entry on a symbol replaces the first instead of adding to it',
      'added += entry.size;',
      'added = entry.size;',
    ],
    [
      'grossExposureOf.ts',
      'gross exposure counts the first entry’s symbol only',
      'for (let at = 0; at < entries.length; at++) {\n    const { symbol }',
      'for (let at = 0; at < Math.min(1, entries.length); at++) {\n    const { symbol }',
    ],
    [
      'maxLeverage.ts',
      'negative equity gives a negative ratio, which is below each limit',
      'Math.max(snapshot.equity, 0)',
      'snapshot.equity',
    ],
    [
      'maxOrderSize.ts',
      'the first entry within its limit passes those after it',
      'if (limit === undefined || size <= limit) continue;',
      'if (limit === undefined || size <= limit) return PASSED;',
    ],
    [
      'priceCollar.ts',
      'a price below the last one is never too far away',
      '(Math.abs(price - last) / last)',
      '((price - last) / last)',
    ],
    [
      'exposureOf.ts',
      'a short position counts as if it were long',
      "reachOf(symbol, 'sell', -position,",
      "reachOf(symbol, 'sell', position,",
    ],
    [
      'exposureOf.ts',
      'what is pending on the sell side is not counted',
      'snapshot.pending(symbol, side) + added',
      "(side === 'buy' ? snapshot.pending(symbol, side) : 0) + added",
    ],
    [
      'maxUncoveredSeconds.ts',
      'only the first uncovered position is looked at',
      'if (value <= limit) continue;',
      'if (value <= limit) break;',
    ],
    [
      'entryGate.ts',
      'a closed symbol is looked for in the first entry only',
      'return [...new Set(opened)].flatMap((symbol) => closedSymbols.get(symbol) ?? []);',
      'return opened.slice(0, 1).flatMap((symbol) => closedSymbols.get(symbol) ?? []);',
    ],
    [
      'maxDecisionAgeSeconds.ts',
      'the age of a decision is measured against a late frame’s time',
      '({ cause, entries, opaque }, { present })',
      '({ cause, entries, opaque }, { now: present })',
    ],
    [
      'maxEntriesPerHour.ts',
      'a latched throttle lets entries pass once its window is empty',
      'if (throttled === undefined && value < limit) return PASSED;',
      'if (value < limit) return PASSED;',
    ],
    [
      'ownsSymbols.ts',
      'ownership is asked of the first symbol only',
      '(symbol) => !snapshot.ownedSymbols.includes(symbol)',
      '(symbol, at) => at === 0 && !snapshot.ownedSymbols.includes(symbol)',
    ],
    [
      'enlarging.ts',
      'an entry that adds nothing hides those that do',
      'return entries.filter(({ size }) => size > 0);',
      'return [];',
    ],
    [
      'maintainedRows.ts',
      'an intent with several rows may exceed the twenty',
      'if (value <= limit) return PASSED;',
      'if (inUse < limit) return PASSED;',
    ],
    [
      'priceOf.ts',
      'what has no known price passes notional limits as worthless',
      '?? Number.POSITIVE_INFINITY',
      '?? 0',
    ],
    [
      'priceCollar.ts',
      'a monitor’s price is measured from the last price',
      'triggeredAt === undefined ? snapshot.market(symbol)?.price : triggeredAt',
      'snapshot.market(symbol)?.price',
    ],
  ],
} as const;
