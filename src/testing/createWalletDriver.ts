import type { AccountRecord, BalanceRecord, InstrumentRecord } from '../contract/index.ts';
import type { DrivenSources } from './createDrivenSources.ts';
import type { PositionInput, TestAccount } from './createTestAccount.ts';
import { requireNumbers } from './requireNumbers.ts';
import { requireStep } from './requireStep.ts';
import { testRefusal } from './testRefusal.ts';

export interface WalletDriver {
  position(symbol: string, input: PositionInput | null): void;
  account(change: Partial<AccountRecord>): void;
  balances(balances: readonly BalanceRecord[]): void;
}

export interface WalletDriverOptions {
  driven: Pick<DrivenSources, 'position$' | 'account$' | 'balances$'>;
  account: TestAccount;
  /** @throws for a symbol that is not of the test */
  requireSymbol(call: string, symbol: string): InstrumentRecord;
}

/** Position, account and balances as a test sets them. */
export function createWalletDriver(options: WalletDriverOptions): WalletDriver {
  const { driven, account, requireSymbol } = options;
  return {
    position(symbol, input) {
      const instrument = requireSymbol('position', symbol);
      if (input !== null) requirePosition(symbol, input);
      if (input !== null) requireStep('position', instrument, input.size);
      if (input?.side === 'short' && instrument.kind === 'spot')
        throw testRefusal(`position of ${symbol}: spot is never short.`, "Write side: 'long'.");
      driven.position$(symbol).next(account.set(symbol, input));
      driven.balances$.next(account.balances());
      driven.account$.next(account.account);
    },
    account(change) {
      requireNumbers('account', change);
      account.update(change);
      driven.account$.next(account.account);
    },
    balances(balances) {
      for (const balance of balances) requireNumbers('balances', balance);
      account.setBalances(balances);
      driven.balances$.next(balances);
    },
  };
}

function requirePosition(
  symbol: string,
  { side, size, entry_price }: { side: string; size: number; entry_price: number },
): void {
  const isWhole = size > 0 && entry_price > 0 && Number.isFinite(size * entry_price);
  if (isWhole && (side === 'long' || side === 'short')) return;
  throw testRefusal(
    `position of ${symbol}: ${JSON.stringify({ side, size, entry_price })}.`,
    "Write { side: 'long' or 'short', size, entry_price }, both above 0, or null for none.",
  );
}
