import { tableOf, type Table } from '../Patch.ts';

// prettier-ignore
const strategy = tableOf('strategy', [
['createEmissionGate.ts', 'what is decided on history is sent', 'if (turns.isSuppressed()) return suppress(proposed);', ''],
['createEmissionGate.ts', 'a flood goes on', 'return inRun.count > MAX_EMISSIONS_A_RUN;', 'return false;'],
['createEmissionGate.ts', 'a bad shape is sent', 'if (!checked.ok) return refuseShape(proposed, checked.fault);\n      const intent = checked.value;', 'const intent = checked.ok ? checked.value : proposed;'],
['createEmissionGate.ts', 'a decision outside of a turn is sent', "if (origin === undefined && intent.decision === undefined) {", 'if (origin === null) {'],
['createEmissionGate.ts', 'two strategies share their decisions', '`${account}/${instance}/${cause}#${ordinal}`', '`${account}/${cause}#${ordinal}`'],
['createEmissionGate.ts', 'two accounts share their decisions', '`${account}/${instance}/${cause}#${ordinal}`', '`${instance}/${cause}#${ordinal}`'],
['createEmissionGate.ts', 'a catch-up is live', "const isCatchUp = turns.liveness() === 'catch_up';", 'const isCatchUp = false;'],
['createEmissionGate.ts', 'the cause has the time of the decision', 'causeTime: origin?.time ?? marketTime', 'causeTime: marketTime'],
['createEmissionGate.ts', 'a strategy waits for what was suppressed', "    reportDenied(proposed, WARM_UP, 'It was decided on a past bar.');\n", ''],
['createEmissionGate.ts', 'a strategy that is always refused goes on', 'if (refused < MAX_REFUSALS) return;', 'return;'],
['createOrdinals.ts', 'two intents of one cause are the same', 'counts.set(cause, ordinal + 1);', 'counts.set(cause, ordinal);'],
['createOrdinals.ts', 'a cause that comes again begins at none', 'known ?? older.get(cause) ?? 0', 'known ?? 0'],
['createOrdinals.ts', 'a name used in a later turn is another decision', '      if (turn !== namedTurn) {\n        namedTurn = turn;\n        named = new Map();\n      }\n', ''],
['warmUp.ts', 'the first bars after a short history are live', 'event.history || closed <= warmup', 'event.history'],
['warmUp.ts', 'the warm-up has one bar too many', 'closed <= warmup : closed < warmup', 'closed <= warmup + 1 : closed < warmup'],
['warmUp.ts', 'a bar of an outage is live', "return isLate ? 'catch_up' : 'live';", "return 'live';"],
['every.ts', 'a clock ticks once', '        schedule(Math.max(time, clock.now()));\n', ''],
['every.ts', 'a replay that jumps ticks for each boundary', 'schedule(Math.max(time, clock.now()));', 'schedule(time);'],
['createTurns.ts', 'what arrives in a turn interrupts it', 'if (cause === undefined && !draining) enter', 'if (turnsSoFar >= 0) enter'],
['createTurns.ts', 'what is deferred from history is sent', "(liveness === 'history' || (liveness === 'standing' && historySeen && !liveSeen))", "liveness === 'history'"],
['createTurns.ts', 'an error ends the run of others', '      onThrow(error);\n', '      throw error;\n'],
['createTurns.ts', 'a nested turn leaves its cause', '      cause = outerCause;\n', ''],
['createStrategyHost.ts', 'a quarantined strategy goes on', '    lifetime.unsubscribe();\n    options.onFault(fault);', '    options.onFault(fault);'],
['createStrategyHost.ts', 'a stream that completes is well', "complete: () => quarantine('completed', COMPLETED),", 'complete: () => {},'],
['createStrategyHost.ts', 'state is written in warm-up', 'if (writesInWarmUp || !turns.isSuppressed()) return;', 'return;'],
['createStrategyHost.ts', 'a stopped strategy goes on', "      status = { state: 'stopped' };\n      lifetime.unsubscribe();", "      status = { state: 'stopped' };"],
['causes.ts', 'a position has another name with each look', 'position:${symbol}:${position.updated_time}', 'position:${symbol}:${now}'],
['causes.ts', 'two symbols\' positions are one cause', 'position:${symbol}:${position.updated_time}', 'position:${position.updated_time}'],
['causes.ts', 'a position that is closed twice is one cause', 'position:${symbol}:flat:${now}', 'position:${symbol}:flat'],
['causes.ts', 'a flat position is shown without its size', 'return { position: { symbol, size: 0 } };', 'return { position: { symbol } };'],
['causes.ts', 'a short is shown as a long', 'return { position: { symbol, side, size, entry_price, updated_time } };', 'return { position: { symbol, size, entry_price, updated_time } };'],
['causes.ts', 'an order that is gone twice is one cause', "event === 'gone' ? `${id}:gone:${now}`", "event === 'gone' ? `${id}:gone:${time}`"],
['causes.ts', 'an execution that is gone is its last step', "${event === 'gone' ? now : time}", '${time}'],
['causes.ts', 'a price with a time has another name with each look', '${time ?? now}', '${now}'],
['causes.ts', 'a rate after a payment is the payment', '    last?.time === time', '    last !== null'],
['causes.ts', 'a tracked entry\'s events are all one', '${row.leg_id ?? row.watch_id}', '${row.leg_id}'],
['causes.ts', 'a timer on a late event is early', 'time: (time) => time - lateMs', 'time: (time) => time + lateMs'],
]);

// prettier-ignore
const intents = tableOf('intents', [
['IntentEffect.ts', 'an explicit reduce_only: false is an exit', 'request.reduce_only === true', 'request.reduce_only !== undefined'],
['IntentEffect.ts', 'a launch adds nothing', "'algo' in request ? request.total_size : request.size", "'algo' in request ? 0 : request.size"],
['IntentEffect.ts', 'an exit may add', 'return effect({ symbols: [symbol], reductions, reduceOnly: true, isExit: true });', 'return effect({\n      symbols: [symbol],\n      entries: [{ symbol, side, size: 1 }],\n      reductions,\n      reduceOnly: true,\n      isExit: true,\n    });'],
]);

// prettier-ignore
const indicators = tableOf('indicators', [
['rsi.ts', 'a flat market has no value', 'loss === 0 ? 100 :', 'loss === 0 ? NaN :'],
['rsi.ts', 'a loss is a gain', 'change < 0 ? -change : 0', 'change < 0 ? change : 0'],
['atr.ts', 'the first bar has a range', '[params.period + 1]', '[params.period]'],
['macd.ts', 'the signal is of the fast average', 'this.#signal.next(line)', 'this.#signal.next(line * 2)'],
['macd.ts', 'the signal is warm with the line', 'line + params.signal_period - 1', 'line'],
['bollinger.ts', 'the lower band is the upper', 'this.values[2] = mean - width;', 'this.values[2] = mean + width;'],
['adx.ts', 'both movements count', 'up > down && up > 0 ? up : 0', 'up > 0 ? up : 0'],
['adx.ts', 'equal movements count', 'down > up && down > 0', 'down >= up && down > 0'],
]);

export const decisions: readonly Table[] = [strategy, intents, indicators];
