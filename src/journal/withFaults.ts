import type { JournalReader } from './JournalReader.ts';

/**
 * A damaged page or a lost connection may be met by any reading: each says which journal it is, and what to do.
 *
 * @param toFault what an error of the storage means for the journal; what is no such error it returns unchanged
 */
export function withFaults(
  reader: JournalReader,
  toFault: (error: unknown) => unknown,
): JournalReader {
  const named =
    <A extends unknown[], R>(read: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      try {
        return await read(...args);
      } catch (error) {
        throw toFault(error);
      }
    };
  return {
    find: named(reader.find),
    keysLike: named(reader.keysLike),
    life: named(reader.life),
    held: named(reader.held),
    latchChanges: named(reader.latchChanges),
    facts: named(reader.facts),
    async *lives() {
      try {
        yield* reader.lives();
      } catch (error) {
        throw toFault(error);
      }
    },
    problems: named(reader.problems),
    retired: named(reader.retired),
    hasRetired: named(reader.hasRetired),
    close: named(reader.close),
  };
}
