import { tableOf, type Table } from '../Patch.ts';

// prettier-ignore
const control = tableOf('operate/control', [
['watchdog.ts', 'a bot that was stopped in order is killed', "const isPlanned = last?.ended === 'in_order';", 'const isPlanned = false;'],
['watchdog.ts', 'a pulse that cannot be read is a heartbeat', 'last !== undefined && time !== lastTime', 'time !== lastTime'],
['watchdog.ts', 'after its clock was set back a bot hangs', 'last !== undefined && time !== lastTime', 'last !== undefined && time > lastTime'],
['watchdog.ts', 'a pulse that cannot be read undoes a rearm', '?.obeyed ?? Number.POSITIVE_INFINITY', '?.obeyed ?? 0'],
['watchdog.ts', 'a silence just long enough is none', 'if (silentMs >= silenceMs) {', 'if (silentMs > 2 * silenceMs) {'],
['watchdog.ts', 'only the first wallet is ended', '    for (const wallet of options.wallets) {', '    for (const wallet of options.wallets.slice(0, 1)) {'],
['watchdog.ts', 'no command is left for the bot', '  leaveCommand(options, trip, reason);\n', ''],
['watchdog.ts', 'an operator\'s higher level is replaced', "if (waiting !== undefined && rankOf(waiting.level) >= rankOf('L2')) {", "if (waiting !== undefined && rankOf(waiting.level) > rankOf('L4')) {"],
['watchdog.ts', 'a rearm is undone', 'if (trip.commanded !== undefined && carriedOut >= trip.commanded) return;', ''],
['controlFiles.ts', 'a clock that was set back hides the command', 'Math.max(now, carriedOutTime(files) + 1, given + 1)', 'now'],
['watchdog.ts', 'one order that cannot be ended stops the others', "const fault = await end(options.client, wallet, intent).then(\n      () => null,\n      (error: unknown) => ({ error }),\n    );", "await end(options.client, wallet, intent);\n    const fault = null as never;"],
['watchdog.ts', 'monitors stay armed', "    await client.monitors.stop({ id: intent.monitor.monitor_id ?? '', wallet });\n", ''],
['watchdog.ts', 'others\' entries are ended', 'isOwn: (key) => own.has(key)', 'isOwn: () => true'],
['watchdog.ts', 'one list that cannot be read keeps the rest at work', '    failed(place, error);\n    return { ended: 0, left: [unreadReason(at, error)], heldMs };', '    throw error;'],
['watchdog.ts', 'armed monitors are not asked for', "'executions', 'monitors'] as const", "'executions'] as const"],
['pollCommands.ts', 'a kill that failed counts as carried out', 'else if (taken === time) taken = time - 1;', 'else carriedOut = time;'],
['pollCommands.ts', 'a rearm of before is carried out', "found?.level === 'L0' ? found.time : carriedOut", 'carriedOut'],
['pollCommands.ts', 'a kill of before is forgotten', "found?.level === 'L0' ? found.time : carriedOut", 'found?.time ?? carriedOut'],
]);

// prettier-ignore
const directLink = tableOf('operate/directLink', [
['createDirectLink.ts', 'a closed link sends', "if (isClosed) return { kind: 'not_sent', reason: 'closed' };", ''],
['createDirectLink.ts', 'timers fire before the frames of their instant', '    deliver();\n    // After the frames: a snapshot among them must arrive before its own timeout fires.\n    env.queue.advanceTo(now);', '    env.queue.advanceTo(now);\n    deliver();'],
['createDirectLink.ts', 'a replay has no header', "if (replayed) headers[names.idempotencyReplayed] = 'true';", ''],
]);

// prettier-ignore
const sweep = tableOf('backtest/sweep', [
['objectiveOf.ts', 'no losing trade is no profit factor', '(figures.win_rate ?? 0) > 0 ? Infinity : null', 'null'],
['objectiveOf.ts', 'no trade at all is spotless', '(figures.win_rate ?? 0) > 0 ? Infinity', '(figures.win_rate ?? 1) > 0 ? Infinity'],
['objectiveOf.ts', 'no losing day is no ratio', 'isRun(run) && isSpotless(run) ? Infinity : null', 'isRun(run) && isSpotless(run) ? null : null'],
['objectiveOf.ts', 'what lost everything is spotless', 'if (figures.max_drawdown_share >= 1) return false;', ''],
['rankJobs.ts', 'spotless points rank by their position', 'pnl[b]! - pnl[a]! || a - b', 'a - b'],
['rankJobs.ts', 'a missing objective ranks as zero', 'return Number.isNaN(value) ? -Infinity : value;', 'return Number.isNaN(value) ? 0 : value;'],
['rankJobs.ts', 'equal points rank by chance', 'first === second ? a - b', 'first === second ? b - a'],
['rankJobs.ts', 'the lowest is the best', 'a - b : second - first', 'a - b : first - second'],
['bestPoints.ts', 'the deflated ratio counts the shown points', 'deflatedSharpe(momentsOf(run.returns), sharpes)', 'deflatedSharpe(momentsOf(run.returns), sharpes.subarray(0, points.length))'],
['rankJobs.ts', 'one short point makes all rank by P&L', 'let [count, isShort] = [0, some.length > 0];', 'let [count, isShort] = [0, days.some((each) => each < FEWEST_RETURNS)];'],
['rankJobs.ts', 'the last point decides what ranks', 'isShort &&= days', 'isShort = days'],
['bestPoints.ts', 'neighbours are two steps away', '[step - 1, step + 1]', '[step - 2, step + 2]'],
['bestPoints.ts', 'the worst neighbour is the best', 'worst: Math.min(...found)', 'worst: Math.max(...found)'],
['bestPoints.ts', 'a point without the ratio has its probability', 'run.figures.sharpe === null ? null : deflatedSharpe', 'run.returns.length < 0 ? null : deflatedSharpe'],
['workers/collectResults.ts', 'a result that is committed late is not read', 'if (failed !== undefined && missing.size > 0) end = undefined;', ''],
['workers/collectResults.ts', 'two different results of a point are one', 'if (first.get(result.index) !== row) unsteady ??= result.index;', ''],
['workers/collectResults.ts', 'a result that is read again is another one', 'if (!first.has(result.index)) first.set(result.index, row);', "first.set(result.index, '');"],
['postgres/openQueue.ts', 'the same result twice is two', 'id: identify(result), data', 'data'],
['postgres/openQueue.ts', 'results stay when the sweep goes', '      await boss.deleteQueue(resultsOf(sweep));\n', ''],
['postgres/openQueue.ts', 'a sweep that somebody waits for is abandoned', 'filter((sweep) => !known.has(sweep))', 'slice()'],
['postgres/openQueue.ts', 'an abandoned sweep stays', 'filter((sweep) => !known.has(sweep))', 'slice(0, 0)'],
['postgres/openQueue.ts', 'a process that died waits for its sweep', 'filter(({ live }) => live)', 'filter(() => true)'],
['postgres/openQueue.ts', 'the plan of who began first stands', 'await boss.upsert(resultsOf(sweep), { signed }, { singletonKey: PLAN });', "if ((await boss.findJobs(resultsOf(sweep), { key: PLAN })).length === 0)\n        await boss.upsert(resultsOf(sweep), { signed }, { singletonKey: PLAN });"],
['postgres/openQueue.ts', 'a worker that is late for a removed sweep goes on for ever', "=== 'PGBOSS_QUEUE_NOT_FOUND'", "=== ''"],
['workers/workOnSweeps.ts', 'a batch that ended its worker is tried whole', 'retries > 0 && jobs.length > 1', 'retries > 9 && jobs.length > 1'],
['createStages.ts', 'what is lost is never put again', 'const isRest = isIdle && stage > 0;', 'const isRest = false;'],
['estimateSweep.ts', 'the cost of one point is known exactly', 'each.length < 2 ? mean', 'each.length < 2 ? 0'],
['readSweepStatus.ts', 'who computes a long point is not at work', 'busy.has(worker) || ', ''],
['readSweepStatus.ts', 'the rarest reason comes first', 'b.points - a.points', 'a.points - b.points'],
]);

// prettier-ignore
const run = tableOf('operate/run', [
['watchKeyFiles.ts', 'an unchanged file undoes a rotation', '    if (text === known) return;\n', ''],
['watchKeyFiles.ts', 'a file that changes back is not taken', "    if ('done' in result) known = text;\n", ''],
]);

// prettier-ignore
const check = tableOf('backtest/check', [
['runIntents.ts', 'what is traded is a size', 'costs.notional += fill.price * fill.size;', 'costs.notional += fill.size;'],
['runIntents.ts', 'what is traded is the last fill', 'costs.notional += fill.price', 'costs.notional = fill.price'],
['runIntents.ts', 'the service works for nothing', 'costs.serviceFees += fill.service_fee ?? 0;', 'costs.serviceFees += 0;'],
['runScenarios.ts', 'the pessimistic fills take the configured share of the volume', '        volume_share: worse[2],\n', ''],
['runScenarios.ts', 'the optimistic fills take the configured share of the volume', 'volume_share: 1, fill', 'fill'],
['runScenarios.ts', 'the pessimistic fills take three times the volume', 'share / 3]', 'share * 3]'],
['runScenarios.ts', 'the optimistic fills move the price', 'half_spread_bps: 0, impact_bps: 0, volume', 'half_spread_bps: 0, volume'],
['formatCheck.ts', 'paid funding is shown as a gain', "row('funding', -funding)", "row('funding', funding)"],
['formatCheck.ts', 'the P&L before costs is that after funding', 'totals.pnl + totals.fees + funding', 'totals.pnl + totals.fees'],
['formatCheck.ts', 'received funding is left out', 'const funding = totals.funding ?? 0;', 'const funding = Math.max(totals.funding ?? 0, 0);'],
['formatCheck.ts', 'what worse fills cost is shown as a gain', 'totals.pnl - best.pnl', 'best.pnl - totals.pnl'],
['formatCheck.ts', 'a state is not checked where decisions are by chance', "if (check === 'turns' || check === 'state') return 'nothing found';", ''],
['formatCheck.ts', 'what chance hides is said to be not there', "isChance ? 'not checked: fix determinism first' : 'nothing found'", "'nothing found'"],
['formatCheck.ts', 'what sets a state is called an intent', "check === 'state' ? 'upon' : 'intent'", "'intent'"],
]);

// prettier-ignore
const report = tableOf('operate/report', [
['figures/exposureOf.ts', 'a short adds to what is held net', '      net += value;', '      net += Math.abs(value);'],
['figures/exposureOf.ts', 'a short takes from what is held gross', 'gross += Math.abs(value)', 'gross += value'],
['figures/exposureOf.ts', 'two strategies hold one position', 'JSON.stringify([fill.strategy, fill.symbol])', 'fill.symbol'],
['figures/exposureOf.ts', 'a bar is known before it closes', 'time[next]! + length <= instant', 'time[next]! <= instant'],
['figures/exposureOf.ts', 'a fill at an instant comes after it', 'fills[next]!.time <= time', 'fills[next]!.time < time'],
['figures/exposureOf.ts', 'a debt has a leverage', 'worth[step]! > 0', 'worth[step]! !== 0'],
['page/tiles.ts', 'paid funding is said to be received', "funding > 0 ? 'paid' : 'received'", "funding < 0 ? 'paid' : 'received'"],
['page/tiles.ts', 'no funding is said to be received', "  if (funding === 0) return 'none';\n", ''],
['page/tiles.ts', 'received funding has a sign beside its word', 'funding === undefined ? undefined : Math.abs(funding)', 'funding'],
['toPageData.ts', 'a fee is a share of the price', 'const notional = fill.price * fill.size;', 'const notional = fill.price;'],
['toPageData.ts', 'a rebate is a fee', 'fill.fee / notional', 'Math.abs(fill.fee) / notional'],
['toPageData.ts', 'the fee of nothing is no number', 'notional === 0 ? 0 : Number', 'Number'],
['compareRuns.ts', 'only denied intents were not accepted', 'formatWhole(data.totals.intents.emitted - data.totals.intents.accepted)', 'formatWhole(data.totals.intents.denied)'],
['compareRuns.ts', 'an intent without an answer was accepted', 'formatWhole(data.totals.intents.emitted - data.totals.intents.accepted)', 'formatWhole(data.totals.intents.denied + data.totals.intents.rejected)'],
]);

// prettier-ignore
const strategies = tableOf('strategies', [
['accumulator.ts', 'what a monitor is selling is sold twice', 'isArmed() || isSelling', 'isArmed()'],
['accumulator.ts', 'what a monitor left is never sold', 'last_fired_time === ctx.now()', 'last_fired_time !== undefined'],
['bollingerReversion.ts', 'an entry whose cancel is refused is forgotten while it rests', "|| isGone ||", "|| state === 'rejected' ||"],
['bollingerReversion.ts', 'an entry that is gone is cancelled for ever', "|| isGone ||", '||'],
['bollingerReversion.ts', 'an entry that was never sent is cancelled for ever', " || guard === 'request'", ''],
['bollingerReversion.ts', 'a cancel that a limit denies has ended its entry', " || guard === 'request'", " || state === 'denied'"],
['bollingerReversion.ts', 'the end of another\'s entry is that of its own', ' && row.ref === ctx.state.get().ref', ''],
]);

// prettier-ignore
const commands = tableOf('cli', [
['sweep/sweepOutputs.ts', 'a Parquet table is not overwritten with --force', "{ kind: 'sweep_parquet', force }", "{ kind: 'sweep_parquet' }"],
['sweep/sweepOutputs.ts', 'a page of a sweep is not overwritten with --force', "{ kind: 'page', force }", "{ kind: 'page' }"],
['sweep/sweepOutputs.ts', 'a foreign file is overwritten by a Parquet table', "{ kind: 'sweep_parquet', force }", "{ kind: 'sweep_parquet', force: true }"],
]);

// prettier-ignore
const data = tableOf('backtest/data', [
['checkBars.ts', 'a check passes a file that mixes intervals', '    ...longerBars(bars, interval),\n', ''],
['checkBars.ts', 'a close of 0 is the largest move', 'move > largest && move < Infinity', 'move > largest'],
['checkFunding.ts', 'of two steps the longer is the usual one', 'oftener - often || a - b', 'oftener - often || b - a'],
['watchOrder.ts', 'what repeats a row after a misplaced one is out of order', '      seen?.add(now);\n', ''],
]);

export const operation: readonly Table[] = [
  control,
  directLink,
  sweep,
  run,
  check,
  report,
  strategies,
  commands,
  data,
];
