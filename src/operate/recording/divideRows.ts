import type { RecordedLine, TakeLine } from '../../strategy/recording/index.ts';
import type { Recording } from './Recording.ts';

/** A recording's lines, each to its instance, in one pass over the file. */
export interface DividedRows {
  /** Reads the next row and returns its instance; undefined at the end of the file. */
  read(): string | undefined;
  /** Whether the instance has a line that was read and not yet consumed. */
  hasWaiting(instance: string): boolean;
  /** Iterates over an instance's lines; it reads ahead if none is buffered. */
  takerOf(instance: string): TakeLine;
  /** Drops the lines that the instance has not consumed. */
  leave(instance: string): void;
  /** Closes the file. */
  close(): void;
}

/**
 * A reader that looks for its next line buffers the lines of other instances on the way: as much as was
 * recorded between two lines of one instance, and nothing once an instance is done.
 *
 * @param names instances whose lines are needed; the others are skipped
 */
export function divideRows(recording: Recording, names: readonly string[]): DividedRows {
  const rows = recording.rows()[Symbol.iterator]();
  const parts = new Map(
    names.map((name) => {
      const { lines } = recording.instances.get(name)!;
      return [name, { waiting: [] as RecordedLine[], unread: lines }];
    }),
  );

  function read(): string | undefined {
    for (let next = rows.next(); next.done !== true; next = rows.next()) {
      const { instance, line } = next.value;
      const part = parts.get(instance);
      if (part === undefined) continue;
      part.waiting.push(line);
      part.unread--;
      return instance;
    }
    return undefined;
  }

  return {
    read,
    hasWaiting: (instance) => (parts.get(instance)?.waiting.length ?? 0) > 0,
    takerOf: (instance) => () => {
      const part = parts.get(instance);
      if (part === undefined) return undefined;
      while (part.waiting.length === 0) {
        if (part.unread === 0 || read() === undefined) return undefined;
      }
      return part.waiting.shift();
    },
    leave: (instance) => void parts.delete(instance),
    close: () => void rows.return?.(),
  };
}
