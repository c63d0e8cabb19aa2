import type { PaperSettingsInput } from '../../paper/index.ts';
import { CommandFailure } from '../failures/CommandFailure.ts';

type Feeds = PaperSettingsInput['feeds'];

export interface NamedFile {
  symbol: string;
  path: string;
}

/** Recordings of the command line, by symbol. */
export interface TapeFlags {
  trades?: NamedFile[];
  book?: NamedFile[];
  snapshot?: NamedFile[];
}

const KINDS = ['trades', 'book', 'snapshot'] as const;

/**
 * Adds recordings to the feeds of their symbols. Trades of a symbol without a feed make one, at 1m.
 *
 * @throws CommandFailure if a recording has no feed
 */
export function joinTapes(feeds: Feeds, flags: TapeFlags): Feeds {
  const joined = feeds.map((feed) => ({ ...feed }) as Record<string, unknown>);
  const of = (symbol: string) => joined.find((feed) => feed['symbol'] === symbol);
  for (const kind of KINDS) {
    for (const { symbol, path } of flags[kind] ?? []) {
      const feed = of(symbol);
      if (feed !== undefined && !('generate' in feed)) feed[kind] = path;
      else if (kind === 'trades' && feed === undefined) {
        joined.push({ symbol, interval: '1m', trades: path });
      } else throw noFeed(kind, symbol, feed !== undefined);
    }
  }
  const alone = joined.find((feed) => 'snapshot' in feed && !('book' in feed));
  if (alone !== undefined) {
    const symbol = String(alone['symbol']);
    throw new CommandFailure(
      'TRIMTAB_USAGE',
      `--snapshot ${symbol}: a snapshot is the first state of a recorded book, and none is named.\n  Add --book ${symbol}=FILE, the file of the book's changes.`,
    );
  }
  return joined as Feeds;
}

function noFeed(kind: string, symbol: string, isMade: boolean): CommandFailure {
  const why = isMade ? 'its feed is made from a seed' : 'it has no feed';
  const remedy = `Add --feed ${symbol}@1m=PATH or --trades ${symbol}=PATH.`;
  return new CommandFailure('TRIMTAB_USAGE', `--${kind} ${symbol}: ${why}.\n  ${remedy}`);
}
