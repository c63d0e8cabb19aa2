/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const intents = {
  station: 'intents',
  rows: [
    [
      'IntentEffect.ts',
      'an explicit reduce_only: false counts as an exit',
      'if (request.reduce_only === true) {',
      'if (request.reduce_only !== undefined) {',
    ],
    [
      'IntentEffect.ts',
      'a launch adds no exposure',
      "'algo' in request ? request.total_size : request.size",
      "'algo' in request ? 0 : request.size",
    ],
    [
      'IntentEffect.ts',
      'a limit of a launch is not its price',
      "return params !== undefined && 'limit_price' in params ? params.limit_price : undefined;",
      'return undefined;',
    ],
    [
      'launchBasket.ts',
      'a basket is an exit if one leg is',
      'legs.every((leg) => leg.isExit)',
      'legs.some((leg) => leg.isExit)',
    ],
    [
      'launchBasket.ts',
      'a basket adds its first leg only',
      'entries: legs.flatMap((leg) => leg.entries),',
      'entries: legs.slice(0, 1).flatMap((leg) => leg.entries),',
    ],
    [
      'createMonitor.ts',
      'a monitor’s trigger is on no symbol of its own',
      '[...new Set([...action.symbols, trigger.symbol])]',
      'action.symbols',
    ],
    [
      'createMonitor.ts',
      'a trigger on another symbol is taken for the price of this one',
      'action.symbols.includes(trigger.symbol)',
      'true',
    ],
    [
      'controlExecution.ts',
      'a resume is an exit',
      "['stop', 'pause', 'mark-complete']",
      "['stop', 'pause', 'resume', 'mark-complete']",
    ],
    [
      'needsOf.ts',
      'a close by algorithm needs no algo scope',
      'return needs(intent.request.algo === undefined ? [TRADE] : [TRADE, ALGO]);',
      'return needs([TRADE]);',
    ],
    [
      'needsOf.ts',
      'only the stop of a position is asked whether it unwinds',
      '[legs.take_profit, legs.stop_loss].some',
      '[legs.stop_loss].some',
    ],
    [
      'rowsOf.ts',
      'a level that is followed by a parameter takes no row',
      '(isObject(params) ? countTracked(params) : 0)',
      '0',
    ],
    [
      'rowsOf.ts',
      'a level that is read once takes a row',
      "read['track'] === true",
      "read['indicator'] !== undefined",
    ],
    [
      'rowsOf.ts',
      'a target that trails takes no row',
      'countTrail(take_profit) + countTrail(stop_loss)',
      'countTrail(stop_loss)',
    ],
  ],
} as const;
