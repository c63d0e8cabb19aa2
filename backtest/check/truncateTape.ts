import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { INTERVAL_MS } from '../../src/contract/index.ts';
import { HOUR_MS } from '../../src/contract/durations.ts';
import type { LoadedTape } from '../../src/operate/run/index.ts';
import type { MarketData, PaperSettings } from '../../src/paper/index.ts';
import { isPlain } from '../../src/strategy/freezeDeeply.ts';
import { cutAt } from '../TimeRange.ts';
import { cutFile, type RowTimes } from './cutFile.ts';

/** A tape as it was at an instant. */
export interface TruncatedTape {
  tape: LoadedTape;
  /** Files of the tape that parameters name and that could not be truncated. */
  whole: readonly string[];
  dispose(): void;
}

/**
 * The tape up to an instant, as if nothing after it had been recorded: copies of the columns, because a
 * view exposes the data behind it; instruments of the whole tape; and if a parameter names a file of the tape,
 * at any depth, a copy of it that ends there too.
 *
 * @param filesUntil the end of the files, if it is an earlier one
 */
export function truncateTape(tape: LoadedTape, until: number, filesUntil = until): TruncatedTape {
  const cut = cutAt(tape.data, until);
  const feeds = cut.feeds.map((feed) => copyOf(feed));
  const folder = mkdtempSync(join(tmpdir(), 'trimtab-check-'));
  const files = dataFilesOf(tape.paper);
  const copies = new Map<string, string | null>();
  const { directory } = tape.loaded.config;
  const swap = (text: string): string => {
    const path = resolve(directory, text);
    const file = files.get(path);
    if (file === undefined) return text;
    let copy = copies.get(path);
    if (copy === undefined) {
      copy = copyFile(file, filesUntil, join(folder, String(copies.size)));
      copies.set(path, copy);
    }
    return copy ?? text;
  };
  const strategies = tape.strategies.map((planned) => ({
    ...planned,
    params: mapTexts(planned.params, swap) as Record<string, unknown>,
  }));
  return {
    tape: {
      ...tape,
      data: { ...cut, feeds, funding: fundingUntil(cut.funding, until) },
      strategies,
    },
    whole: [...copies].flatMap(([path, copy]) => (copy === null ? [path] : [])),
    dispose: () => rmSync(folder, { recursive: true }),
  };
}

/** A truncated copy under the name of the file, whose end tells its readers the format; null if it can't be truncated. */
function copyFile({ path, times }: DataFile, until: number, folder: string): string | null {
  const bytes = cutFile(path, until, times);
  if (bytes === null) return null;
  mkdirSync(folder);
  const copy = join(folder, basename(path));
  writeFileSync(copy, bytes);
  return copy;
}

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

interface DataFile {
  path: string;
  times: RowTimes;
}

/** Candles, recordings and funding, by path. A snapshot is the book as it was before its stream began, and stays. */
function dataFilesOf({ feeds, funding }: PaperSettings): Map<string, DataFile> {
  const files: DataFile[] = [];
  for (const feed of feeds) {
    if ('generate' in feed) continue;
    const { path, trades, book, interval } = feed;
    if (path !== undefined)
      files.push({ path, times: { kind: 'bars', length: INTERVAL_MS[interval] } });
    for (const each of [trades, book]) {
      if (each !== undefined) files.push({ path: each, times: { kind: 'times' } });
    }
  }
  for (const path of Object.values(funding)) {
    if (typeof path === 'string') files.push({ path, times: { kind: 'settlements' } });
  }
  return new Map(files.map((file) => [resolve(file.path), file]));
}

/** Replaces the texts in a parameter's value, at any depth. */
function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, mapTexts(each, map)]),
  );
}
