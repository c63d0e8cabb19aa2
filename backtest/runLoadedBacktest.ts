import type { LoadedConfig } from '../src/config/index.ts';
import type { Env } from '../src/env/index.ts';
import type { Progress } from '../src/operate/index.ts';
import type { PaperRun, RunResult, TapeInputs } from '../src/operate/run/index.ts';
import { loadTape } from '../src/operate/run/loadTape.ts';
import { runTape } from '../src/operate/run/runTape.ts';
import type { WalkReport } from '../src/operate/directLink/index.ts';
import { openDirectVenue } from './openDirectVenue.ts';
import { tapeInRange } from './tapeInRange.ts';
import type { TimeRange } from './TimeRange.ts';

export interface LoadedBacktestOptions {
  /** Its link is paper, its journal `memory`. */
  loaded: LoadedConfig;
  range?: TimeRange;
  /** Market data and plugins that are in memory already. */
  known?: TapeInputs;
  /** Path of the recording, regardless of the configuration; default: none. */
  record?: string | null;
  /** Whether a report will be made; without it, what it draws on the candles is not recorded. */
  charts?: boolean;
  /** Whether the shadows of strategies run beside them. Default: no. */
  shadows?: boolean;
  /** Whether each step is walked by its definition; the result is the same. Default: no. */
  exactWalk?: boolean;
  /** The machine's own. */
  env: Env;
  progress: Progress;
  /** Called once tape and plugins are loaded, before anything is opened. */
  onLoaded?(): void;
  isStopped(): boolean;
  /** Receives how the tape was walked, at its end. */
  onWalked?(report: WalkReport): void;
}

/**
 * Runs a configuration in virtual time on the paper core of this process: the same plugins, runtime,
 * guards, budget and journal semantics as {@link runPaper}, without sockets.
 */
export async function runLoadedBacktest(
  options: LoadedBacktestOptions,
): Promise<RunResult<PaperRun>> {
  const { range = {}, env, progress, isStopped, charts = false, exactWalk } = options;
  const { shadows = false } = options;
  // The file's recording is that of a run, live or on paper; a backtest must not overwrite it.
  const config = { ...options.loaded.config, record: options.record ?? null };
  const loaded = await loadTape({ ...options.loaded, config }, options.known);
  if (!loaded.ok) return loaded;
  const inRange = tapeInRange(loaded.value, range);
  if (!inRange.ok) return inRange;
  options.onLoaded?.();
  const { tape, startTime } = inRange.value;
  const venue = openDirectVenue(tape, { live: env, startTime, exactWalk });
  const run = await runTape({ tape, venue, progress, isStopped, charts, shadows });
  options.onWalked?.(venue.link.walked());
  return run;
}
