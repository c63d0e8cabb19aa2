import type { JournalReader } from '../../journal/index.ts';

/** One reader of the journal for all requests. */
export interface Readers {
  /** @throws what `use` or the opening throws; the next call then opens another reader */
  read<T>(use: (reader: JournalReader) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Shared {
  reader: Promise<JournalReader>;
  uses: number;
  isOver: boolean;
}

/**
 * Opened with the first request for it. After a failure it is shared no more, and closed once the requests that still
 * read from it are done: what one asked for wrongly must not end another.
 */
export function createReaders(open: () => Promise<JournalReader>): Readers {
  let current: Shared | undefined;

  function retire(shared: Shared): void {
    shared.isOver = true;
    if (current === shared) current = undefined;
  }

  async function closeUnused({ reader, uses, isOver }: Shared): Promise<void> {
    if (!isOver || uses > 0) return;
    const opened = await reader.catch(() => undefined);
    await opened?.close();
  }

  return {
    async read(use) {
      const shared = (current ??= { reader: open(), uses: 0, isOver: false });
      shared.uses++;
      try {
        return await use(await shared.reader);
      } catch (error) {
        retire(shared);
        throw error;
      } finally {
        shared.uses--;
        await closeUnused(shared);
      }
    },
    async close() {
      if (current === undefined) return;
      const shared = current;
      retire(shared);
      await closeUnused(shared);
    },
  };
}
