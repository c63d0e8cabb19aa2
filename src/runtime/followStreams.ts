import { Subscription } from 'rxjs';
import {
  checkPositions,
  type PositionEvent,
  type EntryGate,
  followGate,
  followOutages,
  type OutagesOptions,
} from './control/index.ts';
import type { WalletBook, WalletEvent } from './wallet/index.ts';
import { followSymbol, followWallet, type Views } from './members/index.ts';

export interface FollowStreamsOptions
  extends Views, Omit<OutagesOptions, 'plan' | 'resyncMs' | 'streams'> {
  /** Symbols that its strategies own, on any wallet. */
  symbols: Iterable<string>;
  bookOf(wallet: string): WalletBook;
  gate: EntryGate;
  events$: { next(event: WalletEvent | PositionEvent): void };
}

/** Everything that receives the streams before the strategies do: marks, books, entry gate, outages. */
export function followStreams(options: FollowStreamsOptions): Subscription {
  const { streams, wallets, gate, symbols, bookOf, plan } = options;
  const { resyncMs } = plan;
  const subscription = new Subscription();
  for (const symbol of symbols) subscription.add(followSymbol(symbol, options));
  for (const wallet of wallets) {
    subscription.add(followWallet(wallet, { ...options, book: bookOf(wallet) }));
    subscription.add(checkPositions(wallet, options));
  }
  subscription.add(followGate(streams, wallets, gate, resyncMs !== null));
  subscription.add(followOutages({ ...options, resyncMs }));
  return subscription;
}
