/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const shadow = {
  station: 'operate/shadow',
  rows: [
    [
      'compareVersions.ts',
      '--since compares all the same',
      'Math.max(begun, since, intentsSince)',
      'Math.max(begun, intentsSince)',
    ],
    [
      'compareVersions.ts',
      'what only one version still has is a parting',
      'Math.max(begun, since, intentsSince)',
      'Math.max(begun, since)',
    ],
    ['compareVersions.ts', '--until includes its own time', 'time < until', 'time <= until'],
    [
      'createShadow.ts',
      'the live version is measured from the entries of its positions',
      'netPnl: figures.netPnl - net,',
      'netPnl: figures.netPnl,',
    ],
    [
      'createShadow.ts',
      'what was dropped from memory is not known',
      'since = Math.max(since, time + 1);',
      '',
    ],
    [
      'collectBars.ts',
      'a symbol without bars holds the others up for days',
      'MOST_PENDING = 60',
      'MOST_PENDING = 6_000',
    ],
    [
      'collectBars.ts',
      'a shadow begins before each of its markets has a bar',
      'return symbols.every((own) =>',
      'return symbols.some((own) =>',
    ],
    [
      'collectBars.ts',
      'what closed before the beginning is history',
      'Math.max(earliest, Math.min(firstLive, latest))',
      'Math.max(earliest, latest)',
    ],
    [
      'collectBars.ts',
      'a market that is closed takes the beginning back',
      'Math.max(earliest, Math.min(firstLive, latest))',
      'Math.max(earliest, Math.min(...closes.map((each) => each.at(-1)!)))',
    ],
    [
      'collectBars.ts',
      'bars of before the beginning come symbol by symbol',
      'closed.toSorted((one, other) => one.at - other.at)',
      'closed',
    ],
    [
      'collectBars.ts',
      'history that was asked for is not waited for',
      'if (expected.size > 0 && !isLong) return false;',
      '',
    ],
    [
      'tapCandles.ts',
      'a snapshot that is refused is waited for',
      "if (fault.kind === 'refused' && fault.isAskedAgain !== true) settle(fault.subscription);",
      '',
    ],
    ['tapCandles.ts', 'a snapshot that has come is waited for', 'settle(frame);', ''],
    ['createCurve.ts', 'a long run has its curve thinned away', 'at % 2 === 0', 'at % 2 === 1'],
    [
      'createCurve.ts',
      'an instant has two points',
      'if (last !== undefined && time <= last[0]) return;',
      '',
    ],
    [
      'createCurve.ts',
      'instants that only one has fill the curve for good',
      'if (ahead[own].size > MOST_AHEAD) ahead[own].delete(ahead[own].keys().next().value!);',
      'if (ahead[own].size > MOST_AHEAD) ahead[own].delete(time);',
    ],
    [
      'openShadows.ts',
      'a shadow’s stops are not those of the bot',
      "protection: plan.protection ?? 'off'",
      "protection: 'off'",
    ],
    [
      'openShadows.ts',
      'a shadow pays the default funding',
      'funding: Object.fromEntries(Object.entries(funding).filter(([one]) => symbols.includes(one)))',
      'funding: Object.fromEntries(Object.entries(funding).filter(([one]) => symbols.includes(`${one} `)))',
    ],
    ['runShadow.ts', 'a shadow may use twice its memory', 'used <= limit', 'used <= 2 * limit'],
    [
      'createIntentRows.ts',
      'a decision is of the time at which it was decided',
      'marketTime, causeTime: time = marketTime, intent',
      'marketTime: time, intent',
    ],
    [
      'readCourse.ts',
      'a decision on a fill is of the time at which it was decided',
      "typeof causeTime === 'number' ? causeTime",
      "typeof causeTime === 'string' ? causeTime",
    ],
    [
      'pairIntents.ts',
      'fills of one bar are not paired',
      'likenessWithin(1), likenessWithin(barMs)',
      'likenessWithin(1)',
    ],
    [
      'pairIntents.ts',
      'a fill is paired with any of its bar before that of its own time',
      'likenessWithin(1), likenessWithin(barMs)',
      'likenessWithin(barMs)',
    ],
    [
      'compareVersions.ts',
      'what the other may still have in this bar has parted',
      'start + barMs <= reached',
      'start <= reached',
    ],
    [
      'compareVersions.ts',
      'the partner of what was dropped has parted',
      'start >= intentsSince',
      'time >= intentsSince',
    ],
    [
      'readCourse.ts',
      'what has left the journal is a parting',
      'whole > since ? Math.min(whole, view.until) + 1 : since',
      'since',
    ],
  ],
} as const;

export const cli = {
  station: 'cli',
  rows: [
    [
      'options/readBenchmark.ts',
      'a benchmark may end before the run',
      ' && until >= run.endTime - slack',
      '',
    ],
    [
      'options/readBenchmark.ts',
      'a benchmark without a close in the run is compared with it',
      'time > run.startTime && time <= run.endTime',
      'time > 0',
    ],
    [
      'options/readBenchmark.ts',
      'a benchmark of minutes may lack four days',
      'typicalStep(closes) >= DAY_MS ? CLOSED_DAYS : 1',
      'CLOSED_DAYS',
    ],
    [
      'sweep/sweepOutputs.ts',
      'a sweep writes its table over its results',
      "    ['the table beside it', files.csv],\n",
      '',
    ],
    [
      'output/prepareOutput.ts',
      'two outputs may be one file',
      'if (other !== undefined)\n',
      'if (other === null)\n',
    ],
    [
      'output/prepareOutput.ts',
      'two outputs may be one file by a symbolic link',
      'const place = placeOf(file);',
      'const place = resolve(file);',
    ],
    [
      'output/prepareOutput.ts',
      'two outputs can not be thrown away',
      'statSync(place).isFile() ? place : null',
      'place',
    ],
    [
      'backtest.ts',
      'a benchmark that does not cover a run takes its outputs with it',
      'await late.of(() => withReportSettings(ran, settings))',
      'withReportSettings(ran, settings)',
    ],
    [
      'backtest.ts',
      'a benchmark that does not cover a run takes the grouping of its trades with it',
      'shown ?? withReportSettings(ran, grouping)',
      'shown ?? ran',
    ],
    [
      'failures/createLateFailures.ts',
      'a verdict takes the place of what failed before it',
      '        failures.forEach(write);\n',
      '',
    ],
    [
      'output/showPaperRun.ts',
      'every range error is a text that is too long',
      "error instanceof RangeError && error.message === 'Invalid string length'",
      'error instanceof RangeError',
    ],
    [
      'runs/readRuns.ts',
      'runs of one file name have one name',
      'names.indexOf(run.name) === names.lastIndexOf(run.name)',
      'names.includes(run.name)',
    ],
    ['report.ts', 'a time zone is taken and ignored', "if (tz.name !== 'UTC')", 'if (tz === null)'],
  ],
} as const;

export const report = {
  station: 'operate/report',
  rows: [
    [
      'figures/lots.ts',
      'a lot that remains has lost the rounding of what it was matched with',
      'left.dust = lot.left.dust += left.dust;',
      '',
    ],
    [
      'figures/returnSince.ts',
      'a month before the 31st of March begins on the 3rd of March',
      'Math.min(date.getUTCDate(), lastDay)',
      'date.getUTCDate() + 0 * lastDay',
    ],
    [
      'toPageFigures.ts',
      'the largest of many trades are no dots',
      '...sorted.slice(-part / 2)',
      '...sorted.slice(part / 2, part)',
    ],
    [
      'page/tables.ts',
      'slippage of a sale gains where it cost',
      "return (side === 'buy' ? 1 : -1) *",
      "return (side === 'buy' ? 1 : 1) *",
    ],
    [
      'figures/figuresCsv.ts',
      'a formula is computed by a spreadsheet',
      "isFormula ? `'${text}` : text",
      'isFormula ? text : text',
    ],
    [
      'compareRuns.ts',
      'a ratio needs a day more than it says',
      'days < FEWEST_DAYS',
      'days <= FEWEST_DAYS',
    ],
  ],
} as const;

export const data = {
  station: 'backtest/data',
  rows: [
    [
      'importData.ts',
      'an interval that was found is doubted as one that was given',
      'spacingNote(columns.time, options.sourceInterval)',
      'spacingNote(columns.time, from)',
    ],
    [
      'readCsv.ts',
      'of ts and t the first is the time of the bar',
      "rows.header.includes('t')",
      'rows.header.length === 0',
    ],
    [
      'readCloses.ts',
      'closes stay in the order of the file',
      'found.value.toSorted(([a], [b]) => a - b)',
      'found.value',
    ],
    ['readCloses.ts', 'a benchmark may be of two markets', 'kinds.size > 1', 'kinds.size > 9'],
    [
      'readCloses.ts',
      'a bar may close at 0',
      '!Number.isFinite(time) || !(close > 0)',
      '!Number.isFinite(time) || close < 0',
    ],
    [
      'readCloses.ts',
      'the close of a date of one number is known when its day begins',
      'time === null || !scale.isOfDates ? time : time + DAY_MS',
      'time',
    ],
    ['readCloses.ts', 'a table may be of two markets', ' ?? checkMarket()', ''],
  ],
} as const;

export const check = {
  station: 'backtest/check',
  rows: [
    [
      'runScenarios.ts',
      'a slower service cancels as fast as before',
      'cancel_ms: later(latency.cancel_ms)',
      'cancel_ms: latency.cancel_ms',
    ],
    [
      'runScenarios.ts',
      'a slower service is as fast in its worst cases',
      'p99: delay.p99 + MORE_MS',
      'p99: delay.p99',
    ],
    [
      'firstDifference.ts',
      'only the first five numbers are held against the tolerance',
      'findDifferences(a, b).filter(',
      'findDifferences(a, b).slice(0, MOST_REPORTED).filter(',
    ],
    [
      'firstDifference.ts',
      'the lesser number is the measure',
      'Math.max(Math.abs',
      'Math.min(Math.abs',
    ],
    [
      'checkWarmUp.ts',
      'more history is compared than a subscription has',
      'MOST_WARM_UP = 5_000',
      'MOST_WARM_UP = 50_000',
    ],
    [
      'checkWarmUp.ts',
      'a comparison that was left out is not told',
      'notes.push(`warm-up: only compared',
      'void (`warm-up: only compared',
    ],
    [
      'checkWarmUp.ts',
      'a drift is not told',
      'notes.push(driftNote(drift))',
      'void driftNote(drift)',
    ],
  ],
} as const;

export const record = {
  station: 'runtime/record',
  rows: [
    [
      'createIntentLog.ts',
      'unknown ones of every strategy are each one’s',
      '.filter(({ recorded }) => recorded.instance === instance)',
      '',
    ],
    [
      'createIntentLog.ts',
      'a refused exit of the bot’s own is not told',
      'if (isRefused(state)) causes.refuse(',
      'if (state === "") causes.refuse(',
    ],
    [
      'createCutOrders.ts',
      'an order of any type but a limit order may be cut',
      "request.order_type !== 'market'",
      "request.order_type === 'limit'",
      { equivalent: 'an order is a limit order or a market order' },
    ],
    [
      'createLedger.ts',
      'what a position of before had lost is a drawdown',
      'drawdown = createDrawdown(equityAt, net());',
      'drawdown = createDrawdown(equityAt);',
    ],
    [
      'createEquity.ts',
      'what a position of before had lost is a drawdown of all',
      'sum += ledgers[at]!.adoptedNet();',
      'sum += 0 * ledgers[at]!.adoptedNet();',
    ],
    [
      'applyFill.ts',
      'a closed position of before is open for its P&L',
      'held.adopted *= 1 - closing / Math.abs(held.size);',
      'void 0;',
    ],
  ],
} as const;

export const journal = {
  station: 'operate/journal',
  rows: [
    [
      'wholeSince.ts',
      'an old open intent tells of finished ones',
      'if (isFinal(state)) cut',
      'cut',
    ],
    [
      'wholeSince.ts',
      'an intent that was settled late tells when the others ended',
      'Math.min(cut, updated)',
      'Math.min(cut, opened)',
    ],
    ['readDay.ts', 'a day is incomplete until its end', 'Math.min(whole.wall, until)', 'until'],
  ],
} as const;
