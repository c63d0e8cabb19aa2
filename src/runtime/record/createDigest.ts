import { createHash } from 'node:crypto';

/**
 * Each call into the hash costs more than a line does, and a text is built faster among others of its kind. No more
 * than this many: what waits longer survives the collector's first rounds, and then costs it more.
 */
const ROWS_AT_ONCE = 256;

/** Plain values in their order, which nobody changes any more: a row becomes text later than it is added. */
export type DigestRow = readonly unknown[];

/** A SHA-256 of rows, as if each had been added as a line of JSON with its line end. */
export function createDigest() {
  const hash = createHash('sha256');
  let rows: DigestRow[] = [];
  const take = (): void => {
    if (rows.length === 0) return;
    let text = '';
    for (let at = 0; at < rows.length; at++) text += `${JSON.stringify(rows[at])}\n`;
    hash.update(text);
    rows = [];
  };
  return {
    add(row: DigestRow): void {
      if (rows.push(row) >= ROWS_AT_ONCE) take();
    },
    /** Of all rows so far; more may follow. */
    hex(): string {
      take();
      return hash.copy().digest('hex');
    },
  };
}
