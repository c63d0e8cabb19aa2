/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const backtest = {
  station: 'backtest',
  rows: [
    [
      'parameterFiles.ts',
      'the snapshot of a book is no file of the tape',
      'feed.book, feed.snapshot]',
      'feed.book]',
    ],
    [
      'TimeRange.ts',
      'a bar that is open at the end of the range is in it',
      'countUntil(feed.time, until - length)',
      'countUntil(feed.time, until)',
    ],
    [
      'cutTape.ts',
      'the changes of a book that is cut are whole',
      'const changes = first[count] ?? price.length;',
      'const changes = price.length + 0 * (first[count] ?? 0);',
      { equivalent: 'changes behind the last row are read by none' },
    ],
    [
      'driveReplay.ts',
      'answers are not delivered in their step',
      '    link.advanceTo(0);\n    bot.flush();\n  }\n  return sends;',
      '    bot.flush();\n  }\n  return sends;',
    ],
    [
      'driveReplay.ts',
      'the end of the tape is stepped beyond',
      'for (let step = 0; step < STEPS_A_TURN && now < endTime; step++) {',
      'for (let step = 0; step < STEPS_A_TURN && now <= endTime; step++) {',
      { equivalent: 'at the end of the tape nothing moves any more' },
    ],
  ],
} as const;

export const directLink = {
  station: 'operate/directLink',
  rows: [
    [
      'createSpans.ts',
      'the service is behind the bot at a request',
      '    interrupt();\n    settle(at.instant);',
      '    interrupt();',
    ],
    [
      'createSpans.ts',
      'the books are behind when the funding at the end of a span comes',
      '      receiver!.settle();\n      at.instant',
      '      at.instant',
    ],
    [
      'createSpans.ts',
      'wall time is behind when that funding comes',
      '      at.instant = reached;\n      setWallTime();\n      options.deliver();',
      '      options.deliver();',
    ],
    [
      'createSpans.ts',
      'more bars come before what that funding causes',
      '      options.deliver();\n      // What they cause comes before the next bars.\n      isCut = true;',
      '      options.deliver();',
    ],
    [
      'createDirectLink.ts',
      'what a request causes at a full hour comes in the step of the funding',
      '    endStep,\n',
      '    endStep: () => heldCount > 0,\n    ',
    ],
  ],
} as const;

export const programs = {
  station: 'backtest/programs',
  rows: [
    ['readSpan.ts', 'a fraction is no span', '(\\d+(?:\\.\\d+)?)', '(\\d+)'],
    ['readSpan.ts', 'a span below zero is accepted', '&& milliseconds >= 0)', ')'],
  ],
} as const;

export const record = {
  station: 'runtime/record',
  rows: [
    [
      'createLedger.ts',
      'a fill that is learned of late counts as the last',
      'if (!isLate) {',
      'if (!isLate || isLate) {',
    ],
    [
      'createCurves.ts',
      'the last hour has no point',
      'if (seen > 0 && isLastOfHour) list.push([lastTime, last[at] ?? 0]);',
      '',
    ],
    [
      'createEquity.ts',
      'the share of a drawdown is of the first wallet',
      'for (let at = 0; at < books.length; at++) equity',
      'for (let at = 0; at < 1; at++) equity',
    ],
    [
      'applyFill.ts',
      'a flip keeps its entry price',
      'if (flipped || held.size === 0) held.entryPrice = price;',
      'if (held.size === 0) held.entryPrice = price;',
    ],
    [
      'createDeferredBars.ts',
      'bars that close together are two instants',
      'if (!closesAt(lane, time)) continue;\n        if (lane.isHeld)',
      'if (!closesAt(lane, time) || lane.rank > 1e9) continue;\n        if (lane.isHeld)',
      { equivalent: 'a rank is the place of a symbol, of which there are few' },
    ],
    [
      'createIntentLog.ts',
      'unknown ones of all strategies are each one’s',
      'filter(({ recorded }) => recorded.instance === instance)',
      'filter(({ recorded }) => recorded.instance !== "")',
    ],
    [
      'createIntentLog.ts',
      'an accepted intent keeps the reason it waited for',
      "if (state === 'accepted') delete recorded.reason;",
      "if (state === 'accepted') void 0;",
    ],
  ],
} as const;
