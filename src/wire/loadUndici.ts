import { createRequire } from 'node:module';
import type * as undici from 'undici';

type Undici = typeof undici;

let loaded: Undici | undefined;

/**
 * undici, with the first connection: most commands make none, and its hundred files are a tenth of a command's start.
 */
export function loadUndici(): Undici {
  loaded ??= createRequire(import.meta.url)('undici') as Undici;
  return loaded;
}
