import { resolve } from 'node:path';
import {
  generateFeed,
  loadFeedFile,
  loadFundingFile,
  type Feed,
  type FeedResult,
} from '../feed/index.ts';
import type { FundingRates } from '../market/FundingSchedule.ts';
import type { FeedSettings, PaperSettings } from './PaperSettings.ts';

/** What the settings' files and seeds hold. */
export interface MarketData {
  feeds: Feed[];
  /** By symbol. */
  funding: Record<string, FundingRates>;
}

/**
 * Loads or makes every feed of the settings, and reads the funding files.
 *
 * @param baseDir directory that relative paths start from
 * @returns the data, or the first file's fault
 */
export async function loadMarketData(
  settings: Pick<PaperSettings, 'feeds' | 'funding'>,
  baseDir = '.',
): Promise<FeedResult<MarketData>> {
  const feeds: Feed[] = [];
  for (const given of settings.feeds) {
    const loaded = await loadFeed(given, baseDir);
    if (!loaded.ok) return loaded;
    feeds.push(loaded.value);
  }
  const funding: Record<string, FundingRates> = {};
  for (const [symbol, path] of Object.entries(settings.funding)) {
    const loaded = await loadFundingFile(resolve(baseDir, path));
    if (!loaded.ok) return loaded;
    funding[symbol] = loaded.value;
  }
  return { ok: true, value: { feeds, funding } };
}

async function loadFeed(given: FeedSettings, baseDir: string): Promise<FeedResult<Feed>> {
  const { symbol, interval } = given;
  if ('path' in given) return loadFeedFile(resolve(baseDir, given.path), symbol, interval);
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
