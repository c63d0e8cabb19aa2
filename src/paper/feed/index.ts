/** Sources of a market: candles (CSV, Parquet, a seed), recorded trades and books → columns. */
export { beginningOf, firstLineOf } from './beginningOf.ts';
export { aggregateBars, barsOfTrades, type Candles, type Span } from './barsOfTrades.ts';
export { isCacheFile, type CacheFile } from './CacheFile.ts';
export { checkBar, checkCandle, type CandleFault } from './checkCandle.ts';
export { firstFault } from './firstFault.ts';
export { checkNumbers, TIME_REMEDY } from './checkNumbers.ts';
export { impossibleRate, percentHint, secondRate } from './checkRates.ts';
export { checkSpacing } from './checkSpacing.ts';
export { mixedIntervals } from './mixedIntervals.ts';
export { columnName, CsvRows, type CsvFault } from './CsvRows.ts';
export { createGrowingFeed, type FeedBar } from './createGrowingFeed.ts';
export { decodeCache } from './decodeCache.ts';
export { encodeCache } from './encodeCache.ts';
export type { Feed } from './Feed.ts';
export {
  describeFeedProblem,
  fileFault,
  type FeedProblem,
  type FeedResult,
} from './FeedProblem.ts';
export { generateFeed, type TapeOptions } from './generateFeed.ts';
export { headerlessTrades, isEpochSeconds, isNumber } from './headerlessTrades.ts';
export { inverseContract, refuseByName, refuseInverse } from './inverseContract.ts';
export { loadFeedFile } from './loadFeedFile.ts';
export { loadFundingFile } from './loadFundingFile.ts';
export { coversNothing, loadTape, type TapeFiles } from './loadTape.ts';
export { parseCsv } from './parseCsv.ts';
export { parseIsoTime } from './parseIsoTime.ts';
export { parseFeedFlag } from './parseFeedFlag.ts';
export { readParquet } from './parseParquet.ts';
export { SeenIds } from './SeenIds.ts';
export { parseTrades, type TradesOptions } from './parseTrades.ts';
export { readPlainFile } from './readPlainFile.ts';
export { NumberColumn } from './NumberColumn.ts';
export { parseTapeFlag } from './parseTapeFlag.ts';
export { timeText } from './timeText.ts';
export { TimeScale } from './TimeScale.ts';
export type { BookTape, Tape, TradeTape } from './Tape.ts';
export { toCandles } from './toCandles.ts';
export { archiveOf, fileNameOf, isZip, unzip } from './unzip.ts';
export { withTape } from './withTape.ts';
