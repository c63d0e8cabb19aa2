/** Bugs that a reader planted who had seen no test, which none found: as tables’ rows. */
export const freshACli = {
  station: 'cli',
  rows: [
    [
      'view.ts',
      '--journal does not go over the bot’s database',
      'journal ?? url?.reveal() ?? file',
      'url?.reveal() ?? journal ?? file',
    ],
    [
      'runs/openRecordingFile.ts',
      'a recording in which one strategy saw nothing is empty',
      '[...instances.values()].some',
      '[...instances.values()].every',
    ],
    [
      'sweep/openSweepEngine.ts',
      'the content server stays when the queue can’t be opened',
      '    await shared.close();\n    throw error;',
      '    throw error;',
    ],
    [
      'sweep.ts',
      'missing funding is not warned of',
      'if (!isWhole) env.log.warn(text)',
      'if (isWhole) env.log.warn(text)',
    ],
    ['kill.ts', 'L1 of a stopped bot at L3 fails', "if (level === 'L1') {", "if (at === 'L1') {"],
    [
      'rotate.ts',
      'a blank reason is journaled as it is',
      "(given.trim() === '' ? 'by hand' : given)",
      "(given === '' ? 'by hand' : given)",
    ],
    [
      'options/logFile.ts',
      '--log-keep 0 is refused',
      'value >= 0 && value <= MOST_FILES',
      'value > 0 && value <= MOST_FILES',
    ],
    [
      'options/readBenchmark.ts',
      'the first step stands for all',
      '[Math.floor(steps.length / 2)]',
      '[0]',
    ],
    ['options/wantsJson.ts', '--json=- is no json', "argv.includes('--json=-') || ", ''],
    [
      'options/journalFilter.ts',
      'a page of a thousand is refused',
      'value <= 1_000',
      'value < 1_000',
    ],
    [
      'failures/CommandFailure.ts',
      'one fault is cut off without a word',
      'left > 0 ?',
      'left > 1 ?',
    ],
    [
      'failures/explainFailure.ts',
      'a trace for programs holds secrets',
      '{ ...about, trace: traceOf(thrown) }',
      '{ ...about, trace: traceWithCauses(thrown) }',
    ],
    [
      'sweep/showSweep.ts',
      'the page has as few points as the terminal',
      'Math.max(top, POINTS_OF_PAGE)',
      'top',
    ],
    [
      'sweep/watchSweep.ts',
      'a total that grows is not noted',
      'if (last?.total !== progress.total) results.note',
      'if (last === undefined) results.note',
    ],
    [
      'runs/checkLoaded.ts',
      '--check writes the bot’s recording',
      'await loadTape({ ...loaded, config: { ...loaded.config, record: null } })',
      'await loadTape(loaded)',
    ],
    [
      'check.ts',
      'a check writes the bot’s recording',
      'await loadTape({ ...loaded, config: { ...loaded.config, record: null } })',
      'await loadTape(loaded)',
    ],
    [
      'paper.ts',
      'only the last --trades counts',
      '  const flag = parseTapeFlag(text);\n  if (!flag.ok) throw new InvalidArgumentError(flag.message);\n  return [...before, flag.value];',
      '  const flag = parseTapeFlag(text);\n  if (!flag.ok) throw new InvalidArgumentError(flag.message);\n  return [flag.value];',
    ],
    [
      'conformance.ts',
      'an interrupted run says nothing of what it leaves',
      "      refuseLeft(result);\n      if (stop.isStopped())\n        throw new CommandFailure('TRIMTAB_INTERRUPTED', 'Interrupted.', INTERRUPTED);",
      "      if (stop.isStopped())\n        throw new CommandFailure('TRIMTAB_INTERRUPTED', 'Interrupted.', INTERRUPTED);\n      refuseLeft(result);",
    ],
    [
      'data.ts',
      'an import overwrites its own source by another path',
      'files.some((file) => resolve(file) === resolve(out))',
      'files.some((file) => file === out)',
    ],
    [
      'main.ts',
      'a lost output goes over the command’s own code',
      'return code === 0 ? refused : code;',
      'return refused;',
    ],
    [
      'control/createRecordReader.ts',
      'each record is read over a connection of its own',
      '      service = found;\n      return service!.http',
      '      return found!.http',
    ],
    [
      'process/stopOnSignals.ts',
      'another signal within the instant is taken for its twin',
      'if (first !== undefined && signal === first) return;',
      'if (first !== undefined) return;',
    ],
    [
      'process/stopOnSignals.ts',
      'signal handlers stay',
      '      unwatch();\n      release();',
      '      unwatch();',
    ],
    [
      'process/watchProcessEnd.ts',
      'an exit without a code forgets the code that was set',
      'failingCode(code ?? process.exitCode)',
      'failingCode(code)',
    ],
  ],
} as const;

export const freshAOperateRun = {
  station: 'operate/run',
  rows: [
    [
      'createProblems.ts',
      'the second problem takes the place of the first',
      'report([...problems.values()]);',
      'report(problem === undefined ? [] : [problem]);',
    ],
    [
      'createStartReads.ts',
      'a read that failed is said to be silent later',
      '  try {\n    return await read();\n  } finally {\n    cancel();\n  }\n}',
      '  const value = await read();\n  cancel();\n  return value;\n}',
    ],
    [
      'createStartReads.ts',
      'a timer outlives the stop',
      '      cancel();\n      resolve();',
      '      resolve();',
    ],
    ['describeFunding.ts', 'a fourth stretch is not mentioned', 'if (more > 0)', 'if (more > 1)'],
    [
      'explainUnequalFeeds.ts',
      'the shortest bars count for the warm-up',
      'const longest = Math.max(...all',
      'const longest = Math.min(...all',
    ],
    [
      'createFaultLines.ts',
      'the second strategy with the same fault has no line of its own',
      'return [instance, kind, String(isExit), ...faults]',
      'return [kind, String(isExit), ...faults]',
    ],
    [
      'createKeyRotation.ts',
      'what a refused key had opened stays open',
      '        await opened?.drop();\n        return { refused: changed.reason, mayPass: true };',
      '        return { refused: changed.reason, mayPass: true };',
    ],
    [
      'watchKeyFiles.ts',
      'the same fault of the file is not said a second time',
      '    reported = undefined;\n',
      '',
    ],
    [
      'watchKeyFiles.ts',
      'a key that was refused once is never tried again',
      '      settled = undefined;\n',
      '',
    ],
    [
      'followBot.ts',
      'what went to another bot is not logged',
      'for (const text of [...unheeded, ...former])',
      'for (const text of unheeded)',
    ],
    [
      'toClosingFigures.ts',
      'each strategy has the unknowns of all',
      'unanswered.filter(({ instance }) => instance === name).length',
      'unanswered.length',
    ],
    [
      'endServiceRun.ts',
      'a stop that failed is not named beside the reason',
      'unstopped === undefined ? [fatal] : [fatal, unstopped]',
      '[fatal]',
    ],
    [
      'watchEarlyEnd.ts',
      'a strategy that waits for its restart is not listed',
      " && status.state !== 'waiting'",
      '',
    ],
    ['watchOwnErrors.ts', 'a watch that ended still counts', '    watching -= 1;\n', ''],
    [
      'paperAssumptions.ts',
      'the spread is half of what is charged',
      'paper.half_spread_bps * 2',
      'paper.half_spread_bps',
    ],
    ['runTape.ts', 'plugins’ timers stay watched', '      () => open.timers?.restore(),\n', ''],
  ],
} as const;

export const freshAOperateControl = {
  station: 'operate/control',
  rows: [
    [
      'watchdog.ts',
      'a service with faults is asked as seldom as an idle one',
      'ended === 0 && faults.size === 0',
      'ended === 0',
    ],
    [
      'sendCommand.ts',
      'a rearm waits for a kill that can’t be made durable',
      'if (given === undefined || failed === given.time) return true;',
      'if (given === undefined) return true;',
    ],
    [
      'latchStopped.ts',
      'a failure of the former level stays',
      '  const { failed: _failed, ...rest } = last;\n  writeWhole(files.pulse, { ...rest, level,',
      '  writeWhole(files.pulse, { ...last, level,',
    ],
  ],
} as const;

export const freshAOperateNotify = {
  station: 'operate/notify',
  rows: [
    [
      'createAlerts.ts',
      'a day is reported where time goes back',
      'today <= before',
      'today === before',
    ],
    [
      'createChannel.ts',
      'a second outage of a channel is not logged',
      '      isDown = false;\n      onState?.(undefined);',
      '      onState?.(undefined);',
    ],
    [
      'createEmailSender.ts',
      'a mail refused by 500 is tried again',
      'responseCode >= 500',
      'responseCode > 500',
    ],
  ],
} as const;

export const freshAOperateJournal = {
  station: 'operate/journal',
  rows: [
    [
      'readDay.ts',
      'what is unresolved has an answer',
      "['sending', 'unknown', 'unresolved']",
      "['sending', 'unknown']",
    ],
    ['exportJournal.ts', 'a text that begins with @ is a formula', '/^[=+\\-@]/', '/^[=+\\-]/'],
    [
      'findLife.ts',
      'five keys are said to be more',
      'keys.length > SHOWN ?',
      'keys.length >= SHOWN ?',
    ],
  ],
} as const;

export const freshAOperateRecording = {
  station: 'operate/recording',
  rows: [
    [
      'writeRecording.ts',
      'after a write that failed the file stays open',
      '      if (isOpen) end();\n',
      '      isOpen = false;\n',
    ],
  ],
} as const;
