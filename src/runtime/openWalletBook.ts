import type { JournalStore } from '../journal/index.ts';
import {
  createWalletBook,
  type DayStart,
  type WalletBook,
  type WalletBookOptions,
} from './createWalletBook.ts';

/** A wallet's book that goes on with the day that the journal remembers. */
export function openWalletBook(
  wallet: string,
  { store, ...sources }: Pick<WalletBookOptions, 'now' | 'priceOf'> & { store: JournalStore },
): WalletBook {
  const name = `day:${wallet}`;
  const kept = store.meta(name);
  return createWalletBook({
    ...sources,
    dayStart: kept === undefined ? undefined : (JSON.parse(kept) as DayStart),
    onDayStart: (start) => void store.setMeta(name, JSON.stringify(start)),
  });
}
