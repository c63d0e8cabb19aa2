import {
  LIVE_EXECUTIONS,
  type ExecutionRecord,
  type MonitorRecord,
  type OrderRecord,
  type Side,
  type WatchRow,
} from '../../contract/index.ts';
import type { Entry } from '../../guards/index.ts';
import type { AccountModel } from '../../streams/index.ts';
import { createMaintainedRows, type RowHolder } from './createMaintainedRows.ts';
import { createUnshownFills, fillerOf } from './createUnshownFills.ts';
import { newestByClientId } from './newestByClientId.ts';
import { entryOf, isStanding, openMonitors, reducingMonitors, triggerOf } from './openMonitors.ts';
import type { WalletBook } from './WalletBook.ts';

/** What is open on a wallet: orders, executions and monitors, and the exposure that they may still add. */
export interface OpenWork
  extends
    Pick<WalletBook, 'executions' | 'watches' | 'monitors' | 'runningExecutions'>,
    Pick<WalletBook, 'maintainedRows' | 'attachedTrails' | 'trackedOrders'>,
    Pick<WalletBook, 'fillInTurn' | 'orderShown' | 'positionShown'>,
    Pick<WalletBook, 'order' | 'resting' | 'openOrders'>,
    Pick<WalletBook, 'closing' | 'armed' | 'armedExecutions' | 'highestTrigger'>,
    Pick<WalletBook, 'liveExecutions' | 'executionOf' | 'entryMonitors' | 'standingMonitors'> {
  model(next: AccountModel): void;
  symbols(): string[];
}

/** How a path names an order by its client id (conventions §3). */
export const CLIENT = 'client:';

/** What was just accepted is an answer, which may lack the field. */
const reduces = ({ reduce_only: reduceOnly }: { reduce_only?: boolean }): boolean =>
  reduceOnly ?? false;

export function createOpenWork(): OpenWork {
  let orders: ReadonlyMap<string, OrderRecord> = new Map();
  let executions: ExecutionRecord[] = [];
  let executionIds: ReadonlyMap<string, string> = new Map();
  let monitors: ReadonlyArray<{ record: MonitorRecord; entry: Entry }> = [];
  let reducing: readonly Entry[] = [];
  let standing: readonly string[] | undefined;
  /** Symbols on which a leg waits. */
  let legs: ReadonlySet<string> = new Set();
  const rows = createMaintainedRows();
  const runs = (id: string) => executions.find(({ execution_id }) => execution_id === id);
  const filledOf = (id: string) => (orders.get(id) ?? runs(id))?.filled_size;
  const unshown = createUnshownFills(filledOf);

  // An execution's child orders hold no rows.
  const orderHolders = (): RowHolder[] =>
    [...orders.values()]
      .filter((order) => order.execution_id == null)
      .map(({ order_id: id, request }) => ({ id, request }));
  const holders = (): RowHolder[] => [
    ...orderHolders(),
    ...executions.map(({ execution_id: id, request }) => ({ id, request })),
  ];

  /** What orders and executions may still fill, and what they have filled that no position shows yet. */
  function workingSize(symbol: string, side: Side, isReducing: boolean): number {
    let size = unshown.size(symbol, side, isReducing);
    const counts = (item: OrderRecord | ExecutionRecord): boolean =>
      item.symbol === symbol && item.side === side && reduces(item) === isReducing;
    // An execution's child orders are part of its remaining size.
    if (orders.size > 0) {
      for (const order of orders.values()) {
        if (order.execution_id == null && counts(order)) size += order.size - order.filled_size;
      }
    }
    for (const execution of executions) {
      if (counts(execution)) size += execution.remaining_size;
    }
    return size;
  }

  return {
    model(next) {
      orders = next.openOrders;
      unshown.model(next);
    },
    fillInTurn: (fill) => unshown.fill(fill, filledOf(fillerOf(fill))),
    orderShown: unshown.seen,
    positionShown: unshown.shown,
    executions(next) {
      const newest = newestByClientId(next);
      executionIds = newest.ids;
      executions = newest.records.filter((execution) => LIVE_EXECUTIONS.includes(execution.status));
      for (const { execution_id: id } of newest.records) unshown.seen(id);
    },
    watches(next) {
      const all = [...next];
      legs = new Set(all.filter(isArmedLeg).map(({ symbol }) => symbol));
      rows.watches(all, holders());
    },
    monitors(next) {
      const all = [...next];
      standing = all.filter(isStanding).map(({ monitor_id: id }) => id);
      reducing = reducingMonitors(all).map(entryOf);
      monitors = openMonitors(all).map((record) => ({ record, entry: entryOf(record) }));
    },
    symbols() {
      const symbols = [...unshown.symbols()];
      if (orders.size > 0) for (const { symbol } of orders.values()) symbols.push(symbol);
      for (const { symbol } of executions) symbols.push(symbol);
      for (const { entry } of monitors) symbols.push(entry.symbol);
      return symbols;
    },
    maintainedRows: () => rows.count(holders()),
    attachedTrails: rows.attachedTrails,
    trackedOrders: () => rows.tracked(orderHolders()),
    runningExecutions: () =>
      executions.filter((execution) => execution.status === 'running').length,
    armedExecutions: () => monitors.filter(({ record }) => record.action.type === 'execute').length,
    order(id) {
      if (!id.startsWith(CLIENT)) return orders.get(id);
      const clientId = id.slice(CLIENT.length);
      return [...orders.values()].find((order) => order.client_order_id === clientId);
    },
    resting(symbol, side) {
      let size = workingSize(symbol, side, false);
      for (const { entry } of monitors) {
        if (entry.symbol === symbol && entry.side === side) size += entry.size;
      }
      return size;
    },
    highestTrigger(symbol, side) {
      let highest = 0;
      for (const { entry } of monitors) {
        if (entry.symbol !== symbol || entry.side !== side) continue;
        highest = Math.max(highest, entry.triggeredAt ?? 0);
      }
      for (const execution of executions) {
        if (execution.symbol !== symbol || execution.side !== side || execution.reduce_only)
          continue;
        highest = Math.max(highest, triggerOf(execution.request) ?? 0);
      }
      return highest;
    },
    closing: (symbol, side) => workingSize(symbol, side, true),
    armed(symbol, side) {
      if (legs.has(symbol)) return Number.POSITIVE_INFINITY;
      let size = 0;
      for (const one of reducing) {
        if (one.symbol === symbol && one.side === side) size += one.size;
      }
      return size;
    },
    openOrders: () => [...orders.values()],
    liveExecutions: () => executions,
    executionOf: (clientId) => executionIds.get(clientId),
    standingMonitors: () => standing,
    entryMonitors: () => monitors.map(({ record }) => record),
  };
}

const isArmedLeg = ({ watch_kind: kind, status }: WatchRow): boolean =>
  kind === 'leg' && status === 'armed';
