import { writeOrFail, type JournalStore } from '../../journal/index.ts';
import type { DayStart } from './createDayLoss.ts';
import { createWalletBook, type WalletBookOptions } from './createWalletBook.ts';
import type { WalletBook } from './WalletBook.ts';

export interface WalletBookSources extends Pick<
  WalletBookOptions,
  'now' | 'priceOf' | 'isListed' | 'isAwaited' | 'limit' | 'onTransfer'
> {
  store: JournalStore;
  /** The day's start could not be written. */
  onFatal(error: unknown): void;
}

/** A wallet's book that continues the day recorded in the journal. */
export function openWalletBook(
  wallet: string,
  { store, onFatal, ...sources }: WalletBookSources,
): WalletBook {
  const name = `day:${wallet}`;
  const persisted = store.meta(name);
  return createWalletBook({
    ...sources,
    dayStart: persisted === undefined ? undefined : (JSON.parse(persisted) as DayStart),
    onDayStart: (start) => writeOrFail(() => store.setMeta(name, JSON.stringify(start)), onFatal),
  });
}
