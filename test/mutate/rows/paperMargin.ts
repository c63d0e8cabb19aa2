/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const executionParts = {
  station: 'paper/algos',
  rows: [
    [
      'endExecution.ts',
      'an execution that filled in part arms its legs whole',
      '  leg.record.size = filled;',
      '  leg.record.size = execution.record.total_size;',
    ],
  ],
} as const;

export const paperMargin = {
  station: 'paper/venue',
  rows: [
    [
      'margin.ts',
      'an isolated position’s loss eats the collateral of the cross ones',
      'else surplus += positionPnl(engine, each) - maintenanceMargin(engine, each);',
      'else surplus += 0;\n    surplus += positionPnl(engine, each) - (each.margin === null ? maintenanceMargin(engine, each) : 0);',
    ],
    [
      'margin.ts',
      'a cross position is backed by its own profit only',
      'else surplus += positionPnl(engine, each) - maintenanceMargin(engine, each);',
      'else if (each === position) surplus += positionPnl(engine, each) - maintenanceMargin(engine, each);',
    ],
    [
      'margin.ts',
      'maintenance of the other cross positions is not asked',
      'else surplus += positionPnl(engine, each) - maintenanceMargin(engine, each);',
      'else surplus += positionPnl(engine, each) - (each === position ? maintenanceMargin(engine, each) : 0);',
    ],
    [
      'margin.ts',
      'an isolated position is backed by the cash',
      'return position.margin + positionPnl(engine, position) - maintenanceMargin(engine, position);',
      'return account.cash + positionPnl(engine, position) - maintenanceMargin(engine, position);',
    ],
    [
      'margin.ts',
      'maintenance is by the entry price',
      'Math.abs(size) * engine.market.mark(symbol) * maintenanceRate(engine, symbol);',
      'Math.abs(size) * entryPrice * maintenanceRate(engine, symbol);',
    ],
    [
      'margin.ts',
      'used margin forgets isolated positions',
      'if (isolated !== null) return isolated + Math.max(buys, sells) / leverage;',
      'if (isolated !== null) return Math.max(buys, sells) / leverage;',
    ],
    [
      'margin.ts',
      'the orders of an isolated symbol need no margin',
      'if (isolated !== null) return isolated + Math.max(buys, sells) / leverage;',
      'if (isolated !== null) return isolated;',
    ],
    [
      'margin.ts',
      'a position with no orders needs no margin',
      'total += symbolMargin(engine, account, symbol, { sides: margined.get(symbol), candidate });',
      'if (margined.has(symbol)) total += symbolMargin(engine, account, symbol, { sides: margined.get(symbol), candidate });',
    ],
    [
      'margin.ts',
      'margin in use is by the entry price',
      'const held = Math.abs(size) * engine.market.mark(symbol);',
      'const held = Math.abs(size) * (position?.entryPrice ?? 0);',
    ],
    [
      'margin.ts',
      'a liquidation price below zero is shown',
      'return price > 0 ? price : null;',
      'return price;',
    ],
    [
      'margin.ts',
      'an unset leverage is the symbol’s most',
      'account.leverage.get(symbol) ?? Math.min(most, account.settings.default_leverage)',
      'account.leverage.get(symbol) ?? most',
    ],
    [
      'margin.ts',
      'holdings are of equity at cost',
      'for (const { symbol, size } of account.holdings.values()) {\n    equity += size * engine.market.mark(symbol);',
      'for (const { size, entryPrice } of account.holdings.values()) {\n    equity += size * entryPrice;',
    ],
    [
      'marginWatch.ts',
      'cross positions are each watched at the whole surplus',
      'position.margin === null ? surplus / cross : surplus',
      'surplus',
    ],
    [
      'marginWatch.ts',
      'isolated positions count as cross ones',
      'if (margin === null) cross++;',
      'if (margin !== undefined) cross++;',
      { equivalent: 'a watch that comes too early is only set again' },
    ],
    [
      'marginWatch.ts',
      'an isolated position is watched at a part of its surplus',
      'position.margin === null ? surplus / cross : surplus',
      'surplus / positions.size',
      { equivalent: 'a watch that comes too early is only set again' },
    ],
    [
      'marginWatch.ts',
      'maintenance grows on the wrong side',
      '(1 - direction * maintenanceRate',
      '(1 + direction * maintenanceRate',
    ],
    [
      'marginWatch.ts',
      'only the first position is watched',
      '    setMarginWatch(engine, account, position, share);\n  }',
      '    setMarginWatch(engine, account, position, share);\n    break;\n  }',
    ],
    [
      'liquidation.ts',
      'only the first of several is taken over',
      'for (const position of positions) takeOver(engine, account, position);',
      'takeOver(engine, account, positions[0]!);',
    ],
    [
      'liquidation.ts',
      'an isolated liquidation takes the others over',
      'const lost = all.filter((position) => surplusAtWorst(position) <= NOTHING);',
      'const lost = all.some((position) => surplusAtWorst(position) <= NOTHING) ? all : [];',
    ],
    [
      'liquidation.ts',
      'a trade that reverts within its millisecond liquidates nobody',
      'const lost = all.filter((position) => surplusAtWorst(position) <= NOTHING);',
      'const lost = all.filter((position) => surplusOf(engine, account, position) <= NOTHING);\n  void surplusAtWorst;',
    ],
    [
      'liquidation.ts',
      'a dip of an isolated position is one of the others',
      'return isShared || dip.position === position ? dip.loss : 0;',
      'return isShared || dip !== null ? dip.loss : 0;',
    ],
    [
      'liquidation.ts',
      'a cross liquidation ends the orders of its symbols only',
      'symbols.has(trade.symbol) || (isAll && !onlyCloses(engine, trade));',
      'symbols.has(trade.symbol) || (isAll && onlyCloses(engine, trade) && false);',
    ],
    [
      'liquidation.ts',
      'a cross liquidation ends the stops of what it does not take over',
      ': boolean => reduceOnly || (side ===',
      ': boolean => (false && reduceOnly) || (side ===',
    ],
    [
      'liquidation.ts',
      'a cross liquidation ends the sales of spot holdings',
      "reduceOnly || (side === 'sell'",
      "reduceOnly || (false && side === 'sell'",
    ],
    [
      'liquidation.ts',
      'a cross liquidation leaves the reduce-only orders of what it takes over',
      'symbols.has(trade.symbol) || (isAll && !onlyCloses(engine, trade));',
      '!onlyCloses(engine, trade) && (symbols.has(trade.symbol) || isAll);',
    ],
    [
      'liquidation.ts',
      'an isolated and a cross position at once end the isolated one’s orders only',
      'positions.some(({ margin }) => margin === null)',
      'positions.every(({ margin }) => margin === null)',
    ],
    [
      'liquidation.ts',
      'the others are not watched any more after a liquidation',
      'if (lost.length === 0) watchMargin(engine, account);',
      'if (all.length === 0) watchMargin(engine, account);\n  else if (lost.length === 0) return;',
    ],
    [
      'applyFill.ts',
      'what closes a part keeps the maker’s share of the whole',
      '  position.makerNotional *= share;\n',
      '',
    ],
    [
      'applyFill.ts',
      'a reversed position carries the fee of what it closed',
      '(fill.fee * size) / fill.size',
      'fill.fee',
    ],
    [
      'impactOf.ts',
      'the impact grows beyond a hundred bars of volume',
      'const MAX_SHARE = 100;',
      'const MAX_SHARE = 1_000;',
    ],
    [
      'liquidation.ts',
      'the trades before a watch of this instant count for it',
      'since >= path.time',
      'since > path.time',
      {
        equivalent:
          'the mark of an instant reaches a watch that was set in it only where nothing is left of the surplus',
      },
    ],
    [
      'fundsForChange.ts',
      'a change that frees margin needs as much as a new order',
      'now.fits || isWithin(now.required, before.required)',
      'now.fits',
    ],
    [
      'fundsForChange.ts',
      'a change takes margin that is not there',
      'now.fits || isWithin(now.required, before.required)',
      'now.fits || before.required >= 0',
    ],
    [
      'fillable.ts',
      'the small rest of a large order loses its last step',
      'snapSize(remainingOf(order), decimals)',
      'remainingOf(order)',
    ],
    [
      'placeOrder.ts',
      'the small rest of a large holding can’t be sold',
      'snapSize(held - heldBase(account, symbol), decimals)',
      'held - heldBase(account, symbol)',
    ],
    [
      'leverage.ts',
      'a leverage of an isolated position keeps its margin',
      '    position.margin = margin + notional * (1 / leverage - 1 / before);',
      '    void before;',
    ],
    [
      'leverage.ts',
      'a refused leverage keeps the new margin',
      'if (position !== undefined) position.margin = margin;',
      '',
    ],
    [
      'leverage.ts',
      'a refused first leverage stays as set',
      'if (setting === undefined) account.leverage.delete(symbol);\n    else account.leverage.set(symbol, setting);',
      'if (setting !== undefined) account.leverage.set(symbol, setting);',
    ],
    [
      'leverage.ts',
      'a change of leverage alone makes the symbol cross',
      "if (request.mode === 'cross') account.isolated.delete(symbol);",
      "if (request.mode !== 'isolated') account.isolated.delete(symbol);",
    ],
    [
      'leverage.ts',
      'the watches stay where the former leverage had them',
      '  watchMargin(engine, account);\n  if (position !== undefined)',
      '  if (position !== undefined)',
    ],
    [
      'margin.ts',
      'a leverage that needs all the margin is refused',
      'isWithin(used, equity)) return null;',
      'used < equity) return null;',
    ],
    [
      'margin.ts',
      'a rounding error of a sum refuses a leverage',
      'isWithin(used, equity)) return null;',
      'used <= equity) return null;',
    ],
    [
      'margin.ts',
      'a wallet below its initial margin sets no leverage',
      'if (used <= usedBefore || isWithin(used, equity)) return null;',
      'if (isWithin(used, equity)) return null;',
    ],
    [
      'margin.ts',
      'a refused leverage requires all the margin in use',
      '{ required: used - usedBefore, available: equity - usedBefore }',
      '{ required: used, available: equity }',
    ],
    [
      'leverage.ts',
      'a leverage is judged by the margin after it',
      '  const before = usedMargin(engine, account);\n  const undo = applyLeverage(engine, account, symbol, request.leverage);',
      '  const undo = applyLeverage(engine, account, symbol, request.leverage);\n  const before = usedMargin(engine, account);',
    ],
    ['leverage.ts', 'a leverage of one is out of range', 'leverage < 1 ||', 'leverage <= 1 ||'],
    [
      'leverage.ts',
      'the most leverage is out of range',
      'leverage > most ||',
      'leverage >= most ||',
    ],
    [
      'leverage.ts',
      'the mode is refused although it does not change',
      "const changes = mode !== undefined && (mode === 'isolated') !== account.isolated.has(symbol);",
      'const changes = mode !== undefined;',
    ],
    [
      'applyFill.ts',
      'the margin of a new position is by the mark of its leverage before',
      'marginRate: isIsolated ? 1 / leverageOf(engine, account, fill.symbol) : null,',
      'marginRate: isIsolated ? 1 / (account.settings.default_leverage) : null,',
    ],
    [
      'applyFill.ts',
      'an addition to an isolated position replaces its margin',
      'position.margin = (position.margin ?? 0) + opened * fill.price * marginRate;',
      'position.margin = opened * fill.price * marginRate;',
    ],
    [
      'applyFill.ts',
      'a flipped isolated position keeps the margin of the side before',
      '    scaleEntry(position, 0);\n',
      '',
      { equivalent: 'what is closed has scaled it to nothing already' },
    ],
    [
      'applyFill.ts',
      'the watch of a closed position stays',
      'if (held?.size === 0) dropMarginWatch(engine, held);',
      '',
    ],
  ],
} as const;

export const paperParts = {
  station: 'paper/legs',
  rows: [
    [
      'lifecycle.ts',
      'a partial fill arms the legs whole',
      'leg.record.size = snapSize(order.record.filled_size, decimals);',
      'leg.record.size = snapSize(order.record.size, decimals);',
    ],
  ],
} as const;

export const accountMargin = {
  station: 'paper/engine',
  rows: [
    [
      'routes/accountRoutes.ts',
      'a default leverage is judged by the margin after it',
      '  const used = usedMargin(engine, account);\n  Object.assign(account.settings, change);',
      '  Object.assign(account.settings, change);\n  const used = usedMargin(engine, account);',
    ],
    [
      'routes/accountRoutes.ts',
      'a default leverage that was refused stays',
      '    Object.assign(account.settings, before);\n',
      '',
    ],
  ],
} as const;
