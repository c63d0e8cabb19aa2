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
    ['pollCommands.ts', 'one line is cut without a word', 'return left > 0 ?', 'return left > 1 ?'],
  ],
} as const;

export const outsideOperateDoctor = {
  station: 'operate/doctor',
  rows: [
    [
      'examineService.ts',
      'an orphan is owned by a strategy of another wallet',
      '(one) => one.wallet === wallet && one.symbols.includes(symbol)',
      '(one) => one.symbols.includes(symbol)',
    ],
    [
      'examinePlaces.ts',
      'little space on a large disk is well',
      'free < GIGABYTE || share < 0.05',
      'free < GIGABYTE && share < 0.05',
    ],
  ],
} as const;

export const outsideOperateRun = {
  station: 'operate/run',
  rows: [
    [
      'followBot.ts',
      'a stop that is lost for good is a warning',
      "return log[isOffered ? 'warn' : 'error'](text, { wallet, symbol, trigger });",
      'return log.warn(text, { wallet, symbol, trigger });',
    ],
    [
      'followBot.ts',
      'dropped intents at a start are no warning',
      'const found = sent + resumed + dropped;',
      'const found = sent + resumed;',
    ],
    [
      'createKeyRotation.ts',
      'a new secret is hidden only after it was tried',
      '    options.hide(next.secret.reveal());\n    if (sameKey(next, inUse)) return confirm(why, named);\n    const result = await replace(next, why);',
      '    if (sameKey(next, inUse)) return confirm(why, named);\n    const result = await replace(next, why);\n    options.hide(next.secret.reveal());',
    ],
    [
      'runService.ts',
      'the recording lacks the view at the stop',
      '      open.views?.write();\n',
      '',
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

export const outsideCli = {
  station: 'cli',
  rows: [
    [
      'kill.ts',
      'the remedy of a bot that is at L4 already tells to start it',
      "at === 'L4'\n      ? 'End",
      "level === 'L4'\n      ? 'End",
    ],
    [
      'settle.ts',
      'records are read with the configuration’s journal in spite of --journal',
      'journal: flags.journal, env',
      'journal: undefined, env',
    ],
    [
      'doctor.ts',
      'what was mended still ends with 1',
      "if (done.some(({ state }) => state === 'bad'))",
      "if (found.some(({ state }) => state === 'bad'))",
    ],
    [
      'runs/refuseRemains.ts',
      'a stop that leaves unsent exits ends with 0',
      'unended.length + unknowns.length + waiting.length === 0',
      'unended.length + unknowns.length === 0',
    ],
    [
      'runs/describeFound.ts',
      'positions of a former owner are not told at the start',
      '...[...unheeded, ...former].map(',
      '...unheeded.map(',
    ],
    [
      'process/stopOnSignals.ts',
      'after a blocked loop signals end the process at once',
      'onBack: handle,',
      'onBack: () => {},',
    ],
  ],
} as const;

export const outsideStrategy = {
  station: 'strategy',
  rows: [
    [
      'createHeld.ts',
      'a position just after the settling time is not taken',
      'ctx.now() - filledAt < SETTLED_MS',
      'ctx.now() - filledAt <= SETTLED_MS',
    ],
    [
      'resting/createSlots.ts',
      'an accepted request resets the waits of its own kind only',
      'else for (const wait of waitsOf(slot)) wait.refusals = 0;',
      'else slot.waits[request.purpose].refusals = 0;',
    ],
    [
      'pairs/createPairKeeper.ts',
      'unwindings of a former trade lengthen the pause of the next',
      '      unwindings = 0;\n',
      '',
    ],
    [
      'createStrategyHost.ts',
      'a stop hides that an instance was quarantined',
      "      if (status.state === 'quarantined') return;\n",
      '',
    ],
    [
      'refs/RefState.ts',
      'an execution that is shown again stays gone',
      '      parts.executions.set(id, execution);\n      parts.gone.delete(execution.execution_id);',
      '      parts.executions.set(id, execution);',
    ],
    [
      'every.ts',
      'a jump of time ticks each boundary',
      'schedule(Math.max(time, clock.now()));',
      'schedule(time);',
    ],
    [
      'pairs/createPairLeg.ts',
      'a part fill counts as a refusal',
      "      if (filled > 0) return 'partly';\n      this.refusals[kind]++;",
      "      this.refusals[kind]++;\n      if (filled > 0) return 'partly';",
    ],
  ],
} as const;

export const outsideTesting = {
  station: 'testing',
  rows: [
    [
      'createFills.ts',
      'a spot holding shows the price before its fill',
      '    account.mark(symbol, price);\n    const closed_pnl = account.fill(fill);',
      '    const closed_pnl = account.fill(fill);\n    account.mark(symbol, price);',
    ],
    [
      'createAnswers.ts',
      'the order of an execution names no intent',
      '[work.execution.execution_id, work.orderId]',
      '[work.execution.execution_id]',
    ],
    [
      'createFills.ts',
      'a foreign fill is a maker’s',
      "others.liquidity ?? 'taker'",
      "others.liquidity ?? 'maker'",
    ],
  ],
} as const;

export const outsideJournal = {
  station: 'journal',
  rows: [
    [
      'postgres/createWriterSession.ts',
      'a connection that came up while closing keeps the account',
      '      if (isClosed) await fresh.end();\n',
      '',
    ],
  ],
} as const;

export const outsideOperateServe = {
  station: 'operate/serve',
  rows: [
    [
      'createAdmission.ts',
      'a fraction of a request is admitted',
      'if (left < 1) return false;',
      'if (left <= 0) return false;',
    ],
  ],
} as const;
