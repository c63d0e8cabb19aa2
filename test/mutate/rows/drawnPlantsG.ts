/** Bugs at lines of source drawn at random that no test found, and what lies beside them: as tables’ rows. */
export const drawnGTravel = {
  station: 'operate/travel',
  rows: [
    [
      'travelJournal.ts',
      'fees that a journal does not hold are shown as none',
      'fees: Number.NaN',
      'fees: 0',
    ],
    [
      'travelJournal.ts',
      'fills that a journal does not hold are shown as none',
      'fills: Number.NaN',
      'fills: 0',
    ],
    ['travelJournal.ts', 'open orders count as known where they are not', "  'orders',\n", ''],
    [
      'travelRecording.ts',
      'a past is named by its bot instead of its file',
      "source: 'recording',\n        path,",
      "source: 'recording',\n        path: read.value.header.bot,",
    ],
    ['recordViews.ts', 'each view of a recording is a whole one', '    changes = 0;\n', ''],
  ],
} as const;

export const drawnGShadow = {
  station: 'operate/shadow',
  rows: [
    [
      'ComparedIntent.ts',
      'a symbol with a colon has no bars',
      '/^bar:.+:([^:]+):',
      '/^bar:[^:]+:([^:]+):',
    ],
    [
      'createCurve.ts',
      'the curve of a long run lacks its newest point',
      'last === undefined || points.at(-1) === last ? [...points] : [...points, last]',
      '[...points]',
    ],
    [
      'formatComparison.ts',
      'funding stands where the fees should',
      "row('fees', ({ fees }) => formatMoney(fees))",
      "row('fees', ({ funding }) => formatMoney(funding))",
    ],
    [
      'createShadow.ts',
      'a shadow is named by its strategy instead of its plugin',
      '      use: spec.use,',
      '      use: instance,',
    ],
    [
      'createShadow.ts',
      'a late decision on an earlier event makes the lists whole from that',
      'since = Math.max(since, time + 1)',
      'since = time + 1',
    ],
    [
      'openShadows.ts',
      'of several shadows the first alone learns that candles have come',
      'return () => settled.forEach((settle) => settle());',
      'return () => settled[0]!();',
    ],
    [
      'collectBars.ts',
      'of several candles that were asked for the first ends the wait',
      'const sign = {};',
      'const sign = symbols as object;',
    ],
    [
      'tapCandles.ts',
      'a link beside a shadow lacks what it holds back',
      '    ...(link.held === undefined ? {} : { held: () => link.held!() }),\n',
      '',
    ],
    [
      'readCourse.ts',
      'a rejection lacks the code of the service',
      "const REFUSED: readonly string[] = ['denied', 'rejected'];",
      "const REFUSED: readonly string[] = ['denied'];",
    ],
    [
      'readCourse.ts',
      'decisions of the first instant are lost on a later page',
      'marketTimeOf(oldest) < since ? null',
      'marketTimeOf(oldest) <= since ? null',
    ],
    [
      'pairIntents.ts',
      'sizes that are a step apart differ by their binary fractions',
      '<= step * (1 + 1e-9)',
      '<= step',
    ],
    [
      'compareVersions.ts',
      'sizes are compared by the step of another symbol',
      'sizeSteps[symbol] ?? 0',
      'Object.values(sizeSteps)[0] ?? 0',
    ],
    [
      'runShadow.ts',
      'an intent is said a bar later',
      '    const hash = await take(message);\n    const intents = bench?.takeIntents() ?? [];',
      '    const intents = bench?.takeIntents() ?? [];\n    const hash = await take(message);',
    ],
    [
      'openShadows.ts',
      'the limit of a turn is not that of the configuration',
      'const { turnDeadlineMs = TURN_DEADLINE_MS } = planned.shadow.isolation ?? {};',
      'const turnDeadlineMs = TURN_DEADLINE_MS;',
    ],
    [
      'shadowFiles.ts',
      'beside a database the files are not in the folder of the bot’s others',
      'folder === undefined ? file : join(folder, basename(file))',
      'folder === undefined ? file : file',
    ],
  ],
} as const;

export const drawnGSweep = {
  station: 'backtest/sweep',
  rows: [
    [
      'readSweepStatus.ts',
      'a results file that is named twice counts twice',
      'eachOnce(paths).map(',
      'paths.map(',
    ],
    [
      'estimateSweep.ts',
      'a deadline has no room for the longest point',
      'Math.ceil((points * msAPoint) / threads / usable)',
      'Math.ceil((points * msAPoint) / threads / left)',
    ],
    [
      'packJobs.ts',
      'jobs of every window have the range of the first',
      'const key = `${window} ${part}`;',
      'const key = `${part}`;',
    ],
    [
      'shards/openPart.ts',
      'a number of points that is not known yet is none',
      '    total: head.total,',
      '    total: head.total ?? 0,',
    ],
    [
      'objectiveOf.ts',
      'whether a ratio has enough days is asked of the trades',
      'days: run.returns.length }',
      'days: run.trades.length }',
    ],
    [
      'bestPoints.ts',
      'every point shows the shuffled trades of the best',
      'shuffleTrades(run.trades,',
      'shuffleTrades(points[0]!.run.trades,',
    ],
    [
      'page/outOfSample.ts',
      'the picture out of sample is named by its first value',
      '`Out of sample: ${format(curve.at(-1)![1])}',
      '`Out of sample: ${format(curve[0]![1])}',
    ],
  ],
} as const;

export const drawnGCheck = {
  station: 'backtest/check',
  rows: [
    ['checkPlugin.ts', 'notes of a check in part are not returned', '    ...bench.notes,\n', ''],
    [
      'checkPlugin.ts',
      'what was not checked is not said',
      '    ...Array.from(unchecked, ([check, reason]) => `${check} was not checked: ${reason}.`),\n',
      '',
    ],
    [
      'firstDifference.ts',
      'what differs behind an intent that is near enough is not found',
      'if (beyond.length === 0) continue;',
      'if (beyond.length === 0) return undefined;',
    ],
  ],
} as const;

export const drawnGCli = {
  station: 'cli/sweep',
  rows: [
    [
      'sweepStatus.ts',
      'a sweep with a slow point ends with 0',
      'status.failed > 0 || status.slow.length > 0',
      'status.failed > 0',
    ],
    [
      'showSweep.ts',
      'the folder of reports is named without the one that holds it',
      'relative(process.cwd(), join(dirname(page), folder))}\\n`);\n  return',
      'relative(process.cwd(), folder)}\\n`);\n  return',
    ],
  ],
} as const;

export const drawnGConfig = {
  station: 'config',
  rows: [
    [
      'YamlDocument.ts',
      'a bracket that is closed is told as the one that is not',
      'if (node.flow !== true || node.range?.[1] !== at) return undefined;\n      start = node.range[0];',
      'if (node.flow !== true || node.range == null) return undefined;\n      start = node.range[0];',
    ],
  ],
} as const;

export const drawnGJournal = {
  station: 'operate/journal',
  rows: [
    [
      'explainLife.ts',
      'how long an answer took is counted from the decision',
      'formatGap(entry.wallTime - before.wallTime)',
      'formatGap(entry.wallTime - entries[0]!.wallTime)',
    ],
  ],
} as const;

export const drawnGOperateReport = {
  station: 'operate/report',
  rows: [
    [
      'page/candleLayers.ts',
      'the range in view ends at the closes',
      'high = Math.max(high, bars.high[bar]!)',
      'high = Math.max(high, bars.low[bar]!)',
    ],
    [
      'chartData.ts',
      'a thinned line has a value beyond the last bar',
      'if (2 * pair + 1 < barTimes.length) put',
      'put',
    ],
  ],
} as const;

export const drawnGOperateDoctor = {
  station: 'operate/doctor',
  rows: [
    [
      'examineJournal.ts',
      'intents that are over count as open',
      'newest.items.filter(({ state }) => !isFinal(state)).length',
      'newest.items.length - open.items.length',
    ],
    [
      'examineStream.ts',
      'the doctor names the base address as that of the stream',
      '`${link.wsUrl} takes the connection`',
      '`${link.baseUrl} takes the connection`',
    ],
  ],
} as const;

export const drawnGStreams = {
  station: 'streams',
  rows: [
    [
      'Emitter.ts',
      'what a subscriber brings about by the present value does not reach it',
      '    const subscription = this.#changes.subscribe(observer);\n    if (value !== null) new Called(observer).next(value);',
      '    if (value !== null) new Called(observer).next(value);\n    const subscription = this.#changes.subscribe(observer);',
    ],
  ],
} as const;

export const drawnGOperateRecording = {
  station: 'operate/recording',
  rows: [
    [
      'replayRecording.ts',
      'what a version decides beyond its recording is left out',
      '      replayed: replayed.emissions,',
      '      replayed: replayed.emissions.slice(0, emissions.length),',
    ],
    [
      'diffRecordings.ts',
      'the shortest Pacemaker of both runs is that of the first',
      'header.pacemaker_min_seconds ?? defaultDialect',
      'first.pacemaker_min_seconds ?? defaultDialect',
    ],
    [
      'diffRecordings.ts',
      'an older recording differs by a setting that it does not name',
      'header.pacemaker_min_seconds ?? defaultDialect.limits.pacemakerMinSeconds',
      'header.pacemaker_min_seconds',
    ],
  ],
} as const;

export const drawnGOperateNotify = {
  station: 'operate/notify',
  rows: [
    [
      'createEmailSender.ts',
      'a password is sent as it is written in an address',
      'decodeURIComponent(url.password)',
      'url.password',
    ],
  ],
} as const;

export const drawnGOperateServe = {
  station: 'operate/serve',
  rows: [
    [
      'createReportRoute.ts',
      'who asks for a day that is being read has it read again',
      '    underway.set(day, made);\n',
      '',
    ],
    [
      'createReportRoute.ts',
      'a day that was read once is never read again',
      '.finally(() => underway.delete(day))',
      '',
    ],
  ],
} as const;

export const drawnGOperateState = {
  station: 'operate/state',
  rows: [
    [
      'readBlocks.ts',
      'a feed has closed at the time of the view',
      'close_time: mark?.time ?? null',
      'close_time: mark === undefined ? null : bot.instant',
    ],
  ],
} as const;

export const drawnGCliControl = {
  station: 'cli/control',
  rows: [
    [
      'notRunning.ts',
      'a bot whose journal’s folder is a file counts as stopped',
      'isMissing && !isPathBlocked(config.journal.path)',
      'isMissing',
    ],
  ],
} as const;

export const drawnGData = {
  station: 'backtest/data',
  rows: [
    [
      'importData.ts',
      'a given interval is doubted by the bars that are made',
      '...spacingNote(columns.time, options.sourceInterval)',
      '...spacingNote(made.columns.time, options.sourceInterval)',
    ],
  ],
} as const;
