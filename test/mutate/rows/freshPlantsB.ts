/** Bugs planted by somebody who had read no test, and the tests that they asked for: as tables’ rows. */
export const freshStrategy = {
  station: 'strategy',
  rows: [
    [
      'pairs/createPairKeeper.ts',
      'refused reductions are not forgotten after a fill',
      '{ entry: 0, reduction: 0 });',
      '{ entry: 0 });',
    ],
    ['pairs/sizePair.ts', 'slack is one smallest order', 'slack: 2 * least', 'slack: least'],
    [
      'pairs/keepPair.ts',
      'the timer outlives the subscription',
      '    return () => wake?.cancel();',
      '    return () => {};',
    ],
    ['pairs/keepPair.ts', "orders' frames are no news", '    on(ctx.orders$, () => {});\n', ''],
    [
      'resting/createSlots.ts',
      "a refused reduction of a former order holds up the next one's",
      '    Object.assign(slot.waits.reduction, noWait());\n',
      '',
    ],
    [
      'resting/createExtras.ts',
      'extras of other slots rest in each',
      'if (extra.slot === slot && !extra.live.view.ended)',
      'if (!extra.live.view.ended)',
    ],
    [
      'resting/createExtras.ts',
      'what extras of other slots filled counts in each',
      'if (extra.slot === slot) addFilled',
      'addFilled',
    ],
    [
      'resting/createSlots.ts',
      'what a late found order filled is left out',
      "event === 'snapshot' && !hasStarted ?",
      "event === 'snapshot' ?",
    ],
    [
      'resting/createPastOrders.ts',
      'of several gone orders the first decides',
      'for (const one of past) if (isGone(one.view)) until = untilOf(one);',
      'for (const one of past) if (isGone(one.view)) until ||= untilOf(one);',
    ],
    [
      'resting/createPastOrders.ts',
      'an order that came back keeps its end',
      '      live!.endedAt = undefined;\n',
      '',
    ],
    [
      'resting/createSlotIntents.ts',
      'a late frame undoes a change of a found order',
      '    live.isFound = false;\n',
      '',
    ],
    [
      'thread/createThreadTurns.ts',
      'an answer of an earlier turn lengthens later ones',
      '    wasAnswered = false;\n    cancelDeadline();',
      '    cancelDeadline();',
    ],
    [
      'explainLoss.ts',
      'of a list only the length of the state is compared',
      'at < Math.max(one.length, other.length)',
      'at < one.length',
    ],
    [
      'thread/createHeldSources.ts',
      'tasks outlive their thread',
      '      for (const cancel of tasks.values()) cancel();\n',
      '',
    ],
  ],
} as const;

export const freshRuntimeLinks = {
  station: 'runtime/links',
  rows: [
    [
      'createBarrierLink.ts',
      'an answer too many is owed later',
      'unanswered = Math.max(0, unanswered - 1);',
      'unanswered -= 1;',
    ],
    [
      'runReplay.ts',
      'what arrived late is followed only if something was sent',
      'if (arrived === 0 && bot.sends === sends)',
      'if (bot.sends === sends)',
    ],
    [
      'runReplay.ts',
      'the pace is not waited for',
      'if (pause !== undefined) await pause;',
      'if (pause !== undefined) void pause;',
    ],
    [
      'runReplay.ts',
      'a start that nothing confirms has no end',
      ' && tries < MOST_CONFIRMING;',
      ';',
    ],
    [
      'nextStop.ts',
      'a step ends before a timer of a fraction of a millisecond',
      'Math.ceil(link',
      'Math.floor(link',
    ],
    [
      'createLookAhead.ts',
      'frames of a lost connection are delivered later',
      '      cancel();\n      held = [];',
      '      cancel();',
    ],
    [
      'createLookAhead.ts',
      'the first frame of a new connection is held back',
      '      isFresh = true;\n',
      '',
    ],
  ],
} as const;

export const freshRuntimeControl = {
  station: 'runtime/control',
  rows: [
    [
      'createThrottle.ts',
      'a denied entry whose last step alone is known counts after a restart',
      "row.state === 'denied' || isUnsent(row.state)",
      'isUnsent(row.state)',
    ],
    [
      'createOwnership.ts',
      'what is ignored stays so after its end',
      "      if (isIgnored(wallet, symbol)) note(wallet, symbol, 'over');\n",
      '',
    ],
    [
      'reattachStops.ts',
      'any close under way holds up each stop',
      '[...underWay.values()].includes(`${wallet}/${symbol}`)',
      'underWay.size > 0',
    ],
    [
      'reattachStops.ts',
      "of a short's stops the farthest is submitted",
      "(side === 'short' ? 1 : -1)",
      '-1',
    ],
    [
      'followOutages.ts',
      'the layers are read after outages alone',
      '    streams.resync();\n    layers.read();',
      '    streams.resync();',
    ],
    [
      'createOwnerDecisions.ts',
      'two wishes close a position twice',
      'else if (!toFlatten.some((one) => one.wallet === wallet && one.symbol === symbol))',
      'else',
    ],
    [
      'createOwnerDecisions.ts',
      'an adopted position stays ignored',
      '    if (isIgnored(wallet, symbol)) ownership.stopIgnoring(wallet, symbol, `adopted by ${strategy}`);\n',
      '',
    ],
    [
      'createOwners.ts',
      'in an outage an ignored position is released',
      ' || !options.isKnown(wallet, symbol)) return true',
      ') return true',
    ],
    ['checkPositions.ts', 'what was confirmed stays doubted', '    doubted.clear();\n', ''],
    [
      'checkPositions.ts',
      'a snapshot that is asked for comes twice',
      '    if (doubted.size === 0) return;\n    cancelAsking();',
      '    if (doubted.size === 0) return;',
    ],
    [
      'applyStopPolicy.ts',
      'what is on its way is asked for again',
      'if (!options.isPending(emission)) options.submit(emission);',
      'options.submit(emission);',
    ],
    [
      'createHeldPositions.ts',
      'one step of a spot asset is nothing',
      'size >= limitsOf(symbol).step',
      'size > limitsOf(symbol).step',
    ],
  ],
} as const;

export const freshRuntimeMembers = {
  station: 'runtime/members',
  rows: [
    [
      'readRefused.ts',
      'a kind that could not be read is over',
      'reading.ok || !reading.failed.has(kind)',
      'true',
    ],
    [
      'readRefused.ts',
      'a second trouble is not reported',
      'return void reported.delete(kind)',
      'return',
    ],
    [
      'readRefused.ts',
      'executions that are shown end the reading of monitors',
      "source.executionsShown$.subscribe(() => void refused.delete('execution'))",
      'source.executionsShown$.subscribe(() => void refused.clear())',
    ],
    ['readRefused.ts', 'what no list can have yet is over', ' && !accepted.isUnseen(id)', ''],
    [
      'readUnshown.ts',
      'stops of entries are gone after a reading',
      "kind !== 'leg'",
      "kind === 'leg'",
    ],
    [
      'readUnshown.ts',
      'a record without an id says nothing of those that are known',
      'ids.has(undefined) || ',
      '',
    ],
    [
      'readUnshown.ts',
      'each attempt that fails is reported',
      'if (attempt % WARN_EVERY === 1)\n            env',
      'env',
    ],
    [
      'followWallet.ts',
      'funding of before the last snapshot makes up for what is missed',
      '        charged = 0;\n        lastShown',
      '        lastShown',
    ],
    [
      'followWallet.ts',
      'funding of before the first snapshot is charged',
      '      if (lastShown === undefined) return;\n      charged',
      '      charged',
    ],
    [
      'followWallet.ts',
      "an execution that is gone is one of its strategy's events",
      "if (event === 'gone') return filled.forget(execution.execution_id);",
      "if (event === 'gone') filled.forget(execution.execution_id);",
    ],
    [
      'followSymbol.ts',
      'a bar of before the start is an instant of the run',
      'if (!event.history) instants.bar',
      'instants.bar',
    ],
  ],
} as const;

export const freshRuntimeRecord = {
  station: 'runtime/record',
  rows: [
    [
      'createCutOrders.ts',
      'the share of the last cut order counts for all',
      'shares += filled / size;',
      'shares = filled / size;',
    ],
    [
      'createCutOrders.ts',
      'limit orders that were cancelled count as cut',
      " || intent.request.order_type !== 'market') return",
      ') return',
    ],
  ],
} as const;

export const freshRuntimeWallet = {
  station: 'runtime/wallet',
  rows: [
    [
      'catchUpFills.ts',
      "fills of one instant keep the list's order",
      '(fills[0]?.time ?? 0) >= (',
      '(fills[0]?.time ?? 0) > (',
    ],
    [
      'createUnpriced.ts',
      "a short's profit counts as its loss",
      "(side === 'short' ? -size : size)",
      'size',
    ],
    [
      'createUnshownFills.ts',
      'a frame takes off what was known to have filled',
      'one.before ??= 0',
      'one.before = 0',
    ],
  ],
} as const;

export const freshRuntimePipe = {
  station: 'runtime/pipe',
  rows: [
    [
      'createAnswers.ts',
      'an unknown change is tried for ever',
      '    if (resends.isTried(item)) return conclusions.unresolved(item);\n',
      '',
    ],
    [
      'createSending.ts',
      "what is left of a request is journaled under the whole one's key",
      'const named = idempotencyKey === key ? {} : { idempotencyKey };',
      'const named = {};',
    ],
  ],
} as const;

export const freshBacktestPrograms = {
  station: 'backtest/programs',
  rows: [
    [
      'paperVenue.ts',
      'a refused subscription stays',
      '      if (refusal === undefined) return;\n      remove(subscription);',
      '      if (refusal === undefined) return;',
    ],
    [
      'readFeeds.ts',
      "a snapshot's path is relative to the configuration",
      "'book', 'snapshot']",
      "'book']",
    ],
    ['runBacktest.ts', 'an empty range is taken', 'from < until)', 'from <= until)'],
    [
      'openConfig.ts',
      "a shadow's plugin of this process is refused",
      'shadow ? [use, shadow.use] : [use]',
      '[use]',
    ],
    [
      'openConfig.ts',
      'an undefined parameter is one',
      '    .filter(([, value]) => value !== undefined)\n    .map(([name, value]) => `',
      '    .map(([name, value]) => `',
    ],
    [
      'toRefusal.ts',
      'only the first flag is renamed',
      'message.replaceAll(/--param (?=\\w)/g',
      'message.replace(/--param (?=\\w)/',
    ],
    [
      'toRefusal.ts',
      'only the first range is renamed',
      ".replaceAll('--timerange', 'timerange')",
      ".replace('--timerange', 'timerange')",
    ],
  ],
} as const;

export const freshOperateShadow = {
  station: 'operate/shadow',
  rows: [
    [
      'collectBars.ts',
      'a bar of an instant that has passed is handed on',
      ' || closeTime <= flushedTime) return',
      ') return',
    ],
  ],
} as const;

export const freshStreams = {
  station: 'streams',
  rows: [
    [
      'createRecordStreams.ts',
      'a reading after a refusal counts as refused',
      '    refused$.next(false);\n    model$.next(fromList',
      '    model$.next(fromList',
    ],
    [
      'createAccountStreams.ts',
      "numbers of the sequence before make an order's frame late",
      " else if (frame.event === 'snapshot') this.#lateOrders.startOver();\n",
      '\n',
    ],
    [
      'createMarketStreams.ts',
      'a late frame is the latest',
      "order === 'late' ? undefined : read(frame)",
      'read(frame)',
    ],
  ],
} as const;

export const freshJournal = {
  station: 'journal',
  rows: [
    [
      'postgres/createHeld.ts',
      'an undone end is still final',
      '          finals.delete(key);\n          if',
      '          if',
    ],
  ],
} as const;
