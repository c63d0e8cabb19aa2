import { shellWord } from '../../env/index.ts';
import { isPostgresUrl, type IntentLife, type JournalReader } from '../../journal/index.ts';

const SHOWN = 5;

/**
 * An intent by its key or an unambiguous prefix; a string gives the reason why there is none.
 *
 * @param place what the user calls the journal, for a command that lists its keys: its file, or the bot's YAML
 */
export async function findLife(
  reader: JournalReader,
  key: string,
  place?: string,
): Promise<IntentLife | string> {
  const list = `\`trimtab journal list ${placeWord(place)}\` shows them`;
  if (key.trim() === '') return `KEY is empty.\n  Name an intent by its key: ${list}.`;
  const whole = await reader.life(key);
  if (whole !== undefined) return whole;
  const keys = await reader.keysLike(key, SHOWN + 1);
  if (keys.length === 0)
    return `No intent's key starts with ${key}.\n  Give a key, or its start: ${list}.`;
  if (keys.length > 1) {
    const some = keys.slice(0, SHOWN).join('\n  ');
    const more = keys.length > SHOWN ? '\n  …' : '';
    return `Several keys start with ${key}; give more of it:\n  ${some}${more}`;
  }
  return (await reader.life(keys[0]!)) ?? `The intent ${keys[0]} has just been compacted.`;
}

/** A journal in a command that a message prints: a database's address holds a password, which no message may. */
export function placeWord(place: string | undefined): string {
  return place === undefined || isPostgresUrl(place) ? 'JOURNAL' : shellWord(place);
}
