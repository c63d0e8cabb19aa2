import { tableOf, type Table } from '../Patch.ts';

// prettier-ignore
const legs = tableOf('paper/legs', [
['trailLeg.ts', 'a short\'s trail may loosen', 'const isCloser = direction * (to - from) < 0;', "const isCloser = leg.positionSide === 'short' || direction * (to - from) < 0;"],
['trailLeg.ts', 'a take-profit trails past the mark', 'return isCloser && direction * (to - engine.market.mark(symbol)) > 0;', 'return isCloser;'],
['trailLeg.ts', 'a move of the least size does not count', 'compareMove(from, to, leastMoveOf(leg)) >= 0', 'compareMove(from, to, leastMoveOf(leg)) > 0'],
['trailLeg.ts', 'a moved trail is watched at its old price', '  watchTrigger(engine, leg);\n', ''],
['trailLeg.ts', 'a trail follows the bar\'s open', 'bars.close[bars.length - 1]!', 'bars.open[bars.length - 1]!'],
['triggerLeg.ts', 'a leg reverses the position', 'coupled ? held : Math.min(filled ?? 0, held)', 'coupled ? held : (filled ?? 0)'],
['triggerLeg.ts', 'a leg of an entry closes the whole position', 'coupled ? held : Math.min(filled ?? 0, held)', 'held'],
['triggerLeg.ts', 'the other leg of a pair stays', "if (sibling !== undefined) endLeg(engine, account, sibling, 'retired');", ''],
['triggerLeg.ts', 'a leg without a position is triggered', "    endLeg(engine, account, leg, 'retired');\n    return;", "    endLeg(engine, account, leg, 'triggered');\n    return;", { equivalent: 'an armed leg whose side holds nothing is retired by the fill that left it so' }],
['rearmLeg.ts', 'a leg is rearmed without a position', ' <= 0) {\n    throw new ServiceError(\'no_position\'', ' < 0) {\n    throw new ServiceError(\'no_position\''],
['attachLegs.ts', 'a replaced leg stays armed', "  for (const leg of replaced) endLeg(engine, account, leg, 'retired');\n", ''],
['attachLegs.ts', 'a stop replaces a take-profit', '.filter(({ record }) => request[record.kind])', ''],
['attachLegs.ts', 'legs of entries are replaced', 'record.coupled && record.symbol === symbol', 'record.symbol === symbol'],
['attachLegs.ts', 'a replaced trail keeps its row', 'checkRows(account, countTrails(request), freed);', 'checkRows(account, countTrails(request), 0 * freed);'],
['attachLegs.ts', 'two compiled exits do not stop each other', "{ mode: 'oco', monitors }", "{ mode: 'none', monitors }"],
['attachLegs.ts', 'legs of a short are those of a long', "position.size > 0 ? 'long' : 'short'", "position.size !== 0 ? 'long' : 'short'"],
['attachLegs.ts', 'a refused pair retires the legs before', '  checkUnwinds(engine, position, resolved);\n', ''],
['lifecycle.ts', 'legs of another symbol end', "if (record.symbol !== symbol || record.status !== 'armed') continue;", "if (record.status !== 'armed') continue;", { equivalent: 'the size is asked of the leg’s own symbol, whose legs end with its own fills' }],
['lifecycle.ts', 'a coupled leg does not follow its position', "else if (record.coupled && record.exit_style === 'native') record.size = size;", ''],
['lifecycle.ts', 'an unwinding leg follows its position', "record.coupled && record.exit_style === 'native'", 'record.coupled'],
['lifecycle.ts', 'the legs of an entry do not grow', 'leg.record.size = snapSize(order.record.filled_size, decimals);', 'leg.record.size ??= snapSize(order.record.filled_size, decimals);'],
['lifecycle.ts', 'legs arm before their side is open', "leg.record.status !== 'queued' || protectedSize(account, leg) <= 0", "leg.record.status !== 'queued'"],
['lifecycle.ts', 'legs are not anchored to the fill', "record.form === 'trail' || record.resolution!.anchor_price !== price;", "record.form === 'trail' && price > 0;"],
['lifecycle.ts', 'an entry that gets its price is anchored again', "record.form === 'trail' || record.resolution!.anchor_price !== price;", "record.form === 'trail' || price > 0;"],
['lifecycle.ts', 'a trail is not anchored to its fill', "  record.form === 'trail' || record.resolution!", '  record.resolution!'],
['lifecycle.ts', 'a leg that waits again is anchored to fills that are closed', 'resolveAgain(engine, account, leg, fill.price)', 'resolveAgain(engine, account, leg, order.record.average_price!)'],
['lifecycle.ts', 'the leg of an entry that is open retires with the position', 'if (size <= 0 && account.openOrders.has(leg.orderId ?? \'\')) queueAgain(engine, leg);\n    else if', 'if'],
['lifecycle.ts', 'a leg that waits again is still shown as armed', "  publishLeg(engine, leg, 'leg_retired');\n", ''],
['lifecycle.ts', 'a leg that waits again stays in the market', "  withdrawLeg(engine, leg);\n  leg.record.status = 'queued';", "  leg.record.status = 'queued';"],
['triggerLeg.ts', 'what is left of an entry fills after its leg', "  if (entry !== undefined) closeOrder(engine, account, entry, { reason: 'leg_triggered' });\n", ''],
['moveQueuedLegs.ts', 'a leg may be moved to the wrong side', '    checkSide(context, resolution);\n', ''],
['moveQueuedLegs.ts', 'a leg that is armed is moved with its order', "if (leg?.record.status !== 'queued') return [];", 'if (leg === undefined) return [];'],
['lifecycle.ts', 'a leg on the wrong side arms', "    endLeg(engine, account, leg, 'rejected');\n    return false;", "    return true;"],
['lifecycle.ts', 'legs of an entry without a fill stay', "if (leg?.record.status === 'queued') endLeg(engine, account, leg, 'retired');", ''],
['lifecycle.ts', 'an ended leg stays in the market', '  if (leg.watch !== null) engine.market.unwatch(leg.watch);\n  if (leg.hook', '  if (leg.hook', { equivalent: 'a watch or bar of a leg that is not live is passed over' }],
['lifecycle.ts', 'a leg of an order is coupled', 'coupled: owner.orderId === null && owner.executionId === null', 'coupled: owner.executionId === null'],
['lifecycle.ts', 'a stop of a short triggers when the price falls', "directionOf({ kind: record.kind, positionSide }) < 0 ? 'below' : 'above'", "record.kind === 'stop_loss' ? 'below' : 'above'"],
['maintainedRows.ts', 'tracked entries take no row', 'let rows = account.entryWatches.size;', 'let rows = 0;'],
['maintainedRows.ts', 'trails take no row', "if (leg.record.form === 'trail') rows++;", ''],
['resolveLeg.ts', 'a trail by percent of a stop is above', 'offsetPrice(reference, direction * pct, PERCENT)', 'offsetPrice(reference, pct, PERCENT)'],
['resolveLeg.ts', 'a trail is anchored to the entry', '{ read, reference });\n  const { instrument }', '{ read, reference: context.anchorPrice });\n  void reference;\n  const { instrument }'],
['resolveLeg.ts', 'a computed price is off the grid', 'toResolution(context, read, resolvedPrice(context.kind, raw, instrument))', 'toResolution(context, read, raw)'],
['resolveLeg.ts', 'a sent price off the grid is accepted', '    checkPrice(`${context.kind}.price`, spec.price, instrument);\n', ''],
['resolveLeg.ts', 'a trigger at the anchor is accepted', '(trigger - context.anchorPrice) > 0) return;', '(trigger - context.anchorPrice) >= 0) return;'],
['checkEntry.ts', 'a reduce-only order takes legs', 'if (request.reduce_only !== true && !sellsSpot) return;', 'if (!sellsSpot) return;'],
['checkEntry.ts', 'a sale of spot takes legs', 'if (request.reduce_only !== true && !sellsSpot) return;', 'if (request.reduce_only !== true) return;'],
['checkEntry.ts', 'a purchase of spot takes no legs', "kind === 'spot' && request.side === 'sell'", "kind === 'spot'"],
['checkEntry.ts', 'a short takes no legs', "kind === 'spot' && request.side === 'sell'", "request.side === 'sell'"],
]);

// prettier-ignore
const tracking = tableOf('paper/tracking', [
['moveEntry.ts', 'the drift limit is one tick too wide', 'level, watch.maxDriftBps) > 0', 'level, watch.maxDriftBps * 2) >= 0'],
['moveEntry.ts', 'hold goes before drift', "  if (compareMove(watch.firstPrice, level, watch.maxDriftBps) > 0) {\n    endWatch(engine, account, watch, { status: 'stopped', level });\n  } else if (target.holds(account, watch, level)) {\n    publishEntry(engine, watch, 'entry_hold', level);\n  }", "  if (target.holds(account, watch, level)) {\n    publishEntry(engine, watch, 'entry_hold', level);\n  } else if (compareMove(watch.firstPrice, level, watch.maxDriftBps) > 0) {\n    endWatch(engine, account, watch, { status: 'stopped', level });\n  }"],
['moveEntry.ts', 'a sell is held by the ask', 'if (crosses(engine, symbol, side, level)) return true;', "const { bid, ask } = engine.market.at(symbol).touch();\n      if (side === 'buy' ? level >= ask : level <= ask + 0 * bid) return true;"],
['moveEntry.ts', 'an entry moves past its leg', 'return !isPossible || !canMove(', 'return !canMove('],
['moveEntry.ts', 'the legs of an entry that moves stay', '      moveQueuedLegs(engine, account, order, level);\n', ''],
['moveEntry.ts', 'the price is not remembered', '    watch.price = level;\n', ''],
['retireWatch.ts', 'an ended watch keeps its row', '  account.entryWatches.delete(watch.watchId);\n', ''],
['retireWatch.ts', 'an ended watch goes on', '  if (watch.hook !== null) engine.barHooks.remove(watch.hook);\n', '', { equivalent: 'a bar of a watch that the account no longer has is passed over' }],
['retireWatch.ts', 'a cancelled order leaves its watch', "  retireWatch(engine, account, order.entryTrack?.watch_id ?? null);\n", ''],
['trackEntry.ts', 'a throttle of its own is ignored', 'spec.min_move_bps ?? LIMITS.defaultMinMoveBps', 'LIMITS.defaultMinMoveBps'],
['trackEntry.ts', 'a drift limit of its own is ignored', 'spec.max_drift_bps ?? LIMITS.defaultMaxDriftBps', 'LIMITS.defaultMaxDriftBps'],
]);

// prettier-ignore
const monitors = tableOf('paper/monitors', [
['checkActionGrid.ts', 'the size of a launch may be off the grid', "const size = type === 'execute' ? 'total_size' : 'size';", "const size = 'size';"],
['checkActionGrid.ts', 'a size off the grid waits until it acts', "if (typeof amount === 'number') checkSize", "if (typeof amount === 'bigint') checkSize"],
['checkActionGrid.ts', 'the price of an action may be off the grid', "if (typeof price === 'number') checkPrice", "if (typeof price === 'bigint') checkPrice"],
['checkActionGrid.ts', 'the price of an action\'s leg may be off the grid', '[...own, ...legs]', 'own'],
['fireMonitor.ts', 'a failed action stops the others', 'if (!failed) stopOthers', 'stopOthers'],
['fireMonitor.ts', 'a failed action counts as fired', "if (failed) record.status = 'failed';", "if (failed) record.status = 'fired';"],
['fireMonitor.ts', 'a monitor with rearm fires once', "record.rearm ? 'armed' : 'fired'", "'fired'"],
['fireMonitor.ts', 'a monitor without rearm fires again', "record.rearm ? 'armed' : 'fired'", "'armed'"],
['fireMonitor.ts', 'what ended without a fill counts as fired', 'return actionFault(act(engine, account, monitor, level).record);', 'act(engine, account, monitor, level);\n    return null;'],
['fireMonitor.ts', 'a stopped member is stopped again', "other === undefined || other.record.status === 'stopped'", 'other === undefined'],
['fireMonitor.ts', 'an unwinding leg is not triggered', "if (leg !== undefined) endLeg(engine, account, leg, 'triggered');", ''],
['armMonitor.ts', 'a level that is crossed already fires at once', 'if (isCrossed && monitor.ready) {', 'if (isCrossed) {'],
['armMonitor.ts', 'a level that is reached exactly is not crossed', "direction === 'above' ? mark >= level : mark <= level", "direction === 'above' ? mark > level : mark < level"],
['armMonitor.ts', 'a monitor fires in the wrong direction', "direction === 'above' ? mark >= level : mark <= level", "direction === 'above' ? mark <= level : mark >= level"],
['armMonitor.ts', 'a paused monitor fires', "if (level === null || monitor.record.status !== 'armed') return;", 'if (level === null) return;', { equivalent: 'what is not armed has no watch and no hook' }],
['armMonitor.ts', 'a monitor that was armed before fires at once', '  monitor.ready = false;\n', ''],
['controlMonitor.ts', 'a paused monitor cannot be stopped', "paused: ['resume', 'stop']", "paused: ['resume']"],
['controlMonitor.ts', 'a stopped monitor may be rearmed', '  stopped: [],\n};', "  stopped: ['rearm'],\n};"],
['controlMonitor.ts', 'a failed monitor cannot be rearmed', "failed: ['rearm', 'stop']", "failed: ['stop']"],
['controlMonitor.ts', 'a rearmed leg has no position', "  if (action === 'rearm' && monitor.unwind !== null) {\n    rearmLeg(engine, account, monitor.unwind.legId);\n  }\n", ''],
['controlMonitor.ts', 'a group with an armed member is stopped', "['armed', 'paused', 'fired', 'failed']", "['fired', 'failed']"],
['compileLeg.ts', 'a leg below the minimum value is accepted', 'if (!isWithin(least, value)) {', 'if (value < 0) {'],
['compileLeg.ts', 'the value is that of the mark', 'const value = size * resolution.trigger_price;', 'const value = size * resolution.anchor_price;'],
['compileLeg.ts', 'a short\'s stop fires below', "const direction = side < 0 ? 'below' : 'above';", "const direction = kind === 'stop_loss' ? 'below' : side < 0 ? 'below' : 'above';"],
['endMonitor.ts', 'a stopped monitor leaves its leg', "if (leg !== undefined && status === 'stopped') endLeg", "if (leg !== undefined && status === 'failed') endLeg"],
['endMonitor.ts', 'a paused monitor retires its leg', "leg !== undefined && status === 'stopped'", 'leg !== undefined'],
['endMonitor.ts', 'a retired leg leaves its monitor', "  endMonitor(engine, account, monitor, 'stopped');\n", ''],
]);

// prettier-ignore
const webhooks = tableOf('paper/webhooks', [
['checkAction.ts', 'an action that no alert can make valid is taken', 'if (first?.ok === false && !shapes.some(({ ok }) => ok)) {', 'if (first === undefined) {'],
['checkAction.ts', 'an action must be valid for every alert', '!shapes.some(({ ok }) => ok)', '!shapes.every(({ ok }) => ok)'],
['checkAction.ts', 'the prices of an alert are one', '[1, 1e-6, 1e12]', '[1]'],
]);

// prettier-ignore
const baskets = tableOf('paper/baskets', [
['launchBasket.ts', 'two legs share a client id', 'if (id !== undefined && ids.has(id)) {', 'if (id !== undefined && ids.size > 99) {'],
['launchBasket.ts', 'a sweep from a level may pay beyond the range', 'if (farthest !== null) checkRange(', 'if (farthest === 0) checkRange('],
['launchBasket.ts', 'rows of a basket are not counted', 'legs.map(rowsOf).reduce((sum, rows) => sum + rows, 0)', '0'],
['launchBasket.ts', 'only the first leg is checked', 'legs.entries()', 'legs.slice(0, 1).entries()'],
['launchBasket.ts', 'the range of a template is ignored', 'request.price_range ?? template.price_range', 'request.price_range'],
['launchBasket.ts', 'a template that does not fit its range is launched', 'if (!checked.ok) {', 'if (checked.ok === null) {'],
]);

export const paperLegs: readonly Table[] = [legs, tracking, monitors, baskets, webhooks];
