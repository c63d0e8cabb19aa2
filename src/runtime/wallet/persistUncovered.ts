import { writeOrFail, type JournalStore } from '../../journal/index.ts';

/** Since when a wallet's positions are uncovered, as the journal has it: symbol → market time, epoch milliseconds. */
export interface PersistedUncovered {
  /** What the process before had written; empty if there was nothing. */
  sinceOf(wallet: string): ReadonlyMap<string, number>;
  keep(wallet: string, spells: ReadonlyArray<{ symbol: string; since: number }>): void;
}

/** A fact of each wallet: how long a position may be uncovered does not begin anew with each process. */
export function persistUncovered(
  store: Pick<JournalStore, 'meta' | 'setMeta'>,
  onFatal: (error: unknown) => void,
): PersistedUncovered {
  const nameOf = (wallet: string): string => `uncovered:${wallet}`;
  const written = new Map<string, string>();
  const read = (wallet: string): string =>
    written.get(wallet) ?? store.meta(nameOf(wallet)) ?? '[]';
  return {
    sinceOf: (wallet) => new Map(JSON.parse(read(wallet)) as Array<[string, number]>),
    keep(wallet, spells) {
      const text = JSON.stringify(spells.map(({ symbol, since }) => [symbol, since]));
      if (text === read(wallet)) return;
      written.set(wallet, text);
      writeOrFail(() => store.setMeta(nameOf(wallet), text), onFatal);
    },
  };
}
