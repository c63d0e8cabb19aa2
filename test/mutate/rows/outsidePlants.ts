/** Bugs of a reader who had seen no test, which no test near them found: as tables’ rows. */
export const outsideOperateNotify = {
  station: 'operate/notify',
  rows: [
    [
      'createChannel.ts',
      'alerts lost while a message is under way are never mentioned',
      'dropped -= reported;',
      'dropped = 0;',
    ],
    [
      'createChannel.ts',
      'the queue grows beyond its limit after a failed batch',
      '    lose(batch.filter(isOld), reason);\n    limitWaiting();',
      '    lose(batch.filter(isOld), reason);',
    ],
    [
      'conditionsOf.ts',
      'a closed wallet is not told while the loss is merely near its limit',
      '`loss/${wallet}/limit`, `orphan',
      '`loss/${wallet}`, `orphan',
    ],
    [
      'alertOfEvent.ts',
      'of a refused intent of several symbols only the first names the alert',
      "symbols.join('+')",
      "symbols[0] ?? ''",
    ],
    [
      'createStreamLosses.ts',
      'time before the ten minutes counts as down',
      'to - Math.max(from, since)',
      'to - from',
    ],
  ],
} as const;

export const outsideOperateControl = {
  station: 'operate/control',
  rows: [
    [
      'watchdog.ts',
      'only the last part decides how long the service is left alone after a 429',
      'heldMs = Math.max(heldMs, found.heldMs);',
      'heldMs = found.heldMs;',
    ],
    [
      'watchdog.ts',
      'a pending L2 of an operator is replaced by the watchdog’s',
      "rankOf(waiting.level) >= rankOf('L2')",
      "rankOf(waiting.level) > rankOf('L2')",
    ],
    [
      'statusOf.ts',
      'other closures are hidden at a kill level',
      '...(last.problems ?? []), ...latched, ...closed, ...failed]',
      "...(last.problems ?? []), ...latched, ...(level === 'L0' ? closed : []), ...failed]",
    ],
  ],
} as const;

export const outsideOperate = {
  station: 'operate',
  rows: [
    [
      'createLogFile.ts',
      'a second failure to end a log file is not told',
      '      rotate();\n      failedAt = undefined;',
      '      rotate();',
    ],
  ],
} as const;
