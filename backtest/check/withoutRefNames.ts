import type { DecidedIntent } from './runIntents.ts';

/** The same intents, each ref replaced by its place in the order in which refs appear. */
export function withoutRefNames(intents: readonly DecidedIntent[]): DecidedIntent[] {
  const names = new Map<string, string>();
  const rename = (key: string, value: unknown): unknown => {
    if (key !== 'ref' || typeof value !== 'string') return value;
    if (!names.has(value)) names.set(value, `#${names.size}`);
    return names.get(value);
  };
  return JSON.parse(JSON.stringify(intents, rename)) as DecidedIntent[];
}
