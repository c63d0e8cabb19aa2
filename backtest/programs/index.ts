/**
 * The bench for other programs: commands as functions, with bars and plugins of the caller's own process.
 *
 * What they need is loaded at the first call: who imports this for something else does not wait for it.
 */
import type { BacktestOptions } from './BacktestOptions.ts';
import type { BacktestResult } from './BacktestResult.ts';
import type { PaperVenueOptions, VenueInProcess } from './paperVenue.ts';
import type { StartedPaper, StartPaperOptions } from './startPaper.ts';

export type {
  BacktestOptions,
  BacktestProgress,
  ConfigBacktest,
  StrategyBacktest,
} from './BacktestOptions.ts';
export { BacktestError } from './BacktestError.ts';
export type { BacktestResult } from './BacktestResult.ts';
// What the figures and options name, and no other entry exports.
export type { BotInput, botSettings } from '../../src/config/botSettings.ts';
export type {
  OutcomeCounts,
  ReportExecution,
  ReportFill,
  ReportIntent,
  ReportTotals,
  RunFigures,
  UncoveredFigures,
} from '../../src/operate/report/ReportData.ts';
export type { RoundTrip } from '../../src/operate/report/roundTrips.ts';
export type { Statistics } from '../../src/operate/report/statistics.ts';
export type { TimedValue } from '../../src/statistics/index.ts';
export type { TimeRange } from '../TimeRange.ts';
export type { BarInput, FeedInput } from './FeedInput.ts';
export type { VenueOptions } from './paperSettingsOf.ts';
export type { PaperVenueOptions, VenueInProcess } from './paperVenue.ts';
export type { StartedPaper, StartPaperOptions } from './startPaper.ts';

/**
 * `trimtab backtest` as a function: the same run, and the same bytes. Runs of one process follow one another.
 *
 * ```ts
 * const feed = { symbol: 'BTC', interval: '1h', generate: { bars: 200 } } as const;
 * const { figures, hash } = await runBacktest({ strategy: plugin, feeds: [feed], params: { period: 8 } });
 * ```
 *
 * @returns figures, trades, fills, intents and curves, once the feeds have ended
 * @throws BacktestError with its `result` for a run in which a strategy ended or an intent was malformed
 * @throws Error with a `code` for what can't be run: configuration, plugin, feed, each with place, value and remedy
 * @throws the signal's reason
 */
export async function runBacktest(options: BacktestOptions): Promise<BacktestResult> {
  const loaded = await import('./runBacktest.ts');
  return loaded.runBacktest(options);
}

/**
 * `trimtab paper` as a function, for tests of programs: the whole service over real sockets, in this process, with one
 * wallet `main` and a key with all scopes. It takes a free port, and stands still until {@link StartedPaper.advance}.
 *
 * ```ts
 * const paper = await startPaper({ feeds: [{ symbol: 'BTC', interval: '1m', generate: {} }] });
 * const { client, close } = openService(paper);
 * await client.orders.place({ body: { symbol: 'BTC', side: 'buy', order_type: 'market', size: 0.01 } });
 * await paper.advance('1h');
 * await close();
 * await paper.close();
 * ```
 *
 * @throws Error for settings or feeds that can't be used, with field or line, value and remedy
 */
export async function startPaper(options: StartPaperOptions): Promise<StartedPaper> {
  const loaded = await import('./startPaper.ts');
  return loaded.startPaper(options);
}

/**
 * The paper service in this process without sockets: the fastest way to test a program's calls. Time stands still until
 * {@link VenueInProcess.advance}.
 *
 * ```ts
 * const venue = await paperVenue({ feeds: [{ symbol: 'BTC', interval: '1m', generate: {} }] });
 * await venue.client.orders.place({ body: { symbol: 'BTC', side: 'buy', order_type: 'market', size: 0.01 } });
 * await venue.advance('1h');
 * ```
 *
 * @throws Error for settings or feeds that can't be used, with field or line, value and remedy
 */
export async function paperVenue(options: PaperVenueOptions): Promise<VenueInProcess> {
  const loaded = await import('./paperVenue.ts');
  return loaded.paperVenue(options);
}
