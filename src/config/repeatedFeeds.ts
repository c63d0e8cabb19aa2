import type { PaperSettings } from '../paper/server/PaperSettings.ts';
import type { Finding } from './Finding.ts';

/** Feeds of a symbol that has one already: a market has one path of prices. */
export function repeatedFeeds(feeds: PaperSettings['feeds']): Finding[] {
  return feeds.flatMap(({ symbol }, index): Finding[] => {
    const first = feeds.findIndex((feed) => feed.symbol === symbol);
    if (first === index) return [];
    return [
      {
        code: 'TRIMTAB_CONFIG_DUPLICATE',
        path: ['paper', 'feeds', index, 'symbol'],
        reason: `paper.feeds[${first}] serves ${symbol} already`,
        remedy: 'Keep the one with the shorter interval: it serves every longer one.',
      },
    ];
  });
}
