/** Bugs planted by hand, in the form of a table's rows: file, what is wrong then, text, replacement. */
export const sweep = {
  station: 'backtest/sweep',
  rows: [
    [
      'rankJobs.ts',
      'a missing objective ranks as 0',
      'return Number.isNaN(value) ? -Infinity : value;',
      'return Number.isNaN(value) ? 0 : value;',
    ],
    [
      'objectiveOf.ts',
      'a point that holds a loss has lost nothing',
      '  if (figures.pnl <= 0) return null;\n',
      '',
    ],
    [
      'rankJobs.ts',
      'a point that did not run has a profit of 0',
      'ran[index] !== 1 || Number.isNaN',
      'Number.isNaN',
    ],
    [
      'rankJobs.ts',
      'of equal points the last is first',
      'return first === second ? a - b : second - first;',
      'return first === second ? b - a : second - first;',
    ],
    [
      'evaluateSweep.ts',
      'the deflated ratio counts every other point only',
      'sharpes[place++] = sharpeOf(returns);',
      'if (place++ % 2 === 0) sharpes[place - 1] = sharpeOf(returns);',
    ],
    [
      'bestPoints.ts',
      'only the next value of a parameter is a neighbour',
      'return [step - 1, step + 1].flatMap((other) => {',
      'return [step + 1].flatMap((other) => {',
    ],
    [
      'bestPoints.ts',
      'a probability is shown without its ratio',
      'run.figures.sharpe === null ? null : deflatedSharpe',
      'run.returns.length === 0 ? null : deflatedSharpe',
    ],
    [
      'runSweep.ts',
      'a window that chose nothing is waited for',
      'runner.expect(jobs.length + tests.length);',
      'runner.expect(jobs.length + windows.length);',
    ],
    [
      'shards/openPart.ts',
      'what a killed process computed runs for ever',
      'FROM running WHERE noted > ?',
      'FROM running WHERE noted > ? - 1e15',
    ],
    [
      'workers/createRefusals.ts',
      'a passing fault refuses a sweep for good',
      '(!known.isFinal && monotonicNow() >= known.dueMs)',
      'monotonicNow() < 0',
    ],
    [
      'workers/createRefusals.ts',
      'a worker that ends when all is done does not wait for a fault to pass',
      '!each.isFinal && each.attempts < MOST_ATTEMPTS',
      '!each.isFinal && each.attempts < 1',
    ],
    [
      'content/openCache.ts',
      'what another worker has renamed refuses a sweep',
      "=== 'ENOENT') return null;",
      "=== 'EEXIST') return null;",
    ],
    [
      'page/outOfSample.ts',
      'a test ends with its last midnight',
      'first + returns.length * DAY_MS < until]',
      'false]',
    ],
    [
      'page/outOfSample.ts',
      'a test without a midnight is left out',
      'if (first > until) return [[until, head]];',
      'if (first > until) return [];',
    ],
    [
      'edgeReturns.ts',
      'what a test without a midnight gained counts twice',
      'midnights.at(-1) ?? end',
      'midnights.at(-1) ?? 0',
    ],
    [
      'tradableSpan.ts',
      'what can be traded begins with the first feed',
      'Math.max(range.from ?? 0, ...starts)',
      'Math.max(range.from ?? 0, starts[0]!)',
    ],
    [
      'tradableSpan.ts',
      'a run ends with the first feed that ends',
      'walk === null ? Math.max(...ends) : Math.min(...ends)',
      'Math.min(...ends)',
    ],
    [
      'tradableSpan.ts',
      'a walk-forward has windows behind a feed’s end',
      'walk === null ? Math.max(...ends) : Math.min(...ends)',
      'Math.max(...ends)',
    ],
    [
      'workers/workOnSweeps.ts',
      'a batch that another worker has is computed to its end',
      '!signal.aborted && taken',
      'taken',
    ],
    [
      'content/openCache.ts',
      'what has another name in the cache counts twice',
      'file !== null && file.nlink === 1',
      'file !== null',
    ],
    [
      'content/openCache.ts',
      'what was used a moment ago leaves the cache',
      'if (oldest === undefined || env.clock.wallNow() - oldest.usedMs < IN_USE_MS)',
      'if (oldest === undefined)',
    ],
    [
      'content/partOf.ts',
      'two containers on one disk write the same file',
      ".${randomBytes(8).toString('hex')}.part",
      '.part',
    ],
    [
      'content/fetchObject.ts',
      'an object that is not there yet is refused for good',
      ': new Refused(reason);',
      ': new WrongContent(reason);',
    ],
    [
      'estimateSweep.ts',
      'a start is what the sample took less its points times the threads',
      '0) / busy;',
      '0) * busy;',
    ],
    [
      'estimateSweep.ts',
      'a deadline that leaves room for one point a thread needs endless shards',
      'usable <= 0',
      'usable < 0',
    ],
    [
      'results/workerCosts.ts',
      'a worker has worked until its first write',
      'last = max(',
      'last = min(',
    ],
    [
      'content/openCache.ts',
      'a folder in use is never touched',
      '?? now - TOUCH_MS) < TOUCH_MS',
      '?? now - TOUCH_MS) <= TOUCH_MS',
    ],
    [
      'content/openCache.ts',
      'a folder that a power cut left incomplete is used',
      'if (await isWhole(folder, content, packed)) {',
      'if (packed.length > 0) {',
    ],
    [
      'content/fetchObject.ts',
      'an object that is still being uploaded is refused for good',
      'if (count < bytes) throw',
      'if (count < 0) throw',
    ],
    [
      'createThreadEngine.ts',
      'a point has run since its thread began',
      '    thread.since = now();\n',
      '',
    ],
    ['createStages.ts', 'a batch is sized by the quickest point', '[times.length >> 1]', '[0]'],
    [
      'workers/createQueueEngine.ts',
      'results of a sweep whose tests failed leave the server',
      '      isHandedOver = false;\n',
      '',
    ],
    [
      'workers/createQueueEngine.ts',
      'results leave the server before they are in their file',
      '      running.flush?.();\n',
      '',
    ],
    [
      'readSweepStatus.ts',
      'a worker whose points take minutes has stopped between two',
      'SILENT_MS + 3 * msAPoint',
      'SILENT_MS',
    ],
    [
      'formatWorkers.ts',
      'a worker is in no row',
      'sorted.slice(MOST_ROWS)',
      'sorted.slice(MOST_ROWS + 1)',
    ],
    [
      'workers/workOnSweeps.ts',
      'an abandoned sweep is taken again while its threads end',
      ' && !leaving.has(sweep)',
      '',
    ],
    [
      'workers/workOnSweeps.ts',
      'a worker whose code changed fails the points',
      'if (!isFinal(error)) throw error;',
      'throw error;',
    ],
    [
      'sweepThread.ts',
      'a thread imports a plugin that has changed',
      'await findCodeChange(bench)',
      'null as Awaited<ReturnType<typeof findCodeChange>>',
    ],
    [
      'sweepCsv.ts',
      'a parameter has the name of a figure’s column',
      'if (!own.includes(name)) return name;',
      'if (taken.has(name)) return name;',
    ],
    [
      'ParamRange.ts',
      'a text and the number that it looks like are two trials',
      'const value = shownValue(given);',
      'const value = given;',
    ],
    ['ParamRange.ts', '1 and 1.0 are two trials', 'Number.isNaN(number) ? value : number', 'value'],
  ],
} as const;

export const check = {
  station: 'backtest/check',
  rows: [
    [
      'checkWarmUp.ts',
      'the strategy that asks for least decides how many bars are enough',
      'Math.max(...asked.map((each) => fewestFor(each, factor)))',
      'Math.min(...asked.map((each) => fewestFor(each, factor)))',
    ],
    [
      'checkWarmUp.ts',
      'history begins with the first feed',
      'Math.max(...tape.data.feeds.map(({ time }) => time[0] ?? 0))',
      'Math.min(...tape.data.feeds.map(({ time }) => time[0] ?? 0))',
    ],
  ],
} as const;

export const dev = {
  station: 'backtest/dev',
  rows: [
    [
      'createDevRunner.ts',
      'a save is lost if the run before it ends its thread',
      'if (left !== undefined) start(current, left);',
      '',
    ],
  ],
} as const;
