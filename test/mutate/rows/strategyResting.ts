/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const levelHoldings = {
  station: 'strategy',
  rows: [
    [
      'resting/createLevelHoldings.ts',
      'a missing size is taken from the first levels',
      'for (let at = holds.length - 1, left = missing; at >= 0 && left > 0; at--) {',
      'for (let at = 0, left = missing; at < holds.length && left > 0; at++) {',
    ],
    [
      'resting/createLevelHoldings.ts',
      'a refusal of another symbol says that nothing is held',
      "if (intent.kind === 'place_order' && intent.request.symbol === symbol) isFlat = true;",
      "if (intent.kind === 'place_order') isFlat = true;",
    ],
    [
      'resting/createLevelHoldings.ts',
      'a refused sale hides a short',
      'isFlat ? Math.min(0, shown) : shown',
      'isFlat ? 0 : shown',
    ],
    [
      'resting/createLevelHoldings.ts',
      'what was refused once is flat for ever',
      'isFlat = false;\n      tally.',
      'tally.',
    ],
    [
      'resting/createLevelHoldings.ts',
      'a sale that is gone is not waited for',
      'for (const slot of [buyOf(at), sellOf(at)])',
      'for (const slot of [buyOf(at)])',
    ],
    [
      'resting/createLevelHoldings.ts',
      'nobody wakes a grid that lacks stock',
      'if (!isSettled) wakeAt = settledAt;',
      '',
    ],
    [
      'resting/createLevelHoldings.ts',
      'a sale is no news',
      '`${position} ${bought} ${sold}`',
      '`${position} ${bought}`',
    ],
    [
      'resting/createSlots.ts',
      'nobody wakes a slot whose spare order was not cancelled',
      '        ...extras.restTimes(),\n',
      '',
    ],
    [
      'resting/grid.ts',
      'while stock is missing no level bids',
      "(isLess && side === 'sell')",
      'isLess',
    ],
    [
      'resting/restingOperator.ts',
      'a long wait keeps a shorter one from being set',
      'retry.time <= time && retry.time > ctx.now()',
      'retry.time > ctx.now()',
    ],
    ['resting/createSlots.ts', 'slots are never forgotten', '        slots.delete(name);\n', ''],
    [
      'resting/createSlots.ts',
      'what forgotten slots filled is lost',
      '        past.forget(slot, forgotten);\n',
      '',
    ],
    [
      'resting/createSlots.ts',
      'a slot whose fills are read is forgotten',
      '      slot.isCounted = true;\n',
      '',
    ],
    [
      'resting/createSlots.ts',
      'a slot that waits is forgotten',
      '    if (waitsOf(slot).some(({ until }) => until > ctx.now())) return false;\n',
      '',
    ],
    [
      'resting/createPastOrders.ts',
      'an order that may be shown again is forgotten',
      '<= ctx.now() && !isGone(live.view)),',
      '<= ctx.now()),',
    ],
  ],
} as const;
