import type { RecordedLine, TakeLine } from '../../strategy/recording/index.ts';
import type { Recording } from './Recording.ts';

/** A recording's lines, each to its instance, in one going through the file. */
export interface DividedRows {
  /** Reads a row more: whose it is; undefined where the file ends. */
  read(): string | undefined;
  /** Whether a line of its own was read that it has not taken. */
  hasWaiting(instance: string): boolean;
  /** What gives an instance's lines one by one: it reads on where none of them waits. */
  takerOf(instance: string): TakeLine;
  /** What it has not taken is kept no more. */
  leave(instance: string): void;
  /** Lets the file go. */
  close(): void;
}

/**
 * Who reads on for its own next line finds others' on the way, and they are kept until those take them: as much
 * as was recorded between two lines of one instance, and nothing once it has had its last.
 *
 * @param names whose lines are wanted; the others' are passed over
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
