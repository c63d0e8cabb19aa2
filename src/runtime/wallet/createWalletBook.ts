import type {
  AccountRecord,
  BalanceRecord,
  ExecutionRecord,
  FillRecord,
  MonitorRecord,
  OrderRecord,
  PositionRecord,
  Side,
  WatchRow,
} from '../../contract/index.ts';
import type { Entry } from '../../guards/index.ts';
import { createMaintainedRows, type RowHolder } from './createMaintainedRows.ts';
import type { AccountModel } from '../../streams/index.ts';
import { entryOf, openMonitors } from './openMonitors.ts';

/** The latest state of one wallet from the streams, ready for guards, strategies and reports. */
export interface WalletBook {
  model(model: AccountModel): void;
  /** A bar has closed; equity counts when no bar of the same instant is still to come. */
  sample(): void;
  fill(fill: FillRecord): void;
  /** Positive when paid. */
  funding(amount: number): void;
  executions(executions: Iterable<ExecutionRecord>): void;
  watches(rows: Iterable<WatchRow>): void;
  monitors(monitors: Iterable<MonitorRecord>): void;
  /**
   * The account as of now: the last snapshot, with what fills, funding and prices changed since;
   * undefined before the first snapshot.
   */
  account(): AccountRecord | undefined;
  /** The account's equity as of now, without the rest of it. */
  equity(): number | undefined;
  /** Equity of the first snapshot, on top of which anything is earned; 0 before. */
  startEquity(): number;
  /** Equity lost since the UTC day began, quote units; 0 or more. */
  dayLoss(): number;
  runningExecutions(): number;
  /** Trails and tracked entries that count against the wallet's twenty (LEG-11, TRK-6). */
  maintainedRows(): number;
  /** Ids of open orders whose price follows a level. */
  trackedOrders(): ReadonlySet<string>;
  /** Signed size in base units. */
  position(symbol: string): number;
  positionRecord(symbol: string): PositionRecord | undefined;
  /** An open order by its id, or by `client:<client_order_id>`. */
  order(id: string): OrderRecord | undefined;
  /** Base units that resting orders, running executions and monitors may still add on one side. */
  resting(symbol: string, side: Side): number;
  exposedSymbols(): readonly string[];
  openOrders(): readonly OrderRecord[];
  openPositions(): readonly PositionRecord[];
  /** Executions that are not over; one that the service gave another id appears once, by its newest. */
  liveExecutions(): readonly ExecutionRecord[];
  /** The id by which the service shows an execution of this client id now, whether over or not. */
  executionOf(clientId: string): string | undefined;
  /** Monitors that may add exposure when they fire. */
  entryMonitors(): readonly MonitorRecord[];
}

/** The equity that a UTC day began with. */
export interface DayStart {
  /** Days since the epoch. */
  day: number;
  equity: number;
}

export interface WalletBookOptions {
  /** The day as the previous process recorded it: a restart must not reset a limit. */
  dayStart?: DayStart | undefined;
  onDayStart?: (start: DayStart) => void;
  now: () => number;
  /** Last price of a symbol, or undefined. */
  priceOf: (symbol: string) => number | undefined;
  /** Whether a price of the symbol is to come, if there is none yet. */
  isFollowed: (symbol: string) => boolean;
  /** Whether other symbols' bars of this instant are here, and this one's is still to come. */
  isAwaited: (symbol: string) => boolean;
}

/** How a path names an order by its client id (conventions §3). */
export const CLIENT = 'client:';
const DAY_MS = 86_400_000;
/** A wallet's cash is one asset (conventions §6). */
const CASH = 'USDC';
const LIVE: readonly string[] = ['running', 'paused', 'interrupted'];

/** A slash means spot, its base before it (conventions §6). */
export const isSpot = (symbol: string): boolean => symbol.includes('/');
const baseOf = (symbol: string): string => symbol.slice(0, symbol.indexOf('/'));

const signedSize = (position: PositionRecord): number =>
  position.side === 'short' ? -position.size : position.size;

export function createWalletBook(options: WalletBookOptions): WalletBook {
  const { now, priceOf, isAwaited } = options;
  let model: AccountModel | undefined;
  /** Of the model, as lists: they are iterated at every bar. */
  let positions: readonly PositionRecord[] = [];
  let balances: readonly BalanceRecord[] = [];
  let executions: ExecutionRecord[] = [];
  let executionIds: ReadonlyMap<string, string> = new Map();
  let monitors: ReadonlyArray<{ record: MonitorRecord; entry: Entry }> = [];
  const rows = createMaintainedRows();
  let since = { fees: 0, realized: 0, funding: 0 };
  let startEquity: number | undefined;
  let dayStart: DayStart = options.dayStart ?? { day: -1, equity: 0 };
  /** Equity when everything of an instant had arrived; between two balances of one trade it is false. */
  let settled: number | undefined;
  /** Whether prices may move the equity; without positions and assets beside the cash it is constant. */
  let isPriced = true;
  /** Something that is held may still be without its price. */
  let isUnpriced = true;
  /** The model is newer than the last sample. */
  let isStale = true;
  /** Of what is known now; null if it must be recomputed. */
  let exposed: readonly string[] | null = null;
  /** Of the day that was evaluated last, epoch milliseconds. */
  let dayEnd = Number.NEGATIVE_INFINITY;

  const unrealized = (): number => {
    let sum = 0;
    for (let at = 0; at < positions.length; at++) {
      const position = positions[at]!;
      const price = priceOf(position.symbol) ?? position.mark_price;
      sum += signedSize(position) * (price - position.entry_price);
    }
    return sum;
  };

  /** Cash, spot holdings at their price, and open profit. */
  const equity = (): number => {
    let sum = unrealized();
    for (let at = 0; at < balances.length; at++) {
      const { asset, total } = balances[at]!;
      sum += asset === CASH ? total : total * (priceOf(`${asset}/${CASH}`) ?? 0);
    }
    return sum;
  };

  /** Half of a hedge at the new price and half at the old one would show a loss that does not exist. */
  const isHalfMarked = (): boolean => {
    for (let at = 0; at < positions.length; at++) {
      if (isAwaited(positions[at]!.symbol)) return true;
    }
    for (let at = 0; at < balances.length; at++) {
      const { asset, total } = balances[at]!;
      if (asset !== CASH && total > 0 && isAwaited(`${asset}/${CASH}`)) return true;
    }
    return false;
  };

  const usedMargin = (): number => {
    let sum = 0;
    for (const position of positions) {
      const price = priceOf(position.symbol) ?? position.mark_price;
      sum += (position.size * price) / (position.leverage ?? 1);
    }
    return sum;
  };

  /** Without its price a holding is worth nothing, and a day that begins so hides what is lost in it. */
  const lacksPrice = (): boolean =>
    balances.some(({ asset, total }) => {
      const symbol = `${asset}/${CASH}`;
      const isHeld = asset !== CASH && total > 0;
      return isHeld && options.isFollowed(symbol) && priceOf(symbol) === undefined;
    });

  /** A day begins with the equity with which the one before it ended. */
  const rollDay = (): void => {
    const time = now();
    if (time < dayEnd || settled === undefined) return;
    const day = Math.floor(time / DAY_MS);
    dayEnd = (day + 1) * DAY_MS;
    if (day === dayStart.day) return;
    dayStart = { day, equity: settled };
    options.onDayStart?.(dayStart);
  };

  /** The holding of a spot symbol's base: its position, as far as limits are concerned. */
  const holding = (symbol: string): number => model?.balances.get(baseOf(symbol))?.total ?? 0;
  const heldSpots = (): string[] =>
    balances
      .filter(({ asset, total }) => asset !== CASH && total > 0)
      .map(({ asset }) => `${asset}/${CASH}`);

  const findExposed = (): string[] => [
    ...(model?.positions.keys() ?? []),
    ...heldSpots(),
    ...[...(model?.openOrders.values() ?? [])].map(({ symbol }) => symbol),
    ...executions.map(({ symbol }) => symbol),
    ...monitors.map(({ entry }) => entry.symbol),
  ];

  // An execution's child orders hold no rows.
  const orderHolders = (): RowHolder[] =>
    [...(model?.openOrders.values() ?? [])]
      .filter((order) => order.execution_id == null)
      .map(({ order_id: id, request }) => ({ id, request }));
  const holders = (): RowHolder[] => [
    ...orderHolders(),
    ...executions.map(({ execution_id: id, request }) => ({ id, request })),
  ];

  const isEntry = (symbol: string, side: Side, item: OrderRecord | ExecutionRecord): boolean =>
    item.symbol === symbol && item.side === side && !item.reduce_only;

  return {
    model(next) {
      // A new account record is a snapshot: it holds what was counted since the one before.
      if (next.account !== model?.account) since = { fees: 0, realized: 0, funding: 0 };
      if (next.positions !== model?.positions) positions = [...next.positions.values()];
      if (next.balances !== model?.balances) balances = [...next.balances.values()];
      model = next;
      startEquity ??= next.account.equity;
      isPriced = next.positions.size > 0 || next.balances.size > 1;
      isStale = true;
      isUnpriced = true;
      exposed = null;
    },
    sample() {
      if (model === undefined) return;
      if (isUnpriced) isUnpriced = lacksPrice();
      if (isUnpriced) return;
      rollDay();
      if (isPriced && isHalfMarked()) return;
      if (isPriced || isStale) settled = equity();
      isStale = false;
      rollDay();
    },
    fill(fill) {
      since.fees += fill.fee;
      since.realized += fill.closed_pnl ?? 0;
    },
    funding(amount) {
      since.funding += amount;
    },
    executions(next) {
      const newest = newestByClientId(next);
      executionIds = newest.ids;
      executions = newest.records.filter((execution) => LIVE.includes(execution.status));
      exposed = null;
    },
    watches: (next) => rows.watches(next, holders()),
    monitors(next) {
      monitors = openMonitors(next).map((record) => ({ record, entry: entryOf(record) }));
      exposed = null;
    },
    maintainedRows: () => rows.count(holders()),
    trackedOrders: () => rows.tracked(orderHolders()),
    account() {
      if (model === undefined) return undefined;
      const { account } = model;
      const used = usedMargin();
      const total = equity();
      return {
        ...account,
        equity: total,
        used_margin: used,
        available_margin: Math.max(0, total - used),
        unrealized_pnl: unrealized(),
        realized_pnl: account.realized_pnl + since.realized,
        fees_paid: account.fees_paid + since.fees,
        funding_paid: account.funding_paid + since.funding,
        time: now(),
      };
    },
    equity: () => (model === undefined ? undefined : equity()),
    startEquity: () => startEquity ?? 0,
    dayLoss: () => (settled === undefined ? 0 : Math.max(0, dayStart.equity - settled)),
    runningExecutions: () =>
      executions.filter((execution) => execution.status === 'running').length,
    position(symbol) {
      if (isSpot(symbol)) return holding(symbol);
      const position = model?.positions.get(symbol);
      return position === undefined ? 0 : signedSize(position);
    },
    positionRecord: (symbol) => model?.positions.get(symbol),
    order(id) {
      if (!id.startsWith(CLIENT)) return model?.openOrders.get(id);
      const clientId = id.slice(CLIENT.length);
      const orders = [...(model?.openOrders.values() ?? [])];
      return orders.find((order) => order.client_order_id === clientId);
    },
    resting(symbol, side) {
      let size = 0;
      // An execution's child orders are part of its remaining size.
      for (const order of model?.openOrders.values() ?? []) {
        if (order.execution_id == null && isEntry(symbol, side, order)) {
          size += order.size - order.filled_size;
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
    openOrders: () => [...(model?.openOrders.values() ?? [])],
    openPositions: () => positions,
    liveExecutions: () => executions,
    executionOf: (clientId) => executionIds.get(clientId),
    entryMonitors: () => monitors.map(({ record }) => record),
    exposedSymbols: () => (exposed ??= findExposed()),
  };
}

/**
 * A client id names one execution for ever (conventions §1). If two records carry it, the service has renamed
 * the execution, and the record of the older name is obsolete: counted twice, it would represent exposure that
 * does not exist, and be stopped under a name that the service no longer knows.
 */
function newestByClientId(records: Iterable<ExecutionRecord>) {
  const newest = new Map<string, ExecutionRecord>();
  const all = [...records];
  for (const record of all) {
    const { client_execution_id: clientId } = record;
    if (clientId == null) continue;
    const other = newest.get(clientId);
    // At equal times, the later arrival.
    if (other === undefined || record.updated_time >= other.updated_time) {
      newest.set(clientId, record);
    }
  }
  return {
    ids: new Map([...newest].map(([clientId, { execution_id }]) => [clientId, execution_id])),
    records: all.filter((record) => {
      const { client_execution_id: clientId } = record;
      return clientId == null || newest.get(clientId) === record;
    }),
  };
}
