/** More bugs planted on lines drawn at random along the way of money, which no fast test of their folder had found: as tables’ rows. */
export const drawnCBudget = {
  station: 'budget',
  rows: [
    [
      'createGrant.ts',
      'a demand is assumed at the start',
      'let neededAt = -Infinity;',
      'let neededAt = 0;',
    ],
  ],
} as const;

export const drawnCOperateControl = {
  station: 'operate/control',
  rows: [
    [
      'pollCommands.ts',
      'the first wallet’s positions are ignored on each',
      'bot.book(wallet).openPositions();',
      'bot.book(wallets[0]!).openPositions();',
    ],
    [
      'pollCommands.ts',
      'the first wallet’s holdings are ignored on each',
      'const spots = bot.spotPositions(wallet).map',
      'const spots = bot.spotPositions(wallets[0]!).map',
    ],
  ],
} as const;

export const drawnCOperateJournal = {
  station: 'operate/journal',
  rows: [
    [
      'explainLife.ts',
      'an expired intent’s reason is not shown',
      '`It was not sent in time, and never will be${why}.`',
      '`It was not sent in time, and never will be.`',
    ],
    [
      'explainLife.ts',
      'a whole execution has a rest',
      "record['size'] ?? record['total_size']",
      "record['size']",
    ],
  ],
} as const;

export const drawnCOperateRun = {
  station: 'operate/run',
  rows: [
    [
      'watchOwnErrors.ts',
      'one of several is blamed alone',
      'others.length === 0 && isPlaceless',
      'others.length >= 0 && isPlaceless',
    ],
    [
      'runTape.ts',
      'a run goes on after its preparation failed',
      '    if (prepared?.ok === false) return prepared;\n',
      '',
    ],
    [
      'loadTape.ts',
      'nothing to replay is no fault',
      "  if (nothing !== undefined) return failed('TRIMTAB_TAPE_NOTHING_TO_TRADE', nothing);\n",
      '',
    ],
    [
      'explainUnequalFeeds.ts',
      'an end at the run’s end is unequal',
      'last - end <= apart || end >= until',
      'last - end <= apart || end > until',
    ],
    [
      'watchEarlyEnd.ts',
      'the last refusal is told',
      'message ??= lines.map',
      'message = lines.map',
    ],
    [
      'describeLeft.ts',
      'the first wallet’s positions are those of each',
      '      .book(wallet)\n      .openPositions()',
      '      .book(wallets[0]!)\n      .openPositions()',
    ],
    [
      'describeLeft.ts',
      'the first wallet’s holdings are those of each',
      '...bot.spotPositions(wallet).flatMap',
      '...bot.spotPositions(wallets[0]!).flatMap',
    ],
    [
      'describeLeft.ts',
      'the first wallet’s owners are those of each',
      'bot.ownerOf(wallet, symbol).kind',
      'bot.ownerOf(wallets[0]!, symbol).kind',
    ],
    [
      'equityOf.ts',
      'the first wallet’s equity counts for each',
      '(sum, wallet) => sum + (bot.book(wallet).account()?.equity ?? 0)',
      '(sum) => sum + (bot.book(plan.strategies[0]!.wallet).account()?.equity ?? 0)',
    ],
    [
      'equityOf.ts',
      'the first wallet’s cash counts for each',
      'traded.includes(wallet) ? cash[at]! : 0',
      'traded.includes(wallet) ? cash[0]! : 0',
    ],
    [
      'createProgressReporter.ts',
      'the first wallet’s executions count for each',
      'bot.book(id).runningExecutions()',
      'bot.book(id && wallets[0]!).runningExecutions()',
    ],
    [
      'equityOf.ts',
      'wallets that no strategy trades on count',
      'traded.includes(wallet) ? cash[at]! : 0',
      'traded.length > 0 ? cash[at]! : 0',
    ],
  ],
} as const;

export const drawnCOperateShadow = {
  station: 'operate/shadow',
  rows: [
    [
      'openShadows.ts',
      'every symbol of a shadow has the first one’s interval',
      'interval: plan.markInterval(symbol) }',
      'interval: plan.markInterval(symbol && symbols[0]!) }',
    ],
  ],
} as const;

export const drawnCOperateState = {
  station: 'operate/state',
  rows: [
    [
      'readBlocks.ts',
      'a holding’s stop lies on the side of a short',
      "stop = mark === null ? null : nearestStop({ symbol, side: 'long' }, rows, mark);",
      "stop = mark === null ? null : nearestStop({ symbol, side: 'short' }, rows, mark);",
    ],
  ],
} as const;

export const drawnCPaperAlgos = {
  station: 'paper/algos',
  rows: [
    [
      'controls.ts',
      'an execution that stays ends the search',
      "    if (!ends(execution.record)) continue;\n    endExecution(engine, account, execution, { status: 'stopped', reason: 'liquidated' });",
      "    if (!ends(execution.record)) return;\n    endExecution(engine, account, execution, { status: 'stopped', reason: 'liquidated' });",
    ],
  ],
} as const;

export const drawnCPaperCore = {
  station: 'paper/core',
  rows: [
    [
      'StreamSubscription.ts',
      'a book of any depth matches',
      '{ depth: STREAMED_DEPTH, ...params } : params;',
      '{ ...params } : params;',
    ],
    [
      'createHttpDoor.ts',
      'a refused stream is granted',
      'if (key === null || outcome.wallet === null || outcome.status !== 200) return null;',
      'if (key === null || outcome.wallet === null) return null;',
    ],
    [
      'openSession.ts',
      'a refused stream’s subscriptions stay',
      '    session.close();\n    throw error;',
      '    throw error;',
    ],
    [
      'createIndicatorBoard.ts',
      'an indicator that saw more bars goes on',
      'known !== undefined && known.seen <= bars.length ? known',
      'known !== undefined ? known',
    ],
  ],
} as const;

export const drawnCPaperEngine = {
  station: 'paper/engine',
  rows: [
    [
      'closePosition.ts',
      'a close by an algorithm may open',
      'total_size: Math.abs(size), params, reduce_only: true };',
      'total_size: Math.abs(size), params, reduce_only: false };',
    ],
  ],
} as const;

export const drawnCPaperEngineRoutes = {
  station: 'paper/engine/routes',
  rows: [
    [
      'webhookRoutes.ts',
      'a webhook lists the deliveries of all',
      'isListed: (delivery) => delivery.webhook_id === webhookId,',
      'isListed: (delivery) => delivery.webhook_id !== "" && webhookId !== "",',
    ],
    [
      'accountRoutes.ts',
      'the default leverage is bounded by the lowest instrument',
      'const most = Math.max(...engine',
      'const most = Math.min(...engine',
    ],
  ],
} as const;

export const drawnCPaperLegs = {
  station: 'paper/legs',
  rows: [
    [
      'publishLeg.ts',
      'a leg’s frame has the key of no symbol',
      "const keys = { symbol: leg.record.symbol };\n  engine.emit({ channel: 'tpsl.watch', event, wallet, keys, data: legRow(leg) });",
      "const keys = {};\n  engine.emit({ channel: 'tpsl.watch', event, wallet, keys, data: legRow(leg) });",
    ],
  ],
} as const;

export const drawnCPaperVenue = {
  station: 'paper/venue',
  rows: [
    [
      'margin.ts',
      'a candidate beside open orders counts twice',
      'if (positions.has(symbol) || margined.has(symbol)) return total;',
      'if (positions.has(symbol)) return total;',
    ],
    [
      'applyFill.ts',
      'the margin watch of a closed position stays',
      '  if (held?.size === 0) dropMarginWatch(engine, held);\n',
      '',
    ],
    [
      'Account.ts',
      'an open order is dropped with the old ones',
      'orders: new Ledger(retention, (order) => !isOpen(order)),',
      'orders: new Ledger(retention, () => true),',
    ],
  ],
} as const;

export const drawnCRuntime = {
  station: 'runtime',
  rows: [
    [
      'startBot.ts',
      'the start does not wait for what it learns',
      'if (learned !== undefined) await learned;',
      'if (learned !== undefined) void learned;',
    ],
  ],
} as const;

export const drawnCRuntimeControl = {
  station: 'runtime/control',
  rows: [
    [
      'causeOf.ts',
      'what was caught up counts as overtaken, and the other way round',
      'return { time, intervalMs, isCatchUp, isOvertaken };',
      'return { time, intervalMs, isCatchUp: isOvertaken, isOvertaken: isCatchUp };',
    ],
  ],
} as const;

export const drawnCRuntimeMembers = {
  station: 'runtime/members',
  rows: [
    [
      'createMembers.ts',
      'all strategies share one seed',
      'const seed = `${plan.seed}/${name}`;',
      'const seed = `${plan.seed}`;',
    ],
    [
      'followWallet.ts',
      'an account record releases no exposure',
      "        exposure.shown(wallet, 'order', model.time);\n        if (lastShown",
      '        if (lastShown',
    ],
  ],
} as const;

export const drawnCRuntimePipe = {
  station: 'runtime/pipe',
  rows: [
    [
      'createReports.ts',
      'an end is reported before it is written',
      '    write(item);\n    report(item, state, reported);',
      '    report(item, state, reported);\n    write(item);',
    ],
    [
      'createReconciliation.ts',
      'a query is not waited for at the end',
      'options.detach(query(item, refusal, conflict));',
      'void query(item, refusal, conflict);',
    ],
  ],
} as const;

export const drawnCRuntimeRecord = {
  station: 'runtime/record',
  rows: [
    [
      'createOriginLog.ts',
      'a client id keeps the origin of before',
      '    if (origin === undefined) byClientId.delete(clientId);\n    else byClientId.set(clientId, origin);',
      '    if (origin !== undefined) byClientId.set(clientId, origin);',
    ],
  ],
} as const;

export const drawnCRuntimeWallet = {
  station: 'runtime/wallet',
  rows: [
    [
      'readWork.ts',
      'a position that closed meanwhile fails the read',
      'legs.reason === NO_POSITION ? { ...NOT_ASKED, value: [] } : legs;',
      'legs;',
    ],
    [
      'createRefLog.ts',
      'a monitor is followed as an order',
      "if (entries.size > 0) take(idsOf(monitor), { kind: 'monitor', monitor });",
      "if (entries.size > 1) take(idsOf(monitor), { kind: 'monitor', monitor });",
    ],
  ],
} as const;
