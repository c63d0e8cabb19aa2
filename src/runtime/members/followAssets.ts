import { Subscription } from 'rxjs';
import type { AccountModel } from '../../streams/index.ts';
import type { WalletBook } from '../wallet/index.ts';
import { followAsset, type SymbolViews } from './followSymbol.ts';

export interface AssetViews extends SymbolViews {
  wallets: readonly string[];
  /** Symbols that its strategies own, on any wallet: their prices are followed anyway. */
  symbols: Iterable<string>;
  bookOf(wallet: string): WalletBook;
}

/**
 * Follows the price of every spot asset that a wallet holds and no strategy trades, from when it is held: without it
 * the wallet's equity would lack the asset, and a day would show its purchase as a loss.
 */
export function followAssets(views: AssetViews): Subscription {
  const { streams, wallets, bookOf, plan } = views;
  const subscription = new Subscription();
  const followed = new Set(views.symbols);
  const listed = new Set(plan.instruments.map(({ symbol }) => symbol));

  function look(wallet: string): void {
    for (const { symbol } of bookOf(wallet).spotHoldings()) {
      if (followed.has(symbol) || !listed.has(symbol)) continue;
      followed.add(symbol);
      subscription.add(followAsset(symbol, views));
    }
  }

  for (const wallet of wallets) {
    let balances: AccountModel['balances'] | undefined;
    subscription.add(
      streams.wallet(wallet).account$.subscribe((model) => {
        if (model.balances === balances) return;
        ({ balances } = model);
        if (balances.size > 1) look(wallet);
      }),
    );
  }
  return subscription;
}
