/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const paperLegs = {
  station: 'paper/legs',
  rows: [
    [
      'trailLeg.ts',
      'a short’s trailing stop may loosen',
      'const isCloser = direction * (to - from) < 0;',
      "const isCloser = leg.positionSide === 'short' ? to !== from : direction * (to - from) < 0;",
    ],
    [
      'trailLeg.ts',
      'a trail moves by less than its least move',
      'return isTighter(engine, leg, from, to) && compareMove(from, to, leastMoveOf(leg)) >= 0;',
      'return isTighter(engine, leg, from, to);',
    ],
    [
      'resolveLeg.ts',
      'a trail by percent is above a short’s target',
      'return offsetPrice(reference, direction * pct, PERCENT);',
      "return offsetPrice(reference, (context.positionSide === 'short' ? 1 : direction) * pct, PERCENT);",
    ],
    [
      'resolveLeg.ts',
      'a trail by percent is computed in doubles',
      'return offsetPrice(reference, direction * pct, PERCENT);',
      'return reference * (1 + (direction * pct) / PERCENT);',
    ],
    [
      'trailLeg.ts',
      'a trail follows the close before the last one',
      'bars.close[bars.length - 1]!',
      'bars.close[Math.max(0, bars.length - 2)]!',
    ],
    [
      'TrailGroup.ts',
      'trails of one rule move by the least move of the first',
      'leg.positionSide, least, trail]',
      'leg.positionSide, trail]',
    ],
    [
      'attachLegs.ts',
      'a leg that is no trail frees a row',
      "replaced.filter(({ record }) => record.form === 'trail').length",
      'replaced.length',
    ],
    [
      'moveQueuedLegs.ts',
      'legs of an entry that is moved across the book are compared with its limit',
      'const anchorPrice = entryPrice(engine, { symbol, side, price });',
      'const anchorPrice = price;',
    ],
    [
      'triggerLeg.ts',
      'the other leg of a pair stays where an algorithm serves it',
      'if (sibling !== undefined) endLeg',
      "if (sibling?.record.exit_style === 'native') endLeg",
    ],
  ],
} as const;
