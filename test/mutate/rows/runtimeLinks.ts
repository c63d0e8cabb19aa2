/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const links = {
  station: 'runtime/links',
  rows: [
    [
      'learnBudget.ts',
      'an answer to what left before a 429 ends its wait',
      ' || refusalsBefore !== refusals) return;',
      ') return;',
    ],
    [
      'learnBudget.ts',
      'an answer to the former key counts for the next',
      'if (ofKey === generation) learn',
      'learn',
    ],
    [
      'learnBudget.ts',
      'the waits of the former key lengthen those of the next',
      '      generation++;\n      unnamed = 0;',
      '      generation++;',
    ],
    [
      'createWireLink.ts',
      'a stream waits for as long as a service says, be it a day',
      'Math.min(statedMs, LONGEST_STATED_MS)',
      'statedMs',
    ],
    [
      'createFrameClock.ts',
      'what fell due while the connection was lost counts as in time',
      'hasLost = true;',
      '',
    ],
    [
      'createFrameClock.ts',
      'what is due between two frames counts as late',
      'isBehind = hasLost || present() - ts > LATE_MS;',
      'isBehind = true;',
    ],
    [
      'runReplay.ts',
      'the first timers of a replay come before its start is over',
      'bot.isConfirming === true && ',
      'false && ',
    ],
    [
      'createBarrierLink.ts',
      'a step ends with its first frame',
      "if (!isMeta(frame, 'advanced')) return;",
      '',
    ],
    [
      'createBarrierLink.ts',
      'the frames of many instants come at the last one',
      'if (!areOfMany && !isOpening) market.advanceTo(ts);',
      'if (!isOpening) market.advanceTo(ts);',
    ],
    [
      'createBarrierLink.ts',
      'frames of a step come before its time',
      'if (!areOfMany && !isOpening) market.advanceTo(ts);',
      '',
    ],
    [
      'createBarrierLink.ts',
      'an answer to a command counts for a subscription',
      "if (frame.kind !== 'result') countAnswer();",
      'countAnswer();',
    ],
    [
      'createBarrierLink.ts',
      'a lost stream is waited for',
      'for (const { reject } of waiters) reject(lost);',
      'void [waiters, lost];',
    ],
    [
      'createBarrierLink.ts',
      'the first answer is enough for all subscriptions',
      'if (unanswered === 0) for (const',
      'if (unanswered >= 0) for (const',
    ],
    [
      'createBarrierLink.ts',
      'the first waiter alone is told of a step',
      'for (const { resolve } of barrierWaiters.splice(0)) resolve();',
      'for (const { resolve } of barrierWaiters.splice(0, 1)) resolve();',
    ],
    [
      'createDelayedLink.ts',
      'requests that arrive together change their order',
      'other.time > time',
      'other.time >= time',
    ],
    [
      'createDelayedLink.ts',
      'a cancel is as late as an order',
      'delay[kind](++count)',
      'delay.order(++count)',
    ],
    [
      'createDelayedLink.ts',
      'what is due is delivered a step late',
      'for (; dueTime() <= time; arrived++)',
      'for (; dueTime() < time; arrived++)',
    ],
    [
      'createDelayedLink.ts',
      'a request beyond the end of the tape is never delivered',
      'Math.min(inner.market.now() + delay[kind](++count), endTime)',
      'inner.market.now() + delay[kind](++count)',
    ],
  ],
} as const;
