/** Work that may take minutes, for which the pipe waits only if asked whether it has settled. */
export interface Detached {
  detach(work: Promise<void>): void;
  isEmpty(): boolean;
  /** Resolves when none is left, or when waiting has been cancelled. */
  settled(): Promise<void>;
  close(): void;
}

/** @param onFailure receives what any of the work rejects with */
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
