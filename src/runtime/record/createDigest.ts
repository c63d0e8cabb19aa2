import { createHash } from 'node:crypto';

/** Each call into the hash costs more than a line does, so lines are batched. */
const LINES_AT_ONCE = 64;

/** A SHA-256 of lines of text, as if each had been added with its line end. */
export function createDigest() {
  const hash = createHash('sha256');
  let lines: string[] = [];
  const take = (): void => {
    if (lines.length > 0) hash.update(`${lines.join('\n')}\n`);
    lines = [];
  };
  return {
    add(line: string): void {
      if (lines.push(line) >= LINES_AT_ONCE) take();
    },
    /** Of all lines so far; more may follow. */
    hex(): string {
      take();
      return hash.copy().digest('hex');
    },
  };
}
