import { existsSync, linkSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { FailureCode } from '../../contract/index.ts';
import { reasonOf } from '../../env/index.ts';
import {
  convertToFirst,
  isPostgresUrl,
  JournalFault,
  syncFolder,
  type Converted,
  type JournalReader,
} from '../../journal/index.ts';
import { explainUnwritable } from '../explainUnwritable.ts';
import { isOfJournal } from './isOfJournal.ts';
import { openJournalReader, type JournalPlace } from './openJournalReader.ts';

/** Formats that a journal can be taken back to. */
export const FORMER_FORMATS = [1] as const;

/** What was written, or why nothing was. */
export type Downgraded =
  | {
      ok: true;
      wrote: Converted;
      /** Kinds of the bot's notes that the format has no place for, as `day` and `owner`. */
      leftOut: readonly string[];
    }
  | { ok: false; code: FailureCode; reason: string };

/**
 * Latches that tell of what was, by how their names begin: the key that signed, what the operator asked for, how a
 * strategy ended in its process.
 */
const TELLS: readonly string[] = ['api key', 'operator', 'strategy '];
/**
 * Values of the others that restrict nothing, by how they begin: without them a bot does the same. A position that is
 * ignored is not among them: its latch alone keeps the bot from trading and closing it.
 */
const RELEASED: readonly string[] = ['L0', 'off', 'shadow ', 'over', 'adopted by '];

/**
 * Writes a journal into a new file in the former format, for the version of Trimtab that reads it. What that format
 * can't hold and a bot relies on, a latch that is set or a key whose intent was compacted, refuses the conversion:
 * that bot would trade at a kill level, or decide a second time.
 *
 * @param pid of this process, for a unique temporary name
 * @throws JournalFault if there is no complete journal
 */
export async function downgradeJournal(
  { place }: JournalPlace,
  out: string,
  pid: number,
): Promise<Downgraded> {
  if (isPostgresUrl(place)) return refused('a journal in PostgreSQL has had one format only');
  const { lost, leftOut } = await withoutPlace(place);
  if (lost.length > 0) return refused(`format 1 can't hold ${lost.join(' and ')}`);
  if (existsSync(out)) return taken(out);
  const unwritable = explainUnwritable(out);
  if (unwritable !== null) return unwritten(out, unwritable);
  const part = `${out}.${pid}.part`;
  try {
    const wrote = convertToFirst(place, part);
    linkSync(part, out);
    syncFolder(dirname(resolve(out)));
    return { ok: true, wrote, leftOut };
  } catch (error) {
    if (error instanceof JournalFault) throw error;
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return taken(out);
    return unwritten(out, reasonOf(error));
  } finally {
    for (const ending of ['', '-journal']) rmSync(`${part}${ending}`, { force: true });
  }
}

async function withoutPlace(place: string): Promise<{ lost: string[]; leftOut: string[] }> {
  const reader = await openJournalReader({ place });
  try {
    const retired = await reader.retired();
    const set = await latchesSet(reader);
    const lost = [
      ...(retired === 0 ? [] : [`its keys of compacted intents (${retired})`]),
      ...(set.length === 0 ? [] : [`its latches that are set (${set.length}: ${set.join(', ')})`]),
    ];
    const notes = Object.keys(await reader.facts()).filter((name) => !isOfJournal(name));
    return { lost, leftOut: [...new Set(notes.map((name) => name.split(':')[0]!))] };
  } finally {
    await reader.close();
  }
}

async function latchesSet(reader: JournalReader): Promise<string[]> {
  const changes = await reader.latchChanges();
  const last = new Map(changes.map(({ name, value }) => [name, value]));
  const begins = (text: string, starts: readonly string[]): boolean =>
    starts.some((start) => text.startsWith(start));
  return [...last]
    .filter(([name, value]) => !begins(name, TELLS) && !begins(value, RELEASED))
    .map(([name]) => name);
}

const refused = (why: string): Downgraded => ({
  ok: false,
  code: 'TRIMTAB_JOURNAL_NOT_DOWNGRADED',
  reason:
    `No journal was written: ${why}.\n` +
    '  Go on with this version; or release the latches (trimtab rearm, trimtab journal latches), or start the former\n' +
    '  version with a new journal on an account without positions and orders.',
});

const taken = (out: string): Downgraded => ({
  ok: false,
  code: 'TRIMTAB_OUTPUT_EXISTS',
  reason: `${out} exists already, and a downgrade overwrites nothing.\n  Name another file.`,
});

const unwritten = (out: string, why: string): Downgraded => ({
  ok: false,
  code: 'TRIMTAB_OUTPUT_UNWRITABLE',
  reason: `${out} can't be written: ${why}`,
});
