import { createHash, type Hash } from 'node:crypto';
import type { MarketData } from '../loadMarketData.ts';

/** The tape of a state: a state is valid only on exactly these bars. */
export interface TapeMark {
  name: string;
  rows: number;
  sha256: string;
}

/**
 * One mark per feed (`BTC@1m`), tapes included, and one per symbol whose funding is set (`funding of
 * BTC`).
 */
export function tapeOf({ feeds, funding }: MarketData): TapeMark[] {
  const ofFeeds = feeds.map((feed) => ({
    name: `${feed.symbol}@${feed.interval}`,
    rows: feed.time.length,
    sha256: digest(feed),
  }));
  const ofFunding = Object.entries(funding).map(([symbol, rates]) => ({
    name: `funding of ${symbol}`,
    rows: 'constantRate' in rates ? 1 : rates.time.length,
    sha256: digest(rates),
  }));
  return [...ofFeeds, ...ofFunding];
}

/** The difference, in words; null if there is none. */
export function differenceOf(saved: readonly TapeMark[], now: readonly TapeMark[]): string | null {
  for (const mark of saved) {
    const same = now.find(({ name }) => name === mark.name);
    if (same === undefined) return `${mark.name} is missing`;
    if (same.rows !== mark.rows) {
      return `${mark.name} had ${mark.rows} rows and has ${same.rows} now`;
    }
    if (same.sha256 !== mark.sha256) return `${mark.name} has other values`;
  }
  const added = now.find(({ name }) => !saved.some((mark) => mark.name === name));
  return added === undefined ? null : `${added.name} was not there`;
}

function digest(value: object): string {
  const hash = createHash('sha256');
  feedHash(hash, value);
  return hash.digest('hex');
}

/** Hashes columns as they are in memory, everything else by name and text. */
function feedHash(hash: Hash, value: object): void {
  for (const [name, part] of Object.entries(value) as Array<[string, unknown]>) {
    hash.update(`\n${name}:`);
    if (ArrayBuffer.isView(part)) {
      hash.update(new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
    } else if (typeof part === 'object' && part !== null) feedHash(hash, part);
    else hash.update(String(part));
  }
}
