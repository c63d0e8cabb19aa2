import { withCode } from '../../src/contract/index.ts';
import { createLiveEnv } from '../../src/env/index.ts';
import type { Progress } from '../../src/operate/index.ts';
import type { PaperRun } from '../../src/operate/run/index.ts';
import { isStrategy } from '../../src/strategy/index.ts';
import { runLoadedBacktest } from '../runLoadedBacktest.ts';
import { parseTimeRange, type TimeRange } from '../TimeRange.ts';
import type { BacktestOptions } from './BacktestOptions.ts';
import { BacktestError } from './BacktestError.ts';
import type { BacktestResult } from './BacktestResult.ts';
import { openConfig } from './openConfig.ts';
import { nameOf, requireLog, requireOptions } from './requireOptions.ts';
import { toBacktestResult } from './toBacktestResult.ts';
import { toRefusal } from './toRefusal.ts';

/** Real time between two reports of progress. */
const PROGRESS_MS = 100;

/** A run watches the process's timers for those of plugins, and could not tell them from those of another run. */
let last: Promise<unknown> = Promise.resolve();

/** Runs one backtest after the other; see the entry of this folder. */
export function runBacktest(options: BacktestOptions): Promise<BacktestResult> {
  const run = last.then(() => runNow(options));
  last = run.catch(() => {});
  return run;
}

const COMMON = 'feeds timerange params seed latency fees signal onProgress log'.split(' ');
const OF_STRATEGY = ['strategy', 'symbols', 'balance', 'warmup'];
const OF_CONFIG = ['config', 'directory', 'plugins'];

/** A misspelt option would be ignored, and the backtest would be of something else. */
function requireKnown(options: BacktestOptions): void {
  requireOptions('runBacktest', options, [...OF_STRATEGY, ...OF_CONFIG, ...COMMON]);
  const { config, strategy, timerange } = options as { [K in keyof BacktestOptions]?: unknown };
  if ((config === undefined) === (strategy === undefined)) {
    const what =
      config === undefined ? 'there is neither `strategy` nor `config`' : 'there are both';
    throw withCode('TRIMTAB_USAGE', new Error(`runBacktest: ${what}; give one of the two.`));
  }
  const [beside, names] = config === undefined ? ['strategy', OF_STRATEGY] : ['config', OF_CONFIG];
  requireOptions(`runBacktest with ${beside}`, options, [...names, ...COMMON]);
  if (config === undefined) requireStrategy(strategy);
  if (timerange !== undefined && typeof timerange !== 'string') requireRange(timerange);
}

function requireStrategy(given: unknown): void {
  if (typeof given === 'string' || isStrategy(given)) return;
  const remedy = 'give what defineStrategy returns, or a path as text';
  throw withCode(
    'TRIMTAB_USAGE',
    new TypeError(`runBacktest: strategy: ${nameOf(given)} is no strategy; ${remedy}.`),
  );
}

function requireRange(given: unknown): void {
  requireOptions('runBacktest: timerange', given, ['from', 'until']);
  const { from, until } = given as TimeRange;
  for (const [name, time] of Object.entries({ from, until })) {
    if (time === undefined || Number.isFinite(time)) continue;
    const what = `runBacktest: timerange: ${name}: ${nameOf(time)} is not a time`;
    throw withCode('TRIMTAB_USAGE', new TypeError(`${what}; it is a number, epoch milliseconds.`));
  }
  if (from === undefined || until === undefined || from < until) return;
  const what = `runBacktest: timerange: from (${from}) must be before until (${until})`;
  throw withCode('TRIMTAB_USAGE', new RangeError(`${what}, both epoch milliseconds.`));
}

async function runNow(options: BacktestOptions): Promise<BacktestResult> {
  requireKnown(options);
  const { signal, log } = options;
  requireLog('runBacktest', log);
  signal?.throwIfAborted();
  const range = readRange(options.timerange);
  const { loaded, known } = await openConfig(options, 'runBacktest');
  const env = createLiveEnv(log === undefined ? {} : { log });
  const run = await runLoadedBacktest({
    loaded,
    known,
    range,
    env,
    charts: true,
    progress: toProgress(options, () => env.clock.monotonicNow()),
    isStopped: () => signal?.aborted === true,
  });
  signal?.throwIfAborted();
  if (!run.ok) throw toRefusal(run.failure);
  return requireWhole(run.value);
}

function requireWhole(run: PaperRun): BacktestResult {
  const result = toBacktestResult(run);
  const { quarantined, malformed } = run;
  if (quarantined.length > 0) {
    const message = `Quarantined before the end of the run:\n${quarantined.join('\n')}`;
    throw new BacktestError('TRIMTAB_STRATEGY_ENDED', message, result);
  }
  if (malformed > 0) {
    const what = malformed === 1 ? 'One intent was' : `${malformed} intents were`;
    const message = `${what} malformed and not sent; give a \`log\` to see each field.`;
    throw new BacktestError('TRIMTAB_RUN_MALFORMED_INTENTS', message, result);
  }
  return result;
}

function readRange(given: string | TimeRange | undefined): TimeRange {
  if (typeof given !== 'string') return given ?? {};
  const parsed = parseTimeRange(given);
  if (parsed.ok) return parsed.range;
  const remedy = 'Write FROM-UNTIL in UTC, such as 20250601-20250614, 20250601T06-, -20250614.';
  throw withCode('TRIMTAB_USAGE', new Error(`timerange ${given}: ${parsed.reason}. ${remedy}`));
}

function toProgress({ onProgress }: BacktestOptions, now: () => number): Progress {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    update({ barsDone, barsTotal, marketTime, equity }) {
      if (onProgress === undefined || now() - reportedAt < PROGRESS_MS) return;
      reportedAt = now();
      onProgress({ barsDone, barsTotal, marketTime, equity });
    },
    finish: () => {},
  };
}
