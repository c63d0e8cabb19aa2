import { requireFields } from '../../contract/failures/requireFields.ts';
import { resolve } from 'node:path';
import { INTERVAL_MS } from '../../contract/index.ts';
import {
  coversNothing,
  generateFeed,
  loadFeedFile,
  loadFundingFile,
  loadTape,
  timeText,
  withTape,
  type Feed,
  type FeedProblem,
  type FeedResult,
} from '../feed/index.ts';
import { fundingSpan } from '../market/fundingCoverage.ts';
import type { FundingRates, SymbolFunding } from '../market/FundingSchedule.ts';
import { toConstantFunding } from './fundingSettings.ts';
import type { FeedSettings } from './feedSettings.ts';
import type { PaperSettings } from './PaperSettings.ts';

/** The data of the settings' files and seeds. */
export interface MarketData {
  feeds: Feed[];
  /** By symbol. */
  funding: Record<string, SymbolFunding>;
}

/**
 * Loads or generates every feed of the settings, and reads the funding files.
 *
 * ```ts
 * const settings = paperSettings.parse({ feeds: [{ symbol: 'BTC', interval: '1m', generate: {} }] });
 * const data = await loadMarketData(settings, '.');
 * data.ok; // => true
 * ```
 *
 * @param baseDir directory that relative paths start from
 * @param known feeds of a program, by symbol: nothing is read for them
 * @returns the data, or the first file's fault
 */
export async function loadMarketData(
  settings: Pick<PaperSettings, 'feeds' | 'funding'>,
  baseDir = '.',
  known: ReadonlyMap<string, Feed> = new Map(),
): Promise<FeedResult<MarketData>> {
  requireFields('loadMarketData', settings, ['feeds']);
  const feeds: Feed[] = [];
  for (const given of settings.feeds) {
    const feed = known.get(given.symbol);
    if (feed !== undefined) {
      feeds.push(feed);
      continue;
    }
    const loaded = await loadFeed(given, baseDir);
    if (!loaded.ok) return loaded;
    feeds.push(loaded.value);
  }
  const funding: Record<string, SymbolFunding> = {};
  for (const [symbol, path] of Object.entries(settings.funding)) {
    if (typeof path !== 'string') {
      funding[symbol] = toConstantFunding(path);
      continue;
    }
    const loaded = await loadFundingFile(resolve(baseDir, path));
    if (!loaded.ok) return loaded;
    const elsewhere = explainMismatch(loaded.value, feeds, symbol);
    if (elsewhere !== null) return { ok: false, problem: { ...elsewhere, file: path } };
    funding[symbol] = loaded.value;
  }
  return { ok: true, value: { feeds, funding } };
}

/** Funding outside the tape's time would silently charge nothing. */
function explainMismatch(
  rates: FundingRates,
  feeds: readonly Feed[],
  symbol: string,
): Omit<FeedProblem, 'file'> | null {
  const feed = feeds.find((each) => each.symbol === symbol);
  if (feed === undefined) return null;
  const { from, until } = fundingSpan(rates);
  const tape = { from: feed.time[0]!, until: feed.time.at(-1)! + INTERVAL_MS[feed.interval] };
  if (from <= tape.until && until > tape.from) return null;
  const message =
    `settles funding from ${timeText(from)} to ${timeText(until)} UTC, and the tape of ${symbol} is ` +
    `from ${timeText(tape.from)} to ${timeText(tape.until)}: nothing would be charged.`;
  const remedy = `Give the settlements of the tape's time, or take ${symbol} out of \`funding\`: without a file the default rate is charged.`;
  return { line: null, column: null, value: null, message, remedy };
}

async function loadFeed(given: FeedSettings, baseDir: string): Promise<FeedResult<Feed>> {
  const { symbol, interval } = given;
  if (!('generate' in given)) return loadRecorded(given, baseDir);
  const { bars, seed, start_price, start_time, volatility_bps, volume, outage_every_bars } =
    given.generate;
  const feed = generateFeed({
    symbol,
    interval,
    bars,
    seed,
    volume,
    startTime: start_time,
    startPrice: start_price,
    volatilityBps: volatility_bps,
    outageEveryBars: outage_every_bars,
  });
  return { ok: true, value: feed };
}

type FileFeed = Exclude<FeedSettings, { generate: unknown }>;

/** Candles and the recording; each may be present alone, but a book needs prices. */
async function loadRecorded(given: FileFeed, baseDir: string): Promise<FeedResult<Feed>> {
  const { symbol, interval } = given;
  const at = (path: string | undefined) => (path === undefined ? path : resolve(baseDir, path));
  const files = { trades: at(given.trades), book: at(given.book), snapshot: at(given.snapshot) };
  const path = at(given.path);
  const loaded = path === undefined ? null : await loadFeedFile(path, symbol, interval);
  if (loaded?.ok === false) return loaded;
  const candles = loaded?.value ?? null;
  if (candles !== null && files.trades === undefined && files.book === undefined) {
    return { ok: true, value: candles };
  }
  const recorded = await loadTape(files);
  if (!recorded.ok) return recorded;
  const feed = withTape({ symbol, interval, candles }, recorded.value);
  if (feed === null) return { ok: false, problem: coversNothing(files, interval) };
  return { ok: true, value: feed };
}
