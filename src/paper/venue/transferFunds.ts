import { isWithin } from '../../contract/bounds.ts';
import { ServiceError } from '../core/ServiceError.ts';
import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from './Account.ts';
import { watchMargin } from './marginWatch.ts';
import { spendableCash } from './margin.ts';
import { publishBalance, publishPosition } from './publish.ts';

/**
 * Whether this much can leave or enter the account: a withdrawal takes only cash that no order or position needs.
 *
 * @param amount USDC; below 0 is a withdrawal
 * @throws ServiceError `insufficient_balance`
 */
export function checkTransfer(engine: EngineState, account: Account, amount: number): void {
  const available = spendableCash(engine, account);
  if (amount >= 0 || isWithin(-amount, available)) return;
  throw new ServiceError('insufficient_balance', { details: { required: -amount, available } });
}

/** Moves funds into the account, or out of it where `amount` is below 0. Balances report it, and no record names it. */
export function transferFunds(engine: EngineState, account: Account, amount: number): void {
  account.cash += amount;
  watchMargin(engine, account);
  // The collateral of cross positions has changed, and with it the price at which they are liquidated.
  for (const { symbol, margin } of account.positions.values())
    if (margin === null) publishPosition(engine, account, symbol);
  publishBalance(engine, account);
}
