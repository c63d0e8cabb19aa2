/** Bugs planted in the research bench and the operator's tools, which no test had found: as a table's rows. */
export const backtestSweep = {
  station: 'backtest/sweep',
  rows: [
    [
      'page/heatmaps.ts',
      'a group of values begins with the last of the one before',
      'values.slice(group * size, (group + 1) * size)',
      'values.slice(group * size, (group + 1) * size + 1)',
    ],
    [
      'page/heatmaps.ts',
      'a value is in the group of its neighbours',
      'Math.floor(step / size)',
      'Math.round(step / size)',
    ],
    ['page/heatmaps.ts', 'zero is a loss', 'value >= 0 ?', 'value > 0 ?'],
    [
      'page/heatmaps.ts',
      'the worst cell is framed',
      'best = Math.max(best, point.objective!);',
      'best = Math.min(best, point.objective!);',
    ],
    [
      'page/parallelSvg.ts',
      'the worst points are left out',
      'at < half ? at : valued - Math.min(valued, MOST_LINES) + at',
      'at',
    ],
    [
      'page/parallelSvg.ts',
      'the best is at the bottom',
      '(value - low) / (high - low)',
      '(high - value) / (high - low)',
    ],
    [
      'page/parallelSvg.ts',
      'the best is drawn under the others',
      'shown.toReversed().map(line)',
      'shown.map(line)',
    ],
    [
      'page/outOfSample.ts',
      'largest drawdown is the smallest',
      'Math.min(...drawdown.map',
      'Math.max(...drawdown.map',
    ],
    ['page/outOfSample.ts', 'the drawdown has its sign', 'format(-deepest)', 'format(deepest)'],
    [
      'page/pointCards.ts',
      'a link leads to the point before',
      '`#point-${index + 1}`',
      '`#point-${index}`',
    ],
    ['page/pointCards.ts', 'a card shows no hash', "...(hash === '' ? []", "...(hash !== '' ? []"],
    [
      'formatSweep.ts',
      'a window that earned nothing counts as won',
      'figures.pnl > 0).length',
      'figures.pnl >= 0).length',
    ],
    [
      'formatSweep.ts',
      'worst and mean of the neighbours are swapped',
      '`${ratio(neighbours.mean)} ${ratio(neighbours.worst)}`',
      '`${ratio(neighbours.worst)} ${ratio(neighbours.mean)}`',
    ],
    [
      'formatSweep.ts',
      'the drawdown of a window is its amount',
      'formatFixed(tested.max_drawdown_share * 100, 2)',
      'formatFixed(tested.max_drawdown, 2)',
    ],
    [
      'formatSweep.ts',
      'a drawdown share is no percent',
      'formatFixed(run.figures.max_drawdown_share * 100, 2)',
      'formatFixed(run.figures.max_drawdown_share, 2)',
    ],
    [
      'formatSweep.ts',
      'the trained figure is the tested one',
      'columns.objective[best.index]!',
      'columns.objective[test.index]!',
    ],
    [
      'formatSweep.ts',
      'windows that the P&L chose are not counted',
      'if (best !== undefined && ranking.rankedBy !== objective) byPnl++;',
      'if (best === undefined && ranking.rankedBy !== objective) byPnl++;',
    ],
    [
      'formatSweep.ts',
      'refused intents are noted where nothing was liquidated',
      'count(({ liquidations }) => liquidations > 0)',
      'count(({ denied }) => denied > 0)',
    ],
    [
      'bestPoints.ts',
      'a point that was not drawn is the next one',
      'ascending[place] === wanted ? place : null',
      'place',
    ],
    [
      'bestPoints.ts',
      'the drawdown of reordered trades is that of another point',
      'createRandom(`trades ${point.job.index}`)',
      'createRandom(`trades ${points.length}`)',
    ],
    [
      'evaluateSweep.ts',
      'a fault counts once',
      'counts.set(fault, (counts.get(fault) ?? 0) + 1)',
      'counts.set(fault, 1)',
    ],
    [
      'objectiveOf.ts',
      'a point that lost its equity lost nothing',
      'figures.max_drawdown_share >= 1',
      'figures.max_drawdown_share > 1',
    ],
    ['sweepCsv.ts', 'a cell with a line break is not quoted', '/[",\\r\\n]/', '/[",]/'],
    [
      'sweepCsv.ts',
      'a test is not in the table',
      'jobs.at(index) : byIndex.get(index)',
      'jobs.at(index) : undefined',
    ],
    [
      'unsteadyPoints.ts',
      'more than one unsteady point is one',
      '(and ${unsteady.length - 1} more)',
      '',
    ],
    [
      'unsteadyPoints.ts',
      'a point that fails again for another reason is steady',
      'isRun(result) ? result.figures.hash : result.fault',
      "isRun(result) ? result.figures.hash : ''",
    ],
    [
      'tradableSpan.ts',
      'a range that ends later than the tape ends it',
      'Math.min(range.until ?? Infinity, end)',
      'range.until ?? end',
    ],
    [
      'openResults.ts',
      'a kill loses up to a thousand results',
      'if (waiting.length >= BATCH || options.now() - writtenAt >= BATCH_MS) flush();',
      'if (waiting.length >= BATCH) flush();',
    ],
    [
      'openResults.ts',
      'a point that runs began when it was noted',
      'begin.run(worker, index, now - ms, now)',
      'begin.run(worker, index, now, now)',
    ],
    [
      'openResults.ts',
      'a second merge adds up the costs',
      'write(rows, () => costs.replace(workers));',
      'write(rows, () => costs.write(workers));',
    ],
    [
      'openResults.ts',
      'what waits is not found',
      '    get(index) {\n      flush();',
      '    get(index) {',
    ],
    ['results/pointRow.ts', 'zero has a sign in the file', 'figure + 0', 'figure'],
    [
      'results/pointRow.ts',
      'the checksum covers no returns',
      'crc32(cell as Uint8Array, sum) : sum',
      'sum : sum',
    ],
    [
      'shards/describeMissing.ts',
      'shards are named by the order of their points',
      '.sort(\n    (a, b) => a - b,\n  )',
      '',
    ],
  ],
} as const;

export const backtestData = {
  station: 'backtest/data',
  rows: [
    [
      'readBinance.ts',
      'a rounded volume makes a bar inverse',
      'const ROUNDING = 1e-3;',
      'const ROUNDING = 0;',
    ],
    [
      'readCoinbase.ts',
      'lines are those of the turned file',
      'line: rows.line.toReversed(), columns',
      'columns',
    ],
    [
      'findGaps.ts',
      'rows of one time change their order',
      'time[a]! - time[b]! || a - b',
      'time[a]! - time[b]! || b - a',
    ],
    ['findGaps.ts', 'half a step is a gap', 'Math.round((time', 'Math.ceil((time'],
    [
      'checkBars.ts',
      'an outlier is from the row before',
      'close[good[index - 1]!]!',
      'close[row - 1]!',
    ],
    [
      'importData.ts',
      'the last file names the source',
      'const [first, last] = [files[0]!, files.at(-1)!];',
      'const [first, last] = [files.at(-1)!, files[0]!];',
    ],
  ],
} as const;

export const operateShadow = {
  station: 'operate/shadow',
  rows: [
    [
      'createShadow.ts',
      'a retired shadow goes on',
      "if (event.kind === 'strategy_stage' && event.taken.instance === instance)",
      "if (event.kind === 'strategy_stage' && event.taken.instance !== instance)",
    ],
    [
      'createShadow.ts',
      'the last figures of the live version are stale',
      '        live = sinceStart(bot.ledgerOf(instance));\n        curve.live',
      '        curve.live',
    ],
    [
      'createShadow.ts',
      'the curve has the figures of the turn before',
      'if (said.figures !== undefined) curve.shadow(said.at, said.figures.netPnl);',
      'if (shadow !== null) curve.shadow(said.at, shadow.realizedPnl);',
    ],
    [
      'createShadow.ts',
      'an intent that is known further drops another',
      'if (!rows.has(name) && rows.size >= most) drop();',
      'if (rows.size >= most) drop();',
    ],
    [
      'createShadow.ts',
      'a shadow that waits is awaited for ever',
      "if (state === 'waiting') return release('ended');",
      '',
    ],
    [
      'createShadow.ts',
      'size steps are those of the price',
      '10 ** -size_decimals',
      '10 ** -(size_decimals + 1)',
    ],
    [
      'openShadows.ts',
      'a figures file is written after each instant',
      '      isPlanned = true;\n      timers.after',
      '      timers.after',
    ],
    [
      'openShadows.ts',
      'the last figures are not written',
      '      isPlanned = true;\n      write(files.figures);\n',
      '      isPlanned = true;\n',
    ],
    [
      'openShadows.ts',
      'a comparison is never made anew',
      'if (last === undefined || changes !== shadow.changes) {',
      'if (last === undefined) {',
    ],
    [
      'openShadows.ts',
      'the time from which intents are whole is that of one version',
      'Math.max(course.intentsSince, live.since, own.since)',
      'Math.max(course.intentsSince, live.since)',
    ],
    [
      'openShadows.ts',
      'a journal of the run before is continued',
      'if (files !== null) setShadowAside(files);',
      '',
    ],
    [
      'openShadows.ts',
      'the second shadow sees no candles',
      'for (const { shadow } of all) shadow.take(symbol, interval, candles);',
      'all[0]!.shadow.take(symbol, interval, candles);',
    ],
    [
      'createIntentRows.ts',
      'an intent that was accepted in the end was refused',
      "if (state === 'accepted') delete row.refusedBy;\n",
      '',
    ],
    [
      'createIntentRows.ts',
      'intents of all strategies are rows',
      "emission.instance !== instance || state === 'duplicate'",
      "state === 'duplicate'",
    ],
    [
      'pairIntents.ts',
      'expired is sent',
      "['denied', 'rejected', 'expired']",
      "['denied', 'rejected']",
    ],
    [
      'compareVersions.ts',
      'denied of both are those of the live version',
      'shadow: countsOf(pairs.map(({ shadow }) => shadow)),',
      'shadow: countsOf(pairs.map(({ live }) => live)),',
    ],
    [
      'compareVersions.ts',
      'rejected counts as denied by guards',
      "outcome === 'denied').length",
      "outcome !== 'accepted').length",
    ],
    [
      'formatComparison.ts',
      'what the shadow earned more is what it earned less',
      'shadow.netPnl - live.netPnl',
      'live.netPnl - shadow.netPnl',
    ],
    [
      'formatComparison.ts',
      'the verdict of an accepted intent is shown',
      "outcome === 'accepted' ? undefined : `(${verdict})`",
      "outcome === 'denied' ? undefined : `(${verdict})`",
    ],
    [
      'readCourse.ts',
      'a page of intents is all of them',
      'cursor = oldest !== undefined && marketTimeOf(oldest) < since ? null : page.next;',
      'cursor = null;',
    ],
    ['readCourse.ts', 'intents come newest first', 'return found.toReversed();', 'return found;'],
    [
      'readCourse.ts',
      'refused by the first step',
      'steps.at(-1) ?? {};\n  const nested',
      'steps[0] ?? {};\n  const nested',
    ],
    [
      'openBench.ts',
      'the shadow has the guards of none',
      'guards: spec.guards,',
      'guards: {} as typeof spec.guards,',
    ],
    [
      'tapCandles.ts',
      'a refused request is read',
      "exchange.kind !== 'answered' || exchange.response.status !== 200",
      "exchange.kind !== 'answered'",
    ],
    [
      'collectBars.ts',
      'only every other longer interval covers',
      'INTERVAL_MS[interval] % shortMs === 0',
      'INTERVAL_MS[interval] % shortMs >= 0',
    ],
  ],
} as const;

export const operateTravel = {
  station: 'operate/travel',
  rows: [
    [
      'travelRecording.ts',
      'the lines of a view are its oldest',
      '[...view.events, ...events].slice(-SHOWN_EVENTS)',
      '[...view.events, ...events].slice(0, SHOWN_EVENTS)',
    ],
    [
      'travelRecording.ts',
      'lines of a change take the place of those before',
      '[...view.events, ...events].slice',
      '[...events].slice',
    ],
    [
      'travelRecording.ts',
      'the number of changes is that of whole views',
      'changes: places.length,',
      'changes: places.filter(({ isWhole }) => isWhole).length,',
    ],
    [
      'travelJournal.ts',
      'symbols of a copy are those of the walk',
      '{ wallet, symbols: new Set(symbols) }] as const',
      '{ wallet, symbols }] as const',
    ],
  ],
} as const;

export const operateReport = {
  station: 'operate/report',
  rows: [
    [
      'statistics.ts',
      'a trade without a result is won',
      '({ pnl }) => pnl > 0);',
      '({ pnl }) => pnl >= 0);',
    ],
    [
      'statistics.ts',
      'the average trade leaves out fees of open ones',
      'average_trade: ratio(gain - loss, closed.length)',
      'average_trade: ratio(gain - loss, trips.length)',
    ],
    [
      'toPageData.ts',
      'a strategy’s figures are of the bot’s fills',
      'fills: fills.filter(({ strategy }) => strategy === one.name),',
      'fills,',
    ],
    [
      'toPageData.ts',
      'the number of refused intents is that of those shown',
      'refusedCount: refused.length,',
      'refusedCount: Math.min(refused.length, MOST_REFUSED),',
    ],
    [
      'toPageData.ts',
      'a strategy’s longest drawdown is that of the bot',
      'longestDrawdownMs: one.longest_drawdown_ms,',
      'longestDrawdownMs: data.totals.longest_drawdown_ms,',
    ],
    [
      'toPageData.ts',
      'a curve’s drawdown is thinned as its P&L',
      "sampleCurve(toDrawdown(curve), grid, 'lowest')",
      "sampleCurve(toDrawdown(curve), grid, 'last')",
    ],
    ['toPageFigures.ts', 'open trades are dots', '(exit === null ? [] : [at])', '[at]'],
    [
      'toPageFigures.ts',
      'the dots of many trades are the first ones',
      'closed.filter((_at, index) => index % step === 0)',
      'closed.slice(0, MOST_DOTS - extremes.length)',
    ],
    [
      'compareRuns.ts',
      'a share is over the equity at the end',
      'start === 0 ? null : pnl / start',
      'start === 0 ? null : pnl / (start + pnl)',
    ],
    [
      'figures/figuresCsv.ts',
      'the other grouping has its own name',
      "report.grouping === 'lots' ? 'round_trips' : 'lots'",
      'report.grouping',
    ],
    [
      'figures/formatFigures.ts',
      'of several runs the reasons of the first are shown',
      "isOne ? (figure.why ?? figure.note ?? '') : ''",
      "figure.why ?? figure.note ?? ''",
    ],
    [
      'figures/returnSince.ts',
      'what ends at midnight begins a month',
      'count === 0 ? end - 1 : end',
      'end',
    ],
    [
      'figures/measureTrades.ts',
      'the bar of the entry is part of a trade',
      'countBefore(time, trade.entry_time)',
      'countBefore(time, trade.entry_time - INTERVAL_MS[interval] + 1)',
    ],
    [
      'figures/createRange.ts',
      'a block’s edge is left out',
      'scan(last * BLOCK, until)',
      'scan(last * BLOCK + 1, until)',
    ],
    [
      'figures/isCurveThinned.ts',
      'a curve of today is thinned',
      'if (totals.average_drawdown !== undefined) return false;\n',
      '',
    ],
    [
      'figures/drawdownDefinitions.ts',
      'the average is that of the worst ten',
      'data.totals.average_drawdown ?? averageDrawdown(drawdowns)',
      'averageDrawdown(drawdowns)',
    ],
    [
      'figures/tradeDefinitions.ts',
      'streaks are in the order of entries',
      '.toSorted((a, b) => a.exit_time - b.exit_time)\n',
      '',
    ],
  ],
} as const;

export const operateProgress = {
  station: 'operate/progress',
  rows: [
    [
      'formatEnds.ts',
      'the fault of a restart is the first',
      "own.findLast((life) => life.state === 'quarantined')",
      "own.find((life) => life.state === 'quarantined')",
    ],
    [
      'formatEnds.ts',
      'causes behind the fifth are not counted',
      '...more(refusals.length - MOST_REFUSALS),\n',
      '',
    ],
    [
      'createCountProgress.ts',
      'what an earlier run did is part of the rate',
      '[done - resumed, time - started]',
      '[done, time - started]',
    ],
    [
      'formatNumbers.ts',
      'an hour is 60 minutes',
      'if (minutes < 60) return',
      'if (minutes <= 60) return',
    ],
  ],
} as const;

export const operateRecording = {
  station: 'operate/recording',
  rows: [
    [
      'diffRecordings.ts',
      'inputs after the intent are compared',
      'while (seen <= count)',
      'while (seen <= count + 1)',
    ],
  ],
} as const;

export const operateState = {
  station: 'operate/state',
  rows: [
    [
      'createBotState.ts',
      'a decision that was made twice takes its mark',
      "    if (state === 'duplicate') return;\n    const { intent, instance: strategy",
      '    const { intent, instance: strategy',
    ],
  ],
} as const;

export const runtimeControl = {
  station: 'runtime/control',
  rows: [
    [
      'createLevelEnding.ts',
      'the second wallet is closed with the holdings of the first',
      'options.atWork().find((work) => work.wallet === wallet)!',
      'options.atWork()[0]!',
    ],
  ],
} as const;

export const operateTravelWallets = {
  station: 'operate/travel',
  rows: [
    [
      'travelJournal.ts',
      'a strategy stays on its first wallet',
      "    if (state === 'emitted') known.wallet = wallet;\n",
      '',
    ],
    [
      'travelJournal.ts',
      'a strategy is on the wallet of what ended last',
      "if (state === 'emitted') known.wallet = wallet;",
      'known.wallet = wallet;',
    ],
  ],
} as const;

export const operateReportReasons = {
  station: 'operate/report',
  rows: [
    [
      'figures/figuresCsv.ts',
      'a group without equity lost no trade',
      "  pnl_share: 'the run began without equity',\n",
      "  pnl_share: 'no trade was lost',\n",
    ],
  ],
} as const;

export const backtestDataPages = {
  station: 'backtest/data',
  rows: [
    [
      'readCoinbase.ts',
      'of pages that meet every row is out of order',
      'at <= time[row - 1]!',
      'at < time[row - 1]!',
    ],
  ],
} as const;

export const operateRecordingFiles = {
  station: 'operate/recording',
  rows: [
    [
      'readRecording.ts',
      'a second recording in a file is read',
      'if (isComplete) return failed',
      'if (number < 0) return failed',
    ],
    ['withHistory.ts', 'history of the first life is that of each', 'lives[life++]', 'lives[0]'],
    [
      'describeMissing.ts',
      'what is asked for again is asked for once',
      "count === '0' ? ''",
      "count !== '0' ? ''",
    ],
  ],
} as const;

export const sweepContent = {
  station: 'backtest/sweep',
  rows: [
    [
      'content/fetchObject.ts',
      'a redirect is followed with a token',
      "token === null ? 'follow' : 'error'",
      "'follow'",
    ],
    [
      'content/fetchObject.ts',
      'some more bytes than the plan names are written',
      'if (count > bytes)',
      'if (count > bytes * 2)',
    ],
  ],
} as const;

export const sweepPoints = {
  station: 'backtest/sweep',
  rows: [
    [
      'runPoint.ts',
      'a point’s days are those of whole days',
      'days: (course.until - course.from) / DAY_MS,',
      'days: Math.floor((course.until - course.from) / DAY_MS),',
    ],
    [
      'runPoint.ts',
      'a point’s turnover is that of its maker fills',
      'turnover: figures.turnover,',
      'turnover: figures.turnover * (figures.maker_share ?? 0),',
    ],
    [
      'runPoint.ts',
      'a trade that is open is one of a point’s',
      '.filter(({ exit_time }) => exit_time !== null)\n',
      '',
    ],
    [
      'createThreadEngine.ts',
      'a fresh thread goes on with the next point',
      'isFresh: true',
      'isFresh: false',
    ],
    [
      'createThreadEngine.ts',
      'a stop goes on to the last point',
      'if (isStopped()) Atomics.store(next, 0, jobs.length);',
      '',
    ],
  ],
} as const;
