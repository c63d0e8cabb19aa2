/** Work that may take minutes, and that the pipe waits for only where somebody asks whether it has settled. */
export interface Detached {
  detach(work: Promise<void>): void;
  isEmpty(): boolean;
  /** Resolves when none is left, or nothing is waited for any more. */
  settled(): Promise<void>;
  close(): void;
}

/** @param onFailure hears what any of the work rejects with */
export function createDetached(onFailure: (error: unknown) => void): Detached {
  const works = new Set<Promise<void>>();
  const closed = Promise.withResolvers<void>();
  return {
    detach(work) {
      const followed = work.catch(onFailure).finally(() => works.delete(followed));
      works.add(followed);
    },
    isEmpty: () => works.size === 0,
    settled: () => Promise.race([Promise.all(works).then(() => {}), closed.promise]),
    close: () => closed.resolve(),
  };
}
