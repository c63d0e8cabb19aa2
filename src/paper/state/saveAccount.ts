import type { Execution } from '../algos/Execution.ts';
import type { Leg } from '../legs/Leg.ts';
import type { Monitor } from '../monitors/Monitor.ts';
import type { EntryWatch } from '../tracking/EntryWatch.ts';
import type { Account, Position } from '../venue/Account.ts';
import type { Ledger } from '../venue/Ledger.ts';
import type { Order } from '../venue/Order.ts';
import type {
  SavedAccount,
  SavedEntryWatch,
  SavedExecution,
  SavedLeg,
  SavedMonitor,
  SavedOrder,
  SavedPosition,
  SavedRows,
} from './SavedAccount.ts';

/** What follows from the rows already; `published` compares within one change of an order only. */
type Derived = 'openOrders' | 'liveLegs' | 'liveExecutions' | 'published';

/** A wallet as plain data, handles of the market left out. A new field that is not saved won't compile. */
export function saveAccount(account: Account): SavedAccount {
  const { wallet, cash, realizedPnl, feesPaid, fundingPaid } = account;
  return {
    wallet,
    cash,
    realizedPnl,
    feesPaid,
    fundingPaid,
    positions: [...account.positions.values()].map(savePosition),
    holdings: [...account.holdings.values()].map(savePosition),
    leverage: [...account.leverage],
    isolated: [...account.isolated],
    settings: { ...account.settings },
    volume: account.volume.save(),
    pnl: [...account.pnl],
    orders: rowsOf(account.orders, saveOrder),
    fills: [...account.fills.entries()],
    legs: rowsOf(account.legs, saveLeg),
    entryWatches: [...account.entryWatches.values()].map(saveEntryWatch),
    executions: rowsOf(account.executions, saveExecution),
    monitors: rowsOf(account.monitors, saveMonitor),
    monitorGroups: [...account.monitorGroups.entries()],
    baskets: [...account.baskets.entries()],
    basketTemplates: [...account.basketTemplates.entries()],
    webhooks: [...account.webhooks.entries()],
    deliveries: [...account.deliveries.entries()],
    clientOrderIds: [...account.clientOrderIds],
    clientExecutionIds: [...account.clientExecutionIds],
  } satisfies Record<Exclude<keyof Account, Derived>, unknown>;
}

function rowsOf<T, S>(ledger: Ledger<T>, save: (item: T) => S): SavedRows<S> {
  return [...ledger.entries()].map(([id, item]) => [id, save(item)]);
}

function savePosition({ marginWatch: _watch, ...position }: Position): SavedPosition {
  return position;
}

function saveOrder({ watch: _watch, waiting: _timer, placing: _now, ...order }: Order): SavedOrder {
  return order;
}

function saveLeg({ watch: _watch, hook: _hook, ...leg }: Leg): SavedLeg {
  return leg;
}

function saveEntryWatch({ hook: _hook, ...watch }: EntryWatch): SavedEntryWatch {
  return watch;
}

function saveMonitor(monitor: Monitor): SavedMonitor {
  const { watch: _watch, hook: _hook, bundle: _bundle, ...rest } = monitor;
  return rest;
}

function saveExecution(execution: Execution): SavedExecution {
  const {
    timer: _timer,
    staleTimer: _stale,
    watches: _watches,
    barHook: _hook,
    ...rest
  } = execution;
  const { staleSince, resumedTime } = rest;
  return { ...rest, staleSince: finite(staleSince), resumedTime: finite(resumedTime) };
}

const finite = (time: number): number | null => (Number.isFinite(time) ? time : null);
