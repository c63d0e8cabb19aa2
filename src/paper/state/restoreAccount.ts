import type { BasketLeg } from '../baskets/Basket.ts';
import { endOf } from '../baskets/noteLegEnd.ts';
import type { VenueSettings } from '../engine/EngineState.ts';
import { isLive } from '../legs/Leg.ts';
import { createAccount, type Account } from '../venue/Account.ts';
import type { Ledger } from '../venue/Ledger.ts';
import { isOpen } from '../venue/Order.ts';
import type { SavedAccount, SavedBasketLeg, SavedRows } from './SavedAccount.ts';

/** A wallet as it was saved. None of its handles is in the market yet. */
export function restoreAccount(saved: SavedAccount, settings: VenueSettings): Account {
  const account = createAccount(saved.wallet, saved.cash, settings);
  account.realizedPnl = saved.realizedPnl;
  account.feesPaid = saved.feesPaid;
  account.fundingPaid = saved.fundingPaid;
  Object.assign(account.settings, saved.settings);
  account.volume.restore(saved.volume);
  for (const symbol of saved.isolated) account.isolated.add(symbol);
  for (const book of ['positions', 'holdings'] as const) {
    for (const each of saved[book]) account[book].set(each.symbol, { ...each, marginWatch: null });
  }
  fillMap(account.leverage, saved.leverage);
  fillMap(account.pnl, saved.pnl);
  fillMap(account.clientOrderIds, saved.clientOrderIds);
  fillMap(account.clientExecutionIds, saved.clientExecutionIds);
  restoreRecords(account, saved);
  for (const watch of saved.entryWatches) {
    account.entryWatches.set(watch.watchId, { ...watch, hook: null });
  }
  return account;
}

/** Ledgers, and the open or live records of each: both keep the order in which records came. */
function restoreRecords(account: Account, saved: SavedAccount): void {
  fillLedger(account.fills, saved.fills);
  for (const [id, template] of saved.basketTemplates) {
    account.basketTemplates.add(id, { createdTime: 0, ...template });
  }
  fillLedger(account.webhooks, saved.webhooks);
  fillLedger(account.deliveries, saved.deliveries);
  for (const [id, each] of saved.orders) {
    const order = { ...each, watch: null, waiting: null, placing: false };
    account.orders.add(id, order);
    if (isOpen(order)) account.openOrders.set(id, order);
  }
  for (const [id, each] of saved.legs) {
    const leg = { ...each, watch: null, hook: null };
    account.legs.add(id, leg);
    if (isLive(leg)) account.liveLegs.set(id, leg);
  }
  for (const [id, each] of saved.monitors) {
    account.monitors.add(id, { ...each, watch: null, bundle: null, hook: null });
  }
  // After their monitors, which say whether a group is over.
  for (const [id, group] of saved.monitorGroups) {
    account.monitorGroups.add(id, { createdTime: 0, ...group });
  }
  for (const [id, each] of saved.executions) {
    const handles = { timer: null, staleTimer: null, watches: [], barHook: null };
    const staleSince = each.staleSince ?? Infinity;
    const resumedTime = each.resumedTime ?? -Infinity;
    // A file that lacks it has only those that a leg launched.
    const { unwinds = each.triggered } = each;
    const execution = { ...each, ...handles, staleSince, resumedTime, unwinds };
    account.executions.add(id, execution);
    if (execution.record.ended_time === null) account.liveExecutions.set(id, execution);
  }
  for (const [id, basket] of saved.baskets) {
    const legs = basket.legs.map((leg) => restoreBasketLeg(account, id, leg));
    account.baskets.add(id, { ...basket, legs });
  }
}

/** Where the file lacks how a leg ended, its execution says it; one that retention has dropped counts as completed. */
function restoreBasketLeg(account: Account, basketId: string, leg: SavedBasketLeg): BasketLeg {
  const { endedAs } = leg;
  if (endedAs !== undefined) return { ...leg, endedAs };
  const execution = account.executions.get(leg.executionId);
  if (execution === undefined) return { ...leg, endedAs: 'completed' };
  execution.basketId = basketId;
  return { ...leg, endedAs: endOf(execution) };
}

function fillLedger<T>(ledger: Ledger<T>, rows: SavedRows<T>): void {
  for (const [id, item] of rows) ledger.add(id, item);
}

function fillMap<T>(map: Map<string, T>, entries: ReadonlyArray<readonly [string, T]>): void {
  for (const [key, value] of entries) map.set(key, value);
}
