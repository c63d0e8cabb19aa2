import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** How the outputs of each kind begin, and no other file does. */
const MARKS = {
  page: /^<!doctype html>[^]*<meta name="generator" content="Trimtab">/,
  figures: /^\{"format":"trimtab-figures"/,
  check: /^\{"format":"trimtab-check"/,
  conformance: /^\{\s*"format": "trimtab-conformance"/,
  schema: /^\{\s*"\$comment": "Written by trimtab schema\."/,
  recording: /^\{"format":"trimtab-recording"/,
  cache: /^TRIMTAB\n/,
  sweep_table: /^job,window,part,/,
  sweep_results: /^SQLite format 3\0/,
} as const;

export type OutputKind = keyof typeof MARKS;

/** Enough for every mark. */
const HEAD_BYTES = 1_024;

/**
 * Says what a file is that an output may not be written over: whatever is there and does not carry the mark
 * of that kind of output. Links are followed; an empty file, a device and a pipe hold nothing to lose.
 *
 * @returns null where nothing is lost, or where the file can't be looked at and a write fails too
 */
export function whyNotOverwritten(file: string, kind: OutputKind): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || found.size === 0) return null;
  return MARKS[kind].test(headOf(file))
    ? null
    : `it exists, and is no ${kind.replace('_', ' ')} of Trimtab's`;
}

function headOf(file: string): string {
  const opened = openSync(file, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    return head.toString('utf8', 0, readSync(opened, head, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(opened);
  }
}
