import type { LoadedConfig } from '../src/config/index.ts';
import { INTERVAL_MS } from '../src/contract/index.ts';
import type { Env } from '../src/env/index.ts';
import type { Progress } from '../src/operate/index.ts';
import {
  failed,
  loadTape,
  runTape,
  type LoadedTape,
  type PaperRun,
  type RunResult,
} from '../src/operate/run/index.ts';
import type { Feed, MarketData } from '../src/paper/index.ts';
import { boundaryFrom, longestInterval } from './barBoundary.ts';
import { openDirectVenue } from './openDirectVenue.ts';
import { cutAt, type TimeRange } from './TimeRange.ts';

export interface BacktestOptions {
  /** Its link is paper, its journal `memory`. */
  loaded: LoadedConfig;
  range?: TimeRange;
  /** The market data, where it was read before. */
  data?: MarketData;
  /** Where it is recorded, whatever the configuration says; nowhere, where this is left out. */
  record?: string | null;
  /** The machine's own. */
  env: Env;
  progress: Progress;
  isStopped(): boolean;
}

/**
 * Runs a configuration in virtual time on the paper core of this process: the same plugins, runtime,
 * guards, budget and journal semantics as {@link runPaper}, without sockets.
 */
export async function runBacktest(options: BacktestOptions): Promise<RunResult<PaperRun>> {
  const { range = {}, env, progress, isStopped } = options;
  // The file's recording is of what happened, live or on paper; a backtest must not write over it.
  const config = { ...options.loaded.config, record: options.record ?? null };
  const loaded = await loadTape({ ...options.loaded, config }, options.data);
  if (!loaded.ok) return loaded;
  const nothing = whyOutside(loaded.value, range);
  if (nothing !== undefined) return failed(nothing);
  const { until } = range;
  const { feeds } = loaded.value.data;
  const from = range.from === undefined ? undefined : boundaryFrom(feeds, range.from);
  const data = until === undefined ? loaded.value.data : cutAt(loaded.value.data, until);
  const empty = whyEmpty(data.feeds, { from, until });
  if (empty !== undefined) return failed(empty);
  const tape: LoadedTape = { ...loaded.value, data };
  const venue = openDirectVenue(tape, {
    live: env,
    ...(from === undefined ? {} : { startTime: from }),
  });
  return runTape({ tape, venue, progress, isStopped });
}

const instant = (time: number): string =>
  new Date(time).toISOString().slice(0, 16).replace('T', ' ');

/** Why nothing of the tape would be traded in the range; every feed needs its warm-up and a bar more. */
function whyOutside({ data, paper }: LoadedTape, { from, until }: TimeRange): string | undefined {
  for (const feed of data.feeds) {
    const { symbol, interval, time } = feed;
    const end = endOf(feed);
    const tradable = time[paper.warmup] ?? end;
    const span = `${symbol} can be traded from ${instant(tradable)} to ${instant(end)} UTC`;
    if (from !== undefined && from >= end)
      return `--timerange begins at ${instant(from)}: ${span}.`;
    if (until !== undefined && until < tradable + INTERVAL_MS[interval]) {
      return (
        `--timerange ends at ${instant(until)}: ${span}.\n` +
        `  The ${paper.warmup} bars before are warm-up: name a later end, or set paper.warmup lower.`
      );
    }
  }
  return undefined;
}

/** Why no bar lies whole between the range's begin, as rounded up, and its end. */
function whyEmpty(
  feeds: readonly Feed[],
  { from, until }: { from: number | undefined; until: number | undefined },
): string | undefined {
  const end = Math.max(...feeds.map(endOf));
  if (from === undefined || from < end) return undefined;
  const closed = until === undefined ? 'The tape' : `--timerange until ${instant(until)}`;
  return (
    `--timerange holds no whole bar: with bars of ${longestInterval(feeds)} it begins at ` +
    `${instant(from)}. ${closed} has its last close at ${instant(end)} UTC.\n  Name a wider range.`
  );
}

const endOf = ({ time, interval }: Feed): number => (time.at(-1) ?? 0) + INTERVAL_MS[interval];
