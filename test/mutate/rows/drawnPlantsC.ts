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
