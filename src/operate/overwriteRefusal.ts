import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** The distinctive first bytes of the outputs of each kind. */
const MARKS = {
  page: /^<!doctype html>[^]*<meta name="generator" content="Trimtab">/,
  figures: /^\{"format":"trimtab-figures"/,
  report: /^\{"format":"trimtab-report"/,
  report_table: /^run,group,figure,value,unit,why\n/,
  check: /^\{"format":"trimtab-check"/,
  conformance: /^\{\s*"format": "trimtab-conformance"/,
  schema: /^\{\s*"\$comment": "Written by trimtab schema\."/,
  recording: /^\{"format":"trimtab-recording"/,
  cache: /^TRIMTAB\n/,
  sweep_table: /^job,window,part,/,
  sweep_results: /^SQLite format 3\0/,
  sweep_parquet: /^PAR1/,
  profile: /^\{"nodes":\[/,
} as const;

export type OutputKind = keyof typeof MARKS;

/** Enough for every mark. */
const HEAD_BYTES = 1_024;

/**
 * Describes an existing file that an output must not overwrite: any file without the mark of that kind of
 * output. Links are followed; an empty file, a device and a pipe have nothing to lose.
 *
 * @returns null if nothing is lost, or if the file can't be read and a write fails too
 */
export function overwriteRefusal(file: string, kind: OutputKind): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile() || found.size === 0) return null;
  return MARKS[kind].test(headOf(file))
    ? null
    : `it exists, and is not a Trimtab file (${kind.replace('_', ' ')})`;
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
