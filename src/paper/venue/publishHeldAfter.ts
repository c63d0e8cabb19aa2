import type { EngineState } from '../engine/EngineState.ts';
import type { Account } from './Account.ts';
import type { Order } from './Order.ts';
import { balanceRecords, heldOf, publishBalance } from './publish.ts';

/**
 * Carries out a change of an order, then publishes the balances if the orders hold more or less than was
 * published last (STR-2). A fill within the change publishes them, too.
 */
export function publishHeldAfter(
  engine: EngineState,
  account: Account,
  order: Order,
  change: () => void,
): void {
  if (!engine.hasListener || !mayHold(engine, order)) {
    change();
    return;
  }
  const before = heldOf(balanceRecords(engine, account));
  const { published } = account;
  change();
  const known = account.published === published ? before : account.published.held;
  if (heldOf(balanceRecords(engine, account)) !== known) publishBalance(engine, account);
}

/** Most orders of exits and executions hold nothing, and to sum up what all orders hold has its cost. */
function mayHold(engine: EngineState, { record }: Order): boolean {
  const { symbol, side, price, reduce_only: reduceOnly } = record;
  if (engine.market.instrument(symbol)!.kind !== 'spot') return price !== null && !reduceOnly;
  return price !== null || side === 'sell';
}
