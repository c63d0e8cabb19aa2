import type { MarketClock } from '../../env/index.ts';
import type { JournalStore } from '../../journal/index.ts';
import type { BotPlan } from '../BotPlan.ts';
import type { Marks } from './createMarks.ts';
import type { WalletBook } from './WalletBook.ts';
import { openWalletBook } from './openWalletBook.ts';
import { tradedWallets } from './tradedWallets.ts';

/** The wallets that a bot trades on: the book of each, and which symbols the bot owns. */
export interface Books {
  readonly wallets: readonly string[];
  /** In the order of the wallets. */
  readonly all: readonly WalletBook[];
  /** Symbols that its strategies own, on any wallet. */
  readonly symbols: ReadonlySet<string>;
  bookOf(wallet: string): WalletBook;
  /** Symbols that its strategies own on a wallet. */
  symbolsOf(wallet: string): readonly string[];
}

export interface BooksOptions {
  plan: BotPlan;
  store: JournalStore;
  market: MarketClock;
  marks: Pick<Marks, 'worth' | 'isAwaited'>;
  /** Funds were moved into a wallet, negative if out of it; quote units. */
  onTransfer(transfer: { wallet: string; amount: number }): void;
  /** The day's start could not be written. */
  onFatal(error: unknown): void;
}

export function openBooks(options: BooksOptions): Books {
  const { store, market, marks, onTransfer, onFatal } = options;
  const { strategies, guards, instruments } = options.plan;
  const wallets = tradedWallets(strategies);
  const symbols = new Set(strategies.flatMap((one) => one.symbols));
  const listed = new Set(instruments.map(({ symbol }) => symbol));
  const sources = {
    store,
    now: () => market.now(),
    priceOf: (symbol: string) => marks.worth(symbol)?.price,
    isListed: (symbol: string) => listed.has(symbol),
    isAwaited: marks.isAwaited,
    limit: guards.daily_loss_limit,
    onFatal,
  };
  const open = (wallet: string): WalletBook =>
    openWalletBook(wallet, {
      ...sources,
      onTransfer: (amount) => onTransfer({ wallet, amount }),
    });
  const books = new Map(wallets.map((wallet) => [wallet, open(wallet)]));
  const bookOf = (wallet: string): WalletBook => {
    const book = books.get(wallet);
    if (book === undefined) throw new Error(`No strategy of this bot trades wallet ${wallet}.`);
    return book;
  };
  return {
    wallets,
    all: [...books.values()],
    symbols,
    bookOf,
    symbolsOf: (wallet) =>
      strategies.filter((one) => one.wallet === wallet).flatMap((one) => one.symbols),
  };
}
