import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { nameOf, type Patch } from './Patch.ts';
import type { Verdict } from './playPatch.ts';

/** One played patch, a line of the ledger. */
export type Entry = Verdict & {
  station: string;
  patch: string;
  /** Of the source and the change: what was played under another is played again. */
  hash: string;
  seconds: number;
};

/** Tests that have found bugs of a source: they come early for its others. */
export interface Finders {
  of(file: string): ReadonlySet<string>;
}

/** Results by patch, in a file of lines that a run appends to and the next one reads. */
export interface Ledger extends Finders {
  /** The newest result of this patch on this source. */
  resultOf(patch: Patch, source: string): Entry | undefined;
  add(patch: Patch, source: string, verdict: Verdict, seconds: number): Entry;
}

export function openLedger(path: string): Ledger {
  mkdirSync(dirname(path), { recursive: true });
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  const entries = new Map<string, Entry>();
  for (const line of lines) {
    if (line === '') continue;
    const entry = JSON.parse(line) as Entry;
    entries.set(entry.hash, entry);
  }
  const finders = new Map<string, Set<string>>();
  const note = (entry: Entry): void => {
    if (entry.result !== 'found') return;
    const [file = ''] = entry.patch.split(': ');
    const known = finders.get(file) ?? new Set();
    finders.set(file, known.add(entry.by));
  };
  for (const entry of entries.values()) note(entry);
  return {
    of: (file) => finders.get(file) ?? NONE,
    resultOf: (patch, source) => entries.get(hashOf(patch, source)),
    add(patch, source, verdict, seconds) {
      const hash = hashOf(patch, source);
      const entry = { station: patch.station, patch: nameOf(patch), ...verdict, seconds, hash };
      entries.set(hash, entry);
      note(entry);
      appendFileSync(path, `${JSON.stringify(entry)}\n`);
      return entry;
    },
  };
}

const NONE: ReadonlySet<string> = new Set();

const hashOf = (patch: Patch, source: string): string =>
  createHash('sha1')
    .update(JSON.stringify([patch.file, patch.edit, source]))
    .digest('base64url');
