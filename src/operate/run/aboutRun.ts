import { createHash, type Hash } from 'node:crypto';
import type { Feed } from '../../paper/feed/index.ts';
import { ownVersion } from '../../env/index.ts';
import type { ReportAbout, ReportFeed } from '../report/index.ts';
import type { LoadedTape } from './loadTape.ts';

/** What a run was made from, so that a reader of its report can repeat it. Reads every bar for the checksums. */
export function aboutRun({ loaded, strategies, data }: LoadedTape): ReportAbout {
  const uses = new Map(loaded.config.strategies.map(({ name, use }) => [name, use]));
  return {
    version: ownVersion(),
    node: process.versions.node,
    seed: loaded.config.seed,
    strategies: strategies.map(({ name, params }) => ({
      name,
      plugin: uses.get(name) ?? name,
      params,
    })),
    feeds: data.feeds.map(aboutFeed),
  };
}

function aboutFeed(feed: Feed): ReportFeed {
  const { symbol, interval, time } = feed;
  const hash = createHash('sha256');
  addColumns(hash, feed);
  return {
    symbol,
    interval,
    bars: time.length,
    from: time[0] ?? 0,
    until: time.at(-1) ?? 0,
    sha256: hash.digest('hex'),
  };
}

/** The columns by their names, nested ones too, as the bytes of little-endian doubles. */
function addColumns(hash: Hash, columns: object): void {
  for (const [name, value] of Object.entries(columns).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if (ArrayBuffer.isView(value)) {
      hash.update(name);
      hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    } else if (value !== null && typeof value === 'object') addColumns(hash, value as object);
  }
}
