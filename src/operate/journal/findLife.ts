import type { IntentLife, JournalReader } from '../../journal/index.ts';

const SHOWN = 5;

/** An intent by its key or an unambiguous prefix; a string gives the reason why there is none. */
export async function findLife(reader: JournalReader, key: string): Promise<IntentLife | string> {
  if (key.trim() === '')
    return 'KEY is empty.\n  Name an intent by its key: `trimtab journal list` shows them.';
  const whole = await reader.life(key);
  if (whole !== undefined) return whole;
  const keys = await reader.keysLike(key, SHOWN + 1);
  if (keys.length === 0) return `No intent's key starts with ${key}.`;
  if (keys.length > 1) {
    const list = keys.slice(0, SHOWN).join('\n  ');
    const more = keys.length > SHOWN ? '\n  …' : '';
    return `Several keys start with ${key}; give more of it:\n  ${list}${more}`;
  }
  return (await reader.life(keys[0]!)) ?? `The intent ${keys[0]} has just been compacted.`;
}
