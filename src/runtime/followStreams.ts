import { Subscription, type Observable } from 'rxjs';
import type { FillRecord } from '../contract/index.ts';
import type { Subscription as StreamSubscription } from '../env/index.ts';
import {
  checkPositions,
  closeGateUntilShown,
  type PositionEvent,
  closeGateOnOutage,
  type EntryGate,
  followOutages,
  type OutagesOptions,
} from './control/index.ts';
import type { AskedStreams, RefLog, WalletBook, WalletEvent } from './wallet/index.ts';
import {
  followAssets,
  followRefs,
  followSymbol,
  followWallet,
  readRefused,
  type ReadRefusedOptions,
  readUnshown,
  type ReadUnshownOptions,
  type Views,
} from './members/index.ts';

export interface FollowStreamsOptions
  extends
    Views,
    Pick<ReadUnshownOptions, 'read' | 'readStops'>,
    Omit<OutagesOptions, 'plan' | 'resyncMs' | 'streams'> {
  accepted: Views['accepted'] & ReadRefusedOptions['accepted'];
  /** Symbols that its strategies own, on any wallet. */
  symbols: Iterable<string>;
  bookOf(wallet: string): WalletBook;
  /** A wallet's fills since the process began. */
  fillsOf(wallet: string): Observable<FillRecord>;
  /** By instance. */
  refLogs: ReadonlyMap<string, RefLog>;
  gate: EntryGate;
  /** Which instance asked for which stream. */
  asked: Pick<AskedStreams, 'isAsked'>;
  events$: { next(event: WalletEvent | PositionEvent): void };
  /** An execution may have its id now; a strategy may decide at once on what follows from that. */
  onExecutions(): void;
}

/** Everything that receives the streams before the strategies do: marks, books, entry gate, outages. */
export function followStreams(options: FollowStreamsOptions): Subscription {
  const { streams, wallets, gate, symbols, bookOf, plan, asked } = options;
  const { resyncMs } = plan;
  const owned = new Set(symbols);
  // Bars that only value a wallet's asset: an asset that nobody trades for hours must not end the entries.
  const isDecidedOn = (stream: StreamSubscription): boolean =>
    stream.channel !== 'candles' ||
    owned.has(stream.params['symbol'] as string) ||
    asked.isAsked(stream);
  const subscription = new Subscription();
  for (const symbol of symbols) subscription.add(followSymbol(symbol, options));
  for (const wallet of wallets) {
    subscription.add(followWallet(wallet, { ...options, book: bookOf(wallet) }));
    subscription.add(checkPositions(wallet, options));
    subscription.add(readRefused(wallet, options));
    subscription.add(readUnshown(wallet, options));
  }
  // After the books, which know a holding first.
  subscription.add(followAssets(options));
  subscription.add(closeGateUntilShown(streams, wallets, gate));
  subscription.add(closeGateOnOutage(streams, wallets, gate, resyncMs !== null, isDecidedOn));
  subscription.add(followOutages({ ...options, resyncMs }));
  for (const wallet of wallets) {
    subscription.add(followRefs(wallet, options));
    subscription.add(streams.wallet(wallet).executionsModel$.subscribe(options.onExecutions));
  }
  return subscription;
}
