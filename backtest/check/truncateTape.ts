import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { LoadedTape } from '../../src/operate/run/index.ts';
import type { Feed, MarketData, PaperSettings } from '../../src/paper/index.ts';
import { cutAt } from '../TimeRange.ts';

/** A tape as it was at an instant. */
export interface TruncatedTape {
  tape: LoadedTape;
  dispose(): void;
}

/**
 * The tape up to an instant, as if nothing after it had been recorded: copies of the columns, because a
 * view exposes the data behind it; instruments of the whole tape; and if a parameter names a feed's file,
 * a copy of the file that ends there too.
 */
export function truncateTape(tape: LoadedTape, until: number): TruncatedTape {
  const cut = cutAt(tape.data, until);
  const feeds = cut.feeds.map((feed) => copyOf(feed));
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-check-'));
  const files = copiesOf(tape.paper, feeds, folder);
  const { directory } = tape.loaded.config;
  const swap = (value: unknown): unknown =>
    typeof value === 'string' ? (files.get(resolve(directory, value)) ?? value) : value;
  const strategies = tape.strategies.map((planned) => ({
    ...planned,
    params: Object.fromEntries(
      Object.entries(planned.params).map(([name, value]) => [name, swap(value)]),
    ),
  }));
  return {
    tape: {
      ...tape,
      data: { ...cut, feeds, funding: fundingUntil(cut.funding, until) },
      strategies,
    },
    dispose: () => rmSync(folder, { recursive: true }),
  };
}

const HOUR_MS = 3_600_000;

/**
 * Rates of later settlements are gone; when they settle is known before, and stays. A venue stamps a settlement some
 * milliseconds after the hour at which it is charged.
 */
function fundingUntil(funding: MarketData['funding'], until: number): MarketData['funding'] {
  return Object.fromEntries(
    Object.entries(funding).map(([symbol, given]) => {
      if ('constantRate' in given) return [symbol, given];
      const { time } = given;
      const rate = given.rate.map((each, at) =>
        time[at]! - (time[at]! % HOUR_MS) <= until ? each : 0,
      );
      return [symbol, { time, rate }];
    }),
  );
}

/** Its columns and those of its recording, each in its own memory. */
function copyOf<Part>(part: Part): Part {
  if (part instanceof Float64Array || part instanceof Uint8Array) return part.slice() as Part;
  if (typeof part !== 'object' || part === null) return part;
  const parts = Object.entries(part).map(([name, each]) => [name, copyOf(each)] as const);
  return Object.fromEntries(parts) as Part;
}

/** Truncated candle files by the path of the whole one. */
function copiesOf(
  { feeds: settings }: PaperSettings,
  feeds: readonly Feed[],
  folder: string,
): Map<string, string> {
  const files = new Map<string, string>();
  for (const [at, given] of settings.entries()) {
    if (!('path' in given) || given.path === undefined) continue;
    const copy = join(folder, `${at}.csv`);
    writeFileSync(copy, csvOf(feeds[at]!));
    files.set(resolve(given.path), copy);
  }
  return files;
}

function csvOf({ time, open, high, low, close, volume }: Feed): string {
  const rows = Array.from(time, (at, row) =>
    [at, open[row], high[row], low[row], close[row], volume[row]].join(','),
  );
  return `timestamp,open,high,low,close,volume\n${rows.join('\n')}\n`;
}
