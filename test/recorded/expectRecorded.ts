import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

/** What a case left: lines of text by section, such as the frames, the answers, the log. */
export type Outcome = ReadonlyMap<string, readonly string[]>;

/** A folder that receives the whole text of each case, so that two commits can be compared by `diff -r`. */
const TEXTS = process.env['TRIMTAB_RECORDED'];
const DIGITS = 10;

/**
 * Compares outcomes with those that `test/recorded/outcomes/NAME.txt` holds: a row for each case and section with its number of
 * lines and their hash. Every change of behaviour that a case can show makes a row differ. Whoever meant the change
 * writes the file anew, `npx vitest run test/recorded -u`, and reviews which rows it moved;
 * `TRIMTAB_RECORDED=/tmp/after npx vitest run test/recorded` writes the texts behind the hashes.
 *
 * @param outcomes by the name of their case, in the order of the file
 */
export async function expectRecorded(
  name: string,
  outcomes: ReadonlyMap<string, Outcome>,
): Promise<void> {
  const rows: string[] = [];
  for (const [about, outcome] of outcomes) {
    if (TEXTS !== undefined) writeTexts(join(TEXTS, name, about), outcome);
    for (const [section, lines] of outcome) {
      const hash = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, DIGITS);
      rows.push(`${about} | ${section} | ${lines.length} | ${hash}`);
    }
  }
  await expect(`${rows.join('\n')}\n`).toMatchFileSnapshot(`outcomes/${name}.txt`);
}

function writeTexts(folder: string, outcome: Outcome): void {
  mkdirSync(folder, { recursive: true });
  for (const [section, lines] of outcome) {
    writeFileSync(join(folder, `${section.replaceAll('/', ' ')}.txt`), `${lines.join('\n')}\n`);
  }
}
