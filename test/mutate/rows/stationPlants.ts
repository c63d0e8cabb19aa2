/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const runtimePipe = {
  station: 'runtime/pipe',
  rows: [
    [
      'createPrepare.ts',
      'what the key lacks is let through',
      'plan.scopes?.includes(scope) !== false',
      'plan.scopes !== undefined',
    ],
    [
      'createPrepare.ts',
      'unknown scopes of a key are none',
      'plan.scopes?.includes(scope) !== false',
      'plan.scopes?.includes(scope) === true',
    ],
    [
      'createPrepare.ts',
      'the runtime is asked no scope of the key',
      ': plan.scopes,\n      declaredScopes',
      ': null,\n      declaredScopes',
    ],
    ['createPrepare.ts', 'an intent names no scopes', 'scopes: guarded.scopes,', 'scopes: [],'],
  ],
} as const;

export const budget = {
  station: 'budget',
  rows: [
    [
      'createBudget.ts',
      'the tally counts this process’s spending only',
      'tally.add(lane, weight, own.used(time) + foreignNow());',
      'tally.add(lane, weight, own.used(time));',
    ],
    [
      'createBudget.ts',
      'what others spent counts an instant too long',
      'now() < foreign.until',
      'now() <= foreign.until',
    ],
    [
      'createBudget.ts',
      'another key’s former spending is forgotten too early',
      'foreign = { weight: Math.max(0, next - remaining), until: now() + windowMs };',
      'foreign = { weight: Math.max(0, next - remaining), until: windowMs };',
    ],
  ],
} as const;

export const operateControl = {
  station: 'operate/control',
  rows: [
    ['latchStopped.ts', 'L0 counts as not carried out', '    carriedOut = time;\n', ''],
    [
      'latchStopped.ts',
      'a higher level counts as carried out',
      '    carriedOut = time;\n  }\n',
      '    carriedOut = time;\n  }\n  else carriedOut = env.clock.wallNow();\n',
    ],
    [
      'latchStopped.ts',
      'reasons of the former level stay',
      'level, reasons: [], obeyed: carriedOut',
      'level, obeyed: carriedOut',
    ],
    [
      'latchStopped.ts',
      'a kill that waits for the start is latched already by itself',
      'waiting === undefined || waiting.time === own',
      'waiting === undefined',
    ],
    [
      'latchStopped.ts',
      'a rearm leaves a throttle',
      "level === 'L0' ? await",
      "level === 'L4' ? await",
    ],
    [
      'readRunning.ts',
      "a process that has a dead bot's id hangs",
      '(await isJournalFree?.()) === true',
      '(await isJournalFree?.()) === null',
    ],
    [
      'pollCommands.ts',
      'a stop is taken for a hang until the next beat',
      'take the stop for a hang.\n      write();\n',
      'take the stop for a hang.\n',
    ],
    [
      'sendCommand.ts',
      'a bot that is stopping hangs',
      "isStopping(now, env.clock.wallNow()) ? 'stopping' : 'hangs'",
      "isStopping(now, env.clock.wallNow()) ? 'hangs' : 'hangs'",
    ],
  ],
} as const;

export const paperAlgos = {
  station: 'paper/algos',
  rows: [
    [
      'pacemaker.ts',
      'a quotient that is an integer in decimal lacks one',
      'return isWithin(nearest * part, value) ? nearest : Math.floor(quotient);',
      'return Math.floor(quotient);',
    ],
    [
      'pacemaker.ts',
      'slices are rounded to the nearest',
      'return isWithin(nearest * part, value) ? nearest : Math.floor(quotient);',
      'return nearest;',
    ],
  ],
} as const;

export const streams = {
  station: 'streams',
  rows: [
    [
      'ChannelFeed.ts',
      'a late frame that comes again is taken again',
      'this.#missing.delete(frame.seq)',
      'this.#missing.has(frame.seq)',
    ],
    [
      'ChannelFeed.ts',
      'of what is missing the last counts as received',
      'seq < frame.seq; seq++',
      'seq < frame.seq - 1; seq++',
    ],
    [
      'ChannelFeed.ts',
      'a gap while a snapshot is pending is not told',
      "    report({ kind: 'gap'",
      "    if (!this.#awaiting) report({ kind: 'gap'",
    ],
    [
      'ChannelFeed.ts',
      'a new sequence keeps what the former missed',
      '  #begin(frame: StreamFrame): void {\n    this.#cancelTimer();\n    this.#missing.clear();',
      '  #begin(frame: StreamFrame): void {\n    this.#cancelTimer();',
    ],
    [
      'ChannelFeed.ts',
      'a gap asks again though a snapshot is pending',
      'if (!this.#awaiting) this.#ask();\n  }\n\n  #ask',
      'this.#ask();\n  }\n\n  #ask',
    ],
    [
      'createBarSequence.ts',
      'what a stream held is delivered after it left',
      'if (this.#places.has(place)) deliver();',
      'deliver();',
    ],
    [
      'ChannelFeed.ts',
      'a periodic check asks beside a pending request',
      'if (this.#holders > 0 && !this.#awaiting) this.#ask();',
      'if (this.#holders > 0) this.#ask();',
    ],
    [
      'ChannelFeed.ts',
      'a refusal that may end is told as final',
      '    if (!isFinal) {',
      '    if (isFinal) {',
    ],
    [
      'ChannelFeed.ts',
      'a snapshot that did not come is asked for twice only',
      '      this.#lastTs = Number.NEGATIVE_INFINITY;\n      this.#ask();\n    });',
      '      this.#lastTs = Number.NEGATIVE_INFINITY;\n      this.#options.link.subscribe(this.subscription);\n    });',
    ],
    [
      'ChannelFeed.ts',
      'a refused snapshot is still waited for',
      '  refused(isFinal: boolean): void {\n    this.#cancelTimer();',
      '  refused(isFinal: boolean): void {',
    ],
    [
      'retryAfterMs.ts',
      'a wait of a day is waited for',
      'Math.min(Math.max(RETRY_MS, waitMs), LONGEST_RETRY_MS)',
      'Math.max(RETRY_MS, waitMs)',
    ],
    ['createWalletStreams.ts', 'a rejected leg is kept as live', "  'leg_rejected',\n", ''],
    [
      'createWalletStreams.ts',
      'a watch without an id of its own is its leg’s no more',
      "row.watch_id ?? row.leg_id ?? ''",
      "row.watch_id ?? ''",
    ],
    [
      'createWalletStreams.ts',
      'a paused monitor has ended',
      'isMonitorOver(monitor) &&',
      "(monitor.status === 'paused' || isMonitorOver(monitor)) &&",
    ],
    [
      'createAccountStreams.ts',
      'a fill that was read does not come in turn',
      'this.#fillsInTurn.add(fill.fill_id)',
      'this.#seenFills.add(fill.fill_id)',
    ],
    [
      'AccountModel.ts',
      'a snapshot’s flat positions are held',
      'positions.filter((position) => position.size !== 0)',
      'positions',
    ],
    [
      'AccountModel.ts',
      'the only one is replaced by any',
      'isKnown && map.size === 1',
      'map.size === 1',
    ],
    [
      'createMetaStreams.ts',
      'an old read of the layers replaces a newer frame',
      'if (isNews && isNewest)',
      'if (isNews)',
    ],
    ['createMetaStreams.ts', 'a repeated frame is taken', 'seq < expected', 'seq < expected - 1'],
    [
      'latestByReading.ts',
      'an answer of a former run is taken',
      '    if (ofRun !== run) return;\n    const { channel',
      '    const { channel',
    ],
    [
      'latestByReading.ts',
      'the last value is kept for the next listener',
      '      latest = undefined;\n',
      '',
    ],
    [
      'RecentValues.ts',
      'the older half is forgotten at once',
      'this.#values.has(id) || this.#older.has(id)',
      'this.#values.has(id)',
    ],
    [
      'ChannelFeed.ts',
      'a snapshot of the same instant is not newer',
      'this.#awaiting ? frame.ts >= this.#lastTs',
      'this.#awaiting ? frame.ts > this.#lastTs',
    ],
    [
      'createRecordStreams.ts',
      'a late record replaces a newer one',
      "model !== null && order !== 'late'",
      'model !== null',
    ],
    [
      'createRecordStreams.ts',
      'a record more is kept',
      'ended.length >= MOST_ENDED',
      'ended.length > MOST_ENDED',
    ],
    ['createRecordStreams.ts', 'an end keeps its place', '    changed.delete(id);\n', ''],
    [
      'createBarSequence.ts',
      'bars of one instant come in the order of subscription',
      'a.time - b.time || a.place.rank - b.place.rank || a.place.order - b.place.order',
      'a.time - b.time || a.place.order - b.place.order',
    ],
    [
      'createBarSequence.ts',
      'what joins late is waited for',
      "if (this.#state === 'opening') place.isAwaited = true;\n    else place.isLate = true;",
      'place.isAwaited = true;',
    ],
    [
      'createBarSequence.ts',
      'the last leaver’s timer goes on',
      '    this.#stopLimit();\n    this.#held = [];\n  }',
      '    this.#held = [];\n  }',
    ],
    [
      'candlesByReading.ts',
      'a read after the first asks the number again',
      'loaded && Number.isFinite(lastTime)',
      '!loaded',
    ],
    [
      'ChannelFeed.ts',
      'a lost line keeps what it missed',
      '    this.#cancelTimer();\n    this.#missing.clear();\n    this.#candidate = [];\n    this.#next = null;',
      '    this.#cancelTimer();\n    this.#candidate = [];\n    this.#next = null;',
      {
        equivalent: 'nothing is late before the next first frame, which clears it',
      },
    ],
    [
      'watchSilence.ts',
      'a closed line is asked again',
      'pulse.look(now) && isOpen()',
      'pulse.look(now)',
      {
        equivalent: 'what passes while it is closed is left out, so that nothing becomes too long',
      },
    ],
  ],
} as const;

export const journal = {
  station: 'journal',
  rows: [
    [
      'postgres/createWriteQueue.ts',
      'appends go past a statement',
      "const end = jobs.findIndex((job) => 'statement' in job);\n    const count = Math.min(end === -1 ? jobs.length : end, LARGEST_GROUP);\n    const group = jobs.splice(0, count) as AppendJob[];",
      "const group = jobs.filter((job) => 'append' in job).slice(0, LARGEST_GROUP);\n    for (const job of group) jobs.splice(jobs.indexOf(job), 1);",
    ],
    [
      'postgres/createWriteQueue.ts',
      'one that is refused refuses its group',
      '    if (outcome.error instanceof JournalFault) return settle(group, outcome);',
      '    return settle(group, outcome);',
    ],
    [
      'postgres/createWriteQueue.ts',
      'the first after a refused group is not written alone',
      'for (const job of group) settle',
      'for (const job of group.slice(1)) settle',
    ],
    [
      'postgres/createWriteQueue.ts',
      'a statement whose answer was lost runs again',
      'const isDone = trace && (() => finds(trace));',
      'const isDone = undefined;',
    ],
    [
      'postgres/createWriteQueue.ts',
      'an append that was held back is written',
      "if (result.rows[0]?.['held'] !== 0) return result;",
      'return result;',
    ],
    [
      'postgres/createWriteQueue.ts',
      'the queue is settled while the last runs',
      'isRunning ? new',
      'jobs.length > 0 ? new',
    ],
    [
      'postgres/createWriteQueue.ts',
      'a step is looked for under another key',
      'values: [account, last.seq, last.key]',
      'values: [account, last.seq, appends[0]!.entries[0]!.key]',
    ],
    [
      'postgres/createWriteQueue.ts',
      'a statement runs before the appends that wait',
      '    jobs.push(job);',
      "    if ('statement' in job) jobs.unshift(job);\n    else jobs.push(job);",
    ],
    [
      'postgres/createWriteQueue.ts',
      'one append goes at a time',
      'end === -1 ? jobs.length : end, LARGEST_GROUP',
      '1, LARGEST_GROUP',
    ],
  ],
} as const;

export const guards = {
  station: 'guards',
  rows: [
    [
      'endless.ts',
      'a flag that is false counts as given',
      'isRepeated === true',
      'isRepeated !== undefined',
    ],
    [
      'grossExposureOf.ts',
      'the value of an earlier snapshot is kept',
      'last.entries === entries && last.snapshot === snapshot',
      'last.entries === entries',
    ],
    [
      'grossExposureOf.ts',
      'the value of an earlier intent is kept',
      'last.entries === entries && last.snapshot === snapshot',
      'last.snapshot === snapshot',
    ],
    [
      'maxLeverage.ts',
      'equity below one counts as one',
      'Math.max(snapshot.equity, 0)',
      'Math.max(snapshot.equity, 1)',
    ],
    [
      'maxOrderNotional.ts',
      'a new price of a resting order is an order of unknown worth',
      'enlarging(intent.entries)',
      'intent.entries',
    ],
    [
      'foreignExposure.ts',
      'symbols that the bot follows are named',
      'if (snapshot.market(symbol) !== undefined) return [];',
      '',
    ],
    [
      'dataAge.ts',
      'only entries that enlarge are timed',
      'for (const { symbol } of intent.entries)',
      'for (const { symbol } of intent.entries.filter(({ size }) => size > 0))',
    ],
    [
      'endless.ts',
      'only the first entry is asked whether it repeats',
      'entries.find(({ isRepeated }) => isRepeated === true)',
      'entries.slice(0, 1).find(({ isRepeated }) => isRepeated === true)',
    ],
    [
      'entryGate.ts',
      'what is opaque on unknown symbols passes closed ones',
      'if (opened.length === 0) return [...closedSymbols.values()];',
      '',
    ],
    [
      'exposureOf.ts',
      'what fills at once counts for either side',
      'if (entry.isAtOnce === true) addedAtOnce',
      'if (entry.isAtOnce !== false) addedAtOnce',
    ],
    [
      'exposureOf.ts',
      'armed stops reduce a long side only',
      'snapshot.armed(symbol, side)',
      "(side === 'buy' ? snapshot.armed(symbol, side) : 0)",
    ],
    [
      'exposureOf.ts',
      'closing orders may turn the position',
      'const left = Math.min(0, held + closing);',
      'const left = held + closing;',
    ],
    [
      'maxEntriesPerHour.ts',
      'one entry more than the limit',
      'throttled === undefined && value < limit',
      'throttled === undefined && value <= limit',
    ],
    ['maxIntentsPerMinute.ts', 'one intent more than the limit', 'value < limit', 'value <= limit'],
    ['maxOrderSize.ts', 'a size at the limit is denied', 'size <= limit', 'size < limit'],
    [
      'maxPositionNotional.ts',
      'the exposure is of those that enlarge only',
      'exposureOf(symbol, intent.entries, snapshot)',
      'exposureOf(symbol, [{ symbol, side, size: 0 }], snapshot)',
    ],
    ['maxUncoveredSeconds.ts', 'a limit of zero is none', 'limit === undefined', '!limit'],
    [
      'priceCollar.ts',
      'a bound of zero is none',
      'if (limit === undefined) return PASSED;',
      'if (!limit) return PASSED;',
    ],
    [
      'priceCollar.ts',
      'the trigger of null falls back to the last price',
      'triggeredAt === undefined ?',
      'triggeredAt == null ?',
    ],
    [
      'catchUp.ts',
      'an overtaken exit is sent',
      'if (cause.isOvertaken !== true) return PASSED;',
      "if (cause.isOvertaken === undefined || kind === 'close_position') return PASSED;",
    ],
    ['catchUp.ts', 'a leverage of an outage is set', " || kind === 'set_leverage'", ''],
    ['catchUp.ts', 'an opaque intent of an outage is sent', '|| opaque === true ||', '||'],
    [
      'dailyLoss.ts',
      'a loss at the limit passes',
      'value < limit) return',
      'value <= limit) return',
    ],
    [
      'dailyLoss.ts',
      'what was reached earlier today is forgotten',
      'Math.max(dayLoss, dayLimitReached)',
      'dayLoss',
    ],
    ['createGuards.ts', 'an exit hint for what only partly closes', '>= size;', '> 0;'],
    [
      'createGuards.ts',
      'the hint takes a short for a long',
      "side === 'buy' ? -held : held",
      "side === 'sell' ? -held : held",
    ],
    [
      'showsExposure.ts',
      'opaque cancels are let through',
      'intent.opaque !== true)',
      'intent.opaque !== true || intent.isExit)',
    ],
    [
      'hasScopes.ts',
      'only the first refused scope is asked',
      'intent.scopes.find((scope) => snapshot.refusedScopes.has(scope))',
      'intent.scopes.slice(0, 1).find((scope) => snapshot.refusedScopes.has(scope))',
    ],
    [
      'maintainedRows.ts',
      'rows of the wallet alone are counted',
      'inUse + intent.maintainedRows',
      'Math.max(inUse, intent.maintainedRows)',
    ],
    [
      'priceOf.ts',
      'the reference goes before the market',
      'last ?? snapshot.reference?.(symbol)?.price',
      'snapshot.reference?.(symbol)?.price ?? last',
    ],
    ['maxDecisionAgeSeconds.ts', 'an opaque intent may be old', '&& opaque !== true', ''],
  ],
} as const;

export const paperMonitors = {
  station: 'paper/monitors',
  rows: [
    [
      'LevelBundle.ts',
      'those who join late are called last',
      '    this.#members.sort((a, b) => a.slot.serial - b.slot.serial);\n',
      '',
    ],
    [
      'LevelBundle.ts',
      'a level that was passed is reached again at once',
      'to.passed ? beyond(to.level, to.side) : to.level',
      'to.level',
    ],
    [
      'LevelBundle.ts',
      'an indicator without a value keeps its former level',
      '      to === null\n        ? null\n',
      '      to === null\n        ? this.#standing\n',
    ],
    [
      'LevelBundle.ts',
      'a watch that is set later is a later one',
      'const place = { order: order.of(slot), since };',
      'const place = { order: order.of(slot), since: this.#market.now };',
    ],
    [
      'LevelBundle.ts',
      'an emptied bundle keeps its level',
      '    this.#standing = null;\n    this.#renew();',
      '    this.#renew();',
    ],
    ['LevelBundle.ts', 'the first leaves with the watch', 'if (at === 0) this.#renew();', ''],
    [
      'LevelBundle.ts',
      'those who are loosened have no watch',
      'if (standing !== null) member',
      'if (standing === null) member',
    ],
    [
      'LevelBundle.ts',
      'a member behind the first leaves, and the watch is set again',
      'if (at === 0) this.#renew();',
      'this.#renew();',
      {
        equivalent: 'the watch that is set again is of the same monitor, place and time',
      },
    ],
  ],
} as const;

export const strategy = {
  station: 'strategy',
  rows: [
    [
      'pairs/createPairLeg.ts',
      'an order worth exactly the minimum is not sent',
      'isWithin(instrument.min_order_value, valid * (this.price ?? 0))',
      'valid * (this.price ?? 0) >= instrument.min_order_value',
    ],
    [
      'pairs/createPairLeg.ts',
      'a reduction below the minimum is not sent',
      'reduces || isWithin(',
      'isWithin(',
    ],
    [
      'resting/createValidOrders.ts',
      'what is left of the smallest order is reported',
      '!isWithin(least, worth)',
      'worth < least',
    ],
  ],
} as const;

export const intents = {
  station: 'intents',
  rows: [
    ['rowsOf.ts', 'a trail of null takes a row', "leg['trail'] != null", "'trail' in leg"],
    ['rowsOf.ts', 'a flag of any value is followed', "read['track'] === true", "read['track']"],
    [
      'unwindBy.ts',
      'a smart exit is worked as a glide',
      "unwind_algo: 'smartexit'",
      "unwind_algo: 'glidemaker'",
    ],
    [
      'unwindBy.ts',
      'parameters of a sweep are lost',
      "unwind_algo: 'ghostsweep', unwind_params }",
      "unwind_algo: 'ghostsweep', unwind_params: {} }",
    ],
    [
      'needsOf.ts',
      'an unwinding stop loss needs no algo',
      '[legs.take_profit, legs.stop_loss].some',
      '[legs.take_profit].some',
    ],
    [
      'needsOf.ts',
      'a basket’s rows are those of its first leg',
      'sum + countRows(leg), 0)',
      'Math.max(sum, countRows(leg)), 0)',
    ],
    [
      'needsOf.ts',
      'a monitor’s rows are not counted',
      'const rows = countRows(request);',
      'const rows = 0 * countRows(request);',
    ],
    ['needsOf.ts', 'a pause needs trade', "    case 'pause_monitor':\n", ''],
    [
      'rowsOf.ts',
      'levels of the parameters are not counted',
      '+ (isObject(params) ? countTracked(params) : 0)',
      '',
    ],
    [
      'rowsOf.ts',
      'a trail of the take profit is not counted',
      'countTrail(take_profit) + countTrail(stop_loss)',
      'countTrail(stop_loss)',
    ],
    [
      'callOn.ts',
      'a ref wins no client id',
      'return `client:${target.client_order_id}`;',
      'return target.client_order_id;',
    ],
    [
      'callOn.ts',
      'any kind is found by a ref',
      'context.resolve(kind, target.ref)',
      "context.resolve('order', target.ref)",
    ],
  ],
} as const;

export const frames = {
  station: 'frames',
  rows: [
    [
      'compileCheck.ts',
      'a longer level passes',
      'value.length !== checks.length',
      'value.length < checks.length',
    ],
    [
      'isChannelFrame.ts',
      'unknown events are narrowed',
      'frame.channel === channel && isKnownEvent(frame)',
      'frame.channel === channel',
    ],
    [
      'isChannelFrame.ts',
      'a frame of any channel is narrowed',
      'frame.channel === channel && isKnownEvent(frame)',
      'isKnownEvent(frame)',
    ],
    [
      'compileCheck.ts',
      'only the first of a list is checked',
      'index < value.length; index++',
      'index < Math.min(1, value.length); index++',
    ],
    [
      'compileCheck.ts',
      'infinite numbers pass',
      'Number.isFinite(value) ? null',
      "typeof value === 'number' ? null",
    ],
    [
      'compileCheck.ts',
      'an absent nullable passes',
      'value === allowed ? null',
      'value == null ? null',
    ],
    [
      'compileCheck.ts',
      'a list passes as a record',
      "if (!isMap(value)) return '';\n    for (let index",
      "if (!isMap(value) && !Array.isArray(value)) return '';\n    for (let index",
    ],
    [
      'decodeFrame.ts',
      'the wallet is not checked',
      "  if (typeof frame.wallet !== 'string') return 'wallet';\n",
      '',
    ],
    [
      'decodeFrame.ts',
      'results are not checked',
      "type === 'ack' || type === 'error' || type === 'result'",
      "type === 'ack' || type === 'error'",
    ],
    [
      'decodeFrame.ts',
      'the place in the data has no prefix',
      "path === '' ? 'data' : `data.${path}`",
      "path === '' ? 'data' : path",
    ],
  ],
} as const;

export const conformance = {
  station: 'conformance',
  rows: [
    [
      'kit/claims.ts',
      'a claim judges nothing',
      'if (!isSo) throw new Difference(expected, got);',
      '',
    ],
    ['kit/claims.ts', 'all values are equal', 'if (isSame(actual, expected)) return;', 'return;'],
    [
      'kit/claims.ts',
      'fields that are missing are equal',
      'keys.length === Object.keys(b).length &&',
      'true &&',
    ],
    [
      'kit/claims.ts',
      'a list is equal to an object',
      '  if (Array.isArray(a) !== Array.isArray(b)) return false;\n',
      '',
    ],
    [
      'kit/claims.ts',
      'near is as near below as wished',
      'Math.abs(actual - expected) <= reach',
      'actual - expected <= reach',
    ],
    ['kit/claims.ts', 'any success is accepted', 'status === wanted,', 'status < 300,'],
    [
      'kit/claims.ts',
      'the shape of an answer is not judged',
      '  if (endpoint !== undefined)\n    shaped(endpointSpec(endpoint).response, body, `the answer to ${what}`);\n',
      '',
    ],
    [
      'kit/claims.ts',
      'the code of a refusal is not judged',
      'answer.status === status && codeOf(answer) === code',
      'answer.status === status',
    ],
    [
      'kit/claims.ts',
      'the field of a refusal is not judged',
      'paths.includes(path)',
      'paths.length > 0',
    ],
    [
      'Check.ts',
      'a difference holds',
      '        if (thrown instanceof Difference) {',
      "        if (thrown instanceof Difference && thrown.got === '') {",
    ],
    ['Check.ts', 'what may come is final', '...(mayCome ? { mayCome } : {})', '...{}'],
    [
      'Check.ts',
      'a missing field is inconclusive',
      'thrown instanceof TypeError',
      'thrown instanceof RangeError',
    ],
    [
      'rule.ts',
      'queries are not judged',
      "  refusedField(await me.call('orders.list', { query: { limit: 0 } }), 'limit');\n",
      "  await me.call('orders.list', { query: { limit: 0 } });\n  return;\n",
    ],
    [
      'orders.ts',
      'a spot order is not judged',
      '  const { symbol } = spot;\n  const { mark }',
      "  if (spot.kind === 'spot') return;\n  const { symbol } = spot;\n  const { mark }",
    ],
  ],
} as const;
