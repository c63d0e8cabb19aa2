import type { JournalStore } from './JournalStore.ts';

/**
 * A store that is given no text which its database can't hold: half of a surrogate pair is no UTF-8, so that what is
 * read would differ from what was written, and PostgreSQL refuses a NUL. Both are in errors of `JSON.parse`, which
 * are the reasons of quarantines.
 */
export function withStorableTexts(store: JournalStore): JournalStore {
  return {
    ...store,
    append: ({ intent, entries, ...rest }) =>
      store.append({
        ...rest,
        ...(intent === undefined ? {} : { intent: storable(intent) }),
        entries: entries.map(storable),
      }),
    writeState: (instance, state) => store.writeState(storableText(instance), storableText(state)),
    setMeta: (key, value) => store.setMeta(storableText(key), storableText(value)),
    setLatch: (name, latch) => store.setLatch(storableText(name), storable(latch)),
  };
}

/** Records are flat: texts and numbers. Nearly all can be stored as they are. */
function storable<T extends object>(record: T): T {
  if (Object.values(record).every(isStorable)) return record;
  const fields = Object.entries(record).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' ? storableText(value) : value,
  ]);
  return Object.fromEntries(fields) as T;
}

const isStorable = (value: unknown): boolean =>
  typeof value !== 'string' || (value.isWellFormed() && !value.includes('\0'));

const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\u2400');
