import type { ExecutionRecord, MonitorRecord, OrderRecord, Side } from '../../contract/index.ts';
import type { Entry } from '../../guards/index.ts';
import type { AccountModel } from '../../streams/index.ts';
import { createMaintainedRows, type RowHolder } from './createMaintainedRows.ts';
import { newestByClientId } from './newestByClientId.ts';
import { entryOf, openMonitors } from './openMonitors.ts';
import type { WalletBook } from './WalletBook.ts';

/** What is open on a wallet: orders, executions and monitors, and the exposure that they may still add. */
export interface OpenWork
  extends
    Pick<WalletBook, 'executions' | 'watches' | 'monitors' | 'runningExecutions'>,
    Pick<WalletBook, 'maintainedRows' | 'trackedOrders' | 'order' | 'resting' | 'openOrders'>,
    Pick<WalletBook, 'liveExecutions' | 'executionOf' | 'entryMonitors'> {
  model(next: AccountModel): void;
  symbols(): string[];
}

/** How a path names an order by its client id (conventions §3). */
export const CLIENT = 'client:';
const LIVE: readonly string[] = ['running', 'paused', 'interrupted'];

export function createOpenWork(): OpenWork {
  let orders: ReadonlyMap<string, OrderRecord> = new Map();
  let executions: ExecutionRecord[] = [];
  let executionIds: ReadonlyMap<string, string> = new Map();
  let monitors: ReadonlyArray<{ record: MonitorRecord; entry: Entry }> = [];
  const rows = createMaintainedRows();

  // An execution's child orders hold no rows.
  const orderHolders = (): RowHolder[] =>
    [...orders.values()]
      .filter((order) => order.execution_id == null)
      .map(({ order_id: id, request }) => ({ id, request }));
  const holders = (): RowHolder[] => [
    ...orderHolders(),
    ...executions.map(({ execution_id: id, request }) => ({ id, request })),
  ];

  return {
    model(next) {
      orders = next.openOrders;
    },
    executions(next) {
      const newest = newestByClientId(next);
      executionIds = newest.ids;
      executions = newest.records.filter((execution) => LIVE.includes(execution.status));
    },
    watches: (next) => rows.watches(next, holders()),
    monitors(next) {
      monitors = openMonitors(next).map((record) => ({ record, entry: entryOf(record) }));
    },
    symbols() {
      const symbols: string[] = [];
      if (orders.size > 0) for (const { symbol } of orders.values()) symbols.push(symbol);
      for (const { symbol } of executions) symbols.push(symbol);
      for (const { entry } of monitors) symbols.push(entry.symbol);
      return symbols;
    },
    maintainedRows: () => rows.count(holders()),
    trackedOrders: () => rows.tracked(orderHolders()),
    runningExecutions: () =>
      executions.filter((execution) => execution.status === 'running').length,
    order(id) {
      if (!id.startsWith(CLIENT)) return orders.get(id);
      const clientId = id.slice(CLIENT.length);
      return [...orders.values()].find((order) => order.client_order_id === clientId);
    },
    resting(symbol, side) {
      let size = 0;
      // An execution's child orders are part of its remaining size.
      if (orders.size > 0) {
        for (const order of orders.values()) {
          if (order.execution_id == null && isEntry(symbol, side, order)) {
            size += order.size - order.filled_size;
          }
        }
      }
      for (const execution of executions) {
        if (isEntry(symbol, side, execution)) size += execution.remaining_size;
      }
      for (const { entry } of monitors) {
        if (entry.symbol === symbol && entry.side === side) size += entry.size;
      }
      return size;
    },
    openOrders: () => [...orders.values()],
    liveExecutions: () => executions,
    executionOf: (clientId) => executionIds.get(clientId),
    entryMonitors: () => monitors.map(({ record }) => record),
  };
}

const isEntry = (symbol: string, side: Side, item: OrderRecord | ExecutionRecord): boolean =>
  item.symbol === symbol && item.side === side && !item.reduce_only;
