/** Where a market comes from: candles (CSV, Parquet, a seed), recorded trades and books → columns. */
export type { Feed } from './Feed.ts';
export { describeFeedProblem, type FeedProblem, type FeedResult } from './FeedProblem.ts';
export { generateFeed, type TapeOptions } from './generateFeed.ts';
export { loadFeedFile } from './loadFeedFile.ts';
export { loadFundingFile } from './loadFundingFile.ts';
export { coversNothing, loadTape, type TapeFiles } from './loadTape.ts';
export { FEED_COLUMNS, parseCsv } from './parseCsv.ts';
export { parseFeedFlag, type FeedFlag } from './parseFeedFlag.ts';
export { parseTapeFlag, type TapeFlag } from './parseTapeFlag.ts';
export type { BookTape, Tape, TradeTape } from './Tape.ts';
export { withTape } from './withTape.ts';
