import type { Dialect } from '../contract/index.ts';
import type { Env } from '../env/index.ts';
import { createPaperCore } from './core/createPaperCore.ts';
import type { PaperCore } from './core/PaperCore.ts';
import { createEngine, type EngineOptions } from './engine/createEngine.ts';
import type { Feed } from './feed/index.ts';
import { toFeeSettings } from './server/feeSettings.ts';
import type { MarketData } from './server/loadMarketData.ts';
import type { PaperSettings } from './server/PaperSettings.ts';
import type { Change, Recorder } from './state/Change.ts';
import type { SavedService } from './state/SavedService.ts';

/**
 * The whole service without its sockets, built from the settings: engine, wallets, budgets. The server
 * adds HTTP; a caller in the same process uses it directly.
 */
export function createPaperService(
  options: {
    settings: PaperSettings;
    data: MarketData;
    /** Epoch milliseconds at which the replay starts; default: {@link startTimeOf} the settings. */
    startTime?: number;
    dialect?: Dialect;
    /** State of an earlier process on the same tape. */
    saved?: SavedService;
    /** What happened after `saved`, oldest first. */
    changes?: readonly Change[];
    /** Secret from which webhook tokens are derived. */
    tokenSecret?: string;
    /** Seed of random delays (0). */
    seed?: string | number | undefined;
    /** Receives every change before it happens. */
    record?: Recorder;
  },
  env: Pick<Env, 'clock' | 'log'>,
): PaperCore {
  const { settings, data, dialect, saved, tokenSecret } = options;
  const record = options.record === undefined ? {} : { record: options.record };
  const engine = createEngine({
    feeds: data.feeds,
    instruments: settings.instruments as NonNullable<EngineOptions['instruments']>,
    fundingRates: data.funding,
    startTime: options.startTime ?? startTimeOf(data.feeds, settings.warmup),
    halfSpreadBps: settings.half_spread_bps,
    fees: toFeeSettings(settings.fees),
    impactBps: settings.impact_bps,
    volumeShare: settings.volume_share,
    touchFills: settings.fill_on_touch,
    retention: settings.retention,
    ...(tokenSecret === undefined ? {} : { tokenSecret }),
    ...record,
    ...(saved === undefined ? {} : { saved: saved.engine }),
    ...(dialect === undefined ? {} : { dialect }),
  });
  const core = createPaperCore({
    engine,
    wallNow: () => env.clock.wallNow(),
    balance: settings.balance,
    limits: settings.limits,
    budgetClock: settings.budget_clock,
    log: env.log,
    latency: settings.latency,
    seed: options.seed ?? 0,
    ...record,
    ...(saved === undefined ? {} : { saved }),
    ...(dialect === undefined ? {} : { dialect }),
  });
  // Before the configured connections are added: one of the log has the id that its calls name.
  for (const change of options.changes ?? []) core.repeat(change);
  const known = new Set(core.connections.list().map(({ label }) => label));
  for (const { label, balance, status } of settings.connections) {
    if (!known.has(label)) core.addConnection(label, balance, status);
  }
  return core;
}

/**
 * The time at which every feed has completed its warm-up; a shorter feed leaves at least its last bar to
 * replay.
 */
export function startTimeOf(feeds: readonly Feed[], warmup: number): number {
  const starts = feeds.map(({ time }) => time[Math.min(warmup, time.length - 1)] ?? 0);
  return Math.max(...starts);
}
