import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BotConfig } from '../src/config/index.ts';

/**
 * The files that texts in the parameters of strategies name, at any depth, relative to the configuration: plugins read
 * them, so that their content decides what is computed. Absolute paths, each once, sorted; folders and files of the
 * tape are none of them.
 *
 * @param values further values that parameters may have, such as those of a sweep
 */
export function parameterFiles(
  { strategies, directory, link }: Pick<BotConfig, 'strategies' | 'directory' | 'link'>,
  values: readonly string[] = [],
): string[] {
  const texts = [...values, ...strategies.flatMap(({ params }) => textsIn(params))];
  const tape = new Set(tapeFiles(link));
  const paths = new Set(
    texts.filter((text) => text !== '').map((text) => resolve(directory, text)),
  );
  return [...paths].filter((path) => isFile(path) && !tape.has(path)).toSorted();
}

/** Candles, recordings and funding of a configuration, whose paths are absolute once it is loaded; generated ones have no file. */
export function tapeFiles(link: BotConfig['link']): string[] {
  if (link.kind !== 'paper') return [];
  const { feeds, funding } = link.paper;
  const named = feeds.flatMap((feed) =>
    'generate' in feed ? [] : [feed.path, feed.trades, feed.book, feed.snapshot],
  );
  return [...named, ...Object.values(funding)].filter((each) => typeof each === 'string');
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((each) => textsIn(each));
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    // Most texts are no path, and some are too long to be one.
    return false;
  }
}
