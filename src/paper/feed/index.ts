/** Where candles come from: a CSV file or a seed → columns. */
export type { Feed } from './Feed.ts';
export { describeFeedProblem, type FeedProblem, type FeedResult } from './FeedProblem.ts';
export { generateFeed, type TapeOptions } from './generateFeed.ts';
export { loadFeedFile } from './loadFeedFile.ts';
export { loadFundingFile } from './loadFundingFile.ts';
export { FEED_COLUMNS, parseCsv } from './parseCsv.ts';
export { parseFeedFlag, type FeedFlag } from './parseFeedFlag.ts';
